"""Plug-ins that other installed packages add under their entry points: stores, semantics, transformers, verifiers.

A package adds a semantics in its own ``pyproject.toml``:

    [project.entry-points."logical_retriever.semantics"]
    mine = "my_package.semantics:MySemantics"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from logical_retriever.errors import InvalidArgumentError, PluginError

Group = Literal[
    "logical_retriever.stores",
    "logical_retriever.semantics",
    "logical_retriever.transformers",
    "logical_retriever.verifiers",
]


def plugin_names(group: Group) -> tuple[str, ...]:
    """Names that installed packages have added to a group, sorted; nothing is imported."""
    return tuple(sorted(_found(group)))


def load_plugin(group: Group, name: str) -> Any:
    """Import what a package has added under a name; None where none has.

    Raises:
        PluginError: It cannot be imported, or two packages add the same name. Other names still work.
    """
    found = _found(group).get(name)
    if found is None:
        return None
    if len(found) > 1:
        packages = ", ".join(sorted(_package(entry) for entry in found))
        raise PluginError(
            f"Several packages add {name!r} to {group}: {packages}.", hint="Uninstall all of them but one."
        )
    [entry] = found
    try:
        return entry.load()
    except Exception as error:
        raise PluginError(
            f"{name!r} of {group}, which {_package(entry)} adds as {entry.value}, cannot be imported: "
            f"{type(error).__name__}: {error}",
            hint=f"Repair or uninstall {_package(entry)}; everything else works without it.",
        ) from error


def make_named(
    group: Group, name: object, built_in: Mapping[str, Callable[[], Any]], kind: type, what: str, *, hint: str = ""
) -> Any:
    """Make what has a name, here or in another package: a class or a function is called without arguments.

    Args:
        group: Where other packages name theirs.
        name: The name.
        built_in: What has a name here; it comes first.
        kind: What every one of them makes.
        what: One of them, in words.
        hint: What else a user may have meant, before the names that are known.

    Raises:
        InvalidArgumentError: Nothing has this name.
        PluginError: It is another package's, and cannot be imported or makes something else.
    """
    name = name if isinstance(name, str) else repr(name)
    factory = built_in[name] if name in built_in else load_plugin(group, name)
    if factory is None:
        names = (*built_in, *plugin_names(group))
        close = get_close_matches(name, names, n=1)
        meant = f"Did you mean {close[0]!r}? " if close else ""
        known = f"Known names: {', '.join(names)}." if names else "No package that is installed adds any."
        raise InvalidArgumentError(f"There is no {what} {name!r}.", hint=hint + meant + known)
    made = factory() if callable(factory) else factory
    if not isinstance(made, kind):
        raise PluginError(
            f"What is named {name!r} in {group} makes {type(made).__name__}, which is no {what}.",
            hint=f"Name a class of the kind {kind.__name__}, or a function that makes one.",
        )
    return made


@cache  # four groups, for as long as the process lives: installed packages do not change
def _found(group: Group) -> dict[str, tuple[EntryPoint, ...]]:
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for entry in entry_points(group=group):
        # One package may be listed twice where it is on the path twice.
        if all(entry.value != other.value for other in found.get(entry.name, ())):
            found[entry.name] = (*found.get(entry.name, ()), entry)
    return found


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value.partition(":")[0]
