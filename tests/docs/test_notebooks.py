"""The notebooks are a numbered course, come without outputs, and run from top to bottom offline.

Each proves what it claims by its own assertions; a kernel of this interpreter runs it in an empty folder.
"""

import ast
import re
from importlib.metadata import metadata
from pathlib import Path

import nbformat
import pytest
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
STARTUP = """
import pytest_socket
pytest_socket.socket_allow_hosts(["127.0.0.1", "localhost", "::1"], allow_unix_socket=True)
"""
"""What the kernel runs first: as in the tests themselves, nothing outside this machine can be reached."""

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_of(notebook):
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def test_the_course_has_seven_parts_in_order():
    assert [path.name[:3] for path in NOTEBOOKS] == [f"{number:02d}_" for number in range(1, 8)]


@each
def test_it_is_valid_and_without_outputs(path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook, relax_add_props=False)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata.kernelspec.name == "python3"
    assert set(notebook.metadata.language_info) == {"name"}
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    for cell in notebook.cells:
        assert not cell.metadata
        assert cell.source.strip() == cell.source != ""
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@each
def test_it_proves_what_it_claims(path):
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    trees = [compile(code, path.name, "exec", flags) for code in code_of(nbformat.read(path, as_version=4))]
    assert any(isinstance(node, ast.Assert) for tree in trees for node in ast.walk(tree))


@each
def test_what_it_links_to_and_installs_exists(path):
    text = path.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)]+\.ipynb)\)", text):
        assert (FOLDER / link).is_file(), link
    [command] = re.findall(r"pip install ([^\n]+?)\\n", text)
    for package, extras in re.findall(r"([a-z-]+)\[([a-z,-]+)\]", command):
        assert set(extras.split(",")) <= set(metadata(package).get_all("Provides-Extra")), (package, extras)


@each
@pytest.mark.timeout(600)
def test_it_runs(path, tmp_path, monkeypatch):
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    startup = tmp_path / "ipythondir" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "offline.py").write_text(STARTUP, encoding="utf-8")
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("ANONYMIZED_TELEMETRY", "False")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # two threads on two busy cores wait for each other
    monkeypatch.setenv("PYTHONWARNINGS", "error:::__main__")  # those that the notebook's own lines cause
    # Without folders to look in, "python3" is this interpreter, whatever kernels the machine has installed.
    manager = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, km=manager, timeout=300, resources={"metadata": {"path": str(work)}}).execute(
        cleanup_kc=True
    )
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
    assert list(work.iterdir()) == []
