/** A run in memory: decoded arrays, and the state at any time. */
import {
  packedLength, unpack,
  type Drawn, type Group, type Numbers, type PageEvent, type RunDocument, type SiteRecord, type Vec3,
} from "./format";
import { mix, Pieces, type Place } from "./pieces";
import { length, place, relative } from "./vector";

export type { Place };

export interface Series {
  name: string;
  group: Group;
  unit: string;
  label: string;
  values: Numbers;
}

/** One contact over time. */
export interface Site {
  name: string;
  limit: boolean;
  bodies: [number, number];
  restitution: number | null;
  friction: number;
  staticFriction: number;
  modes: Uint8Array;
  readonly point: Float32Array;
  readonly normal: Float32Array;
  readonly tangent1: Float32Array;
  readonly tangent2: Float32Array | null;
  readonly force: Float32Array;
}

/** A body at a time: its pose, centre of mass, velocity of that, angular velocity in world axes. */
export interface BodyMotion { pose: Float64Array; com: Vec3; velocity: Vec3; spin: Vec3 }

/** Part of a polynomial over which its slope is taken. */
const SLOPE = 0.01;

export class Run {
  readonly t: Float64Array;
  readonly pieces: Pieces;
  readonly frames: number;
  readonly bodies: number;
  readonly sites: Site[];
  readonly series: Series[];
  readonly start: number;
  readonly end: number;
  /** Time from which all speeds are exactly zero; null if they never are. */
  readonly rest: number | null;
  private readonly poses: Float32Array;
  private readonly com: Float32Array;

  constructor(readonly doc: RunDocument) {
    if (doc.format !== "carom page" || doc.version !== 2) {
      throw new Error(`this page draws "carom page" version 2, the document is "${doc.format}" version ${doc.version}`);
    }
    this.frames = packedLength(doc.t);
    if (this.frames < 1) throw new Error("the run has no samples");
    this.bodies = doc.stage.bodies.length;
    this.t = Float64Array.from(unpack(doc.t, this.frames, "t"));
    this.pieces = new Pieces(this.t, unpack(doc.degrees, packedLength(doc.degrees), "degrees") as Uint8Array);
    this.poses = unpack(doc.poses, this.frames * this.bodies * 7, "poses") as Float32Array;
    this.com = unpack(doc.com, this.frames * 3, "com") as Float32Array;
    this.sites = doc.sites.map((site) => readSite(site, this.frames));
    this.series = doc.series.map((series) => ({ ...series, values: overFrames(series.values, 1, this.frames, series.name) }));
    // Energies per angle and stiffnesses are none: only what is an angle, or changes like one.
    for (const { name, unit, values } of this.series) if (/^rad(\/s²?)?$/.test(unit)) this.radians.set(name, { unit, values });
    this.start = this.t[0]!;
    this.end = this.t[this.frames - 1]!;
    this.rest = this.restOf();
  }

  private restOf(): number | null {
    const speeds = this.series.filter((series) => series.group === "speeds");
    let frame = this.frames;
    while (frame > 0 && speeds.every(({ values }) => values[frame - 1] === 0)) frame--;
    return speeds.length > 0 && frame < this.frames ? this.t[frame]! : null;
  }

  get events(): PageEvent[] {
    return this.doc.events;
  }

  /** Whether some column is an angle, or a rate of one. */
  get hasAngles(): boolean {
    return this.series.some(({ name }) => this.radians.has(name));
  }

  /** Angles and their rates in degrees, or in radians as they are stored. */
  setDegrees(on: boolean): void {
    if (on === this.degrees) return;
    this.degrees = on;
    for (const series of this.series) {
      const stored = this.radians.get(series.name);
      if (!stored) continue;
      series.values = on ? Float64Array.from(stored.values, (x) => (x * 180) / Math.PI) : stored.values;
      series.unit = on ? stored.unit.replace("rad", "°") : stored.unit;
    }
  }
  degrees = false;
  private readonly radians = new Map<string, { unit: string; values: Numbers }>();

  /** Last sample at or before t: at an event's own time this is the state after it. */
  frameAt(t: number): number {
    let low = 0;
    let high = this.frames;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.t[middle]! <= t) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Where t falls among the polynomials; nothing is ever mixed across an event. */
  placeOf(t: number): Place {
    return this.pieces.placeOf(t);
  }

  /** Poses of all bodies at a time: 7 numbers each, into `out`. */
  posesAt(place: Place, out: Float64Array): void {
    for (let body = 0; body < this.bodies; body++) this.poseInto(place, body, out, 7 * body);
  }

  private poseInto(place: Place, body: number, out: Float64Array, i: number): void {
    for (let k = 0; k < 7; k++) out[i + k] = mix(this.poses, place, 7 * this.bodies, 7 * body + k);
    const norm = Math.hypot(out[i + 3]!, out[i + 4]!, out[i + 5]!, out[i + 6]!) || 1;
    for (let k = 3; k < 7; k++) out[i + k]! /= norm;
  }

  /** The stored pose of one body at one sample. */
  poseAt(frame: number, body: number): Float32Array {
    const i = (frame * this.bodies + body) * 7;
    return this.poses.subarray(i, i + 7);
  }

  /** Where a body is and how it moves, from the slope of its polynomial; at a jump, after it. */
  motionOf(body: number, t: number): BodyMotion {
    const { com } = this.doc.stage.bodies[body]!;
    const pose = this.pose(this.placeOf(t), body);
    const still = { pose, com: place(pose, com), velocity: [0, 0, 0] as Vec3, spin: [0, 0, 0] as Vec3 };
    const span = this.spanAt(t);
    if (!span) return still;
    const [before, after] = [this.pose(span.before, body), this.pose(span.after, body)];
    const turn = relative(after, before);
    const rate = 2 / span.time;
    return { ...still, velocity: slope(before, after, com, span.time), spin: [turn[1] * rate, turn[2] * rate, turn[3] * rate] };
  }

