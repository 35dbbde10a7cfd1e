/**
 * The impact lens: an axis on which an impact has room and a flight is short. Every instant of impact in the window has a
 * slot of the same width, in which time stands still and the normal impulse goes from zero to all of it; a flight of
 * duration d is as wide as (d/d_max)^¼.
 */
import type { Run } from "../model/run";

/** Width of a slot beside the longest flight. */
const SLOT = 0.9;
const POWER = 0.25;

export interface Slot { t: number; event: number; from: number; to: number }

export class Lens {
  readonly slots: Slot[] = [];
  private readonly times: number[] = [];
  private readonly before: number[] = [];
  private readonly after: number[] = [];

  constructor(run: Run, t0: number, t1: number) {
    const jumps: { t: number; event: number }[] = [];
    run.events.forEach((event, index) => {
      if (event.t < t0 || event.t > t1 || !isJump(event.kind)) return;
      if (jumps.length === 0 || jumps[jumps.length - 1]!.t !== event.t) jumps.push({ t: event.t, event: index });
    });
    this.times = [t0, ...jumps.map(({ t }) => t), t1];
    let longest = 1e-300;
    for (let k = 1; k < this.times.length; k++) longest = Math.max(longest, this.times[k]! - this.times[k - 1]!);
    let at = 0;
    for (let k = 0; k < this.times.length; k++) {
      if (k > 0) at += ((this.times[k]! - this.times[k - 1]!) / longest) ** POWER;
      this.before.push(at);
      if (k > 0 && k < this.times.length - 1) at += SLOT;
      this.after.push(at);
    }
    for (const list of [this.before, this.after]) list.forEach((x, k) => (list[k] = x / (at || 1)));
    jumps.forEach(({ t, event }, k) => this.slots.push({ t, event, from: this.before[k + 1]!, to: this.after[k + 1]! }));
  }

  /** Place of a time, 0 to 1; an instant of impact has two, `late` is the one behind it. */
  at(t: number, late = true): number {
    const k = this.last(t, late);
    if (this.times[k] === t) return late ? this.after[k]! : this.before[k]!;
    const span = this.times[k + 1]! - this.times[k]!;
    const s = span > 0 ? (t - this.times[k]!) / span : 0;
    return this.after[k]! + s * (this.before[k + 1]! - this.after[k]!);
  }

  /** The time of a place, and how far the impulse has gone there, if it is in a slot. */
  time(x: number): { t: number; slot: Slot | null; s: number } {
    const slot = this.slots.find(({ from, to }) => x >= from && x < to);
    if (slot) return { t: slot.t, slot, s: (x - slot.from) / (slot.to - slot.from) };
    let k = 0;
    while (k + 2 < this.times.length && this.after[k + 1]! <= x) k++;
    const [a, b] = [this.after[k]!, this.before[k + 1]!];
    const s = b > a ? Math.min(1, Math.max(0, (x - a) / (b - a))) : 0;
    return { t: this.times[k]! + s * (this.times[k + 1]! - this.times[k]!), slot: null, s: 0 };
  }

  private last(t: number, late: boolean): number {
    let [low, high] = [0, this.times.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (late ? this.times[middle]! <= t : this.times[middle]! < t) low = middle;
      else high = middle;
    }
    return this.times[high] === t ? high : low;
  }
}

/** Whether velocities jump: this is what is counted as an impact, everywhere. */
export function isJump(kind: string): boolean {
  return kind === "impact" || kind === "jam" || kind === "close";
}
