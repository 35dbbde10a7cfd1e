/** The stretch of time that all plots show: at first the motion without the rest behind it, then what the reader chooses. */
import type { Run } from "../model/run";
import { Lens } from "./lens";

/** A little of the rest is shown, as a part of the motion. */
const BEYOND = 0.12;
/** A rest that is shorter than this part of the run is shown whole. */
const LONG_REST = 0.3;

/** Where the motion of a run is over, and a little more: what comes then is rest. */
export function homeOf({ start, end, rest }: { start: number; end: number; rest: number | null }): number {
  const long = rest !== null && rest > start && end - rest > LONG_REST * (end - start);
  return long ? Math.min(end, rest + BEYOND * (rest - start)) : end;
}

export class Window {
  /** The axis on which impacts have room; null for plain time. */
  lens: Lens | null = null;
  private lensed: Run | null = null;
  t0: number;
  t1: number;
  private home: number;
  /** Whether the reader has left it as it was. */
  private untouched = true;
  private readonly listeners: (() => void)[] = [];

  constructor(public start: number, public end: number) {
    this.t0 = start;
    this.t1 = this.home = end;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Looks through the lens at the impacts of a run, or at plain time. */
  look(run: Run | null): void {
    this.lensed = run;
    this.put(this.t0, this.t1);
  }

  /** Where a time stands in the window, 0 to 1. */
  place(t: number, late = true): number {
    if (this.lens) return this.lens.at(Math.min(this.t1, Math.max(this.t0, t)), late);
    return (t - this.t0) / Math.max(this.t1 - this.t0, 1e-300);
  }

  /** The time at a place. */
  time(place: number): number {
    return this.lens ? this.lens.time(place).t : this.t0 + place * (this.t1 - this.t0);
  }

  get zoomed(): boolean {
    return this.t0 > this.start || this.t1 < this.end;
  }

  set(t0: number, t1: number): void {
    this.untouched = false;
    this.put(t0, t1);
  }

  /** Makes the stretch shorter (factor > 1) or longer, t staying where it is. */
  zoom(factor: number, t: number): void {
    const at = Math.min(this.t1, Math.max(this.t0, t));
    this.set(at - (at - this.t0) / factor, at + (this.t1 - at) / factor);
  }

  all(): void {
    this.set(this.start, this.end);
  }

  /** Keeps t in sight: shows the rest as well, or moves along. */
  reveal(t: number): void {
    if (t >= this.t0 && t <= this.t1) return;
    if (this.untouched) return this.put(this.start, this.end);
    const span = this.t1 - this.t0;
    this.put(t - 0.1 * span, t + 0.9 * span);
  }

  /** Another range of time, with the time from which nothing moves. */
  setRange(start: number, end: number, rest: number | null): void {
    const whole = !this.zoomed;
    this.start = start;
    this.end = end;
    this.home = homeOf({ start, end, rest });
    if (this.untouched) this.put(start, this.home);
    else if (whole) this.put(start, end);
    else this.put(this.t0, this.t1);
  }

  private put(t0: number, t1: number): void {
    const least = Math.max((this.end - this.start) * 1e-7, 1e-9);
    const span = Math.min(Math.max(t1 - t0, least), this.end - this.start);
    this.t0 = Math.max(this.start, Math.min(t0, this.end - span));
    this.t1 = this.t0 + span;
    this.lens = this.lensed ? new Lens(this.lensed, this.t0, this.t1) : null;
    for (const listener of this.listeners) listener();
  }
}
