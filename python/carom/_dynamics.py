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
        """The mass matrix M(q).

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates (m, rad, unit quaternions w, x, y, z).

        Returns
        -------
        ndarray, shape (nv, nv)
            M, symmetric (kg, kg m, kg m²).
        """
        return self._core.mass_matrix(q)

    def bias(self, q: npt.ArrayLike, v: npt.ArrayLike) -> Array:
        """The bias h(q, v): Coriolis, centrifugal and gravity terms.

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates (m, rad, unit quaternions).
        v : array_like, shape (nv,)
            Velocities (m/s, rad/s).

        Returns
        -------
        ndarray, shape (nv,)
            h (N, N m).
        """
        return self._core.bias(q, v)

    def joint_forces(self, q: npt.ArrayLike, v: npt.ArrayLike) -> Array:
        """Forces of the springs and dampers of the joints.

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates (m, rad, unit quaternions).
        v : array_like, shape (nv,)
            Velocities (m/s, rad/s).

        Returns
        -------
        ndarray, shape (nv,)
            Forces (N, N m).
        """
        return self._core.joint_forces(q, v)

    def forward_dynamics(
        self, q: npt.ArrayLike, v: npt.ArrayLike, tau: npt.ArrayLike | None = None
    ) -> Array:
        """Accelerations without contacts, v̇ = M⁻¹(τ − h).

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates (m, rad, unit quaternions).
        v : array_like, shape (nv,)
            Velocities (m/s, rad/s).
        tau : array_like, shape (nv,), optional
            τ (N, N m): all that acts besides gravity, springs and dampers included; 0 if not given.

        Returns
        -------
        ndarray, shape (nv,)
            v̇ (m/s², rad/s²).
        """
        return self._core.forward_dynamics(q, v, np.zeros(self.nv) if tau is None else tau)

    def inverse_dynamics(
        self, q: npt.ArrayLike, v: npt.ArrayLike, vdot: npt.ArrayLike
    ) -> Array:
        """Forces that an acceleration needs, τ = M v̇ + h.

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates (m, rad, unit quaternions).
        v : array_like, shape (nv,)
            Velocities (m/s, rad/s).
        vdot : array_like, shape (nv,)
            Accelerations (m/s², rad/s²).

        Returns
        -------
        ndarray, shape (nv,)
            τ (N, N m).
        """
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

        Returns
        -------
        ndarray, shape (3, nv)
            J with J v the velocity of the point, m/s.
        """
        return self._core.frame_jacobian(q, body, point)[3:]

    def frame_jacobian(
        self, q: npt.ArrayLike, body: str, point: npt.ArrayLike = (0.0, 0.0, 0.0)
    ) -> Array:
        """Jacobian of the angular velocity of a body and of the velocity of one of its points, in the world's axes.

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates.
        body : str
            The body.
        point : array_like, shape (3,)
            The point in the frame of the body, m.

        Returns
        -------
        ndarray, shape (6, nv)
            Rows of the angular velocity (rad/s) first, then those of the velocity (m/s).
        """
        return self._core.frame_jacobian(q, body, point)

    def pose(self, q: npt.ArrayLike, body: str) -> tuple[Array, Array]:
        """Where a body is in the world.

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates.
        body : str
            The body.

        Returns
        -------
        tuple of ndarray
            Rotation, shape (3, 3), whose columns are the axes of the body, and position of its origin, shape (3,), m.
        """
        return self._core.pose(q, body)

    def energies(self, q: npt.ArrayLike, v: npt.ArrayLike) -> dict[str, float]:
        """Energies of a state.

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates (m, rad, unit quaternions).
        v : array_like, shape (nv,)
            Velocities (m/s, rad/s).

        Returns
        -------
        dict of float
            ``kinetic``, ``gravity`` and ``spring``, J.
        """
        return dict(zip(("kinetic", "gravity", "spring"), self._core.energies(q, v)))

    def gaps(self, q: npt.ArrayLike) -> Array:
        """Gaps of all contacts.

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates (m, rad, unit quaternions).

        Returns
        -------
        ndarray
            Gaps, m, positive when apart, in the order of :attr:`contact_names`.
        """
        return self._core.gaps(q)

    # Coordinates and velocities: q̇ = N(q) v

    def coordinate_rate(self, q: npt.ArrayLike, v: npt.ArrayLike) -> Array:
        """Rates of the coordinates, those of quaternions included, q̇ = N(q) v.

        For integrators that know nothing of rotations: their quaternions leave the unit sphere by the error of
        the steps; :meth:`integrate` stays on it.

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates (m, rad, unit quaternions).
        v : array_like, shape (nv,)
            Velocities (m/s, rad/s).

        Returns
        -------
        ndarray, shape (nq,)
            q̇ (m/s, rad/s, 1/s).
        """
        return self._core.coordinate_rate(q, v)

    def integrate(self, q: npt.ArrayLike, w: npt.ArrayLike) -> Array:
        """Coordinates after moving with a constant velocity for a while, q ⊕ w.

        Parameters
        ----------
        q : array_like, shape (nq,)
            Coordinates.
        w : array_like, shape (nv,)
            Velocity times duration (m, rad).

        Returns
        -------
        ndarray, shape (nq,)
            Coordinates, quaternions of length one.
        """
        return self._core.integrate(q, w)

    def difference(self, q1: npt.ArrayLike, q0: npt.ArrayLike) -> Array:
        """The motion from one posture to another, q₁ ⊖ q₀.

        Parameters
        ----------
        q1, q0 : array_like, shape (nq,)
            Coordinates of the second and of the first.

        Returns
        -------
        ndarray, shape (nv,)
            The w (m, rad) for which ``integrate(q0, w)`` is q₁.
        """
        return self._core.difference(q1, q0)
