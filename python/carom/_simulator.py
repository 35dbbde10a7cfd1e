"""Runs that go step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _carom
from ._carom import Event
from ._run import Run
from ._state import Array, State


class Simulator:
    """A run that pauses: at times, or after events. From :meth:`Scene.simulator`.

    It is one run from beginning to end: steps end exactly where it pauses, and nothing is started anew.
    """

    def __init__(self, core: _carom.Simulator) -> None:
        self._core = core
        self._events: list[Event] = []

    @property
    def state(self) -> State:
        """The state at hand."""
        return State(*self._core.state)

    @property
    def t(self) -> float:
        """The time, s."""
        return self._core.state[0]

    @property
    def q(self) -> Array:
        """Coordinates (m, rad, unit quaternions)."""
        return self._core.state[1]

    @property
    def v(self) -> Array:
        """Velocities (m/s, rad/s)."""
        return self._core.state[2]

    @property
    def events(self) -> list[Event]:
        """Events of the last step."""
        return self._events

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self._core.over

    def control(self, forces: npt.ArrayLike) -> None:
        """Command the motors from now on.

        Parameters
        ----------
        forces : array_like
            One force per motor (N m or N), in the order of ``scene.actuators``; their limits hold.
        """
        self._core.set_control(forces)

    def force(self, forces: npt.ArrayLike) -> None:
        """Apply generalised forces from now on.

        Parameters
        ----------
        forces : array_like, shape (nv,)
            Forces (N, N m).
        """
        self._core.set_force(forces)

    def step_until(self, t: float) -> State:
        """Go on to a time. At an event of just that time the state is the one before it.

        Parameters
        ----------
        t : float
            The time, s, not before the present.

        Returns
        -------
        State
            The state there, or where the run ended before.

        Raises
        ------
        SimulationError
            The numerics gave up; ``error.run`` has the recording.
        """
        self._go(float(t), False)
        return self.state

    def next_event(self, until: float | None = None) -> Event | None:
        """Go on to the next event and pause just after it.

        Parameters
        ----------
        until : float, optional
            Time at which to pause if there is none before, s; the end of the run if not given.

        Returns
        -------
        Event or None
            The event; None if there was none.
        """
        limit = np.finfo(float).max if until is None else float(until)
        self._go(limit, True)
        return self._events[0] if self._events else None

    def _go(self, t: float, event: bool) -> None:
        self._events, error = self._core.go(t, event)
        if error is not None:
            error.run = Run(self._core.finish())
            raise error

    def finish(self) -> Run:
        """End the run; its recording."""
        return Run(self._core.finish())

    def __reduce__(self) -> Any:
        raise TypeError("a simulator is a run under way and cannot be pickled; pickle its state or run")
