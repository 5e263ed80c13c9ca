"""Texts that would do harm, or be changed, in a statement that they were pasted into."""

from logical_retriever.testing import samples

HOSTILE = (
    *("x' OR '1'='1", "'); DROP TABLE docs; --", 'x" OR 1=1 --', "$1", "$lr_vector", "{lr_vector:Array(Float32)}"),
    *("%s %(a)s ?", ":lr_v0", "::text", "\\:a", "\\", "\\'", "''", "a\0b", "tab\tand\nline\r\b\f", "🚀 e\u0301"),
    *("", "`", "/* */ --", "$$; DROP TABLE docs; $$", "E'\\x27'", "\u2019; --", "{}", "{0}", "NULL", "x" * 10_000),
    *samples.HOSTILE,
)
assert len(HOSTILE) >= 36
