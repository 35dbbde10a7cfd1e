"""What Python does in a run: laws, forces, controllers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Union

import numpy.typing as npt

from . import _carom
from ._carom import Collision, Event
from ._state import Array

Law = Union[str, Mapping[str, Any], Callable[[Collision], npt.ArrayLike]]
"""An impact law: its words (``"newton"``, ``"differential,restitution=kinetic"``), its options as a mapping, or a
function of the collision that returns the impulses."""

Force = Callable[[float, Array, Array], "npt.ArrayLike | None"]
"""A function of time, coordinates and velocities."""


class Sampled:
    """A controller that is asked once a period and whose answer is held in between.

    Parameters
    ----------
    function : callable
        ``function(t, q, v)`` returns one force per motor (N m or N).
    period : float
        Time between two calls, s.
    """

    def __init__(self, function: Force, period: float) -> None:
        if not callable(function):
            raise TypeError(f"a controller must be callable, not {type(function).__name__}")
        self.function = function
        self.period = float(period)

    def __call__(self, t: float, q: Array, v: Array) -> npt.ArrayLike | None:
        return self.function(t, q, v)


def sampled(period: float) -> Callable[[Force], Sampled]:
    """Decorate a controller that is asked once a period.

    Parameters
    ----------
    period : float
        Time between two calls, s.

    Returns
    -------
    callable
        Makes a :class:`Sampled` of a function.
    """
    return lambda function: Sampled(function, period)


def hooks_of(
    force: Force | None,
    controller: Force | Sampled | None,
    on_event: Callable[[Event], Any] | None,
    law: Callable[[Collision], npt.ArrayLike] | None,
) -> _carom._Hooks | None:
    """Everything that Python does in a run; None for nothing."""
    if force is None and controller is None and on_event is None and law is None:
        return None
    period = controller.period if isinstance(controller, Sampled) else None
    return force, controller, period, on_event, law
