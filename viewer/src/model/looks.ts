/** What robots look like: meshes from the files of the user, on the bodies that carry them. */
import { packedLength, unpack, type Packed, type Pose7, type Vec3 } from "./format";

export interface LooksDocument {
  meshes: { points: Packed; triangles: Packed }[];
  looks: { body: string; mesh: number; pose: Pose7; colour: Vec3 | null }[];
  /** All bodies of robots, also those that look like nothing. */
  links: string[];
  /** Files that were not found or not read, and why. */
  missing: string[];
}

export interface LookMesh { points: Float32Array; triangles: Uint32Array }
export interface LookPart { mesh: number; pose: Pose7; colour: Vec3 | null }

export class Looks {
  readonly meshes: LookMesh[];
  readonly missing: string[];
  private readonly links: Set<string>;
  private readonly parts = new Map<string, LookPart[]>();

  constructor(doc: LooksDocument) {
    const numbers = (packed: Packed, what: string) => unpack(packed, packedLength(packed), what);
    this.meshes = doc.meshes.map(({ points, triangles }) => ({ points: numbers(points, "points") as Float32Array, triangles: numbers(triangles, "triangles") as Uint32Array }));
    this.links = new Set(doc.links);
    this.missing = doc.missing;
    for (const { body, ...part } of doc.looks) this.parts.set(body, [...(this.parts.get(body) ?? []), part]);
  }

  /** Whether there is something to see. */
  get any(): boolean {
    return this.parts.size > 0;
  }

  /** Meshes of a body; null if it belongs to no robot. */
  of(body: string): LookPart[] | null {
    return this.links.has(body) ? this.parts.get(body) ?? [] : null;
  }
}
