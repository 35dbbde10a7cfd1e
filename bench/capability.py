"""Capability by a conic solver of others, from the matrices that `carom capability --problem` writes.

Nothing is eliminated: accelerations, torques and contact forces are all unknowns,

    maximise j·a + g   subject to   M a + h = B t + J' f,   J a + c = 0,   H a = r,
                                    lower <= t <= upper,   |f_t| <= mu f_n.

Prints one line per problem: name, carom's optimum, clarabel's, relative difference. Fails above 1e-8.
Arguments: NAME=FOLDER, where FOLDER holds problem.json and capability.json.
"""

import json
import sys
from pathlib import Path

import clarabel
import numpy as np
from scipy import sparse


def solve(p):
    M, h, B = (np.array(p[k], dtype=float) for k in ("mass_matrix", "bias", "actuation"))
    n, m = B.shape
    J = np.array(p["contact_rows"], dtype=float).reshape(-1, n)
    H = np.array(p["held_rows"], dtype=float).reshape(-1, n)
    k = len(J)
    # Torques and forces in units of the largest torque, so that one tolerance serves all.
    size = max(np.abs(p["torque_upper"]).max(), np.abs(p["torque_lower"]).max())
    zero = np.zeros
    rows = [
        np.hstack([M, -B * size, -J.T * size]),
        np.hstack([J, zero((k, m)), zero((k, k))]),
        np.hstack([H, zero((len(H), m)), zero((len(H), k))]),
    ]
    bounds = [-h, -np.array(p["contact_bias"], dtype=float), np.array(p["held_bound"], dtype=float)]
    cones = [clarabel.ZeroConeT(n + k + len(H))]
    torque = np.hstack([zero((m, n)), np.eye(m), zero((m, k))])
    rows += [torque, -torque]
    bounds += [np.array(p["torque_upper"]) / size, -np.array(p["torque_lower"]) / size]
    cones.append(clarabel.NonnegativeConeT(2 * m))
    for cone in p["cones"]:
        first, count = cone["first"], cone["tangents"]
        part = zero((count + 1, n + m + k))
        part[0, n + m + first + count] = -cone["friction"]
        for t in range(count):
            part[1 + t, n + m + first + t] = -1.0
        rows.append(part)
        bounds.append(zero(count + 1))
        cones.append(clarabel.SecondOrderConeT(count + 1))
    A, b = np.vstack(rows), np.concatenate(bounds)
    # Accelerations in the metric of M, and equalities of unit size.
    unit = np.concatenate([1.0 / np.sqrt(np.diag(M)), np.ones(m + k)])
    A = A * unit
    for i in range(n + k + len(H)):
        largest = np.abs(A[i]).max()
        A[i], b[i] = A[i] / largest, b[i] / largest
    A = sparse.csc_matrix(A)
    q = -np.concatenate([np.array(p["task_row"], dtype=float), zero(m + k)]) * unit
    # The objective of unit size, too.
    worth = np.abs(q).max()
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    found = clarabel.DefaultSolver(
        sparse.csc_matrix((n + m + k,) * 2), q / worth, A, b, cones, settings
    ).solve()
    # At 1e-11 the solver may end a digit short of what was asked, and says so; the comparison decides.
    assert str(found.status) in ("Solved", "AlmostSolved", "InsufficientProgress"), found.status
    return float(-found.obj_val * worth + p["task_bias"])


def main():
    worst = 0.0
    for argument in sys.argv[1:]:
        name, folder = argument.split("=", 1)
        problem = json.loads((Path(folder) / "problem.json").read_text())
        ours = json.loads((Path(folder) / "capability.json").read_text())["acceleration"]
        theirs = solve(problem)
        difference = abs(ours - theirs) / (1.0 + abs(theirs))
        worst = max(worst, difference)
        print(f"{name},{ours!r},{theirs!r},{difference:.1e}")
    sys.exit(0 if worst < 1e-8 else f"worst relative difference {worst:.1e}")


main()
