/** Phase portraits: speed against coordinate, jumps at impacts dashed. */
import type { Run, Series } from "../model/run";
import { h } from "../ui/dom";
import type { Ink } from "../ui/palette";
import { Plane } from "./path";
import { sized } from "./frame";
import { slopeAt, slopesOf, timesOf, valuesOf } from "./sampled";

/** Two series; with `rate`, the second is looked at by how fast it changes. */
export interface Pair { q: Series; v: Series; title: string; xLabel: string; yLabel: string; rate?: boolean }

/** Points of a portrait at least, of each smooth piece, and at most. */
const POINTS = 1200;
const EACH = 16;
const MOST = 60_000;

/** Coordinates whose rate is a speed of its own, and moves. */
export function pairsOf(run: Run): Pair[] {
  const byName = new Map(run.series.map((series) => [series.name, series]));
  const speeds = run.series.filter((series) => series.group === "speeds");
  const fastest = Math.max(0, ...speeds.map(({ values }) => largest(values)));
  const pairs: Pair[] = [];
  for (const v of speeds) {
    const name = v.name.replace(/^v\./, "");
    // `q.elbow` has the rate `v.elbow`, `q.ball.x` has `v.ball.vx`, an angle of the plane `w`.
    const q = byName.get(`q.${name}`) ?? byName.get(`q.${name.replace(/\.v([xyz])$/, ".$1")}`) ?? byName.get(`q.${name.replace(/\.w$/, ".angle")}`);
    if (!q || q.group !== "coordinates" || q.unit !== v.unit.replace("/s", "")) continue;
    if (largest(v.values) <= 1e-10 * fastest) continue;
    pairs.push({ q, v, title: q.label, xLabel: `${q.label} / ${q.unit}`, yLabel: `rate / (${v.unit})` });
  }
  return pairs.slice(0, 6);
}

export class PhasePlot {
  readonly canvas = h<HTMLCanvasElement>("canvas.phase", { role: "img" });

  constructor(label: string) {
    this.canvas.setAttribute("aria-label", label);
  }

  /** The run that is looked at, over others. */
  draw(main: Portrait, ghosts: Portrait[], t: number, window: { t0: number; t1: number }, ink: Ink): void {
    const area = sized(this.canvas);
    if (!area) return;
    const { ctx, width, height } = area;
    const lines = [main, ...ghosts].map((one) => ({ ...one, ...orbit(one, window) }));
    const plane = new Plane(ctx, width, height, spread(lines.flatMap(({ xs }) => xs)), spread(lines.flatMap(({ ys }) => ys)));
    plane.axes(main.pair.xLabel, main.pair.yLabel, ink, false);
    for (const line of [...lines.slice(1), lines[0]!]) trace(plane, line, line.run === main.run ? 1.6 : 1.1, ink);
    const { xs, ys } = lines[0]!;
    plane.dot(xs[0]!, ys[0]!, 4, ink.panel, ink.text);
    plane.dot(xs[xs.length - 1]!, ys[ys.length - 1]!, 4, ink.text, ink.text);
    for (const { run, pair, colour } of lines) {
      const place = run.placeOf(t);
      const y = pair.rate ? slopeAt(run, pair.v, pieceFor(run, t), t) : run.valueAt(pair.v, place);
      plane.dot(run.valueAt(pair.q, place), y, 4.5, run === main.run ? ink.accent : colour, ink.panel);
    }
  }
}

/** A run in a portrait; without a colour it has that of a single run. */
export interface Portrait { run: Run; pair: Pair; colour: string }

interface Orbit { xs: number[]; ys: number[]; t: number[] }

const orbits = new WeakMap<Run, Map<string, Orbit>>();

/** The curve of a run, kept: it is drawn anew in every frame, under the point that moves. */
function orbit({ run, pair }: Portrait, { t0, t1 }: { t0: number; t1: number }): Orbit {
  const known = orbits.get(run) ?? new Map<string, Orbit>();
  orbits.set(run, known);
  const key = [pair.q.name, pair.v.name, pair.rate ?? false, t0, t1, run.degrees].join("|");
  let found = known.get(key);
  if (!found) {
    // Time is stretched in a portrait: a piece is a curve however short it is.
    const { pieces } = run;
    const count = pieces.count > 0 ? pieces.pieceAt(t1) - pieces.pieceAt(t0) + 1 : 1;
    const at = timesOf(run, t0, t1, Math.max(POINTS, Math.min(MOST, EACH * count) / 3));
    found = { xs: valuesOf(pair.q, at), ys: pair.rate ? slopesOf(run, pair.v, at) : valuesOf(pair.v, at), t: at.t };
    if (known.size > 40) known.clear();
    known.set(key, found);
  }
  return found;
}

/** The piece of a time; at a jump, the one after it. */
function pieceFor({ pieces }: Run, t: number): number {
  let piece = pieces.count > 0 ? pieces.pieceAt(t) : -1;
  while (piece >= 0 && piece < pieces.count - 1 && pieces.degrees[piece] === 0) piece++;
  return piece;
}

/** Smooth stretches, and dashed lines where values jump. */
function trace(plane: Plane, { xs, ys, t, colour }: Orbit & { colour: string }, width: number, ink: Ink): void {
  const { ctx } = plane;
  let from = 0;
  for (let i = 1; i <= xs.length; i++) {
    const jump = i < xs.length && t[i] === t[i - 1] && Math.hypot(xs[i]! - xs[i - 1]!, ys[i]! - ys[i - 1]!) > 1e-12;
    if (i < xs.length && !jump) continue;
    plane.polyline(xs.slice(from, i), ys.slice(from, i), colour || ink.restitution, width);
    if (jump) {
      ctx.setLineDash([5, 3]);
      plane.polyline([xs[i - 1]!, xs[i]!], [ys[i - 1]!, ys[i]!], colour || ink.impulse, 1);
      ctx.setLineDash([]);
    }
    from = i;
  }
}

function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]!));
  return most;
}

export function spread(values: number[]): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) [low, high] = [Math.min(low, v), Math.max(high, v)];
  const room = Math.max(0.07 * (high - low), 1e-3 * Math.max(Math.abs(low), Math.abs(high)), 1e-12);
  return { low: low - room, high: high + room };
}
