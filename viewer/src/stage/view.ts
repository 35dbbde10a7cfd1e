/** What both drawings, flat and in space, have in common. */
import type { Run } from "../model/run";
import type { Scales } from "../model/scales";
import type { PageEvent, Vec3 } from "../model/format";
import type { Looks } from "../model/looks";
import { product, rotate } from "../model/vector";
import type { Ink } from "../ui/palette";

/** What may be shown or hidden. */
export interface Layers {
  forces: boolean;
  impulses: boolean;
  contacts: boolean;
  cones: boolean;
  trails: boolean;
  com: boolean;
  coms: boolean;
  frames: boolean;
  velocities: boolean;
  inertia: boolean;
  looks: boolean;
  joints: boolean;
  grid: boolean;
  follow: boolean;
}

export const LAYERS: { key: keyof Layers; label: string; hint: string }[] = [
  { key: "forces", label: "Forces", hint: "contact forces" },
  { key: "impulses", label: "Impulses", hint: "impulses at impacts, for a moment" },
  { key: "contacts", label: "Contact points", hint: "round: stick, square: slip" },
  { key: "cones", label: "Friction cones", hint: "half angle atan μ" },
  { key: "trails", label: "Trails", hint: "paths of the bodies" },
  { key: "com", label: "Centre of mass", hint: "of everything that moves" },
  { key: "coms", label: "Centres of bodies", hint: "centre of mass of each body" },
  { key: "frames", label: "Body frames", hint: "axes x, y, z of each body" },
  { key: "velocities", label: "Velocities", hint: "of the centres of mass" },
  { key: "inertia", label: "Inertia", hint: "ellipsoids of the same mass and inertia; in the plane, circles of gyration" },
  { key: "looks", label: "Meshes", hint: "robots as they look; without, the shapes that touch" },
  { key: "joints", label: "Joints and springs", hint: "pins, sliders, springs" },
  { key: "grid", label: "Grid", hint: "metres" },
  { key: "follow", label: "Follow", hint: "keep the centre of mass, or the body that is inspected, in the middle" },
];

export function defaultLayers(): Layers {
  return { forces: true, impulses: true, contacts: true, cones: false, trails: true, com: false, coms: false, frames: false, velocities: false, inertia: false, looks: true, joints: true, grid: true, follow: false };
}

/** A run on the stage; the first is the one that is looked at, the others are ghosts. */
export interface Shown { run: Run; colour: string; label?: string }

/** What pictures side by side have in common: the runs that must fit in, and what arrows are measured by. */
export interface Framing { runs: Run[]; scales: Scales }

/** From where a scene in space is seen: from the front towards the right, and above the horizon, degrees. */
export interface Angle { name: string; azimuth: number; elevation: number }

/** Views by name; `carom render --camera` has the same. */
export const ANGLES: Angle[] = [
  { name: "usual", azimuth: 32, elevation: 20 }, { name: "front", azimuth: 0, elevation: 0 }, { name: "back", azimuth: 180, elevation: 0 },
  { name: "left", azimuth: -90, elevation: 0 }, { name: "right", azimuth: 90, elevation: 0 }, { name: "top", azimuth: 0, elevation: 90 },
  { name: "corner", azimuth: 45, elevation: 35.264 },
];

/** Where a view looks: numbers that another view of the same kind understands. */
export type Look = readonly number[];

