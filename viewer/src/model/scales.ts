/** Largest force, impulse and extent of a run: what the lengths of arrows are measured by. */
import type { Run } from "./run";
import type { Drawn, Vec3 } from "./format";
import { length, place } from "./vector";

export interface Scales {
  /** Diagonal of everything that moves, over the whole run, m. */
  extent: number;
  /** Diagonal of the mechanism itself at the start, m. */
  mechanism: number;
  /** What arrows and marks are measured by: the extent, but no more than a few mechanisms, m. */
  size: number;
  /** Force that is drawn as long as an arrow gets, N. */
  force: number;
  /** Impulse that is drawn as long as an arrow gets, N·s. */
  impulse: number;
  /** Speed that is drawn as long as an arrow gets, m/s. */
  speed: number;
  /** Whether there are any. */
  forces: boolean;
  impulses: boolean;
}

export const NO_SCALES: Scales = { extent: 1, mechanism: 1, size: 1, force: 1, impulse: 1, speed: 1, forces: false, impulses: false };

/** Arrows reach this fraction of the size. */
export const ARROW = 0.22;

export function scalesOf(run: Run): Scales {
  const { min, max } = run.doc.stage.bounds;
  const extent = Math.max(length([max[0] - min[0], max[1] - min[1], max[2] - min[2]]), 1e-6);
  let force = 0;
  for (const site of run.sites.filter(({ modes }) => modes.some((mode) => mode !== 0))) {
    for (let frame = 0; frame < run.frames; frame++) {
      force = Math.max(force, length(site.force.subarray(frame * 3, frame * 3 + 3)));
    }
  }
  let impulse = 0;
  for (const event of run.events) for (const contact of event.contacts) impulse = Math.max(impulse, length(contact.impulse));
  const mechanism = Math.min(extent, mechanismSize(run) || extent);
  return { extent, mechanism, size: Math.min(extent, 8 * mechanism), force: nice(force), impulse: nice(impulse), speed: nice(fastest(run)), forces: force > 0, impulses: impulse > 0 };
}

/** Times at which speeds are looked at. */
const LOOKS = 120;

/** Largest speed of a centre of mass, about, m/s. */
function fastest(run: Run): number {
  let most = 0;
  for (let k = 0; k <= LOOKS; k++) {
    most = Math.max(most, run.speedAt(run.start + ((run.end - run.start) * k) / LOOKS));
  }
  return most;
}

/** A run that goes this many times farther than the mechanism is large is best followed. */
export const FAR = 25;

function mechanismSize(run: Run): number {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  const include = (at: Vec3, radius: number) => {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, at[k]! - radius);
      high[k] = Math.max(high[k]!, at[k]! + radius);
    }
  };
  run.doc.stage.bodies.forEach(({ shapes, com }, body) => {
    const pose = run.poseAt(0, body);
    include(place(pose, com), 0);
    for (const shape of shapes) include(place(pose, [shape.pose[0], shape.pose[1], shape.pose[2]]), radiusOf(shape));
  });
  const size = Math.hypot(...low.map((x, k) => high[k]! - x));
  return Number.isFinite(size) ? size : 0;
}

/** Of a ball about the shape's origin that holds it. */
export function radiusOf(shape: Drawn): number {
  switch (shape.kind) {
    case "plane":
    case "point": return 0;
    case "sphere":
    case "disk": return shape.radius;
    case "ellipsoid":
    case "ellipse": return Math.max(...shape.radii);
    case "box": return Math.hypot(...shape.size) / 2;
    case "hull": return Math.max(...shape.corners.map((c) => Math.hypot(...c)));
    case "rod": return shape.length / 2;
    case "capsule":
    case "cylinder": return shape.length / 2 + shape.radius;
  }
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
