"""Runs: what was recorded, as NumPy arrays that share the memory of the recording."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from . import _carom
from ._carom import Event
from ._errors import CaromError
from ._folder import Folder
from ._optional import need
from ._state import Array, State

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

    from ._scene import Scene


class Events(Sequence[Event]):
    """The events of a run, in order of time."""

    def __init__(self, core: _carom.Run) -> None:
        self._core = core

    def __len__(self) -> int:
        return self._core.event_count

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        if isinstance(index, slice):
            return [self._core.event(k) for k in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"event {index} of {len(self)}")
        return self._core.event(place)

    def of_kind(self, *kinds: str) -> list[Event]:
        """Events of certain kinds.

        Parameters
        ----------
        *kinds : str
            Such as ``"impact"`` or ``"slip-stop"``.

        Returns
        -------
        list of Event
            In order of time.
        """
        return [self._core.event(k) for k, kind in enumerate(self._core.event_kinds) if kind in kinds]

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """All events as columns: one row per contact of each event, one per event without contacts.

        Returns
        -------
        dict of ndarray
            ``event`` (its place), ``t`` (s), ``kind``, ``contact``, ``p_n``, ``p_t1``, ``p_t2`` (N s),
            ``u_n_before``, ``u_n_after`` (m/s), ``normal_work``, ``friction_work``, ``energy_before``,
            ``energy_after``, ``energy_lost`` (J), ``rescue``. What does not apply is NaN or None.
        """
        found = self._core.event_columns()
        for name in ("kind", "contact", "rescue"):
            found[name] = np.array(found[name], dtype=object)
        return found

    def to_pandas(self) -> pandas.DataFrame:
        """The columns as a pandas data frame."""
        made: pandas.DataFrame = need("pandas", "to_pandas").DataFrame(self.columns())
        return made

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The columns as an Arrow stream, which polars, DuckDB, pyarrow and others take."""
        return self._core.event_stream()

    def __repr__(self) -> str:
        counts: dict[str, int] = {}
        for kind in self._core.event_kinds:
            counts[kind] = counts.get(kind, 0) + 1
        listed = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        return f"<{len(self)} events{': ' + listed if listed else ''}>"


