"""The import rules of the design, read from the source, and what `import logical_retriever` loads."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import pytest

import logical_retriever

ROOT = Path(__file__).parents[2]
CORE = ROOT / "logical_retriever"
INTEGRATIONS = ROOT / "integrations"
LAB = ROOT / "lab"

FRAMEWORKS = {
    "langchain",
    "langchain_core",
    "langchain_chroma",
    "llama_index",
    "chromadb",
    "torch",
    "sentence_transformers",
}
HEAVY = FRAMEWORKS | {
    *("transformers", "numba", "pytest", "hypothesis", "scipy", "matplotlib", "typer", "rich", "bm25s", "ir_measures"),
    "lark",  # the first query loads it
}
# Room (a module or package of ours) -> the rooms that it imports, then the third-party packages. A row names what is
# imported today and nothing else; a dotted name admits one module of a room, "__init__" the package's public names.
RULES: dict[str, tuple[str, str]] = {
    "errors": ("", ""),
    "bounded": ("", "cachetools"),
    "files": ("errors", "pydantic_core"),
    "naming": ("errors", ""),
    "vectors": ("errors", "numpy"),
    "lexical": ("errors", "Stemmer numpy"),
    "query": ("errors", "lark"),
    "results": ("errors query", ""),
    "corpus": ("errors files", ""),
    "demo": ("corpus", "pydantic"),
    "scoring": ("errors naming query results", "numpy"),
    "embedding": ("errors vectors", "numpy"),
    "encoders": ("errors vectors", "numpy"),
    "stores": ("errors files lexical query results vectors", "numpy qdrant_client sqlalchemy"),
    "reading": ("bounded errors lexical query results", "numpy pydantic"),
    "options": ("errors reading.passages scoring", "typing_extensions"),
    "search": (
        "embedding errors lexical options query reading results scoring stores.separate_word_index stores.base "
        "stores.gate "
        "vectors",
        "numpy",
    ),
    "explain": ("lexical query reading results", ""),
    "retriever": (
        "embedding errors explain options query reading results search stores",
        "numpy typing_extensions",
    ),
    "adapters": (
        "bounded embedding errors explain options query reading results retriever scoring search stores vectors",
        "numpy pydantic",
    ),
    "testing": ("errors lexical query reading results retriever search.statistics stores vectors", "numpy pytest"),
    "play": ("__init__ errors explain options query reading", "pydantic starlette"),
    "evaluation": (
        "__init__ corpus embedding errors files query reading retriever scoring stores vectors",
        "numpy pydantic",
    ),
    "commands": (
        "__init__ adapters corpus demo encoders errors evaluation explain files options play query reading "
        "scoring stores",
        "mcp mcp_types numpy rich typer uvicorn",
    ),
    "cli": ("commands errors", ""),
    "__main__": ("cli", ""),
    "__init__": ("embedding encoders errors explain query reading results retriever scoring stores", ""),
}


def imports(path: Path, *, top_level: bool = False) -> set[str]:
    """Absolute names a file imports; with `top_level`, outside functions and TYPE_CHECKING blocks."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(_top_level(tree.body)) if top_level else list(ast.walk(tree))
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def _top_level(body):
    for node in body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        yield node
        for field in ("body", "orelse", "handlers", "finalbody"):
            yield from _top_level(getattr(node, field, []))


def room_of(path: Path) -> str:
    return path.relative_to(CORE).parts[0].removesuffix(".py")


def test_every_module_has_a_rule_and_every_rule_a_module():
    assert {room_of(path) for path in CORE.rglob("*.py")} == set(RULES)


def imported(room: str) -> dict[str, set[str]]:
    """Imports of a room, each with its files: modules of ours without the package's name, packages of others."""
    rooms, found = set(RULES), {}
    for path in (path for path in CORE.rglob("*.py") if room_of(path) == room):
        for name in imports(path):
            head, _, rest = name.partition(".")
            if head == "logical_retriever":
                name = rest if rest.split(".")[0] in rooms else "__init__"
                if name.split(".")[0] == room:
                    continue
            elif head in sys.stdlib_module_names:
                continue
            else:
                name = head
            found.setdefault(name, set()).add(str(path.relative_to(CORE)))
    return found


def admits(rule: str, name: str) -> bool:
    return name == rule or name.startswith(f"{rule}.")


@pytest.mark.parametrize("room", RULES)
def test_a_room_imports_what_its_rule_names(room):
    allowed = " ".join(RULES[room]).split()
    others = {name: files for name, files in imported(room).items() if not any(admits(rule, name) for rule in allowed)}
    assert not others


@pytest.mark.parametrize("room", RULES)
def test_a_rule_names_nothing_that_the_room_does_not_import(room):
    names = imported(room)
    unused = [rule for rule in " ".join(RULES[room]).split() if not any(admits(rule, name) for name in names)]
    assert not unused


