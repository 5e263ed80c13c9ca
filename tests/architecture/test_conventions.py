"""The conventions of CONTRIBUTING.md that can be counted."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = [ROOT / folder for folder in ("logical_retriever", "integrations", "tests", "lab", "benchmarks", "training")]
LINES = 400
LETTERS = 79


def files(*folders):
    return [path for folder in folders for path in sorted(folder.rglob("*.py")) if ".venv" not in path.parts]


def test_files_stay_small():
    lines = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in files(*CODE)}
    assert not {path: number for path, number in lines.items() if number > LINES}


def test_names_of_tests_are_short():
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}"
        for path in files(*CODE)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_")
        if len(node.name) > LETTERS
    ]
    assert not long
