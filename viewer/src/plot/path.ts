/** One impact in the space of velocities: slip against normal velocity, and the hodograph of the slip in space. */
import type { ImpulsePath } from "../model/format";
import { tickLabels, ticks, type Ticks } from "../ui/numbers";
import { seriesColour, type Ink } from "../ui/palette";
import { FONT, sized } from "./frame";

const LEFT = 54;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 34;

interface Range { low: number; high: number }

/** A pair of axes with zero lines. */
export class Plane {
  constructor(
    readonly ctx: CanvasRenderingContext2D, readonly width: number, readonly height: number,
    readonly xs: Range, readonly ys: Range,
  ) {
    // Long numbers need room beside the name of the axis.
    ctx.font = FONT;
    const labels = tickLabels(this.yTicks()).map((label) => ctx.measureText(label).width);
    this.left = Math.max(LEFT, Math.ceil(Math.max(0, ...labels)) + 24);
  }
  readonly left: number;

  private yTicks(): Ticks {
    return ticks(this.ys.low, this.ys.high, Math.max(2, (this.height - TOP - BOTTOM) / 40));
  }

  x(v: number): number { return this.left + ((v - this.xs.low) / (this.xs.high - this.xs.low)) * (this.width - this.left - RIGHT); }
  y(v: number): number { return this.height - BOTTOM - ((v - this.ys.low) / (this.ys.high - this.ys.low)) * (this.height - TOP - BOTTOM); }

