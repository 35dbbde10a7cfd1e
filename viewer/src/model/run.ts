/** A run in memory: decoded arrays, and the state at any time. */
import {
  packedLength, unpack,
  type Drawn, type Group, type Numbers, type PageEvent, type RunDocument, type SiteRecord, type Vec3,
} from "./format";
import { slerp } from "./vector";

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
  restitution: number | null;
  friction: number;
  staticFriction: number;
  modes: Uint8Array;
  point: Float32Array;
  normal: Float32Array;
  tangent1: Float32Array;
  tangent2: Float32Array | null;
  force: Float32Array;
}

/** Where a time falls: between samples `frame` and `frame + 1`, the fraction `s` of the way. */
export interface Place { frame: number; s: number }

export class Run {
  readonly t: Float64Array;
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
    if (doc.format !== "carom page" || doc.version !== 1) {
      throw new Error(`this page draws "carom page" version 1, the document is "${doc.format}" version ${doc.version}`);
    }
    this.frames = packedLength(doc.t);
    if (this.frames < 1) throw new Error("the run has no samples");
    this.bodies = doc.stage.bodies.length;
    this.t = Float64Array.from(unpack(doc.t, this.frames, "t"));
    this.poses = unpack(doc.poses, this.frames * this.bodies * 7, "poses") as Float32Array;
    this.com = unpack(doc.com, this.frames * 3, "com") as Float32Array;
    this.sites = doc.sites.map((site) => readSite(site, this.frames));
    this.series = doc.series.map((series) => ({ ...series, values: unpack(series.values, this.frames, series.name) }));
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

  /**
   * Samples on both sides of t. Two samples at one time are the two sides of a jump; the search ends
   * behind the last of them, so nothing is ever mixed across an event.
   */
  placeOf(t: number): Place {
    const frame = this.frameAt(t);
    if (frame + 1 >= this.frames || t <= this.t[frame]!) return { frame, s: 0 };
    const step = this.t[frame + 1]! - this.t[frame]!;
    return { frame, s: step > 0 ? (t - this.t[frame]!) / step : 0 };
  }

  /** Poses of all bodies at a time: 7 numbers each, into `out`. */
  posesAt(place: Place, out: Float64Array): void {
    const { frame, s } = place;
    const next = Math.min(frame + 1, this.frames - 1);
    for (let body = 0; body < this.bodies; body++) {
      const i = (frame * this.bodies + body) * 7;
      const j = (next * this.bodies + body) * 7;
      for (let k = 0; k < 3; k++) out[body * 7 + k] = mix(this.poses[i + k]!, this.poses[j + k]!, s);
      slerp(this.poses, i + 3, this.poses, j + 3, s, out, body * 7 + 3);
    }
  }

  /** The stored pose of one body at one sample. */
  poseAt(frame: number, body: number): Float32Array {
    const i = (frame * this.bodies + body) * 7;
    return this.poses.subarray(i, i + 7);
  }

  comAt(place: Place): Vec3 {
    return this.mixed(this.com, place);
  }

  /** A point, direction or force of a site; forces and modes do not jump within a smooth piece. */
  mixed(values: Float32Array, place: Place): Vec3 {
    const i = place.frame * 3;
    const j = Math.min(place.frame + 1, this.frames - 1) * 3;
    return [0, 1, 2].map((k) => mix(values[i + k]!, values[j + k]!, place.s)) as Vec3;
  }

  /** Value of a series at a time. */
  valueAt(series: Series, place: Place): number {
    const next = Math.min(place.frame + 1, this.frames - 1);
    return mix(series.values[place.frame]!, series.values[next]!, place.s);
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

function mix(a: number, b: number, s: number): number {
  return s === 0 ? a : a + (b - a) * s;
}

function readSite(site: SiteRecord, frames: number): Site {
  const track = (packed: SiteRecord["point"], what: string) =>
    overFrames(packed, 3, frames, `${site.name}: ${what}`) as Float32Array;
  return {
    name: site.name,
    limit: site.kind === "limit",
    restitution: site.restitution,
    friction: site.friction,
    staticFriction: site.static_friction,
    modes: overFrames(site.modes, 1, frames, `${site.name}: modes`) as Uint8Array,
    point: track(site.point, "point"),
    normal: track(site.normal, "normal"),
    tangent1: track(site.tangent1, "tangent1"),
    tangent2: site.tangent2 ? track(site.tangent2, "tangent2") : null,
    force: track(site.force, "force"),
  };
}

/** A track of `width` numbers per sample; one entry alone holds for all samples. */
function overFrames(packed: SiteRecord["point"], width: number, frames: number, what: string): Numbers {
  if (packedLength(packed) !== width) return unpack(packed, frames * width, what);
  const one = unpack(packed, width, what);
  const all = width === 1 ? new Uint8Array(frames) : new Float32Array(frames * width);
  for (let i = 0; i < all.length; i++) all[i] = one[i % width]!;
  return all;
}
