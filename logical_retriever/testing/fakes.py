"""Stand-ins for what tests must not call."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from logical_retriever.transform.base import Message


class ScriptedChatModel:
    """A chat model that gives prepared answers, in order, and remembers what it was asked.

    Safe to call from several threads; the answers then go to the calls in the order in which these arrive.

    Args:
        answers: One entry per call: a text is returned, an exception is raised.

    Attributes:
        conversations: The messages of each call, oldest first.
    """

    def __init__(self, answers: Sequence[str | BaseException]) -> None:
        self.conversations: list[tuple[Message, ...]] = []
        self._answers = tuple(answers)
        self._lock = Lock()

    def complete(self, messages: Sequence[Message]) -> str:
        """Give the next answer.

        Raises:
            RuntimeError: The script is at its end.
        """
        with self._lock:
            call = len(self.conversations)
            # Copied, so that a caller that changes its messages later does not change the record.
            self.conversations.append(tuple(Message(role=m["role"], content=m["content"]) for m in messages))
        if call >= len(self._answers):
            msg = f"The script has {len(self._answers)} answers; this is call {call + 1}."
            raise RuntimeError(msg)
        answer = self._answers[call]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """Asynchronous twin of :meth:`complete`."""
        return self.complete(messages)