class Run:
    """A run: samples, events, energies, and how it ended.

    Arrays share the memory of the recording and cannot be written to; ``.copy()`` gives one that can.
    """

    def __init__(self, core: _carom.Run) -> None:
        self._core = core
        self._folder: Folder | None = None

    @cached_property
    def t(self) -> Array:
        """Times of the samples, s; twice at an event, before and after it.

        Runs of more than 16 bodies that have nothing to do with each other are sampled at intervals alone: their events
        tell what happened between (``event.bodies``).
        """
        return self._core.t

    @cached_property
    def q(self) -> Array:
        """Coordinates, one row per sample."""
        return self._core.q

    @cached_property
    def v(self) -> Array:
        """Velocities, one row per sample (m/s, rad/s)."""
        return self._core.v

    @cached_property
    def a(self) -> Array:
        """Accelerations, one row per sample (m/s², rad/s²)."""
        return self._core.a

    @cached_property
    def columns(self) -> list[str]:
        """Names of all columns, as in the files of a run."""
        return [name for name, _ in self._core.columns] + [f"mode.{s}" for s in self._core.sites]

    @cached_property
    def units(self) -> dict[str, str]:
        """Units by column."""
        return dict(self._core.columns)

    @cached_property
    def _places(self) -> dict[str, int]:
        names = [name for name, _ in self._core.columns]
        places = {name: k for k, name in enumerate(names)}
        for k, name in enumerate(names):
            # Coordinates and velocities may be named without their letter: `ball.z`, `ball.vz`.
            if name.startswith(("q.", "v.")):
                places.setdefault(name[2:], k)
        return places

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """A column by its name.

        Parameters
        ----------
        name : str
            A coordinate (``ball.z``) or velocity (``ball.vz``), or any of ``run.columns``: ``a.ball.vz``,
            ``energy.kinetic``, ``gap.ball-ground``, ``force.ball-ground.n``, ``mode.ball-ground``.

        Returns
        -------
        ndarray
            Numbers in the unit of ``run.units``, on the memory of the run; modes are words.
        """
        if isinstance(name, str) and name.startswith("mode."):
            codes = self._core.modes(name[len("mode.") :])
            return np.array(self._core.mode_words)[codes]
        place = self._places.get(name)
        if place is None:
            import difflib

            near = difflib.get_close_matches(str(name), self._places, n=3)
            offer = f"; did you mean {' or '.join(near)}?" if near else f"; there are {self.columns}"
            raise KeyError(f"no column is called {name!r}{offer}")
        return self._core.column(place)

    def __contains__(self, name: object) -> bool:
        return name in self._places or name in self.columns

    def __len__(self) -> int:
        return len(self.t)

    @cached_property
    def events(self) -> Events:
        """The events, in order of time."""
        return Events(self._core)

    @property
    def impacts(self) -> list[Event]:
        """Events in which velocities jumped."""
        return self.events.of_kind("impact", "jam", "close")

    @property
    def stop(self) -> str:
        """How it ended: ``reached-end``, ``observer``, ``interrupted``, ``no-solution``, ``ambiguous``,
        ``runaway``, ``open-ledger`` or ``error``."""
        return self._core.stop

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Everything that ``summary.json`` says: ending, counts, energy ledger, worst residuals, hash."""
        found: dict[str, Any] = json.loads(self._core.summary)
        return found

    @property
    def energy_lost(self) -> float:
        """Energy lost at contacts and in dampers, J."""
        return self._core.energy_lost

    @cached_property
    def state(self) -> State:
        """The last state."""
        return State(self.t[-1], self.q[-1], self.v[-1])

    @cached_property
    def scene(self) -> Scene:
        """The scene that was run."""
        from ._scene import Scene

        return Scene._from_core(_carom.Scene.of_run(self._core), self._folder)

    def state_at(self, t: float, *, side: str = "after") -> State:
        """The state at a time, to the tolerance of the run.

        At a sample, so at every event, it is the sample, to the bit. Between two it is integrated again from the
        one before, with the tolerances of the run, and taken if the same integration reaches the one after; where
        it does not, because a force or controller of the run was a Python function or the net had carried
        contacts over, it is the polynomial of :meth:`states_at`.

        Parameters
        ----------
        t : float
            Time, s, between the first and the last sample.
        side : {"after", "before"}
            Which state is meant where the run has two: after all events of that time, or before.

        Returns
        -------
        State
        """
        q, v = self._interpolated([t], side)
        again = self._integrated(float(t))
        return State(float(t), q[0], v[0]) if again is None else again

    def _integrated(self, t: float) -> State | None:
        """The state by integration from the sample before; None at a sample, or if the next one is missed."""
        k = int(np.searchsorted(self.t, t, side="right"))
        if k == 0 or k == len(self.t) or self.t[k - 1] == t:
            return None
        options = self.summary["options"]
        rtol, atol = options.get("rtol"), options.get("atol")
        if rtol is None or atol is None:
            # Fixed steps have a grid of their own.
            return None
        start = State(self.t[k - 1], self.q[k - 1], self.v[k - 1])
        apart = float(self.t[k] - self.t[k - 1])
        try:
            found = self.scene.run(until=t, start=start, output_interval=apart).state
            end = self.scene.run(until=float(self.t[k]), start=found, output_interval=apart)
        except (CaromError, ValueError):
            return None
        bound = 1e3 * max(rtol, atol)
        missed = max(
            np.max(np.abs(end.q[-1] - self.q[k]) / (1.0 + np.abs(self.q[k])), initial=0.0),
            np.max(np.abs(end.v[-1] - self.v[k]) / (1.0 + np.abs(self.v[k])), initial=0.0),
        )
        return found if missed <= bound else None

    def states_at(self, t: npt.ArrayLike, *, side: str = "after") -> tuple[Array, Array]:
        """Coordinates and velocities at many times, fast.

        Between samples it is the polynomial through coordinates, velocities and accelerations of two to four of
        them (degree five to eleven), typically good to 1e-7; :meth:`state_at` is as accurate as the run.

        Parameters
        ----------
        t : array_like
            Times, s, between the first and the last sample.
        side : {"after", "before"}
            Which state is meant where the run has two.

        Returns
        -------
        tuple of ndarray
            Coordinates, shape (len(t), nq), and velocities, shape (len(t), nv).
        """
        q, v = self._interpolated(t, side)
        # No polynomial goes through an event that has no samples of its own.
        for k, time in enumerate(np.ravel(np.asarray(t, dtype=float)) if len(self._between) else ()):
            row = int(np.searchsorted(self.t, time, side="right"))
            if 0 < row < len(self.t) and np.any((self._between > self.t[row - 1]) & (self._between < self.t[row])):
                again = self._integrated(float(time))
                if again is not None:
                    q[k], v[k] = again.q, again.v
        return q, v

    def _interpolated(self, t: npt.ArrayLike, side: str) -> tuple[Array, Array]:
        if side not in ("after", "before"):
            raise ValueError(f"side is {side!r}, must be 'after' or 'before'")
        return self._core.states_at(t, side == "before")

    @cached_property
    def _between(self) -> Array:
        """Times of events that tell of their own bodies alone and have no samples, s."""
        return np.array([event.t for event in self.events if event.bodies])

    def save(self, path: str | os.PathLike[str], *, csv: bool = False, npz: bool = False) -> None:
        """Write the folder of the run, which ``carom`` commands and :func:`carom.open_run` read.

        Parameters
        ----------
        path : path
            A folder that is new, empty, or an earlier run's.
        csv, npz : bool
            Whether the trajectory is written in these formats as well as in Parquet.
        """
        self._core.save(os.fspath(path), csv, npz)

    def to_pandas(self) -> pandas.DataFrame:
        """All columns of numbers as a pandas data frame."""
        columns = {name: self._core.column(k) for k, (name, _) in enumerate(self._core.columns)}
        made: pandas.DataFrame = need("pandas", "to_pandas").DataFrame(columns, copy=False)
        return made

    def html(self) -> str:
        """The report as one HTML page that needs nothing else."""
        return self._core.html()

    def plot(self, *names: str, ax: Axes | Sequence[Axes] | None = None, **style: Any) -> Any:
        """Plot columns over time with matplotlib.

        Parameters
        ----------
        *names : str
            Columns; ``"energy"`` stands for all energies. Without any: all coordinates.
        ax : Axes or sequence of Axes, optional
            Where to draw, one for each name; new axes if not given.
        **style
            Passed to ``Axes.plot``.

        Returns
        -------
        Axes or ndarray of Axes
            What was drawn on: one, or one per name.
        """
        from ._plot import plot

        return plot(self, names, ax, style)

    def _repr_html_(self) -> str:
        """The report's page inline, as notebooks show it, without a network."""
        page = html.escape(self.html(), quote=True)
        style = "box-sizing:border-box;width:100%;height:640px;border:1px solid #ccc;border-radius:6px"
        return f'<iframe srcdoc="{page}" style="{style}" sandbox="allow-scripts"></iframe>'

    def __repr__(self) -> str:
        return f"<run: {self._core.line}>"

    def __iter__(self) -> Iterator[str]:
        raise TypeError("a run is not a sequence; iterate over run.columns or run.events")

    def __getstate__(self) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / "run"
            self.save(run)
            paths = [p for p in run.rglob("*") if p.is_file() and not p.name.startswith(".")]
            return {"files": {p.relative_to(run).as_posix(): p.read_bytes() for p in paths}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        folder = Folder(state["files"].items())
        self._core = _carom.open_run(folder.path(""), False)[0]
        self._folder = folder if len(_carom.Scene.of_run(self._core).files()) > 1 else None


def open_run(path: str | os.PathLike[str], *, damaged: bool = False) -> Run:
    """Read the folder of a run; one whose process was killed is brought back first.

    Parameters
    ----------
    path : path
        The folder.
    damaged : bool
        Whether what can still be read of a damaged run will do; what is wrong is warned of.

    Returns
    -------
    Run
    """
    core, damage = _carom.open_run(os.fspath(path), damaged)
    if damage:
        import warnings

        for fault in damage:
            warnings.warn(fault, stacklevel=2)
    return Run(core)


def view(run: Run) -> Any:
    """Show the page of a run: inline in a notebook, else in the browser.

    Parameters
    ----------
    run : Run
        The run.

    Returns
    -------
    str or None
        Outside a notebook, the path of the page.
    """
    try:
        from IPython import get_ipython  # type: ignore[import-not-found,unused-ignore]

        shell = get_ipython()  # type: ignore[no-untyped-call,unused-ignore]
    except ImportError:
        shell = None
    if shell is not None and "IPKernelApp" in getattr(shell, "config", {}):
        from IPython.display import HTML, display  # type: ignore[import-not-found,unused-ignore]

        return display(HTML(run._repr_html_()))  # type: ignore[no-untyped-call,unused-ignore]
    import webbrowser

    handle, name = tempfile.mkstemp(prefix="carom-", suffix=".html")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(run.html())
    webbrowser.open(Path(name).as_uri())
    return name