export interface StageView {
  readonly canvas: HTMLCanvasElement;
  /** Runs to draw; the view keeps where it looks unless `fit`. */
  setRuns(shown: Shown[], fit: boolean, framing: Framing): void;
  setInk(ink: Ink): void;
  /** What robots look like, before `setRuns`. */
  setLooks(looks: Looks | null): void;
  /** Bodies are drawn moved while the reader drags them. */
  setPreview(preview: Preview | null): void;
  /** The point under a point of the window, in the plane through another; a plane without a normal faces the reader. */
  pointAt(clientX: number, clientY: number, through: Vec3, normal: Vec3 | null): Vec3 | null;
  setLayers(layers: Layers): void;
  /** Draws the time t; impulses of events in [t − hold, t] are shown. */
  draw(t: number, hold: number): void;
  /** Looks at everything again. */
  fit(): void;
  zoom(factor: number): void;
  /** Looks at everything from an angle; flat scenes have but one. */
  turn(angle: Angle): void;
  /** The body under a point of the window; null if there is none. */
  pick(clientX: number, clientY: number): number | null;
  /** The body that is inspected has its frame drawn. */
  setChosen(body: number | null): void;
  look(): Look;
  setLook(look: Look): void;
  /** Pixels per metre in the middle of the picture. */
  pixelsPerMetre(): number;
  /** Distance of grid lines that carry no numbers, m; null where they do. */
  gridStep(): number | null;
  /** Draws coarser (0 < detail < 1) where the machine cannot keep up; 1 is as fine as the screen. */
  setDetail(detail: number): void;
  /** The element has another size; sizes are not asked for in every frame, that would lay the page out again. */
  resized(): void;
  /** Called when the reader moved the view and it must be drawn again. */
  onMove(listener: () => void): void;
  dispose(): void;
}

/** Bodies that move together: turned about a point, then shifted. */
export interface Preview { bodies: Set<number>; about: Vec3; axis: Vec3; angle: number; shift: Vec3 }

/** Moves poses, seven numbers each, as a preview tells. */
export function movePoses(poses: Float64Array, { bodies, about, axis, angle, shift }: Preview): void {
  const [w, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  const turn: [number, number, number, number] = [w, s * axis[0], s * axis[1], s * axis[2]];
  for (const body of bodies) {
    const pose = poses.subarray(7 * body, 7 * body + 7);
    const r = rotate(turn, [pose[0]! - about[0], pose[1]! - about[1], pose[2]! - about[2]]);
    const q = product(turn, [pose[3]!, pose[4]!, pose[5]!, pose[6]!]);
    for (let k = 0; k < 3; k++) pose[k] = about[k]! + r[k]! + shift[k]!;
    for (let k = 0; k < 4; k++) pose[3 + k] = q[k]!;
  }
}

/** How long paths reach back, s. */
export const TRAIL = 1.5;
/** Points of a path that are drawn at most. */
export const TRAIL_POINTS = 240;

/** Events whose impulses are on show at t, newest first, with their age as a fraction of `hold`. */
export function recentImpulses(run: Run, t: number, hold: number): { event: PageEvent; age: number }[] {
  const recent: { event: PageEvent; age: number }[] = [];
  const next = run.eventAfter(t);
  for (let i = (next < 0 ? run.events.length : next) - 1; i >= 0 && recent.length < 100; i--) {
    const event = run.events[i]!;
    if (event.t < t - hold) break;
    if (event.contacts.some((contact) => contact.impulse.some((x) => x !== 0))) {
      recent.push({ event, age: hold > 0 ? (t - event.t) / hold : 0 });
    }
  }
  return recent;
}

/** Times of the points of a path that ends at t; impacts are corners. */
export function trailTimes(run: Run, t: number): number[] {
  const from = Math.max(run.start, t - TRAIL);
  const step = TRAIL / TRAIL_POINTS;
  const times = [from];
  // Counted from the start of the run, so that the points do not flicker as time goes on.
  for (let k = Math.floor((from - run.start) / step) + 1; run.start + k * step < t; k++) times.push(run.start + k * step);
  let event = run.eventAfter(from);
  for (let n = 0; event >= 0 && event < run.events.length && run.events[event]!.t < t && n < TRAIL_POINTS; n++) times.push(run.events[event++]!.t);
  times.push(t);
  return times.sort((a, b) => a - b);
}

/** Points whose paths are drawn: named points of a body, else its centre of mass. */
export function trailAnchors(run: Run): { body: number; at: [number, number, number] }[] {
  return run.doc.stage.bodies.flatMap((body, index) => {
    const points = body.shapes.filter((shape) => shape.kind === "point");
    if (points.length > 0 && points.length <= 2) {
      return points.map((shape) => ({ body: index, at: [shape.pose[0], shape.pose[1], shape.pose[2]] as [number, number, number] }));
    }
    return body.shapes.length > 0 ? [{ body: index, at: body.com }] : [];
  });
}
