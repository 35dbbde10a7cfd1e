"""The double pendulum on a floor by hand: scipy's RK45 with events, 10 s, e = 0.5, rtol 1e-8.

Two bars of 1 m and 4.04 kg, pivot 1.5 m above the floor, released horizontally; Newton's impact law
with Coulomb friction (mu = 0.57) at the tip. Free flight until the tip meets the floor, impact,
flight again; when the rebound is too slow to matter the tip stays on the floor, where it either
sticks (two constraints on two degrees of freedom: rest) or slides until it stops.
Prints the best wall time in milliseconds, the number of impacts and when the motion stops.
"""

import math
import time

import numpy as np
from scipy.integrate import solve_ivp

G, L, M, H, MU, E = 9.81, 1.0, 4.04, 1.5, 0.57, 0.5
INERTIA = M * (L * L + 0.05**2) / 12
RTOL, ATOL, END = 1e-8, 1e-9, 10.0
SLOW = 1e-6  # m/s: a rebound below this closes the contact


def mass_matrix(q):
    c = math.cos(q[1])
    a = INERTIA + M * L * L / 4
    m11 = 2 * INERTIA + M * L * L * 1.5 + M * L * L * c
    m12 = a + M * L * L * c / 2
    return np.array([[m11, m12], [m12, a]])


def bias(q, v):
    s = M * L * L * math.sin(q[1]) / 2
    c1, c12 = math.cos(q[0]), math.cos(q[0] + q[1])
    return np.array(
        [
            -s * v[1] * (2 * v[0] + v[1]) + M * G * L * (1.5 * c1 + 0.5 * c12),
            s * v[0] * v[0] + M * G * L * 0.5 * c12,
        ]
    )


def jacobian(q):
    """Rows: along the floor, away from it."""
    s1, s12 = math.sin(q[0]), math.sin(q[0] + q[1])
    c1, c12 = math.cos(q[0]), math.cos(q[0] + q[1])
    return np.array([[-L * (s1 + s12), -L * s12], [L * (c1 + c12), L * c12]])


def jacobian_rate_times_v(q, v):
    w1, w2 = v[0], v[0] + v[1]
    c1, c12 = math.cos(q[0]), math.cos(q[0] + q[1])
    s1, s12 = math.sin(q[0]), math.sin(q[0] + q[1])
    return np.array([-L * (c1 * w1 * w1 + c12 * w2 * w2), -L * (s1 * w1 * w1 + s12 * w2 * w2)])


def landing(start):
    """The gap as an event; at the start, where it is zero after an impact, it counts as open."""

    def gap(t, y):
        return H + L * math.sin(y[0]) + L * math.sin(y[0] + y[1]) if t > start else 1.0

    gap.terminal, gap.direction = True, -1
    return gap


def flight(t, y):
    q, v = y[:2], y[2:]
    return np.concatenate([v, np.linalg.solve(mass_matrix(q), -bias(q, v))])


def slide(sign):
    def rate(t, y):
        q, v = y[:2], y[2:]
        m, j = mass_matrix(q), jacobian(q)
        free = np.linalg.solve(m, -bias(q, v))
        along = np.linalg.solve(m, j[1] - sign * MU * j[0])
        force = -(j[1] @ free + jacobian_rate_times_v(q, v)[1]) / (j[1] @ along)
        return np.concatenate([v, free + along * max(force, 0.0)])

    def stops(t, y):
        return sign * (jacobian(y[:2])[0] @ y[2:])

    stops.terminal, stops.direction = True, -1
    return rate, stops


def impact(q, v):
    m, j = mass_matrix(q), jacobian(q)
    g = j @ np.linalg.solve(m, j.T)
    u = j @ v
    p = np.linalg.solve(g, -(u + np.array([0.0, E * u[1]])))
    if abs(p[0]) > MU * p[1]:
        sign = math.copysign(1.0, u[0])
        normal = -(1 + E) * u[1] / (g[1, 1] - sign * MU * g[1, 0])
        p = np.array([-sign * MU * normal, normal])
    return v + np.linalg.solve(m, j.T @ p)


def holds(q):
    """Whether the tip may stick: both bars at rest, force within the cone."""
    force = np.linalg.solve(jacobian(q).T, bias(q, np.zeros(2)))
    return force[1] >= 0 and abs(force[0]) <= MU * force[1]


def run():
    t, y, impacts = 0.0, np.zeros(4), 0
    while t < END:
        s = solve_ivp(flight, (t, END), y, method="RK45", rtol=RTOL, atol=ATOL, events=landing(t))
        t, y = s.t[-1], s.y[:, -1].copy()
        if s.status != 1:
            return t, y, impacts
        y[2:] = impact(y[:2], y[2:])
        impacts += 1
        u = jacobian(y[:2]) @ y[2:]
        if u[1] > SLOW:
            continue
        while abs(u[0]) > SLOW:
            rate, stops = slide(math.copysign(1.0, u[0]))
            s = solve_ivp(rate, (t, END), y, method="RK45", rtol=RTOL, atol=ATOL, events=stops)
            t, y = s.t[-1], s.y[:, -1].copy()
            u = jacobian(y[:2]) @ y[2:]
            if s.status != 1:
                return t, y, impacts
            u[0] = 0.0
        if holds(y[:2]):
            return t, y, impacts
        raise RuntimeError(f"the tip neither sticks nor slides at t = {t}")
    return t, y, impacts


def main():
    best = math.inf
    for _ in range(10):
        start = time.perf_counter()
        t, y, impacts = run()
        best = min(best, time.perf_counter() - start)
    print(f"scipy double_pendulum: best {best * 1e6:.1f} µs, {impacts} impacts, at rest at {t:.6f} s")


if __name__ == "__main__":
    main()