  axes(xLabel: string, yLabel: string, ink: Ink, zeros = true): void {
    const { ctx } = this;
    ctx.font = FONT;
    ctx.lineWidth = 1;
    const xs = ticks(this.xs.low, this.xs.high, Math.max(2, (this.width - this.left - RIGHT) / 64));
    const ys = this.yTicks();
    ctx.strokeStyle = ink.grid;
    ctx.fillStyle = ink.faint;
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    tickLabels(xs).forEach((label, i) => {
      const x = Math.round(this.x(xs.values[i]!)) + 0.5;
      this.line(x, TOP, x, this.height - BOTTOM);
      if (x < this.width - RIGHT - 4) ctx.fillText(label, x, this.height - BOTTOM + 14);
    });
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    tickLabels(ys).forEach((label, i) => {
      const y = Math.round(this.y(ys.values[i]!)) + 0.5;
      this.line(this.left, y, this.width - RIGHT, y);
      ctx.fillText(label, this.left - 6, y);
    });
    ctx.strokeStyle = ink.text;
    ctx.setLineDash([5, 3]);
    if (zeros) this.line(Math.round(this.x(0)) + 0.5, TOP, Math.round(this.x(0)) + 0.5, this.height - BOTTOM);
    if (zeros) this.line(this.left, Math.round(this.y(0)) + 0.5, this.width - RIGHT, Math.round(this.y(0)) + 0.5);
    ctx.setLineDash([]);
    ctx.fillStyle = ink.text;
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    ctx.fillText(xLabel, (this.left + this.width - RIGHT) / 2, this.height - 4);
    ctx.save();
    ctx.translate(11, (TOP + this.height - BOTTOM) / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.fillText(yLabel, 0, 0);
    ctx.restore();
  }

  polyline(xs: number[], ys: number[], colour: string, width: number): void {
    const { ctx } = this;
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.lineJoin = "round";
    ctx.beginPath();
    for (let i = 0; i < xs.length; i++) ctx.lineTo(this.x(xs[i]!), this.y(ys[i]!));
    ctx.stroke();
  }

  dot(x: number, y: number, radius: number, fill: string, edge: string): void {
    const { ctx } = this;
    ctx.beginPath();
    ctx.arc(this.x(x), this.y(y), radius, 0, 2 * Math.PI);
    ctx.fillStyle = fill;
    ctx.strokeStyle = edge;
    ctx.lineWidth = 1.5;
    ctx.fill();
    ctx.stroke();
  }

  private line(x0: number, y0: number, x1: number, y1: number): void {
    this.ctx.beginPath();
    this.ctx.moveTo(x0, y0);
    this.ctx.lineTo(x1, y1);
    this.ctx.stroke();
  }
}

/** The range of some values and zero, at least `least` wide: round-off is not to fill a picture. */
function rangeOf(values: number[], least: number): Range {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const room = Math.max(0.12 * (high - low), least / 2) || 0.5;
  return { low: low - room, high: high + room };
}

/** A path in two parts: up to where the normal velocity first reaches zero, and from there on. */
export function split(path: ImpulsePath, xs: number[], ys: number[]): { compression: [number[], number[]]; restitution: [number[], number[]] } {
  const u = path.u_n;
  for (let i = 1; i < u.length; i++) {
    if (!(u[i - 1]! < 0 && u[i]! >= 0)) continue;
    const s = -u[i - 1]! / (u[i]! - u[i - 1]!);
    const x = xs[i - 1]! + s * (xs[i]! - xs[i - 1]!);
    const y = ys[i - 1]! + s * (ys[i]! - ys[i - 1]!);
    return { compression: [[...xs.slice(0, i), x], [...ys.slice(0, i), y]], restitution: [[x, ...xs.slice(i)], [y, ...ys.slice(i)]] };
  }
  return u[0]! < 0 ? { compression: [xs, ys], restitution: [[], []] } : { compression: [[], []], restitution: [xs, ys] };
}

/** u_t against u_n; in space |u_t|. Compression below the line u_n = 0 is tinted. */
export function drawPath(canvas: HTMLCanvasElement, path: ImpulsePath, ink: Ink): void {
  const area = sized(canvas);
  if (!area) return;
  const { ctx, width, height } = area;
  const second = path.u_t2;
  const slip = second ? path.u_t.map((u, i) => Math.hypot(u, second[i]!)) : path.u_t;
  const plane = new Plane(ctx, width, height, rangeOf(slip, tiny(path)), rangeOf(path.u_n, 0));
  ctx.fillStyle = ink.open;
  ctx.fillRect(plane.left, plane.y(0), width - plane.left - RIGHT, height - BOTTOM - plane.y(0));
  plane.axes(second ? "slip speed |uₜ| / (m/s)" : "slip uₜ / (m/s)", "normal uₙ / (m/s)", ink);
  regionNames(plane, slip, path.u_n, ink);
  stroke(plane, path, slip, path.u_n, ink);
  marks(plane, path, slip, path.u_n, ink);
}

/** The path of the slip (u_t1, u_t2) with equal scales. */
export function drawHodograph(canvas: HTMLCanvasElement, path: ImpulsePath, ink: Ink): void {
  const area = sized(canvas);
  if (!area || !path.u_t2) return;
  const { ctx, width, height } = area;
  const xs = rangeOf(path.u_t, tiny(path));
  const ys = rangeOf(path.u_t2, tiny(path));
  // Equal scales: the direction of the slip is what a hodograph shows.
  const scale = Math.max((xs.high - xs.low) / (width - LEFT - RIGHT), (ys.high - ys.low) / (height - TOP - BOTTOM));
  widen(xs, scale * (width - LEFT - RIGHT));
  widen(ys, scale * (height - TOP - BOTTOM));
  const plane = new Plane(ctx, width, height, xs, ys);
  plane.axes("slip uₜ₁ / (m/s)", "slip uₜ₂ / (m/s)", ink);
  stroke(plane, path, path.u_t, path.u_t2, ink);
  marks(plane, path, path.u_t, path.u_t2, ink);
}

/**
 * The work of an impact over its normal impulse. Between two points of a path velocities are straight lines, so that the
 * work of the normal impulse is a parabola; what friction adds is shared out as the slip goes.
 */
export function workOf(path: ImpulsePath, parts = 12): { p: number[]; work: number[] } {
  const [p, work] = [[path.p[0]!], [path.work[0]!]];
  for (let i = 1; i < path.p.length; i++) {
    const step = path.p[i]! - path.p[i - 1]!;
    const [u0, u1, s0, s1] = [path.u_n[i - 1]!, path.u_n[i]!, path.u_t[i - 1]!, path.u_t[i]!];
    const friction = path.work[i]! - path.work[i - 1]! - (step * (u0 + u1)) / 2;
    const slip = (s0 + s1) / 2;
    const slides = !path.u_t2 && Math.abs(slip) > 1e-9 * (Math.abs(s0) + Math.abs(s1) + Math.abs(u0));
    for (let k = 1; k <= parts; k++) {
      const s = k / parts;
      const share = slides ? (s * s0 + (s * s * (s1 - s0)) / 2) / slip : s;
      p.push(path.p[i - 1]! + s * step);
      work.push(path.work[i - 1]! + step * (s * u0 + (s * s * (u1 - u0)) / 2) + friction * share);
    }
  }
  return { p, work };
}

/** Velocities over the normal impulse, the clock of an impact: u_n, the slip, and the work done so far on a scale of its own. */
export function drawOverImpulse(canvas: HTMLCanvasElement, path: ImpulsePath, ink: Ink, progress: number | null): void {
  const area = sized(canvas);
  if (!area) return;
  const { ctx, width, height } = area;
  const second = path.u_t2;
  const all = path.p[path.p.length - 1]!;
  const u = [...path.u_n, ...path.u_t, ...(second ?? [])];
  const room = 46;
  const plane = new Plane(ctx, width - room, height, { low: 0, high: all > 0 ? all : 1 }, rangeOf(u, 0));
  plane.axes("normal impulse pₙ / N·s", "u / (m/s)", ink, false);
  ctx.strokeStyle = ink.axis;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(plane.left, plane.y(0));
  ctx.lineTo(width - room - RIGHT, plane.y(0));
  ctx.stroke();
  // Where u_n is zero compression ends.
  const turn = path.u_n.findIndex((x, i) => i > 0 && path.u_n[i - 1]! < 0 && x >= 0);
  if (turn > 0) {
    const s = -path.u_n[turn - 1]! / (path.u_n[turn]! - path.u_n[turn - 1]!);
    const p = path.p[turn - 1]! + s * (path.p[turn]! - path.p[turn - 1]!);
    ctx.fillStyle = ink.open;
    ctx.globalAlpha = 0.7;
    ctx.fillRect(plane.left, TOP, plane.x(p) - plane.left, height - TOP - BOTTOM);
    ctx.globalAlpha = 1;
  }
  plane.polyline(path.p, path.u_n, ink.text, 2.2);
  ctx.setLineDash([7, 3]);
  plane.polyline(path.p, path.u_t, ink.slip, 2);
  ctx.setLineDash([9, 3, 2, 3]);
  if (second) plane.polyline(path.p, second, seriesColour(5, ink.dark), 2);
  const fine = workOf(path);
  const works = rangeOf(fine.work, 0);
  const w = (v: number) => height - BOTTOM - ((v - works.low) / (works.high - works.low)) * (height - TOP - BOTTOM);
  ctx.setLineDash([2, 3]);
  ctx.strokeStyle = ink.axis;
  ctx.lineWidth = 2;
  ctx.beginPath();
  fine.p.forEach((p, i) => ctx.lineTo(plane.x(p), w(fine.work[i]!)));
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.font = FONT;
  ctx.fillStyle = ink.faint;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  const marks = ticks(works.low, works.high, Math.max(2, (height - TOP - BOTTOM) / 40));
  tickLabels(marks).forEach((label, i) => ctx.fillText(label, width - room - RIGHT + 6, w(marks.values[i]!)));
  if (progress !== null) {
    ctx.strokeStyle = ink.impulse;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(plane.x(progress * all), TOP);
    ctx.lineTo(plane.x(progress * all), height - BOTTOM);
    ctx.stroke();
  }
}

/** Slip that is nothing beside the normal velocity. */
function tiny(path: ImpulsePath): number {
  return 1e-2 * Math.max(...path.u_n.map(Math.abs));
}

function stroke(plane: Plane, path: ImpulsePath, xs: number[], ys: number[], ink: Ink): void {
  const { compression, restitution } = split(path, xs, ys);
  plane.polyline(...compression, ink.compression, 2.5);
  plane.ctx.setLineDash([7, 3]);
  plane.polyline(...restitution, ink.restitution, 2.5);
  plane.ctx.setLineDash([]);
}

function widen(range: Range, span: number): void {
  const middle = (range.low + range.high) / 2;
  range.low = middle - span / 2;
  range.high = middle + span / 2;
}

/** Names of the two regions, each where the path leaves room. */
function regionNames(plane: Plane, xs: number[], ys: number[], ink: Ink): void {
  const { ctx, width, height } = plane;
  ctx.font = FONT;
  ctx.fillStyle = ink.faint;
  ctx.textBaseline = "alphabetic";
  const name = (text: string, y: number) => {
    const half = ctx.measureText(text).width / 2;
    const [first, last] = [plane.left + 6 + half, width - RIGHT - 6 - half];
    // Never on the line of no slip; corners before the middle.
    const room = (x: number) => {
      const clear = Math.abs(plane.x(0) - x) > half + 4;
      const free = Math.min(distance(plane, xs, ys, x - half, y - 4), distance(plane, xs, ys, x, y - 4), distance(plane, xs, ys, x + half, y - 4));
      return clear ? Math.min(free, 30) : 0;
    };
    const x = [1, 0, 0.75, 0.25, 0.5].map((s) => first + s * (last - first)).reduce((best, next) => (room(next) > room(best) ? next : best));
    ctx.textAlign = "center";
    ctx.fillText(text, x, y);
  };
  if (height - BOTTOM - plane.y(0) > 22) name("compression", height - BOTTOM - 6);
  if (plane.y(0) - TOP > 22) name("restitution", TOP + 12);
}

/** Pixels from a point to the nearest point of a path. */
function distance(plane: Plane, xs: number[], ys: number[], x: number, y: number): number {
  let least = Infinity;
  for (let i = 1; i < xs.length; i++) {
    for (let s = 0; s <= 1; s += 0.1) {
      const px = plane.x(xs[i - 1]! + s * (xs[i]! - xs[i - 1]!));
      const py = plane.y(ys[i - 1]! + s * (ys[i]! - ys[i - 1]!));
      least = Math.min(least, Math.hypot(px - x, py - y));
    }
  }
  return least;
}

/** Hollow at the start, full at the end, small at the stages between. */
function marks(plane: Plane, path: ImpulsePath, xs: number[], ys: number[], ink: Ink): void {
  for (const { index } of path.stages) if (index > 0 && index < xs.length - 1) plane.dot(xs[index]!, ys[index]!, 3, ink.panel, ink.text);
  plane.dot(xs[0]!, ys[0]!, 4.5, ink.panel, ink.compression);
  const last = xs.length - 1;
  plane.dot(xs[last]!, ys[last]!, 4.5, ink.restitution, ink.restitution);
}
