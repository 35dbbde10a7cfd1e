/** The run document, format "carom page" version 2, as written by `carom report` and `carom view`. */

export type Vec3 = [number, number, number];
export type Pose7 = [number, number, number, number, number, number, number];

/** A long array: base64 of little-endian values; with `runs`, tuples and how often each stands. */
export type Packed = { f32: string; runs?: string } | { f64: string } | { u8: string } | { u32: string };

export interface RunDocument {
  format: "carom page";
  version: 2;
  carom: string;
  title: string;
  name: string;
  description: string | null;
  space: "planar" | "spatial";
  up: Vec3;
  gravity: Vec3;
  source: { name: string; text: string }[];
  facts: Fact[];
  law?: LawText;
  warnings: string[];
  stage: Stage;
  t: Packed;
  /** Degrees of the polynomials that the frames are values of; 0 is a jump. */
  degrees: Packed;
  /** What they err by at most, as a part of the size of the motion. */
  error: number;
  poses: Packed;
  com: Packed;
  series: SeriesRecord[];
  sites: SiteRecord[];
  events: PageEvent[];
  energy: Ledger;
  summary: Summary;
}

/** The impact law of the scene, in words and equations. */
export interface LawText { title: string; summary: string; equations: string[]; symbols: string; source: string }

export interface Fact { label: string; value: string; unit?: string }

export interface Stage {
  /** Inertia about the centre of mass, along the axes of the body, kg·m². */
  bodies: { name: string; parent?: number; shapes: Drawn[]; mass: number | null; com: Vec3; inertia?: [Vec3, Vec3, Vec3] }[];
  fixed: Drawn[];
  links: Line[];
  joints: { name: string; kind: string; body: number; at: Vec3; axis: Vec3; loop?: boolean }[];
  springs: Line[];
  bounds: { min: Vec3; max: Vec3 };
}

/** From a point of body a to a point of body b; b = −1 is the world. */
export interface Line { a: number; pa: Vec3; b: number; pb: Vec3 }

export type Drawn = { pose: Pose7; name: string } & (
  | { kind: "point" }
  | { kind: "sphere"; radius: number }
  | { kind: "ellipsoid"; radii: Vec3 }
  | { kind: "disk"; radius: number }
  | { kind: "ellipse"; radii: [number, number] }
  | { kind: "box"; size: Vec3 }
  | { kind: "rod"; length: number }
  | { kind: "capsule"; radius: number; length: number }
  | { kind: "cylinder"; radius: number; length: number }
  | { kind: "hull"; corners: Vec3[]; faces: number[][] }
  | { kind: "plane" }
);

export type Group = "coordinates" | "speeds" | "energy" | "work" | "force" | "gap" | "torque" | "other";

export interface SeriesRecord { name: string; group: Group; unit: string; label: string; values: Packed }

export interface SiteRecord {
  name: string;
  /** A stop of a joint has no place and no directions in the world. */
  kind?: "contact" | "limit";
  /** Bodies that touch, the normal points from the first to the second; −1 is the world. */
  bodies?: [number, number];
  restitution: number | null;
  friction: number;
  static_friction: number;
  law: string;
  modes: Packed;
  point: Packed;
  normal: Packed;
  tangent1: Packed;
  tangent2: Packed | null;
  force: Packed;
}

export interface EventContact {
  site: number;
  mode_before: string;
  mode_after: string;
  velocity_before: Vec3;
  velocity_after: Vec3;
  impulse: Vec3;
  normal_work: number;
  friction_work: number;
}

export interface ImpulsePath {
  site: number;
  p: number[];
  u_t: number[];
  u_t2: number[] | null;
  u_n: number[];
  stages: { name: string; index: number }[];
  work: number[];
}

export interface PageEvent {
  t: number;
  kind: string;
  frame: number;
  energy_before: number;
  energy_after: number;
  remaining_time: number | null;
  contacts: EventContact[];
  paths: ImpulsePath[] | null;
}

export interface Ledger {
  initial: number;
  /** Σ stored = initial + Σ work + closure. */
  rows: { label: string; value: number; unit: "J"; kind?: "work" | "stored" }[];
  closure: number;
}

/** summary.json: the parts that the page reads. */
export interface Summary {
  stop?: { reason?: string; t?: number; message?: string; hint?: string };
  counts?: { samples?: number; events?: number; impacts?: number; mode_changes?: number };
  energy?: { initial?: number; lost?: number; stored?: number; closure?: number };
  worst?: { gap?: number; residual?: number | null };
  state?: { t?: number; q?: number[]; v?: number[] };
  result_hash?: string;
  wall_time?: number;
  scene?: { name?: string; hash?: string; overrides?: string[] };
  law?: { scene?: Record<string, unknown> };
  surfaces?: { pair: string; restitution: number | null; friction: number; static_friction: number }[];
  repeat?: string;
}

export type Numbers = Float32Array | Float64Array | Uint8Array | Uint32Array;

/** Decodes a packed array; throws if it has not `length` entries. */
export function unpack(packed: Packed, length: number, what: string): Numbers {
  const numbers = "runs" in packed && packed.runs !== undefined ? unroll(packed.f32, packed.runs) : decoded(packed);
  if (numbers.length !== length) throw new Error(`${what}: ${numbers.length} values, expected ${length}`);
  return numbers;
}

/** Tuples that stand several times, written out. */
function unroll(f32: string, runs: string): Float32Array {
  const [tuples, times] = [decoded({ f32 }), decoded({ u32: runs }) as Uint32Array];
  const width = tuples.length / Math.max(1, times.length);
  const all = new Float32Array(width * times.reduce((sum, n) => sum + n, 0));
  let at = 0;
  for (const [i, n] of times.entries()) {
    for (let k = 0; k < n; k++, at += width) for (let j = 0; j < width; j++) all[at + j] = tuples[i * width + j]!;
  }
  return all;
}

function decoded(packed: Packed): Numbers {
  const [kind, text] = Object.entries(packed)[0] as ["f32" | "f64" | "u8" | "u32", string];
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return kind === "u8" ? bytes : kind === "f64" ? new Float64Array(littleEndian(bytes, 8)) : kind === "u32" ? new Uint32Array(littleEndian(bytes, 4)) : new Float32Array(littleEndian(bytes, 4));
}

/** The buffer of `bytes` in the byte order of this machine. */
function littleEndian(bytes: Uint8Array, width: number): ArrayBuffer {
  const buffer = bytes.buffer as ArrayBuffer;
  if (new Uint8Array(new Uint16Array([1]).buffer)[0] === 1) return buffer;
  for (let i = 0; i + width <= bytes.length; i += width) bytes.subarray(i, i + width).reverse();
  return buffer;
}

/** How many values a packed array holds, without decoding it. */
export function packedLength(packed: Packed): number {
  const [kind, text] = Object.entries(packed)[0] as ["f32" | "f64" | "u8" | "u32", string];
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = (text.length / 4) * 3 - padding;
  return bytes / (kind === "u8" ? 1 : kind === "f64" ? 8 : 4);
}
