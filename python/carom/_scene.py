"""Scenes: read from files or built in Python, run once or many times."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy.typing as npt

from . import _carom, _toml
from ._building import Building, includes
from ._carom import Collision, Event
from ._control import Force, Law, Sampled, hooks_of
from ._dynamics import Dynamics
from ._folder import Folder
from ._run import Run
from ._simulator import Simulator
from ._state import Array, State

_VARIANTS = 16


class Scene(Building, Dynamics):
    """A mechanism, its start, and how it is to be simulated.

    ``carom.load`` reads one; ``Scene()`` begins an empty one, to which bodies, joints, contacts and settings are
    added with the keys of scene files. Every method that adds returns the scene.

    Parameters
    ----------
    tree : mapping, optional
        The tables of a scene file, as from :meth:`to_dict`.
    name : str
        Name in messages; files that the scene includes are looked for beside it.

    Examples
    --------
    >>> import carom
    >>> scene = carom.Scene(gravity=[0, 0, -9.81])
    >>> scene = scene.body("ball", mass=0.1, shape={"sphere": 0.05}, position=[0, 0, 1.05])
    >>> scene = scene.body("ground", shape="plane")
    >>> scene = scene.contact("ball", "ground", restitution=0.5, friction=0.3)
    >>> run = scene.run(until=3.0)
    >>> round(run.energy_lost, 6)
    0.981
    """

    def __init__(
        self, tree: Mapping[str, Any] | None = None, *, name: str = "scene.toml", **settings: Any
    ) -> None:
        self._tree: dict[str, Any] | None = _toml.plain({**(tree or {}), **settings})
        self._name = name
        self._built: _carom.Scene | None = None
        self._variants: dict[tuple[str, ...], _carom.Scene] = {}
        self._folder: Folder | None = None

    @classmethod
    def _from_core(cls, core: _carom.Scene, folder: Folder | None = None) -> Scene:
        """The scene that was read, and the folder, if it was a copy that it was read from."""
        scene = cls.__new__(cls)
        scene._folder = folder
        scene._tree = None
        scene._name = core.name
        scene._built = core
        scene._variants = {}
        return scene

    def _changed(self) -> None:
        self._built = None
        self._variants = {}
        self.__dict__.pop("coordinate_names", None)
        self.__dict__.pop("velocity_names", None)

    def with_contact(self, first: str, second: str, **fields: Any) -> Scene:
        """A copy in which the contacts between two bodies have other values.

        Parameters
        ----------
        first, second : str
            The sides, in either order, as the scene names them.
        **fields
            ``restitution``, ``friction``, ``static_friction``, ``law``.

        Returns
        -------
        Scene
        """
        tree = self.to_dict()
        found = False
        for entry in tree.get("contact", []):
            if sorted(map(str, entry.get("between", []))) == sorted([first, second]):
                entry.update(_toml.plain(fields))
                found = True
        if not found:
            pairs = [tuple(entry.get("between", [])) for entry in tree.get("contact", [])]
            raise KeyError(f"no contact is between {first!r} and {second!r}; there are {pairs}")
        other = Scene(tree, name=self._beside())
        other._folder = self._folder
        return other

    @property
    def _core(self) -> _carom.Scene:
        if self._built is None:
            self._built = _carom.Scene.parse(self.to_toml(), self._name, [])
        return self._built

    # What it is

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self._core.nq

    @cached_property
    def coordinate_names(self) -> list[str]:
        """Names of the coordinates."""
        return self._core.q_names

    @cached_property
    def velocity_names(self) -> list[str]:
        """Names of the velocities."""
        return self._core.v_names

    @property
    def body_names(self) -> list[str]:
        """Names of the bodies."""
        return self._core.body_names

    @property
    def contact_names(self) -> list[str]:
        """Names of the places where contact may happen, in the order of :meth:`gaps`."""
        return self._core.contact_names

    @property
    def actuators(self) -> list[tuple[str, str, float, float]]:
        """Motors: name, name of the velocity, least and largest force (N m or N)."""
        return self._core.actuators

    @property
    def title(self) -> str | None:
        """The line that names the scene."""
        return self._core.title

    @property
    def initial(self) -> State:
        """The state at the start."""
        return State(*self._core.initial)

    @property
    def warnings(self) -> list[str]:
        """What was understood but cannot be honoured."""
        return self._core.warnings

    # Runs

    def _variant(self, changes: Sequence[str]) -> _carom.Scene:
        """The scene with overrides; those asked for lately are kept."""
        if not changes:
            return self._core
        key = tuple(changes)
        known = self._variants.pop(key, None)
        if known is None:
            core = self._core
            known = _carom.Scene.parse(core.text, core.name, [*core.overrides, *changes])
            while len(self._variants) >= _VARIANTS:
                self._variants.pop(next(iter(self._variants)))
        self._variants[key] = known
        return known

    def run(
        self,
        until: float | None = None,
        law: Law | None = None,
        rtol: float | None = None,
        force: Force | None = None,
        controller: Force | Sampled | None = None,
        on_event: Callable[[Event], Any] | None = None,
        strict: bool | None = None,
        *,
        start: State | None = None,
        atol: float | None = None,
        method: str | None = None,
        output_interval: float | None = None,
        set: Mapping[str, Any] | None = None,
    ) -> Run:
        """Simulate.

        Parameters
        ----------
        until : float, optional
            Time at the end, s; that of the scene if not given.
        law : str, mapping or callable, optional
            The impact law of the run: words as in ``carom.laws()`` (``"newton"``,
            ``"differential,restitution=kinetic"``), a mapping with ``formulation`` and options, or a function
            of a :class:`Collision` that returns one impulse per row, N s. Answers that fail their audit are
            replaced by the compliant law and flagged (``event.rescue``).
        rtol, atol : float, optional
            Error of a step, relative and absolute.
        force : callable, optional
            ``force(t, q, v)`` returns generalised forces, shape (nv,), or None; smooth in its arguments.
        controller : callable or Sampled, optional
            ``controller(t, q, v)`` returns one force per motor (N m or N), in the order of
            ``scene.actuators``; limits hold. :class:`Sampled` asks once a period.
        on_event : callable, optional
            Told of every event as it happens; ``return carom.STOP`` ends the run.
        strict : bool, optional
            Whether each rule of the safety net ends the run.
        start : State, optional
            Another state to start from.
        method : str, optional
            ``dopri5``, ``dop853`` or ``rk4``.
        output_interval : float, optional
            Time between samples, s; every step if not given.
        set : mapping, optional
            Any other value by its path, such as ``{"contact.0.restitution": 0.9}``.

        Returns
        -------
        Run

        Raises
        ------
        SceneError
            A value that the scene does not allow.
        SimulationError
            The numerics gave up; ``error.run`` has the recording up to there.

        Notes
        -----
        An exception in a callback, and Ctrl-C, end the run and are raised here; ``error.run`` has the recording.
        """
        changes, own = self._asked(
            set, law, until, rtol, atol, method, output_interval, strict
        )
        core = self._variant(changes)
        hooks = hooks_of(force, controller, on_event, own)
        found, error = core.run(None if start is None else instant(start), hooks)
        run = Run(found)
        if error is not None:
            error.run = run
            raise error
        return run

    @staticmethod
    def _asked(
        changes: Mapping[str, Any] | None,
        law: Law | None,
        until: float | None,
        rtol: float | None,
        atol: float | None,
        method: str | None,
        output_interval: float | None,
        strict: bool | None,
    ) -> tuple[list[str], Callable[[Collision], npt.ArrayLike] | None]:
        """Overrides in the order of the command line, and a law that is a function."""
        own = law if callable(law) else None
        words = [] if law is None or callable(law) else [_law(law)]
        words += overrides(changes)
        named = {
            "solver.until": until,
            "solver.rtol": rtol,
            "solver.atol": atol,
            "solver.method": method,
            "output.interval": output_interval,
            "solver.strict": strict,
        }
        words += [f"{path}={_toml.value(_number(x))}" for path, x in named.items() if x is not None]
        return words, own

    def simulator(
        self,
        until: float = 1e6,
        law: Law | None = None,
        rtol: float | None = None,
        force: Force | None = None,
        controller: Force | Sampled | None = None,
        on_event: Callable[[Event], Any] | None = None,
        strict: bool | None = None,
        *,
        start: State | None = None,
        set: Mapping[str, Any] | None = None,
    ) -> Simulator:
        """A run that goes step by step, for control loops.

        Parameters
        ----------
        until : float
            Time at the end, s.
        law, rtol, force, controller, on_event, strict, start, set
            As in :meth:`run`.

        Returns
        -------
        Simulator
        """
        changes, own = self._asked(set, law, None, rtol, None, None, None, strict)
        core = self._variant(changes)
        hooks = hooks_of(force, controller, on_event, own)
        begin = None if start is None else instant(start)
        return Simulator(_carom.Simulator(core, float(until), begin, hooks))

    def __repr__(self) -> str:
        if self._built is None:
            bodies = ", ".join((self._tree or {}).get("body", {}))
            return f"<scene {self._name}: {bodies or 'empty'}>"
        core = self._built
        return f"<scene {core.name}: {core.nv} degrees of freedom, {len(core.contact_names)} contacts>"

    def __getstate__(self) -> dict[str, Any]:
        if self._tree is not None and not includes(self._tree):
            return {"tree": self._tree, "name": self._name}
        core = self._core
        return {"files": core.files(), "name": core.name, "overrides": core.overrides}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "tree" in state:
            self.__init__(state["tree"], name=state["name"])  # type: ignore[misc]
            return
        files, changes = state["files"], state["overrides"]
        if len(files) <= 1:
            core, folder = _carom.Scene.parse(files[0][1] if files else "", state["name"], changes), None
        else:
            folder = Folder(files)
            core = _carom.Scene.load(folder.path(files[0][0]), changes)
        self.__dict__.update(Scene._from_core(core, folder).__dict__)


def load(
    source: str | os.PathLike[str],
    *,
    set: Mapping[str, Any] | None = None,
    format: str | None = None,
) -> Scene:
    """Read a scene (TOML) or a robot description (URDF, MJCF).

    Parameters
    ----------
    source : path or str
        The file; with ``format``, the text itself.
    set : mapping, optional
        Values by their path, such as ``{"contact.0.restitution": 0.9}``, changed before the scene is read.
    format : {"toml", "urdf", "mjcf"}, optional
        Says that ``source`` is a text, and of which sort.

    Returns
    -------
    Scene

    Raises
    ------
    SceneError
        What is wrong, where, and what to do.
    """
    changes = overrides(set)
    if format is None:
        return Scene._from_core(_carom.Scene.load(os.fspath(source), changes))
    if format not in ("toml", "urdf", "mjcf"):
        raise ValueError(f"format is {format!r}, must be 'toml', 'urdf' or 'mjcf'")
    if not isinstance(source, str):
        raise TypeError(f"with format=, source is the text itself, not {type(source).__name__}")
    return Scene._from_core(_carom.Scene.parse(source, f"scene.{format}", changes))


def overrides(changes: Mapping[str, Any] | None) -> list[str]:
    """A mapping of paths to values as overrides of the command line."""
    if changes is None:
        return []
    if not isinstance(changes, Mapping):
        raise TypeError(f"set must map paths to values, not be a {type(changes).__name__}")
    return [f"{path}={_toml.value(x)}" for path, x in changes.items()]


def _law(law: str | Mapping[str, Any]) -> str:
    if isinstance(law, str):
        return _carom.law_override(law)
    if isinstance(law, Mapping):
        return f"law={_toml.value(law)}"
    raise TypeError(f"law must be a text, a mapping or a function, not {type(law).__name__}")


def _number(x: Any) -> Any:
    return x if isinstance(x, (str, bool)) else float(x)


def instant(state: State) -> tuple[float, Array, Array]:
    """A state as the module in Rust takes it."""
    if not isinstance(state, State):
        raise TypeError(f"start must be a carom.State, not {type(state).__name__}")
    return state.t, state.q, state.v
