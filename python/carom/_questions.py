"""Laws, capability, postures, published experiments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _carom
from ._scene import Scene
from ._state import State, numbers


def laws() -> list[dict[str, Any]]:
    """The catalogue of impact laws.

    Returns
    -------
    list of dict
        Each with ``formulation``, ``title``, ``options``, scope, what it promises of energy, and source.
    """
    found: list[dict[str, Any]] = json.loads(_carom.laws())
    return found


def capability(
    scene: Scene,
    direction: npt.ArrayLike | None = None,
    *,
    point: str | None = None,
    contacts: str | Sequence[str] | None = None,
    hold: str = "nothing",
    settle: bool = False,
    fix: str | Sequence[str] | None = None,
    vary: str | Sequence[str] | None = None,
    map: tuple[str, str] | None = None,
    range: tuple[tuple[float, float], tuple[float, float]] | None = None,
    grid: int | None = None,
    threads: int | None = None,
) -> dict[str, Any]:
    """How fast a point can be accelerated within torque limits and friction, and what stops it.

    Parameters
    ----------
    scene : Scene
        The mechanism in the posture of its start.
    direction : array_like, optional
        Where to; against gravity if not given.
    point : str, optional
        A body (its centre of mass) or a feature ``BODY.NAME``; the first body that moves if not given.
    contacts : str or sequence of str, optional
        Contacts that are kept, ``"all"`` or ``"none"``; those that touch if not given.
    hold : {"nothing", "line", "body"}
        What is held besides.
    settle : bool
        Whether the contacts are first put on their surfaces.
    fix, vary : str or sequence of str, optional
        Joints that keep their values, or all that may change.
    map : pair of str, optional
        Two coordinates over which a map is made.
    range : pair of pairs of float, optional
        Least and largest value of each, rad or m.
    grid : int, optional
        Number of values of each.
    threads : int, optional
        Number of threads; all cores if not given.

    Returns
    -------
    dict
        ``acceleration`` (m/s²), ``gap`` to the dual bound, torques, contact forces, active limits with their worth,
        and more, as ``carom capability --json`` prints.
    """
    words = _words(direction, point, contacts, hold, fix, vary, threads)
    if settle:
        words.append("--settle")
    if map is not None:
        words.append(f"--map={','.join(map)}")
        if range is not None:
            words.append("--range=" + ",".join(f"{float(a)!r}:{float(b)!r}" for a, b in range))
        if grid is not None:
            words.append(f"--grid={int(grid)}")
    core = scene._variant(["initial.penetration=1e9"] if settle else [])
    found: dict[str, Any] = json.loads(_carom.agility(core, False, words))
    return found


def optimize_posture(
    scene: Scene,
    direction: npt.ArrayLike | None = None,
    *,
    point: str | None = None,
    contacts: str | Sequence[str] | None = None,
    hold: str = "nothing",
    fix: str | Sequence[str] | None = None,
    vary: str | Sequence[str] | None = None,
    starts: int = 24,
    hops: int | None = None,
    seed: int = 1,
    threads: int | None = None,
) -> dict[str, Any]:
    """The postures in which a point can be accelerated best.

    Parameters
    ----------
    scene, direction, point, contacts, hold, fix, vary, threads
        As in :func:`capability`.
    starts : int
        Postures that are climbed from, the first that of the scene.
    hops : int, optional
        Leaps from an optimum to look for a better one.
    seed : int
        What random postures depend on.

    Returns
    -------
    dict
        ``optima``, the best first, each with its ``acceleration`` (m/s²), ``posture`` and ``state`` (a
        :class:`carom.State` at rest, to start from), and how the search went.
    """
    words = _words(direction, point, contacts, hold, fix, vary, threads)
    words += [f"--starts={int(starts)}", f"--seed={int(seed)}"]
    if hops is not None:
        words.append(f"--hops={int(hops)}")
    core = scene._variant(["initial.penetration=1e9"])
    found: dict[str, Any] = json.loads(_carom.agility(core, True, words))
    for optimum in found["optima"]:
        # Paths of the command line; in Python a posture is a state.
        optimum.pop("set", None)
        q = np.array([optimum["posture"][name] for name in core.q_names])
        optimum["state"] = State(core.initial[0], q, np.zeros(core.nv))
    return found


def experiments() -> dict[str, str]:
    """Published experiments that can be computed again.

    Returns
    -------
    dict of str
        Titles by name.
    """
    return dict(_carom.experiments())


def reproduce(name: str, *, fast: bool = False) -> dict[str, Any]:
    """Compute a published experiment again.

    Parameters
    ----------
    name : str
        One of :func:`experiments`.
    fast : bool
        Whether a smaller version will do.

    Returns
    -------
    dict
        ``name``, ``seconds`` and ``result`` with its claims and verdicts.
    """
    record: dict[str, Any] = json.loads(_carom.reproduce(name, fast))
    result = record["result"]
    if "Err" in result:
        message, hint = result["Err"]
        raise RuntimeError(f"{message}\n\nhint: {hint}")
    record["result"] = result["Ok"]
    return record


def _words(
    direction: npt.ArrayLike | None,
    point: str | None,
    contacts: str | Sequence[str] | None,
    hold: str,
    fix: str | Sequence[str] | None,
    vary: str | Sequence[str] | None,
    threads: int | None,
) -> list[str]:
    """The question in the words of the command line."""
    words = [f"--hold={hold}"]
    if direction is not None:
        parts = numbers(direction, "direction").ravel().tolist()
        words.append("--direction=" + ",".join(map(repr, parts)))
    if point is not None:
        words.append(f"--point={point}")
    for option, names in (("contacts", contacts), ("fix", fix), ("vary", vary)):
        if names is not None:
            words.append(f"--{option}={names if isinstance(names, str) else ','.join(names)}")
    if threads is not None:
        words.append(f"--threads={int(threads)}")
    return words
