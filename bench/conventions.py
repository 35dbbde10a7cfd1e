"""Pinocchio's coordinates in terms of carom's: the one place where the two are converted.

    joint       carom q, v                                Pinocchio q, v
    revolute    motor angle, rate                         angle, rate: angle = ratio × motor + offset
    prismatic   motor position, rate                      position, rate: likewise
    continuous  as revolute                               (cos, sin) of the angle, rate
    planar      x, y, angle; rates                        x, y, cos, sin; velocity in body axes, rate
    spherical   quaternion w, x, y, z; ω in body axes     quaternion x, y, z, w; ω in body axes
    free        x, y, z, quaternion w, x, y, z;           x, y, z, quaternion x, y, z, w;
                velocity in joint axes, ω in body axes    velocity in body axes, ω in body axes

With v_P = B v and v̇_P = B v̇ + b (b = Ḃ v):

    M = Bᵀ M_P B,   h = Bᵀ (h_P + M_P b),   τ_P = B⁻ᵀ τ,   v̇ = B⁻¹ (v̇_P − b)
    J = J_P B,      J̇v = (J̇v)_P + J_P b

Pinocchio's frame Jacobians have the linear rows first, carom's the angular ones.
"""

import numpy as np


def rotation(w, x, y, z):
    """Rotation matrix of a unit quaternion."""
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


class Joint:
    """One moving joint: its kind, its places in both q and v, ratio and offset."""

    def __init__(self, kind, q, v, pin_q, pin_v, ratio=1.0, offset=0.0):
        self.kind, self.ratio, self.offset = kind, ratio, offset
        nq = {"planar": 3, "spherical": 4, "free": 7}.get(kind, 1)
        pin_nq = {"continuous": 2, "planar": 4, "spherical": 4, "free": 7}.get(kind, 1)
        nv = {"planar": 3, "spherical": 3, "free": 6}.get(kind, 1)
        self.q, self.v = slice(q, q + nq), slice(v, v + nv)
        self.pin_q, self.pin_v = slice(pin_q, pin_q + pin_nq), slice(pin_v, pin_v + nv)

    def convert(self, q, v):
        """Pinocchio's coordinates of this joint, B and b."""
        nv = len(v)
        B, b = np.eye(nv), np.zeros(nv)
        if self.kind == "free":
            R = rotation(*q[3:])
            B[:3, :3] = R.T
            b[:3] = -np.cross(v[3:], R.T @ v[:3])
            return np.concatenate([q[:3], q[4:], q[3:4]]), B, b
        if self.kind == "spherical":
            return np.concatenate([q[1:], q[:1]]), B, b
        if self.kind == "planar":
            c, s = np.cos(q[2]), np.sin(q[2])
            B[:2, :2] = [[c, s], [-s, c]]
            x, y = B[:2, :2] @ v[:2]
            b[:2] = [v[2] * y, -v[2] * x]
            return np.array([q[0], q[1], c, s]), B, b
        angle = self.ratio * q[0] + self.offset
        B[0, 0] = self.ratio
        if self.kind == "continuous":
            return np.array([np.cos(angle), np.sin(angle)]), B, b
        return np.array([angle]), B, b


class Conversion:
    """B, b and Pinocchio's coordinates of a whole mechanism at one state of carom's."""

    def __init__(self, joints, pin_nq, q, v):
        n = len(v)
        self.q, self.B, self.b = np.zeros(pin_nq), np.zeros((n, n)), np.zeros(n)
        for joint in joints:
            q_P, B, b = joint.convert(q[joint.q], v[joint.v])
            self.q[joint.pin_q] = q_P
            self.B[joint.pin_v, joint.v] = B
            self.b[joint.pin_v] = b
        self.v = self.B @ v

    def force(self, tau):
        return np.linalg.solve(self.B.T, tau)

    def mass(self, M):
        return self.B.T @ M @ self.B

    def bias(self, h, M):
        return self.B.T @ (h + M @ self.b)

    def acceleration(self, vdot):
        return np.linalg.solve(self.B, vdot - self.b)

    def jacobian(self, J):
        return np.vstack([J[3:], J[:3]]) @ self.B

    def jacobian_rate(self, Jdot_v, J):
        rate = Jdot_v + J @ self.b
        return np.concatenate([rate[3:], rate[:3]])


def random_state(joints, random):
    """A random state in carom's coordinates."""
    q, v = [], []
    for joint in sorted(joints, key=lambda joint: joint.v.start):
        nv = joint.v.stop - joint.v.start
        v.extend(random.uniform(-1.5, 1.5, nv))
        if joint.kind in ("spherical", "free"):
            Q = random.normal(size=4)
            Q /= np.linalg.norm(Q)
            place = random.uniform(-1, 1, 3) if joint.kind == "free" else []
            q.extend([*place, *Q])
        else:
            q.extend(random.uniform(-1.5, 1.5, nv))
    return np.array(q), np.array(v)
