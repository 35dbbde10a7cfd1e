"""Where a mechanism is and how it moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def numbers(x: npt.ArrayLike, what: str) -> Array:
    """An array of real numbers in one piece of memory."""
    try:
        found = np.asarray(x)
        if found.dtype.kind not in "biuf" and found.size:
            raise TypeError(f"it holds {found.dtype}")
        return np.asarray(found, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise type(error)(f"{what} must be an array of numbers: {error}") from None


@dataclass(frozen=True, eq=False)
class State:
    """Time, coordinates and velocities.

    Attributes
    ----------
    t : float
        Time, s.
    q : ndarray, shape (nq,)
        Coordinates, in the order of ``scene.coordinate_names`` (m, rad, unit quaternions w, x, y, z).
    v : ndarray, shape (nv,)
        Velocities, in the order of ``scene.velocity_names`` (m/s, rad/s).
    """

    t: float
    q: Array
    v: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", float(self.t))
        object.__setattr__(self, "q", numbers(self.q, "q").copy())
        object.__setattr__(self, "v", numbers(self.v, "v").copy())

    def __iter__(self) -> Iterator[Any]:
        return iter((self.t, self.q, self.v))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        same = np.array_equal(self.q, other.q) and np.array_equal(self.v, other.v)
        return self.t == other.t and same

    __hash__ = None  # type: ignore[assignment]
