"""The table of the kernel race, and the path of a bench program from cargo's messages."""

import json
import math
import sys

KERNELS = {"aba": "v̇ (ABA)", "flight": "v̇ (flight)", "mass": "M and factors", "operator": "J M⁻¹ Jᵀ"}
# Relative agreement of the sums that both sides print.
AGREEMENT = 1e-8


def executable():
    messages = [json.loads(line) for line in sys.stdin]
    paths = [m["executable"] for m in messages if m.get("executable")]
    if len(paths) != 1:
        sys.exit("cargo built no bench program")
    print(paths[0])


def read(path):
    """The best round of each program: {(mechanism, kernel): {program: (ns, route, check)}}."""
    best = {}
    for line in open(path, encoding="utf-8"):
        program, mechanism, kernel, route, ns, check = line.split()
        entry = best.setdefault((mechanism, kernel), {})
        found = (float(ns), route, float(check))
        if program not in entry or found < entry[program]:
            entry[program] = found
    return best


def peers(best, mechanism, kernel):
    """What a kernel is compared with: `flight` is another way to the result of `aba`."""
    return best[mechanism, "aba" if kernel == "flight" else kernel]


def disagreements(best):
    for (mechanism, kernel), entry in best.items():
        found = [*entry.values(), *peers(best, mechanism, kernel).values()]
        checks = [check for _, _, check in found]
        scale = max(abs(c) for c in checks)
        if max(checks) - min(checks) > AGREEMENT * scale:
            yield f"{mechanism} {kernel}: the programs disagree: {entry}"


def table(best):
    print("| kernel | mechanism | Pinocchio, ns (route) | carom, ns | ratio | carom native, ns | ratio |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for kernel, title in KERNELS.items():
        for (mechanism, k), entry in best.items():
            if k != kernel:
                continue
            ours = [entry["default"][0], entry["native"][0]]
            theirs = peers(best, mechanism, kernel).get("pinocchio")
            left = f"{theirs[0]:.0f} ({theirs[1]})" if theirs else "–"
            cells = [
                f"{ns:.0f} | {f'{ns / theirs[0]:.2f}' if theirs else '–'}" for ns in ours
            ]
            print(f"| {title} | {mechanism} | {left} | {' | '.join(cells)} |")
    print()
    for kernel in ("aba", "operator"):
        slopes = [
            math.log10(best["chain1000", kernel][p][0] / best["chain100", kernel][p][0])
            for p in ("default", "native")
        ]
        print(
            f"growth exponent of {KERNELS[kernel]} from n = 100 to 1000: "
            f"{slopes[0]:.3f} (native {slopes[1]:.3f})"
        )


def profiles(best):
    """Rows of profiles, columns of mechanisms and kernels."""
    cases = [case for case in best if case[0] in ("pendulum", "leg", "chain30", "chain300")]
    print("| profile | " + " | ".join(f"{m} {k}" for m, k in cases) + " |")
    print("|---|" + "---:|" * len(cases))
    for profile in best[cases[0]]:
        cells = (f"{best[case][profile][0]:.0f}" for case in cases)
        print(f"| {profile} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    if sys.argv[1] == "executable":
        executable()
    elif sys.argv[1] == "profiles":
        profiles(read(sys.argv[2]))
    else:
        best = read(sys.argv[2])
        table(best)
        faults = list(disagreements(best))
        print("\n".join(faults), file=sys.stderr)
        sys.exit(bool(faults))
