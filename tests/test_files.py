"""Reading lines with their place, and files that hold what they held or all that was written."""

import os
import stat
import subprocess
import sys

import pytest

from logical_retriever.errors import CorpusError, InvalidArgumentError
from logical_retriever.files import json_lines, replacing, text_lines

FULL_DISK = """
import resource, sys
from logical_retriever.files import replacing
resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))
with replacing(sys.argv[1]) as draft:
    draft.write_text("more than eight bytes")
"""


def write(path, text):
    with replacing(path) as draft:
        draft.write_text(text)


def test_a_line_feed_alone_ends_a_line_and_blank_lines_are_passed_over(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_bytes(b"\xef\xbb\xbfone\xe2\x80\xa8still\r\n \n\xc3\xa9\x0c\n\nlast")
    assert list(text_lines(path)) == [(1, "one\u2028still"), (3, "é\x0c"), (5, "last")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"a": \n', "not JSON: EOF while parsing a value at column 6."),
        (b'{"a": "\\ud800"}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"1" * 5000, "not JSON"),
        (b"[1]", "found a list"),
        (b"1.5", "found a number"),
        (b"null", "found null"),
        (b'"\xff"', "not UTF-8 (byte 2 of the line is 0xff)"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_line_that_is_no_object_is_named(tmp_path, line, said):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"{}\n\n" + line)
    with pytest.raises(CorpusError) as caught:
        list(json_lines(path, "The form of a line."))
    assert said in caught.value.message
    assert (caught.value.path, caught.value.line) == (str(path), 3)


def test_a_file_is_replaced_and_not_overwritten(tmp_path):
    path, link, kept = tmp_path / "curve.json", tmp_path / "link.json", tmp_path / "kept.json"
    path.write_text("before")
    path.chmod(0o640)
    os.link(path, kept)
    link.symlink_to(path)
    write(link, "after")
    assert kept.read_text() == "before"
    assert path.read_text() == "after"
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_disk_without_room_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "curve.json"
    write(path, "new")
    ended = subprocess.run([sys.executable, "-c", FULL_DISK, path], capture_output=True, text=True, check=False)
    assert "InvalidArgumentError" in ended.stderr
    assert f"{path} cannot be written" in ended.stderr
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_of_the_writer_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("before")

    def interrupted():
        with replacing(path) as draft:
            draft.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_device_is_written_to_and_stays_one():
    write("/dev/null", "gone")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("name", ["none/file.json", "file.json/none", "."])
def test_a_path_that_cannot_be_written_is_named(tmp_path, name):
    (tmp_path / "file.json").write_text("")
    with pytest.raises(InvalidArgumentError, match="cannot be written") as caught:
        write(tmp_path / name, "x")
    assert str(tmp_path / name) in caught.value.message
