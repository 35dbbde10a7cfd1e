"""Every notebook runs from beginning to end; their assertions are their answers."""

from __future__ import annotations

import pytest

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_some():
    assert len(NOTEBOOKS) == 11


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
@pytest.mark.filterwarnings("ignore")
def test_notebook_runs(path, monkeypatch):
    # The kernel draws into the notebook.
    monkeypatch.delenv("MPLBACKEND", raising=False)
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
    text = "".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert "**Question.**" in text and "**Answer.**" in text
    pictures = [o for c in notebook.cells for o in c.get("outputs", []) if "image/png" in o.get("data", {})]
    assert pictures, "a figure"
