"""The command line as its own process: what lands where, what is missing, what is interrupted.

``serve`` is asked by the official client over standard input and output.
"""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

import pytest
from mcp import Client, StdioServerParameters

pytestmark = pytest.mark.slow

COMMAND = (sys.executable, "-m", "logical_retriever")
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
    done = call([*COMMAND, "demo", "--json", "--k", "2"], **folders)
    assert done.returncode == 0
    assert done.stderr == ""
    assert len(json.loads(done.stdout)["questions"]) >= 10
    assert list(tmp_path.iterdir()) == []


def test_a_shell_is_told_how_names_go_on():
    def completed(*words):
        typed = {"COMP_CWORD": str(len(words)), "COMP_WORDS": " ".join(("logical-retriever", *words))}
        return call(COMMAND, _LOGICAL_RETRIEVER_COMPLETE="complete_bash", **typed).stdout.split()

    assert completed("dem") == ["demo"]
    assert completed("ask", "--wo") == ["--words-index", "--words"]


CLI = '"logical-retriever[cli]"'


@pytest.mark.parametrize(
    ("package", "command", "what", "install"),
    [
        ("typer", ["demo"], "The command line", CLI),
        ("rich", ["demo"], "The command line", CLI),
        ("sentence_transformers", ["ask", "x", "--corpus", "a.jsonl"], "Encoding with 'all-MiniLM-L6-v2'", CLI),
        ("chromadb", ["ask", "x", "--path", "."], "A Chroma collection", "chromadb"),
    ],
)
def test_a_package_that_is_missing_is_said(tmp_path, monkeypatch, package, command, what, install):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text('{"_id": 1, "text": "x"}')
    (tmp_path / "chroma.sqlite3").touch()
    done = start(*command, blocked=(package,))
    assert (done.returncode, done.stdout) == (2, "")
    said = f"Error: {what} needs a package that is not installed.\nHint: Run: pip install {install}\n"
    assert done.stderr == f"{said}More: docs/errors.md#missingpackageerror\n"


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


# ---- serve ----

ARGUMENTS = {"all_of": ["Health benefits of vitamin D"], "none_of": ["Vitamin D for bone health"]}
PROMPT_S = 60
"""What must not hang is over after this time, with the encoder loaded on a busy machine."""


@contextlib.contextmanager
def started(*arguments):
    """The process, once it has said that it serves."""
    process = subprocess.Popen(
        [*COMMAND, "serve", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        try:
            said = process.stderr.readline()
            assert said.startswith("Serving "), said + process.stderr.read()
            yield process
        finally:
            process.kill()


async def test_what_is_shown_is_the_operators(corpus):
    settings = {"exclusion": "rank", "min-relevance": "0.2", "always-exclude": "Miles Davis", "about": "Vitamins."}
    options = [word for name, value in settings.items() for word in (f"--{name}", value)]
    arguments = [*COMMAND[1:], "serve", "--corpus", str(corpus), *options]

    async def answer():
        async with Client(StdioServerParameters(command=COMMAND[0], args=arguments, env=dict(os.environ))) as client:
            [tool] = (await client.list_tools()).tools
            return tool, await client.call_tool(tool.name, {**ARGUMENTS, "k": 4})

    tool, result = await asyncio.wait_for(answer(), PROMPT_S)
    assert tool.description.endswith("What the passages are about: Vitamins.")
    shown = {document["id"] for document in result.meta["logical-retriever/result"]["documents"]}
    assert shown == {"bone", "mood", "cold"}


def test_nothing_but_the_protocol_on_standard_output_until_standard_input_is_closed(corpus):
    """A line that is no message would end the session of a strict client."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    call = {"name": "logical_search", "arguments": ARGUMENTS}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    with started("--corpus", corpus) as process:
        for message in messages:
            process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.wait(timeout=PROMPT_S) == 0
        assert process.stdout.read() == ""
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["isError"] is False


def test_errors_before_anything_is_served(run, tmp_path, corpus):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for arguments, problem in [
            (("serve", "--path", tmp_path / "none"), "There is no folder"),
            (("serve", "--corpus", corpus, "--k", 51), "--k"),
            (("serve", "--corpus", corpus, "--min-relevance", 2), "min_relevance"),
            (("serve",), "--path"),
            (("play", "--port", port), f"Port {port} cannot be listened to: Address already in use."),
        ]:
            result = run(*arguments)
            assert result.exit_code == 2
            assert problem in " ".join(result.stderr.split())
            assert result.stdout == ""


def test_a_server_on_stdio_ends_when_told_to(corpus):
    """Although a thread is waiting for standard input, which stays open."""
    with started("--corpus", corpus) as process:
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PROMPT_S) == -signal.SIGINT
