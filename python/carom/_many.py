"""Many runs at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _carom
from ._run import Run
from ._scene import Scene, instant, overrides
from ._state import State

_OPTIONS = ("rtol", "atol", "method", "output_interval", "strict")


def run_many(
    scene: Scene,
    parameters: Iterable[Mapping[str, Any]],
    until: float | None = None,
    law: str | Mapping[str, Any] | None = None,
    *,
    start: State | None = None,
    threads: int | None = None,
    errors: str = "raise",
    **options: Any,
) -> list[Run]:
    """Run a scene with many sets of values, on all cores.

    Parameters
    ----------
    scene : Scene
        The scene.
    parameters : iterable of mapping
        Values by their path for each run, such as ``[{"contact.0.restitution": e} for e in ...]``.
    until, law, start
        As in :meth:`Scene.run`; functions of Python are not called from threads.
    threads : int, optional
        Number of threads; all cores if not given.
    errors : {"raise", "keep"}
        Whether the first run that fails is raised, or its place holds the exception (with ``.run``).
    **options
        ``rtol``, ``atol``, ``method``, ``output_interval``, ``strict``.

    Returns
    -------
    list of Run
        In the order of ``parameters``, with the same bytes for any number of threads.
    """
    if errors not in ("raise", "keep"):
        raise ValueError(f"errors is {errors!r}, must be 'raise' or 'keep'")
    if callable(law):
        raise TypeError("a law written in Python cannot be called from threads; use scene.run")
    if unknown := options.keys() - set(_OPTIONS):
        raise TypeError(f"unknown option {sorted(unknown)[0]!r}; there are {_OPTIONS}")
    asked, _ = Scene._asked(None, law, until, *(options.get(name) for name in _OPTIONS))
    changes = [[*asked, *overrides(p)] for p in parameters]
    begin = None if start is None else instant(start)
    found: list[Any] = []
    for core, error in _carom.run_many(scene._core, changes, begin, threads or 0):
        run = None if core is None else Run(core)
        if error is not None:
            error.run = run
            if errors == "raise":
                raise error
        found.append(run if error is None else error)
    return found
