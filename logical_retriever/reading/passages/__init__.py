"""Passages read for what they say of a term."""

from logical_retriever.reading.passages.cues import Mention as Mention, TermCue as TermCue, mention as mention
