"""Single impacts, and many at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _carom, _toml
from ._carom import Collision
from ._errors import ImpactError
from ._control import Law
from ._state import Array, numbers

_OUTCOMES = np.array(["rebound", "stick", "slip", "detached", ""])
_FIELDS = ("name", "normal", "tangents", "friction", "static_friction", "restitution", "touching")


@dataclass(frozen=True, eq=False)
class Impact:
    """Answers to impacts. With many problems, every array has a leading axis of them.

    Attributes
    ----------
    velocity : ndarray, shape (..., n)
        Velocity after.
    impulses : ndarray, shape (..., m)
        Impulses, rows contact by contact, tangents first, then the normal, N s.
    contact_velocity : ndarray, shape (..., m)
        Contact velocities after, m/s.
    energy_before, energy_after : ndarray or float
        Kinetic energy, J.
    normal_work, friction_work : ndarray or float
        Work of the impulses, J.
    rescued : ndarray of bool or bool
        Whether the compliant law had to answer because the law had no sound answer.
    failures : dict of int to ImpactError
        Problems without an answer by their number; their numbers are NaN.
    """

    velocity: Array
    impulses: Array
    contact_velocity: Array
    energy_before: Any
    energy_after: Any
    normal_work: Any
    friction_work: Any
    rescued: Any
    failures: dict[int, ImpactError]
    _codes: npt.NDArray[np.uint8]

    @cached_property
    def outcomes(self) -> npt.NDArray[np.str_]:
        """What each contact does after: ``rebound``, ``stick``, ``slip`` or ``detached``; empty where a problem failed."""
        return _OUTCOMES[np.minimum(self._codes, len(_OUTCOMES) - 1)]

    @property
    def energy_lost(self) -> Any:
        """Kinetic energy lost, J."""
        return self.energy_before - self.energy_after


def impact(
    mass_matrix: npt.ArrayLike,
    velocity: npt.ArrayLike,
    contacts: Sequence[Mapping[str, Any]],
    law: Law | None = None,
    *,
    bilateral: npt.ArrayLike | None = None,
    strict: bool = False,
    threads: int | None = None,
    errors: str = "raise",
) -> Impact:
    """Resolve impacts: M(v⁺ − v⁻) = Jᵀp with p by an impact law.

    Parameters
    ----------
    mass_matrix : array_like, shape (n, n) or (N, n, n)
        M, symmetric.
    velocity : array_like, shape (n,) or (N, n)
        v⁻. A leading axis here, or on any other argument, makes it many problems, on all cores.
    contacts : sequence of mapping
        Each with ``normal`` (n), ``tangents`` (k, n; k up to 2), ``friction``, ``static_friction`` (that of
        ``friction`` if not given), ``restitution``, ``touching`` (True) and ``name``; each but the name may have
        a leading axis N.
    law : str, mapping or callable, optional
        As in :meth:`carom.Scene.run`, with the options of ``carom.laws()``; the differential law with energetic
        restitution if not given.
    bilateral : array_like, shape (b, n) or (N, b, n), optional
        Rows whose velocity stays.
    strict : bool
        Whether a law without a sound answer fails instead of being replaced by the compliant one.
    threads : int, optional
        Number of threads; all cores if not given.
    errors : {"raise", "keep"}
        Whether the first problem without an answer is raised, or ``failures`` lists them all.

    Returns
    -------
    Impact
    """
    if errors not in ("raise", "keep"):
        raise ValueError(f"errors is {errors!r}, must be 'raise' or 'keep'")
    mass, v = numbers(mass_matrix, "mass_matrix"), numbers(velocity, "velocity")
    if isinstance(contacts, Mapping) or not isinstance(contacts, Sequence):
        raise TypeError("contacts must be a sequence of mappings, one per contact")
    given = [_contact(k, c) for k, c in enumerate(contacts)]
    n = v.shape[-1] if v.ndim else 0
    ties = np.zeros((0, n)) if bilateral is None else numbers(bilateral, "bilateral")
    own = [(mass, 2, "mass_matrix"), (v, 1, "velocity"), (ties, 2, "bilateral")]
    for k, c in enumerate(given):
        dims = (1, 2, 0, 0, 0, 0)
        own += [(a, d, f"contacts[{k}].{f}") for a, d, f in zip(c[1:], dims, _FIELDS[1:])]
    count = _count(own)
    if count is not None and v.ndim == 1:
        v = np.broadcast_to(v, (count, n)).copy()
    for k, c in enumerate(given):
        if c[2].size == 0:
            given[k] = (*c[:2], np.zeros((0, n)), *c[3:])
    words = law if callable(law) else _law(law)
    found = _carom.impact(mass, v, given, ties, words, (bool(strict), threads or 0))
    failures = {
        k: ImpactError(message, place=None if count is None else f"problem {k}", hint=hint)
        for k, message, hint in found["failures"]
    }
    if failures and errors == "raise":
        raise failures[min(failures)]
    one = count is None
    energies = found["energies"]
    pick: Callable[[Any], Any] = (lambda x: x[0]) if one else (lambda x: x)
    return Impact(
        pick(found["velocity"]),
        pick(found["impulses"]),
        pick(found["contact_velocity"]),
        pick(energies[:, 0]),
        pick(energies[:, 1]),
        pick(energies[:, 2]),
        pick(energies[:, 3]),
        pick(found["rescued"].view(bool)),
        failures,
        pick(found["outcomes"]),
    )


def _contact(k: int, c: Mapping[str, Any]) -> tuple[Any, ...]:
    if not isinstance(c, Mapping):
        raise TypeError(f"contacts[{k}] must be a mapping, not {type(c).__name__}")
    if unknown := [name for name in c if name not in _FIELDS]:
        raise ValueError(f"contacts[{k}] has the unknown field {unknown[0]!r}; there are {_FIELDS}")
    for needed in ("normal", "restitution"):
        if needed not in c:
            raise ValueError(f"contacts[{k}].{needed} is missing")
    tangents = numbers(c.get("tangents", np.zeros((0, 0))), f"contacts[{k}].tangents")
    if "friction" not in c and "static_friction" not in c and tangents.size:
        raise ValueError(f"contacts[{k}].friction is missing")
    friction = c.get("friction", c.get("static_friction", 0.0))
    static = c.get("static_friction", friction)

    def number(x: npt.ArrayLike, name: str) -> Array:
        return numbers(x, f"contacts[{k}].{name}")

    return (
        str(c.get("name", f"C{k}")),
        number(c["normal"], "normal"),
        tangents,
        number(friction, "friction"),
        number(static, "static_friction"),
        number(c["restitution"], "restitution"),
        number(c.get("touching", True), "touching"),
    )


def _count(own: list[tuple[Array, int, str]]) -> int | None:
    """Number of problems, by the leading axes; None for one without an axis."""
    count: int | None = None
    for array, ndim, what in own:
        if array.size == 0 and array.ndim == 2:
            continue
        if array.ndim == ndim:
            continue
        if array.ndim != ndim + 1:
            raise ValueError(f"{what} has the shape {array.shape}, expected {ndim} or {ndim + 1} axes")
        if count is not None and array.shape[0] != count:
            raise ValueError(f"{what} has {array.shape[0]} problems, others {count}")
        count = array.shape[0]
    return count


def _law(law: str | Mapping[str, Any] | None) -> str:
    if law is None:
        return "{}"
    if isinstance(law, str):
        formulation, *options = law.split(",")
        made: dict[str, Any] = {"formulation": formulation.strip()}
        for option in options:
            key, _, word = option.partition("=")
            made[key.strip()] = _word(word.strip())
        return json.dumps(made)
    if isinstance(law, Mapping):
        try:
            return json.dumps(_toml.plain(law), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise type(error)(f"an option of the law is no text, flag or finite number: {error}") from error
    raise TypeError(f"law must be a text, a mapping or a function, not {type(law).__name__}")


def _word(word: str) -> Any:
    if word in ("true", "false"):
        return word == "true"
    try:
        return float(word)
    except ValueError:
        return word
