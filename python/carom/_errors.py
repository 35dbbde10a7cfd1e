"""Exceptions: the same words, place and hint as on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ._run import Run


class CaromError(Exception):
    """Something that carom cannot do.

    Attributes
    ----------
    message : str
        What is wrong.
    place : str or None
        Where it is written, as ``file:line:column``.
    hint : str or None
        What may be done about it.
    """

    def __init__(
        self,
        message: str,
        *,
        place: str | None = None,
        hint: str | None = None,
        report: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint
        self._report = report

    def __str__(self) -> str:
        if self._report is not None:
            return self._report.removeprefix("error: ").rstrip("\n")
        text = self.message if self.place is None else f"{self.message}\n  --> {self.place}"
        return text if self.hint is None else f"{text}\n\nhint: {self.hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.message, self.place, self.hint, self._report)


def _again(
    cls: type[CaromError], message: str, place: str | None, hint: str | None, report: str | None
) -> CaromError:
    return cls(message, place=place, hint=hint, report=report)


class SceneError(CaromError, ValueError):
    """A scene that cannot be read: what is wrong, where, and what to do."""


class SimulationError(CaromError, RuntimeError):
    """The numerics gave up, or the start was impossible.

    Attributes
    ----------
    run : Run
        The recording up to there.
    """

    run: Run


class ImpactError(CaromError, ValueError):
    """An impact that cannot be resolved."""


class RunError(CaromError, OSError):
    """A run that cannot be read, written or shown."""


class AgilityError(CaromError, ValueError):
    """A question about capability or posture without an answer."""


class StudyError(CaromError, ValueError):
    """A study that cannot be done, gone on with, or read."""


class _Stop:
    """The type of :data:`STOP`."""

    def __repr__(self) -> str:
        return "carom.STOP"

    def __reduce__(self) -> str:
        return "STOP"


STOP: Final = _Stop()
"""What ``on_event`` returns to end a run; the recording is kept."""
