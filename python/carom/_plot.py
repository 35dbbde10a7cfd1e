"""Plots with matplotlib, which is needed for nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._optional import need

if TYPE_CHECKING:
    from ._run import Run

_POINTS = 400
"""Points of a curve, at least."""


def plot(run: Run, names: Sequence[str], ax: Any, style: dict[str, Any]) -> Any:
    """Draw columns over time, one set of axes per name, marks where velocities jump."""
    plt = need("matplotlib.pyplot", "run.plot")

    wanted = list(names) or [n[2:] for n in run.columns if n.startswith("q.")]
    groups = [_columns(run, name) for name in wanted]
    if ax is None:
        size = (6.4, 1.0 + 2.2 * len(groups))
        made = plt.subplots(len(groups), 1, sharex=True, squeeze=False, figsize=size)
        axes = list(made[1][:, 0])
        made[0].set_layout_engine("constrained")
    else:
        axes = list(np.ravel(np.asarray(ax, dtype=object)))
        if len(axes) == 1:
            axes = axes * len(groups)
        if len(axes) != len(groups):
            raise ValueError(f"{len(axes)} axes for {len(groups)} names")
    curves = _Curves(run)
    jumps = np.array([event.t for event in run.impacts])
    for name, columns, axis in zip(wanted, groups, axes):
        for column in columns:
            label = column if len(columns) > 1 or axes.count(axis) > 1 else None
            axis.plot(*curves[column], **{"label": label, **style})
        unit = next((run.units[c] for c in (columns[0], f"q.{columns[0]}", f"v.{columns[0]}") if c in run.units), "")
        axis.set_ylabel(f"{name} / {unit}" if unit else name)
        if any(line.get_label()[0] != "_" for line in axis.get_lines()):
            axis.legend()
        # Many impacts at once would only paint the axes grey.
        if len(jumps) <= 60:
            for t in jumps:
                axis.axvline(t, color="0.8", linewidth=0.6, zorder=0)
        axis.margins(x=0)
    axes[-1].set_xlabel("t / s")
    distinct = list(dict.fromkeys(axes))
    return distinct[0] if len(distinct) == 1 else np.array(distinct, dtype=object)


class _Curves:
    """Columns as curves: samples, and between those that are far apart the motion that they determine."""

    def __init__(self, run: Run) -> None:
        self._run = run
        t = run.t
        counts = np.ceil(np.diff(t) / max((t[-1] - t[0]) / _POINTS, np.finfo(float).tiny)).astype(int)
        pieces = [np.linspace(a, b, n, endpoint=False)[1:] for a, b, n in zip(t, t[1:], counts)]
        inner = np.concatenate([np.empty(0), *pieces])
        places = np.repeat(np.arange(1, len(t)), [len(p) for p in pieces])
        self._q, self._v = (
            np.insert(samples, places, found, axis=0)
            for samples, found in zip((run.q, run.v), run.states_at(inner))
        )
        self.t = np.insert(t, places, inner)

    def __getitem__(self, name: str) -> tuple[Any, Any]:
        run, scene = self._run, self._run.scene
        for letter, names, values in (("q", scene.coordinate_names, self._q), ("v", scene.velocity_names, self._v)):
            short = name.removeprefix(f"{letter}.")
            if short in names and (short != name or f"q.{name}" in run or f"v.{name}" in run):
                return self.t, values[:, names.index(short)]
        if name in ("energy.kinetic", "energy.gravity", "energy.spring", "energy.stored"):
            parts = np.array([scene._core.energies(q, v) for q, v in zip(self._q, self._v)])
            kinds = ("energy.kinetic", "energy.gravity", "energy.spring")
            return self.t, parts.sum(axis=1) if name == "energy.stored" else parts[:, kinds.index(name)]
        return run.t, run[name]


def _columns(run: Run, name: str) -> list[str]:
    """The columns that a name stands for."""
    if name in run:
        return [name]
    below = [column for column in run.columns if column.startswith(f"{name}.")]
    if not below:
        run[name]  # says what there is
    if name == "energy":
        # A mechanism without springs has no line at zero.
        below = [c for c in below if np.any(run[c] != 0.0)]
    return below