def modules() -> dict[str, Path]:
    """Every module of the core by its name."""
    return {
        ".".join(("logical_retriever", *path.relative_to(CORE).with_suffix("").parts)).removesuffix(".__init__"): path
        for path in CORE.rglob("*.py")
    }


def imported_modules(path: Path, known: dict[str, Path]) -> set[str]:
    """Modules of the core that a file imports anywhere in it."""
    return {name if name in known else name.rpartition(".")[0] for name in imports(path)} & set(known)


def test_no_files_import_each_other_in_a_circle():
    known = modules()
    arrows = {name: imported_modules(path, known) - {name} for name, path in known.items()}
    graphlib.TopologicalSorter(arrows).prepare()  # an error names the files of the first circle


def public_names(room: Path) -> set[str]:
    """What a room's `__init__` defines, or gives on as ``X as X``."""
    names: set[str] = set()
    for node in ast.parse((room / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.name for alias in node.names if alias.asname == alias.name}
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            names |= {ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])}
    return {name for name in names if not name.startswith("_")}


def looks_inside(name: str, modules: set[str]) -> bool:
    """Whether an imported name is public neither in the package nor in a room, nor in one of these modules."""
    room, _, own = name.removeprefix("logical_retriever").removeprefix(".").partition(".")
    if (CORE / room).is_dir() and room:
        return own not in public_names(CORE / room)
    return room not in modules if own else room not in logical_retriever.__all__


def test_names_from_inside_a_room_are_told_from_public_ones():
    for name in ("search.question.Question", "query._rewrite.refuse_conditions", "naming.make_named", "errors"):
        assert looks_inside(f"logical_retriever.{name}", {"errors"})
    for name in ("parse", "query.refuse_conditions", "scoring.SEMANTICS", "corpus.Passage", "errors.StoreError"):
        assert not looks_inside(f"logical_retriever.{name}", {"errors"})


def test_the_evaluation_uses_public_names_of_other_rooms():
    modules = {"errors", "files", "vectors", "embedding", "retriever"}
    for path in (CORE / "evaluation").rglob("*.py"):
        for name in imports(path):
            if name.startswith("logical_retriever") and not name.startswith("logical_retriever.evaluation"):
                assert not looks_inside(name, modules), f"{path.name}: {name}"


def test_the_lab_imports_public_names_alone():
    for path in LAB.rglob("*.py"):
        for name in imports(path):
            head = name.partition(".")[0]
            if head == "logical_retriever":
                assert "tests" in path.parts or not looks_inside(name, {"errors"}), f"{path.name}: {name}"
            elif head not in sys.stdlib_module_names and "tests" not in path.parts:
                assert head in {"lab", "numpy", "scipy", "pydantic", "lark", "ot"}, f"{path.name}: {name}"


def test_nothing_in_the_product_imports_the_lab():
    for path in [*CORE.rglob("*.py"), *INTEGRATIONS.rglob("*.py"), *(ROOT / "training").rglob("*.py")]:
        assert not any(name.partition(".")[0] == "lab" for name in imports(path)), path


def test_integrations_use_one_surface_and_never_each_other():
    packages = {"langchain_logical_retriever": "langchain", "llama_index.retrievers.logical": "llama_index"}
    for folder in sorted(p for p in INTEGRATIONS.iterdir() if p.is_dir()):
        for path in folder.rglob("*.py"):
            if "tests" in path.relative_to(folder).parts or ".venv" in path.parts:
                continue
            for name in imports(path):
                if name.split(".")[0] == "logical_retriever":
                    assert _may_be_imported(name), f"{path}: {name}"
                for package, home in packages.items():
                    if name.startswith(package):
                        assert folder.name == home, f"{path} imports {name}"


def _may_be_imported(name: str) -> bool:
    """Public names of the package itself, and of its surface for frameworks."""
    own = name.split(".")[1:]
    if not own or (len(own) == 1 and own[0] in logical_retriever.__all__):
        return True
    return own[0] == "adapters" and not any(part.startswith("_") for part in own)


def test_core_imports_no_framework_at_module_level():
    for path in CORE.rglob("*.py"):
        found = {name.split(".")[0] for name in imports(path, top_level=True)} & FRAMEWORKS
        assert not found, f"{path}: {found}"


def test_importing_the_package_loads_no_framework_sdk_torch_lark_or_pytest():
    code = f"import sys, logical_retriever\nheavy = {HEAVY!r}\nprint(sorted(heavy & set(sys.modules)))\n"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"


def test_public_names_are_exported_and_documented():
    for name in logical_retriever.__all__:
        assert getattr(logical_retriever, name).__doc__, name


def test_no_class_is_a_named_tuple_and_something_else():
    """Python 3.10 refuses it when the module is imported; later ones, in which the tests mostly run, do not."""
    for path in [*CORE.rglob("*.py"), *LAB.rglob("*.py"), *INTEGRATIONS.rglob("*.py")]:
        if ".venv" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and len(node.bases) > 1:
                assert "NamedTuple" not in map(ast.unparse, node.bases), f"{path.name}: {node.name}"
