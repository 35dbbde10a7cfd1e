"""Event-driven simulation of rigid multibody systems with impacts and Coulomb friction.

Examples
--------
>>> import carom
>>> [law["formulation"] for law in carom.laws()][:2]
['differential', 'compliant']
"""

from __future__ import annotations

from ._carom import Collision, Contact, Event, version
from ._control import Sampled, sampled
from ._dataset import Study, open_study
from ._errors import (
    STOP,
    AgilityError,
    CaromError,
    ImpactError,
    RunError,
    SceneError,
    SimulationError,
    StudyError,
)
from ._impact import Impact, impact
from ._many import run_many
from ._questions import capability, experiments, laws, optimize_posture, reproduce
from ._run import Events, Run, open_run, view
from ._scene import Scene, load
from ._simulator import Simulator
from ._state import State
from ._study import Progress, study
from ._widget import widget

__version__ = version()

__all__ = [
    "STOP",
    "AgilityError",
    "CaromError",
    "Collision",
    "Contact",
    "Event",
    "Events",
    "Impact",
    "ImpactError",
    "Progress",
    "Run",
    "RunError",
    "Sampled",
    "Scene",
    "SceneError",
    "SimulationError",
    "Simulator",
    "State",
    "Study",
    "StudyError",
    "capability",
    "experiments",
    "impact",
    "laws",
    "load",
    "open_run",
    "open_study",
    "optimize_posture",
    "reproduce",
    "run_many",
    "sampled",
    "study",
    "view",
    "widget",
]
