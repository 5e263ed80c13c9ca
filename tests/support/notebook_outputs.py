"""Runs the notebooks, and keeps what is worth reading of their outputs; ``make notebooks`` writes them back."""

import os
import re
import sys
import tempfile
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
LONGEST = 6_000
"""Characters of one output that are kept."""
STARTUP = """
import pytest_socket
pytest_socket.socket_allow_hosts(["127.0.0.1", "localhost", "::1"], allow_unix_socket=True)
"""
"""What the kernel runs first: as in the tests themselves, nothing outside this machine can be reached."""


def executed(path, work, home):
    """A notebook with all of its outputs, run by a kernel of this interpreter in the folder ``work``."""
    startup = home / "ipythondir" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "offline.py").write_text(STARTUP, encoding="utf-8")
    environment = {
        name: str(home / name.lower())
        for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    } | {
        "HF_HUB_OFFLINE": "1",
        "ANONYMIZED_TELEMETRY": "False",
        "OMP_NUM_THREADS": "1",  # two threads on two busy cores wait for each other
        "PYTHONWARNINGS": "error:::__main__",  # those that the notebook's own lines cause
    }
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        # Without folders to look in, "python3" is this interpreter, whatever kernels the machine has installed.
        manager = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
        notebook = nbformat.read(path, as_version=4)
        client = NotebookClient(notebook, km=manager, timeout=300, resources={"metadata": {"path": str(work)}})
        client.execute(cleanup_kc=True)
    finally:
        os.environ.clear()
        os.environ.update(before)
    return notebook


def kept(notebook):
    """The notebook with what is kept of its outputs: printed text, results as text, and its first picture."""
    pictured = False
    for number, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), start=1):
        cell.metadata.clear()  # when it ran
        cell.execution_count = number
        outputs = []
        for output in cell.outputs:
            if output.output_type == "stream":
                if output.name == "stdout" and outputs and outputs[-1].output_type == "stream":
                    outputs[-1].text = _short(outputs[-1].text + output.text)  # one print that came in two parts
                elif output.name == "stdout":
                    output.text = _short(output.text)
                    outputs.append(output)
                continue
            data = output.data
            forms = ("text/markdown", "text/plain")
            if "image/png" in data and not pictured:
                forms, pictured = ("image/png", "text/plain"), True
            form = next(form for form in forms if form in data)
            shown = {form: data[form] if form == "image/png" else _short(data[form])}
            output.data = nbformat.from_dict(shown)
            if output.output_type == "execute_result":
                output.execution_count = number
            outputs.append(output)
        cell.outputs = outputs
    return notebook


def _short(text):
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)  # colours of a terminal
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}\n…"


def main():
    for path in sorted(FOLDER.glob("*.ipynb")):
        if len(sys.argv) > 1 and path.name[:2] not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as work, tempfile.TemporaryDirectory() as home:
            notebook = kept(executed(path, work, Path(home)))
        notebook.metadata.language_info = nbformat.from_dict({"name": "python"})
        nbformat.write(notebook, path)
        sys.stdout.write(f"{path.name}: {path.stat().st_size // 1000} kB\n")


if __name__ == "__main__":
    main()
