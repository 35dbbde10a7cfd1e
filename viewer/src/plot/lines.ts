/** Series against time. Long runs are drawn by their least and greatest value per pixel, so that no spike is lost. */
import type { Run, Series } from "../model/run";
import type { Ink } from "../ui/palette";
import type { Player } from "../ui/player";
import { at, mix } from "../model/pieces";
import { tickLabels, ticks } from "../ui/numbers";
import { BOTTOM, FONT, LEFT, RIGHT, sized, TimeFrame, TOP } from "./frame";
import { isJump } from "./lens";
import { workOf } from "./path";
import { sampled, type Points } from "./sampled";
import type { Window } from "./window";

export interface Curve {
  run: Run;
  series: Series;
  colour: string;
  dash: number[];
  /** Curves of other runs are thin. */
  ghost: boolean;
  /** The total is thick and lies beneath its parts. */
  strong?: boolean;
}

/** Impulses at impacts, on a scale of their own. */
export interface Stems { label: string; unit: string; colour: string; hollow: boolean; t: number[]; y: number[] }

const SECOND_AXIS = 58;
/** Impacts that are marked by a line at most. */
const MARKED = 40;

export class LinePlot extends TimeFrame {
  constructor(player: Player, window: Window, label: string) {
    super(player, window, label);
  }

  draw(curves: Curve[], ink: Ink, stems: Stems[] = []): void {
    this.right = stems.length > 0 ? SECOND_AXIS : RIGHT;
    const area = sized(this.canvas);
    if (!area) return;
    const { ctx, width, height } = area;
    const points = new Map(curves.map((curve) => [curve, sampled(curve.run, curve.series, this.window.t0, this.window.t1, width)]));
    const [low, high] = this.range([...points.values()]);
    this.timeAxis(ctx, width, height, ink);
    const y = this.valueAxis(ctx, width, height, low, high, ink);
    ctx.save();
    ctx.beginPath();
    ctx.rect(LEFT, 0, width - LEFT - this.right, height);
    ctx.clip();
    if (curves.length > 0) this.guides(ctx, curves[0]!.run, height, ink);
    // Ghosts first: the run that is looked at lies on top.
    const depth = ({ ghost, strong }: Curve) => (ghost ? 0 : strong ? 1 : 2);
    for (const curve of [...curves].sort((a, b) => depth(a) - depth(b))) this.stroke(ctx, curve, points.get(curve)!, y, width);
    ctx.restore();
    if (stems.length > 0) this.impulses(ctx, stems, width, height, [low, high], ink);
  }

  /** Dotted lines at impacts, if they are few. */
  private guides(ctx: CanvasRenderingContext2D, run: Run, height: number, ink: Ink): void {
    if (this.window.lens) return;
    const times = [...new Set(run.events.filter(({ kind, t }) => isJump(kind) && t >= this.window.t0 && t <= this.window.t1).map(({ t }) => t))];
    if (times.length > MARKED) return;
    ctx.strokeStyle = ink.impulse;
    ctx.globalAlpha = 0.45;
    ctx.lineWidth = 1;
    ctx.setLineDash([1, 3]);
    ctx.beginPath();
    for (const t of times) {
      ctx.moveTo(this.x(t), TOP);
      ctx.lineTo(this.x(t), height - BOTTOM);
    }
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  }

  /** Stems with their axis at the right; both axes have their zero at the same height. */
  private impulses(ctx: CanvasRenderingContext2D, all: Stems[], width: number, height: number, [low, high]: [number, number], ink: Ink): void {
    let [least, most] = [0, 0];
    for (const { y } of all) for (const v of y) [least, most] = [Math.min(least, v), Math.max(most, v)];
    const share = (0 - low) / (high - low);
    const above = Math.max(most / Math.max(1 - share, 1e-3), -least / Math.max(share, 1e-3), 1e-12) * 1.06;
    const bottom = -share * above;
    const y = (v: number) => height - BOTTOM - ((v - bottom) / above) * (height - BOTTOM - TOP);
    const values = ticks(Math.max(bottom, least * 1.1), Math.min(bottom + above, most * 1.1 || above), Math.max(2, (height - BOTTOM - TOP) / 42));
    ctx.font = FONT;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    ctx.fillStyle = ink.impulse;
    tickLabels(values).forEach((label, i) => ctx.fillText(label, width - this.right + 6, y(values.values[i]!)));
    ctx.textAlign = "right";
    ctx.textBaseline = "alphabetic";
    for (const { t, y: heights, colour, hollow } of all) {
      ctx.strokeStyle = colour;
      for (let i = 0; i < t.length; i++) {
        if (t[i]! < this.window.t0 || t[i]! > this.window.t1) continue;
        const x = this.window.lens ? (this.x(t[i]!, false) + this.x(t[i]!)) / 2 : this.x(t[i]!);
        ctx.lineWidth = 1.4;
        ctx.beginPath();
        ctx.moveTo(x, y(0));
        ctx.lineTo(x, y(heights[i]!));
        ctx.stroke();
        ctx.beginPath();
        ctx.arc(x, y(heights[i]!), 2.8, 0, 2 * Math.PI);
        ctx.fillStyle = hollow ? ink.panel : colour;
        ctx.fill();
        ctx.stroke();
      }
    }
  }

