"""What a run leaves that was killed, or interrupted, while it filled a collection, and what the next run says of it."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import time

import pytest

QUESTION = "What is vitamin D good for, other than bones?"
START_S = 120
"""Seconds in which the first passages are stored, with the encoder loaded on a busy machine."""


def stored(kept):
    """How many passages the collection in a folder has; 0 before it has its tables."""
    database = kept / "chroma.sqlite3"
    if not database.exists():
        return 0
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        try:
            return connection.execute("SELECT count(*) FROM embeddings").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


def test_a_killed_run_leaves_a_folder_that_the_next_run_names_with_the_remedy(run, encoder, corpus, tmp_path, write):
    kept = tmp_path / "kept"
    large = write(tmp_path / "large.jsonl", [{"_id": i, "text": f"Passage {i} on tea."} for i in range(5_000)])
    command = [sys.executable, "-m", "logical_retriever", "ask", QUESTION, "--corpus", large, "--path", kept]
    with subprocess.Popen(command, env=dict(os.environ), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        end = time.monotonic() + START_S
        while process.poll() is None and time.monotonic() < end and stored(kept) == 0:
            time.sleep(0.05)
        process.kill()
    assert 0 < stored(kept) < 5_000
    for arguments in (("ask", QUESTION), ("ask", QUESTION, "--corpus", large), ("serve",)):
        done = run(*arguments, "--path", kept)
        assert done.exit_code == 2, done.stdout
        assert "is being changed, or the run that changed it was killed" in done.stderr
        assert "delete the folder" in done.stderr
        assert f"--corpus FOLDER --path {kept}" in done.stderr
    shutil.rmtree(kept)
    assert run("ask", QUESTION, "--corpus", corpus, "--path", kept).exit_code == 0
    assert run("ask", QUESTION, "--path", kept).exit_code == 0


def test_a_part_of_the_passages_is_not_taken_for_the_whole(run, encoder, corpus, tmp_path, monkeypatch):
    monkeypatch.setattr("logical_retriever.commands.collection.BATCH", 1)
    whole = encoder.embed_documents

    def interrupted(texts):
        if encoder.documents:
            raise KeyboardInterrupt
        return whole(texts)

    encoder.embed_documents = interrupted
    kept = tmp_path / "kept"
    assert run("ask", QUESTION, "--corpus", corpus, "--path", kept).exit_code == 130
    encoder.embed_documents = whole
    for arguments in (("ask", QUESTION), ("serve",)):
        part = run(*arguments, "--path", kept)
        assert part.exit_code == 2
        assert "was not filled to the end" in part.stderr
    assert "3 new, 0 changed, 0 removed, 1 unchanged" in run("ask", QUESTION, "--corpus", corpus, "--path", kept).stderr
    assert run("ask", QUESTION, "--path", kept).exit_code == 0


@pytest.mark.parametrize("arguments", [(), ("--corpus", "{corpus}")])
def test_a_folder_that_chroma_cannot_open_is_named_with_the_remedy(run, encoder, corpus, tmp_path, arguments):
    kept = tmp_path / "kept"
    run("ask", QUESTION, "--corpus", corpus, "--path", kept)
    os.truncate(kept / "chroma.sqlite3", 8192)
    done = run("ask", QUESTION, "--path", kept, *(a.format(corpus=corpus) for a in arguments))
    assert done.exit_code == 2
    assert f"Chroma cannot open the folder {kept}" in done.stderr
    assert "If a run was killed while it filled the folder, delete it" in done.stderr
