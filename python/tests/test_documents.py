"""The Python of README.md, docs/python.md and docs/studies.md does what it says, block after block."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from conftest import ROOT


@pytest.mark.parametrize("name", ["README.md", "docs/python.md", "docs/studies.md"])
def test_blocks_run(name, monkeypatch, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / name).read_text(), re.M | re.S)
    assert blocks
    # Scenes are read from the root; nothing is written there.
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "target").mkdir()
    space: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, name, "exec"), space)
    import matplotlib.pyplot as plt

    plt.close("all")


def test_the_wheel_holds_the_command():
    assert (Path(sys.executable).parent / "carom").exists()


def test_docstrings_are_true():
    import doctest

    import carom

    for module in (carom, carom._scene):
        failed, count = doctest.testmod(module)
        assert count and not failed
