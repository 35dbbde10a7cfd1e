"""What a study found: one row per run."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _carom
from ._optional import need
from ._run import Run, open_run

if TYPE_CHECKING:
    import pandas


class Picture:
    """A picture of a study; notebooks show it."""

    def __init__(self, core: _carom.Dataset, drawn: dict[str, Any]) -> None:
        self._core = core
        self._drawn = drawn
        self._svg = core.draw(drawn, "svg").decode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as SVG, PNG or PDF, as the name ends."""
        kind = Path(path).suffix.removeprefix(".").lower()
        Path(path).write_bytes(self._core.draw(self._drawn, kind))

    def _repr_svg_(self) -> str:
        return self._svg

    def _repr_png_(self) -> bytes:
        return self._core.draw(self._drawn, "png")


class Study:
    """The dataset of a study, whole or as far as it is.

    Parameters
    ----------
    path : path
        The folder. Its ``parts`` are Parquet files, which pandas, polars and DuckDB read as one table.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._core = _carom.Dataset(os.fspath(path))

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What was asked for: scene, values, results, seed, number of rows."""
        found: dict[str, Any] = json.loads(self._core.manifest)
        return found

    @property
    def columns(self) -> list[str]:
        """Names of the columns: ``row``, values, results, ``stop``, ``stop_time`` (s), ``message``, ``hash``."""
        return self._core.names

    def __len__(self) -> int:
        return self._core.rows

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """A column: numbers with NaN, or texts with None, where there is none."""
        if not isinstance(name, str):
            raise TypeError(f"a column is called by its name, not by {type(name).__name__}")
        found = self._core.column(name)
        return found if isinstance(found, np.ndarray) else np.array(found, dtype=object)

    def to_pandas(self) -> pandas.DataFrame:
        """All columns as a pandas data frame."""
        frame: pandas.DataFrame = need("pandas", "to_pandas").DataFrame({name: self[name] for name in self.columns})
        if frame.empty:
            return frame
        return frame.astype({"row": "int64"}).set_index("row")

    @property
    def failures(self) -> dict[int, str]:
        """Rows that did not end as they should, and what they say."""
        told = zip(self["row"], self["message"])
        return {int(row): message for row, message in told if message is not None}

    def values(self, row: int) -> dict[str, str]:
        """What is changed in the scene of a row.

        Parameters
        ----------
        row : int
            Its number, from 0.

        Returns
        -------
        dict of str
            Values by path, as texts of scene files.
        """
        _, changes = _carom.study_row(os.fspath(self.path), row)
        return dict(change.split("=", 1) for change in changes)

    def run(self, row: int) -> Run:
        """The whole run of a row: the one that was kept, else computed again.

        Parameters
        ----------
        row : int
            Its number, from 0.

        Returns
        -------
        Run
        """
        kept = self.path / "runs" / f"row-{row:012}.run"
        if kept.is_dir():
            return open_run(kept)
        from ._scene import Scene

        scene, changes = _carom.study_row(os.fspath(self.path), row)
        return Scene._from_core(_carom.Scene.load(scene, changes)).run()

    def plot(
        self,
        kind: str,
        x: str | Sequence[str],
        y: str | None = None,
        value: str | None = None,
        *,
        where: str | None = None,
        label: Mapping[str, str] | None = None,
        mark: Mapping[float, str] | None = None,
        title: str | None = None,
    ) -> Picture:
        """Draw it.

        Parameters
        ----------
        kind : {"scatter", "bifurcation", "map", "basin", "parallel", "histogram"}
            Sort of picture.
        x, y, value : str
            Columns on the axes and by colour; ``x`` may be several for ``parallel`` and ``histogram``.
        where : str, optional
            Only rows for which this condition over columns holds.
        label : mapping, optional
            What axes say instead of the names of columns: ``words`` or ``words/unit``.
        mark : mapping, optional
            Upright lines at numbers of the horizontal axis, and what they say.
        title : str, optional
            What stands above it.

        Returns
        -------
        Picture
            Shows itself in a notebook; ``save(path)`` writes SVG, PNG or PDF.
        """
        drawn = {
            "kind": kind,
            "x": [x] if isinstance(x, str) else list(x),
            "y": y,
            "value": value,
            "condition": where,
            "labels": [(name, *_words(text)) for name, text in (label or {}).items()],
            "marks": [(float(at), text) for at, text in (mark or {}).items()],
            "title": title,
        }
        return Picture(self._core, drawn)

    def __repr__(self) -> str:
        wanted = self.manifest["rows"]
        return f"<study {self.path}: {len(self)} of {wanted} rows, {len(self.columns)} columns>"


def _words(text: str) -> tuple[str, str]:
    words, _, unit = text.partition("/")
    return words.strip(), unit.strip()


def open_study(path: str | os.PathLike[str]) -> Study:
    """Read the folder of a study, finished or not.

    Parameters
    ----------
    path : path
        The folder.

    Returns
    -------
    Study
    """
    return Study(path)
