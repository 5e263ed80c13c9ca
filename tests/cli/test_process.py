"""The command line as its own process: what lands where, what is missing, what is interrupted."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.slow

BLOCK = "import sys\nfor name in {blocked!r}:\n    sys.modules[name] = None\n"
MAIN = "from logical_retriever.cli import main\nsys.argv = ['logical-retriever', *{arguments!r}]\nmain()\n"


def start(*arguments, blocked=()):
    """Start the command line with some packages made impossible to import."""
    return call([sys.executable, "-c", BLOCK.format(blocked=blocked) + MAIN.format(arguments=arguments)])


def call(command, **environment):
    return subprocess.run(command, capture_output=True, encoding="utf-8", env={**os.environ, **environment})


def test_demo_writes_json_and_nothing_else(tmp_path, tmp_path_factory, monkeypatch):
    for name in ("ANONYMIZED_TELEMETRY", "TOKENIZERS_PARALLELISM"):
        monkeypatch.delenv(name, raising=False)
    # Torch makes itself a cache in the temporary folder when it is imported.
    folders = {"TMPDIR": str(tmp_path), "TORCHINDUCTOR_CACHE_DIR": str(tmp_path_factory.mktemp("torch"))}
    done = call([sys.executable, "-m", "logical_retriever", "demo", "--json", "--k", "2"], **folders)
    assert done.returncode == 0
    assert done.stderr == ""
    assert len(json.loads(done.stdout)["questions"]) >= 10
    assert list(tmp_path.iterdir()) == []


def test_a_shell_is_told_how_names_go_on():
    def completed(*words):
        typed = {"COMP_CWORD": str(len(words)), "COMP_WORDS": " ".join(("logical-retriever", *words))}
        command = [sys.executable, "-m", "logical_retriever"]
        return call(command, _LOGICAL_RETRIEVER_COMPLETE="complete_bash", **typed).stdout.split()

    assert completed("dem") == ["demo"]
    assert completed("ask", "--wo") == ["--words"]


@pytest.mark.parametrize("blocked", [("typer",), ("rich",)])
def test_without_typer_or_rich(blocked):
    done = start("demo", blocked=blocked)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "Error: The command line needs a package that is not installed.\n"
        'Hint: Run: pip install "logical-retriever[cli]"\n'
        "More: docs/errors.md#missingpackageerror\n"
    )


def test_without_a_package_that_ask_needs(tmp_path):
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"_id": 1, "text": "x"}')
    (tmp_path / "chroma.sqlite3").touch()
    for package, source, install in [
        ("sentence_transformers", ("--corpus", str(corpus)), '"logical-retriever[cli]"'),
        ("chromadb", ("--path", str(tmp_path)), "chromadb"),
    ]:
        done = start("ask", "x", *source, blocked=(package,))
        assert done.returncode == 2
        assert done.stdout == ""
        assert f"Hint: Run: pip install {install}" in done.stderr
        assert "Traceback" not in done.stderr


STAND_IN = """
import sys
from logical_retriever import cli, commands
commands.COMMANDS = (*commands.COMMANDS, *(commands.Command(*row) for row in {rows!r}))
sys.path.insert(0, {folder!r})
sys.argv = ["logical-retriever", *{arguments!r}]
cli.main()
"""


def with_commands(folder, rows, *arguments):
    """Code that runs the command line with further rows in its table of commands."""
    return [sys.executable, "-c", STAND_IN.format(rows=rows, folder=str(folder), arguments=arguments)]


def test_an_interrupted_command_ends_with_130_and_no_traceback(tmp_path):
    (tmp_path / "sleeper.py").write_text(
        "import signal, time, typer\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # which background jobs ignore
        "app = typer.Typer()\n"
        "@app.command('sleep')\n"
        "def sleep() -> None:\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = with_commands(tmp_path, [("sleep", "sleeper", "cli", "Sleep.")], "sleep")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30)[1] == ""
    assert process.returncode == 130


def test_commands_are_loaded_from_their_modules_or_say_what_they_need(tmp_path):
    (tmp_path / "grouped.py").write_text(
        "import typer\napp = typer.Typer()\n@app.command('one')\ndef first() -> None:\n    print('first')\n"
        "@app.command()\ndef two() -> None:\n    print('second')\n"
    )
    (tmp_path / "needy.py").write_text("import no_such_package_at_all\n")
    (tmp_path / "broken.py").write_text("import logical_retriever.no_such_module\n")
    rows = [("one", "grouped", "x", "One."), ("needy", "needy", "evaluation", "Does a thing.")]

    def run(*arguments):
        return call(with_commands(tmp_path, rows, *arguments))

    assert run("one").stdout == "first\n"
    listed = run("--help").stdout
    assert 'Does a thing. Needs: pip install "logical-retriever[evaluation]"' in " ".join(listed.split())
    needy = run("needy", "FOLDER", "--methods", "all")
    assert needy.returncode == 2
    assert 'pip install "logical-retriever[evaluation]"' in needy.stderr
    rows[:] = [("broken", "broken", "x", "A mistake of ours is no missing package.")]
    broken = run("broken")
    assert "no_such_module" in broken.stderr
    assert broken.returncode == 1


def test_version_and_unknown_command():
    assert re.fullmatch(r"logical-retriever \d+\.\d+\S*\n", start("--version").stdout)
    unknown = start("demoo")
    assert unknown.returncode == 2
    assert "Did you mean 'demo'?" in unknown.stderr