  /** Largest speed of a centre of mass at a time, m/s. */
  speedAt(t: number): number {
    const span = this.spanAt(t);
    if (!span) return 0;
    const speeds = this.doc.stage.bodies.map(({ com }, body) => length(slope(this.pose(span.before, body), this.pose(span.after, body), com, span.time)));
    return Math.max(0, ...speeds);
  }

  private pose(at: Place, body: number): Float64Array {
    const pose = new Float64Array(7);
    this.poseInto(at, body, pose, 0);
    return pose;
  }

  /** The short stretch about a time over which slopes are taken; null where nothing moves. */
  private spanAt(t: number): { before: Place; after: Place; time: number } | null {
    const { pieces } = this;
    let piece = pieces.pieceAt(t);
    // A jump takes no time; what comes after it does.
    while (piece < pieces.count - 1 && pieces.degrees[piece] === 0) piece++;
    const degree = pieces.count > 0 ? pieces.degrees[piece]! : 0;
    if (degree === 0) return null;
    const [a, b] = [this.t[pieces.first[piece]!]!, this.t[pieces.first[piece]! + degree]!];
    const h = SLOPE * (b - a);
    const [t0, t1] = [Math.max(a, t - h), Math.min(b, t + h)];
    return t1 > t0 ? { before: pieces.within(piece, t0), after: pieces.within(piece, t1), time: t1 - t0 } : null;
  }

  comAt(place: Place): Vec3 {
    return this.mixed(this.com, place);
  }

  /** A point, direction or force of a site; forces and modes do not jump within a smooth piece. */
  mixed(values: Float32Array, place: Place): Vec3 {
    return [mix(values, place, 3, 0), mix(values, place, 3, 1), mix(values, place, 3, 2)];
  }

  /** Value of a series at a time. */
  valueAt(series: Series, place: Place): number {
    return mix(series.values, place);
  }

  /** Contact force of a site in world axes. */
  forceAt(site: Site, place: Place): Vec3 {
    return this.worldVector(site, place, this.mixed(site.force, place));
  }

  /** Components t1, t2, n of a site as a vector of the world. */
  worldVector(site: Site, place: Place, parts: Vec3): Vec3 {
    const t1 = this.mixed(site.tangent1, place);
    const t2: Vec3 = site.tangent2 ? this.mixed(site.tangent2, place) : [0, 0, 0];
    const n = this.mixed(site.normal, place);
    return [0, 1, 2].map((k) => parts[0] * t1[k]! + parts[1] * t2[k]! + parts[2] * n[k]!) as Vec3;
  }

  /** First event after t, or the last at or before it; −1 if there is none. */
  eventAfter(t: number): number {
    let low = -1;
    let high = this.events.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.events[middle]!.t <= t) low = middle;
      else high = middle;
    }
    return high < this.events.length ? high : -1;
  }

  eventBefore(t: number): number {
    let low = -1;
    let high = this.events.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.events[middle]!.t < t) low = middle;
      else high = middle;
    }
    return low;
  }

  /** All shapes with the body that carries them; −1 is the world. */
  *shapes(): Generator<{ body: number; shape: Drawn }> {
    for (const shape of this.doc.stage.fixed) yield { body: -1, shape };
    for (const [body, { shapes }] of this.doc.stage.bodies.entries()) {
      for (const shape of shapes) yield { body, shape };
    }
  }
}

/** Contacts of many bodies are many, and few of them are ever drawn: a track is decoded when it is asked for. */
function readSite(site: SiteRecord, frames: number): Site {
  const known = new Map<string, Float32Array>();
  const track = (what: "point" | "normal" | "tangent1" | "tangent2" | "force") => {
    const found = known.get(what) ?? (overFrames(site[what]!, 3, frames, `${site.name}: ${what}`) as Float32Array);
    known.set(what, found);
    return found;
  };
  return {
    name: site.name,
    limit: site.kind === "limit",
    bodies: site.bodies ?? [-1, -1],
    restitution: site.restitution,
    friction: site.friction,
    staticFriction: site.static_friction,
    modes: overFrames(site.modes, 1, frames, `${site.name}: modes`) as Uint8Array,
    get point() { return track("point"); },
    get normal() { return track("normal"); },
    get tangent1() { return track("tangent1"); },
    get tangent2() { return site.tangent2 ? track("tangent2") : null; },
    get force() { return track("force"); },
  };
}

/** A track of `width` numbers per sample; one entry alone holds for all samples. */
function overFrames(packed: SiteRecord["point"], width: number, frames: number, what: string): Numbers {
  if ("runs" in packed || packedLength(packed) !== width) return unpack(packed, frames * width, what);
  const one = unpack(packed, width, what);
  const all = one instanceof Uint8Array ? new Uint8Array(frames) : new Float32Array(frames * width);
  for (let i = 0; i < all.length; i++) all[i] = one[i % width]!;
  return all;
}

/** Velocity of a point of a body between two poses. */
function slope(before: Float64Array, after: Float64Array, at: Vec3, time: number): Vec3 {
  const [p0, p1] = [place(before, at), place(after, at)];
  return [0, 1, 2].map((k) => (p1[k]! - p0[k]!) / time) as Vec3;
}