  /** Through the lens the kinetic energy goes along the path of the impact, not along a chord. */
  private throughImpact(ctx: CanvasRenderingContext2D, { run, series }: Curve, t: number, y: (v: number) => number): void {
    const slot = this.window.lens?.slots.find((one) => one.t === t);
    if (!slot || !/^energy\.(kinetic|stored)$/.test(series.name)) return;
    const event = run.events[slot.event]!;
    const path = event.paths?.[0];
    if (!path || run.events[slot.event + 1]?.t === t) return;
    const rest = mix(series.values, at(Math.max(0, event.frame - 1)));
    const all = path.p[path.p.length - 1]!;
    const [from, to] = [this.x(t, false), this.x(t)];
    const fine = workOf(path);
    fine.p.forEach((p, i) => ctx.lineTo(from + (all > 0 ? p / all : 0) * (to - from), y(rest + fine.work[i]!)));
  }

  private range(all: Points[]): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const { y } of all) {
      for (const v of y) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    if (!(low <= high)) return [0, 1];
    // A number that never changes is a line in the middle, not a magnified round-off with long labels.
    const least = Math.max(Math.abs(low), Math.abs(high)) * 1e-3 || 1;
    const room = Math.max(0.06 * (high - low), least / 2);
    return [low - room, high + room];
  }

  private stroke(ctx: CanvasRenderingContext2D, curve: Curve, points: Points, y: (v: number) => number, width: number): void {
    const { run, colour, dash, ghost, strong } = curve;
    ctx.strokeStyle = colour;
    ctx.globalAlpha = ghost ? 0.85 : 1;
    ctx.lineWidth = ghost ? (strong ? 2 : 1.25) : strong ? 3 : 1.75;
    ctx.lineJoin = "round";
    ctx.setLineDash(dash);
    ctx.beginPath();
    if (points.t.length < 8 * width) {
      for (let i = 0; i < points.t.length; i++) {
        ctx.lineTo(this.x(points.t[i]!, points.late[i]), y(points.y[i]!));
        if (this.window.lens && points.t[i] === points.t[i + 1]) this.throughImpact(ctx, curve, points.t[i]!, y);
      }
    } else this.envelope(ctx, points, y);
    ctx.stroke();
    ctx.setLineDash([]);
    if (run.frames === 1) this.dot(ctx, this.x(points.t[0]!), y(points.y[0]!), colour);
    ctx.globalAlpha = 1;
  }

  /** A run of a single sample has no lines. */
  private dot(ctx: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.arc(x + 4, y, 4, 0, 2 * Math.PI);
    ctx.fill();
  }

  private envelope(ctx: CanvasRenderingContext2D, points: Points, y: (v: number) => number): void {
    let column = NaN;
    let [low, high, last] = [0, 0, 0];
    const flush = () => {
      ctx.lineTo(column, y(low));
      ctx.lineTo(column, y(high));
      ctx.lineTo(column, y(last));
    };
    for (let i = 0; i < points.t.length; i++) {
      const x = Math.round(this.x(points.t[i]!) * 2) / 2;
      const v = points.y[i]!;
      if (x !== column) {
        if (!Number.isNaN(column)) flush();
        column = x;
        low = high = v;
        ctx.lineTo(column, y(v));
      }
      low = Math.min(low, v);
      high = Math.max(high, v);
      last = v;
    }
    flush();
  }
}
