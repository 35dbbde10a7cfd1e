/** Series against time. Long runs are drawn by their least and greatest value per pixel, so that no spike is lost. */
import type { Run, Series } from "../model/run";
import type { Ink } from "../ui/palette";
import type { Player } from "../ui/player";
import { LEFT, RIGHT, sized, TimeFrame } from "./frame";
import type { Window } from "./window";

export interface Curve {
  run: Run;
  series: Series;
  colour: string;
  dash: number[];
  /** Curves of kept runs are thin and pale. */
  ghost: boolean;
  /** The total is thick and lies beneath its parts. */
  strong?: boolean;
}

export class LinePlot extends TimeFrame {
  constructor(player: Player, window: Window, label: string) {
    super(player, window, label);
  }

  draw(curves: Curve[], ink: Ink): void {
    const area = sized(this.canvas);
    if (!area) return;
    const { ctx, width, height } = area;
    const [low, high] = this.range(curves);
    this.timeAxis(ctx, width, height, ink);
    const y = this.valueAxis(ctx, width, height, low, high, ink);
    ctx.save();
    ctx.beginPath();
    ctx.rect(LEFT, 0, width - LEFT - RIGHT, height);
    ctx.clip();
    // Ghosts first: the run that is looked at lies on top.
    const depth = ({ ghost, strong }: Curve) => (ghost ? 0 : strong ? 1 : 2);
    for (const curve of [...curves].sort((a, b) => depth(a) - depth(b))) this.stroke(ctx, curve, y, width);
    ctx.restore();
  }

  /** Samples from the last before the window to the first behind it. */
  private span(run: Run): [number, number] {
    return [run.frameAt(this.window.t0), Math.min(run.frames - 1, run.frameAt(this.window.t1) + 1)];
  }

  private range(curves: Curve[]): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const { run, series } of curves) {
      const [from, to] = this.span(run);
      for (let i = from; i <= to; i++) {
        const v = series.values[i]!;
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

  private stroke(ctx: CanvasRenderingContext2D, { run, series, colour, dash, ghost, strong }: Curve, y: (v: number) => number, width: number): void {
    const [from, to] = this.span(run);
    ctx.strokeStyle = colour;
    ctx.globalAlpha = ghost ? 0.55 : 1;
    ctx.lineWidth = ghost ? 1 : strong ? 3 : 1.75;
    ctx.lineJoin = "round";
    ctx.setLineDash(dash);
    ctx.beginPath();
    if (to - from < 4 * width) for (let i = from; i <= to; i++) ctx.lineTo(this.x(run.t[i]!), y(series.values[i]!));
    else this.envelope(ctx, run, series, from, to, y);
    ctx.stroke();
    ctx.setLineDash([]);
    if (run.frames === 1) this.dot(ctx, this.x(run.t[0]!), y(series.values[0]!), colour);
    ctx.globalAlpha = 1;
  }

  /** A run of a single sample has no lines. */
  private dot(ctx: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.arc(x + 4, y, 4, 0, 2 * Math.PI);
    ctx.fill();
  }

  private envelope(ctx: CanvasRenderingContext2D, run: Run, series: Series, from: number, to: number, y: (v: number) => number): void {
    let column = NaN;
    let [low, high, last] = [0, 0, 0];
    const flush = () => {
      ctx.lineTo(column, y(low));
      ctx.lineTo(column, y(high));
      ctx.lineTo(column, y(last));
    };
    for (let i = from; i <= to; i++) {
      const x = Math.round(this.x(run.t[i]!) * 2) / 2;
      const v = series.values[i]!;
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
