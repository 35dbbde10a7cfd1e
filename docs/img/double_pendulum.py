"""Draws docs/img/double_pendulum.svg from a run: carom run scenes/double_pendulum.toml --csv --out RUN,
then python3 docs/img/double_pendulum.py RUN docs/img/double_pendulum.svg. Needs nothing but Python."""

import csv
import json
import math
import sys

BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#777777"
LEFT, TOP, SCALE = 150, 70, 125  # pivot of the left drawing, pixels; pixels per metre
PX, PY, PW, PH = 515, 45, 390, 225  # the energy plot


def bars(q):
    """Pivot, elbow and tip in metres."""
    elbow = (math.cos(q[0]), 1.5 + math.sin(q[0]))
    return (0, 1.5), elbow, (elbow[0] + math.cos(q[0] + q[1]), elbow[1] + math.sin(q[0] + q[1]))


def on_page(p):
    return LEFT + SCALE * p[0], TOP + SCALE * (1.5 - p[1])


def line(points, style):
    return f'<polyline fill="none" {style} points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>'


def text(x, y, words, anchor="middle", extra=""):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" {extra}>{words}</text>'


def main(run, out):
    rows = list(csv.DictReader(open(f"{run}/trajectory.csv")))
    events = [json.loads(row) for row in open(f"{run}/events.jsonl")]
    q = [(float(r["q.shoulder"]), float(r["q.elbow"])) for r in rows]
    t = [float(r["t"]) for r in rows]
    moving = [i for i, time in enumerate(t) if time <= 1.6]
    page = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 930 330" font-family="sans-serif" font-size="13">',
        '<rect width="930" height="330" fill="white"/>',
    ]
    # The motion.
    floor = TOP + SCALE * 1.5
    page.append(f'<rect x="20" y="{floor}" width="400" height="8" fill="#cccccc"/>')
    page.append(line([on_page(bars(q[i])[2]) for i in moving], f'stroke="{BLUE}" stroke-width="1.6"'))
    impacts = [e for e in events if e["kind"] == "impact"][:3]
    poses = [(q[0], GREY, "4 3")] + [(e["q"], ORANGE, "none") for e in impacts] + [(q[-1], "black", "none")]
    for pose, colour, dash in poses:
        points = [on_page(p) for p in bars(pose)]
        page.append(line(points, f'stroke="{colour}" stroke-width="3" stroke-dasharray="{dash}" stroke-linecap="round"'))
        page += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in points]
    page.append(text(220, 30, "path of the tip and postures"))
    for k, (name, colour) in enumerate([("start", GREY), ("first three impacts", ORANGE), ("rest", "black"), ("tip", BLUE)]):
        x = [25, 95, 260, 330][k]
        page.append(f'<line x1="{x}" x2="{x + 18}" y1="308" y2="308" stroke="{colour}" stroke-width="3"/>')
        page.append(text(x + 24, 312, name, "start"))
    # The energy.
    end, top = 1.6, 140
    at = lambda time, value: (PX + PW * time / end, PY + PH * (1 - value / top))
    page.append(f'<rect x="{PX}" y="{PY}" width="{PW}" height="{PH}" fill="none" stroke="#444444"/>')
    for value in range(0, top + 1, 20):
        y = at(0, value)[1]
        page.append(f'<line x1="{PX}" x2="{PX + PW}" y1="{y}" y2="{y}" stroke="#eeeeee"/>')
        page.append(text(PX - 6, y + 4, value, "end"))
    for k in range(0, 9, 2):
        page.append(text(at(k / 5, 0)[0], PY + PH + 17, f"{k / 5:.1f}"))
    page.append(text(PX + PW / 2, PY + PH + 34, "time, s"))
    page.append(text(PX - 42, PY + PH / 2, "energy, J", "middle", f'transform="rotate(-90 {PX - 42} {PY + PH / 2})"'))
    for column, colour, dash in [("energy.stored", "black", "none"), ("energy.gravity", GREEN, "6 3"), ("energy.kinetic", BLUE, "2 3")]:
        points = [at(t[i], float(rows[i][column])) for i in moving]
        page.append(line(points, f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'))
    for k, (name, colour, dash) in enumerate([("total", "black", "none"), ("potential", GREEN, "6 3"), ("kinetic", BLUE, "2 3")]):
        x = PX + 20 + 130 * k
        page.append(f'<line x1="{x}" x2="{x + 26}" y1="30" y2="30" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
        page.append(text(x + 32, 34, name, "start"))
    page.append("</svg>\n")
    open(out, "w").write("\n".join(page))


if __name__ == "__main__":
    main(*sys.argv[1:3])
