/** Largest force, impulse and extent of a run: what the lengths of arrows are measured by. */
import type { Run } from "./run";
import type { Vec3 } from "./format";
import { length } from "./vector";

export interface Scales {
  /** Diagonal of everything that moves, m. */
  extent: number;
  /** Force that is drawn as long as an arrow gets, N. */
  force: number;
  /** Impulse that is drawn as long as an arrow gets, N·s. */
  impulse: number;
  /** Whether there are any. */
  forces: boolean;
  impulses: boolean;
}

export const NO_SCALES: Scales = { extent: 1, force: 1, impulse: 1, forces: false, impulses: false };

/** Arrows reach this fraction of the extent. */
export const ARROW = 0.22;

export function scalesOf(run: Run): Scales {
  const { min, max } = run.doc.stage.bounds;
  const extent = Math.max(length([max[0] - min[0], max[1] - min[1], max[2] - min[2]]), 1e-6);
  let force = 0;
  for (const site of run.sites) {
    for (let frame = 0; frame < run.frames; frame++) {
      force = Math.max(force, length(site.force.subarray(frame * 3, frame * 3 + 3)));
    }
  }
  let impulse = 0;
  for (const event of run.events) for (const contact of event.contacts) impulse = Math.max(impulse, length(contact.impulse));
  return { extent, force: nice(force), impulse: nice(impulse), forces: force > 0, impulses: impulse > 0 };
}

/** The next of 1, 2, 5 × 10ᵏ that is not smaller; 1 for 0. */
export function nice(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  for (const step of [1, 2, 5, 10]) if (x <= step * power * (1 + 1e-12)) return step * power;
  return 10 * power;
}

export function centre(run: Run): Vec3 {
  const { min, max } = run.doc.stage.bounds;
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
}
