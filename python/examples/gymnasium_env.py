"""A gymnasium environment around any scene with motors: actions are held, contacts and impacts are exact.

    env = CaromEnv(carom.load("scenes/leg.toml"), period=0.01)
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

``info["events"]`` has what happened within the step, each at its own instant: a foot that lands between two
actions is not missed and not moved to the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

import carom

Observation = npt.NDArray[np.float64]
Reward = Callable[[carom.State, npt.NDArray[np.float64], list[carom.Event]], float]


class CaromEnv(gymnasium.Env[Observation, npt.NDArray[np.float64]]):
    """Motors of a scene as actions, coordinates and velocities as observations.

    Parameters
    ----------
    scene : carom.Scene
        A scene with motors. Actions from −1 to 1 span the limits of each.
    period : float
        Time between two actions, s.
    steps : int
        Steps of an episode.
    reward : callable
        ``reward(state, forces, events)``.
    noise : float
        Standard deviation of the start, in the units of coordinates that are not quaternions.
    """

    metadata = {"render_modes": ["html"]}

    def __init__(
        self,
        scene: carom.Scene,
        *,
        period: float = 0.02,
        steps: int = 200,
        reward: Reward = lambda state, forces, events: 0.0,
        noise: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        if not scene.actuators:
            raise ValueError("the scene has no motor")
        limits = np.array([(lower, upper) for _, _, lower, upper in scene.actuators])
        if not np.isfinite(limits).all():
            raise ValueError("every motor needs limits, which actions span")
        self.scene, self.period, self.steps = scene, period, steps
        self.render_mode = render_mode
        self._reward, self._noise, self._limits = reward, noise, limits
        size = scene.nq + scene.nv
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(limits),), dtype=np.float64)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), dtype=np.float64)
        quaternion = [name.rsplit(".", 1)[-1] in ("qw", "qx", "qy", "qz") for name in scene.coordinate_names]
        self._free = ~np.array(quaternion)
        self._sim: carom.Simulator | None = None
        self._count = 0

    def _observation(self, state: carom.State) -> Observation:
        return np.concatenate([state.q, state.v])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        start = self.scene.initial
        shift = self._noise * self.np_random.normal(size=self.scene.nq) * self._free
        start = carom.State(start.t, start.q + shift, start.v)
        self._sim, self._count = self.scene.simulator(start=start), 0
        return self._observation(start), {"events": []}

    def step(
        self, action: npt.NDArray[np.float64]
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._sim is None:
            raise RuntimeError("reset the environment first")
        lower, upper = self._limits.T
        forces = lower + 0.5 * (np.clip(action, -1.0, 1.0) + 1.0) * (upper - lower)
        self._sim.control(forces)
        self._count += 1
        terminated = False
        try:
            state = self._sim.step_until(self._sim.t + self.period)
        except carom.SimulationError:
            # The numerics gave up: the episode ends where it got to.
            state, terminated = self._sim.state, True
        events = self._sim.events
        reward = float(self._reward(state, forces, events))
        truncated = self._count >= self.steps
        return self._observation(state), reward, terminated, truncated, {"events": events}

    def render(self) -> Any:
        """The page of the episode so far, which ends it."""
        if self.render_mode != "html" or self._sim is None:
            return None
        return self._sim.finish().html()
