"""Dynamics of a scene: M(q) v̇ + h(q, v) = τ + Jᵀλ, q̇ = N(q) v."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from . import _carom
from ._state import Array


class Dynamics:
    """What a scene can be asked at any state, without a run."""

    @property
    def _core(self) -> _carom.Scene:
        raise NotImplementedError

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return self._core.nv

    def mass_matrix(self, q: npt.ArrayLike) -> Array:
        """M(q), shape (nv, nv)."""
        return self._core.mass_matrix(q)

    def bias(self, q: npt.ArrayLike, v: npt.ArrayLike) -> Array:
        """h(q, v): Coriolis, centrifugal and gravity terms, shape (nv,)."""
        return self._core.bias(q, v)

    def joint_forces(self, q: npt.ArrayLike, v: npt.ArrayLike) -> Array:
        """Forces of the springs and dampers of the joints, shape (nv,)."""
        return self._core.joint_forces(q, v)

    def forward_dynamics(
        self, q: npt.ArrayLike, v: npt.ArrayLike, tau: npt.ArrayLike | None = None
    ) -> Array:
        """v̇ = M⁻¹(τ − h) without contacts; ``tau`` is all that acts besides gravity, springs and dampers included."""
        return self._core.forward_dynamics(q, v, np.zeros(self.nv) if tau is None else tau)

    def inverse_dynamics(
        self, q: npt.ArrayLike, v: npt.ArrayLike, vdot: npt.ArrayLike
    ) -> Array:
        """τ = M v̇ + h, shape (nv,)."""
        return self._core.inverse_dynamics(q, v, vdot)

    def point_jacobian(
        self, q: npt.ArrayLike, body: str, point: npt.ArrayLike = (0.0, 0.0, 0.0)
    ) -> Array:
        """Jacobian of the velocity of a point of a body in the world's axes, shape (3, nv).

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates.
        body : str
            The body.
        point : array_like, shape (3,)
            The point in the frame of the body, m.
        """
        return self._core.frame_jacobian(q, body, point)[3:]

    def frame_jacobian(
        self, q: npt.ArrayLike, body: str, point: npt.ArrayLike = (0.0, 0.0, 0.0)
    ) -> Array:
        """The same with the angular velocity first, shape (6, nv)."""
        return self._core.frame_jacobian(q, body, point)

    def pose(self, q: npt.ArrayLike, body: str) -> tuple[Array, Array]:
        """Rotation, shape (3, 3), and position, m, of a body in the world."""
        return self._core.pose(q, body)

    def energies(self, q: npt.ArrayLike, v: npt.ArrayLike) -> dict[str, float]:
        """Kinetic, gravity and spring energy, J."""
        return dict(zip(("kinetic", "gravity", "spring"), self._core.energies(q, v)))

    def gaps(self, q: npt.ArrayLike) -> Array:
        """Gaps, m, positive when apart, in the order of :attr:`contact_names`."""
        return self._core.gaps(q)

    # Coordinates and velocities: q̇ = N(q) v

    def coordinate_rate(self, q: npt.ArrayLike, v: npt.ArrayLike) -> Array:
        """q̇ = N(q) v, shape (nq,): rates of the coordinates, those of quaternions included.

        For integrators that know nothing of rotations: their quaternions leave the unit sphere by the error of
        the steps; :meth:`integrate` stays on it.
        """
        return self._core.coordinate_rate(q, v)

    def integrate(self, q: npt.ArrayLike, w: npt.ArrayLike) -> Array:
        """q ⊕ w: the coordinates after moving with the constant velocity w (m/s, rad/s) for one second.

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates.
        w : array_like, shape (nv,)
            Velocity times duration.
        """
        return self._core.integrate(q, w)

    def difference(self, q1: npt.ArrayLike, q0: npt.ArrayLike) -> Array:
        """q₁ ⊖ q₀, shape (nv,): the w for which ``integrate(q0, w)`` is q₁."""
        return self._core.difference(q1, q0)
