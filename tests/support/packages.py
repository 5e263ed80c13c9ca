"""Little packages as pip leaves them: a module, and beside it the record of its entry points."""

import os
import subprocess
import sys
import textwrap


def write_package(site, name, source, entry_points):
    """Write a package into a folder.

    Args:
        site: The folder, as ``site-packages`` is one.
        name: Of the distribution; its module has underscores for hyphens.
        source: Text of the module.
        entry_points: Group -> name -> value.
    """
    module = name.replace("-", "_")
    (site / f"{module}.py").write_text(textwrap.dedent(source))
    record = site / f"{module}-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [
        line
        for group, entries in entry_points.items()
        for line in (f"[{group}]", *(f"{entry} = {value}" for entry, value in entries.items()))
    ]
    (record / "entry_points.txt").write_text("\n".join(lines) + "\n")


def run_with(site, code):
    """What code prints in a process of its own that has the packages of a folder."""
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH", ""))))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
