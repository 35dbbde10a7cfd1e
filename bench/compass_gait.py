"""The limit cycle of the compass gait by Lagrange's equations and scipy, for scenes/compass_gait.toml.

Needs numpy, scipy, sympy: python bench/compass_gait.py prints the state after an impact (stance and swing
angle, their rates) and the time of a step.
"""

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

# Masses in the middle of the legs, leg length, masses of leg and hip, gravity, slope.
HALF, LEG, MASS, HIP, GRAVITY, SLOPE = 0.5, 1.0, 5.0, 10.0, 9.81, np.radians(3)


def equations():
    """M, h and the Jacobian of the swing foot; coordinates: stance foot x, y, stance and swing angle."""
    q = sp.symbols("x y s n")
    v = sp.symbols("vx vy vs vn")
    x, y, s, n = q
    hip = sp.Matrix([x - LEG * sp.sin(s), y + LEG * sp.cos(s)])
    stance = sp.Matrix([x - HALF * sp.sin(s), y + HALF * sp.cos(s)])
    swing = hip + HALF * sp.Matrix([sp.sin(n), -sp.cos(n)])
    foot = hip + LEG * sp.Matrix([sp.sin(n), -sp.cos(n)])
    masses = ((HIP, hip), (MASS, stance), (MASS, swing))
    velocity = [(m, p.jacobian(q) * sp.Matrix(v)) for m, p in masses]
    T = sum(m * u.dot(u) / 2 for m, u in velocity)
    L = T - GRAVITY * sum(m * p[1] for m, p in masses)
    h = [
        sum(sp.diff(L, v[i], q[j]) * v[j] for j in range(4)) - sp.diff(L, q[i]) for i in range(4)
    ]
    return (
        sp.lambdify((q, v), sp.hessian(T, v)),
        sp.lambdify((q, v), h),
        sp.lambdify((q,), foot.jacobian(q)),
    )


def step(state, M, h, J):
    """One step: swing, then the impact in which the foot behind gets no impulse."""

    def rate(_, z):
        q, v = (0, 0, *z[:2]), (0, 0, *z[2:])
        A, b = np.array(M(q, v), float)[2:, 2:], np.array(h(q, v), float)[2:]
        return np.r_[z[2:], np.linalg.solve(A, -b)]

    def lands(_, z):
        return z[0] + z[1] + 2 * SLOPE

    flight = solve_ivp(
        rate, (0, 2), state, events=lands, rtol=1e-12, atol=1e-13, dense_output=True
    )
    ahead = [t for t in flight.t_events[0] if np.diff(flight.sol(t)[:2])[0] > 0.2]
    z = flight.sol(ahead[0])
    q, v = (0, 0, *z[:2]), np.array([0, 0, *z[2:]])
    A, j = np.array(M(q, v), float), np.array(J(q), float)
    system = np.block([[A, -j.T], [j, np.zeros((2, 2))]])
    after = np.linalg.solve(system, np.r_[A @ v, 0, 0])
    return np.array([z[1], z[0], after[3], after[2]]), ahead[0]


def main():
    parts = equations()
    state = np.array([0.2187, -0.3234, -1.092, -0.377])
    for _ in range(60):
        state, time = step(state, *parts)
    print("state", state, "step", time, "s")


if __name__ == "__main__":
    main()
