"""Hooks of mkdocs: add README, CHANGELOG and the reference to the site, and write llms.txt.

Links from these files to pages of the docs are rewritten for their place in the site.
"""

import ast
import posixpath
import re
from functools import partial
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
INCLUDED = {
    "index.md": "README.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "how-to/langchain.md": "integrations/langchain/README.md",
    "how-to/llama-index.md": "integrations/llama_index/README.md",
}
"""Pages of the site, and the files of the project that they show."""
ROOMS = {
    "core": "logical_retriever",
    "query": "logical_retriever.query",
    "reading": "logical_retriever.reading",
    "scoring": "logical_retriever.scoring",
    "passages": "logical_retriever.reading.passages",
    "lexical": "logical_retriever.lexical",
    "options": "logical_retriever.options",
    "errors": "logical_retriever.errors",
    "results": "logical_retriever.results",
    "explain": "logical_retriever.explain",
    "stores": "logical_retriever.stores",
    "evaluation": "logical_retriever.evaluation",
    "adapters": "logical_retriever.adapters",
    "testing": "logical_retriever.testing",
    "langchain": "langchain_logical_retriever",
    "llama-index": "llama_index.retrievers.logical",
}
"""Pages of the reference, and the modules whose public names they list."""
CORE = [module for module in ROOMS.values() if module.startswith("logical_retriever")]
SOURCES = (ROOT, ROOT / "integrations" / "langchain", ROOT / "integrations" / "llama_index")
LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\((?!\w+:|#)([^)#\s]+)(#[^)]*)?\)|!\[([^\[\]]*)\]\(docs/([^)]*)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from :data:`INCLUDED`, and the reference."""
    for page, path in INCLUDED.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=LINK.sub(partial(_moved, page, path), text)))
    for page, module in ROOMS.items():
        files.append(File.generated(config, f"api/{page}.md", content=reference(module)))
    return files


def reference(module: str) -> str:
    """Return a page of the reference: the public names of a module that no earlier page has."""
    return "\n\n".join([f"# `{module}`", *(f"::: {module}.{name}" for name in own_names(module))])


def own_names(module: str) -> list[str]:
    """Return the public names of a module that no earlier page has, in the order of the alphabet."""
    earlier = list(ROOMS.values())[: list(ROOMS.values()).index(module)] if module in CORE else []
    known = {name for other in earlier for name in public_names(other)}
    return sorted(set(public_names(module)) - known, key=lambda name: (name.lower(), name))


def public_names(module: str) -> list[str]:
    """Return a module's ``__all__``, else the public names that it defines or re-exports (``X as X``)."""
    tree = ast.parse(_source(module).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    names = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.name for alias in node.names if alias.asname == alias.name}
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            names |= {target.id} if isinstance(target, ast.Name) else set()
    return [name for name in names if not name.startswith("_")]


def _source(module: str) -> Path:
    parts = module.split(".")
    for root in SOURCES:
        for path in (root.joinpath(*parts, "__init__.py"), root.joinpath(*parts).with_suffix(".py")):
            if path.is_file():
                return path
    raise FileNotFoundError(module)


def _moved(page: str, path: str, found: re.Match[str]) -> str:
    """Return a link of a file as its page needs it; its text alone if the site lacks the target."""
    text, to, anchor, alternative, picture = found.groups()
    if picture:
        return f"![{alternative}]({posixpath.relpath(picture, posixpath.dirname(page) or '.')})"
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), to))
    there = {file: name for name, file in INCLUDED.items()}.get(target)
    if there is None and target.startswith("docs/"):
        there = target.removeprefix("docs/")
    if there is None:
        return text
    return f"[{text}]({posixpath.relpath(there, posixpath.dirname(page) or '.')}{anchor or ''})"


def on_post_build(config: MkDocsConfig) -> None:
    """Write ``llms.txt``, a list of all pages for language models."""
    lines = [f"# {config.site_name}", "", f"> {config.site_description}", ""]
    for section in config.nav:
        for heading, pages in section.items():
            lines += [f"## {heading}", ""]
            for page in [pages] if isinstance(pages, str) else pages:
                [(title, path)] = page.items() if isinstance(page, dict) else [(heading, page)]
                lines.append(f"- [{title}]({path})")
            lines.append("")
    (Path(config.site_dir) / "llms.txt").write_text("\n".join(lines), encoding="utf-8")
