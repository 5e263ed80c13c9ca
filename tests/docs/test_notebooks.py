"""The notebooks are a numbered course, come with small outputs, and run from top to bottom offline.

Each proves what it claims by its own assertions; a kernel of this interpreter runs it in an empty folder.
"""

import re
from importlib.metadata import metadata

import nbformat
import pytest
from notebook_outputs import FOLDER, executed, kept

pytestmark = pytest.mark.notebooks

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def test_the_course_has_five_parts_in_order():
    assert [path.name[:3] for path in NOTEBOOKS] == [f"{number:02d}_" for number in range(1, 6)]


@each
def test_it_is_valid_and_its_outputs_are_small(path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook, relax_add_props=False)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata.kernelspec.name == "python3"
    assert set(notebook.metadata.language_info) == {"name"}
    assert not any(cell.metadata for cell in notebook.cells)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    pictures = [output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) <= 1
    assert all(len(picture) * 3 // 4 < 100_000 for picture in pictures)
    assert len(outputs) > 3
    said = "".join(output.text if output.output_type == "stream" else str(output.data) for output in outputs)
    assert not re.search(r"/tmp/|/home/|/root/|/Users/", said)


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
def test_it_runs_and_has_the_outputs_that_it_came_with(path, tmp_path):
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    notebook = executed(path, work, home)
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
    assert list(work.iterdir()) == []
    # Their numbers vary from machine to machine; that they are there does not.
    assert forms_of(kept(notebook)) == forms_of(nbformat.read(path, as_version=4)), "make notebooks"


def forms_of(notebook):
    """Of each output of each cell, whether it is printed, and if not, whether text or a picture."""
    return [
        [output.output_type if output.output_type == "stream" else next(iter(output.data)) for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
