/**
 * Dragging a body sets its start. What can be changed follows from the joint that carries it:
 *
 *     free body            Δr = r₁ − r₀, along the axes that the scene states         (1)
 *     free body, with ⇧    Δφ = angle from r₀ to r₁ about its origin (planar)         (2)
 *     turning joint        Δq = angle from r₀ to r₁ about the joint's axis            (3)
 *     sliding joint        Δq = (r₁ − r₀) · axis                                      (4)
 *
 * r₀ and r₁ are the points under the pointer: in the plane across the axis (3), else in the plane that faces the reader.
 * A body that has no start of its own is moved by the next one that carries it and has one.
 */
import type { Vec3 } from "../model/format";
import type { Run } from "../model/run";
import { place, turned } from "../model/vector";
import type { Preview, StageView } from "./view";

/** A value of the start that moves a body. */
export interface Grip { path: string; label: string; unit: string; body: string; way: "x" | "y" | "z" | "turn" | "joint"; gain: number; value: number }

/** New values by their paths. */
export type Changes = [grip: Grip, value: number][];

const AXES = ["x", "y", "z"] as const;

/** A body that is held. */
export class Hold {
  private constructor(
    private readonly view: StageView, private readonly grips: Grip[], private readonly bodies: Set<number>,
    private readonly from: Vec3, private readonly about: Vec3, private readonly axis: Vec3 | null, private readonly slides: boolean,
  ) {}

  /** Takes hold of a body at the start of a run; null if nothing of its start can be changed. */
  static of(view: StageView, run: Run, body: number, grips: Grip[], turn: boolean, clientX: number, clientY: number): Hold | null {
    const bodies = run.doc.stage.bodies;
    let held = body;
    const of = (index: number) => grips.filter((grip) => grip.body === bodies[index]?.name);
    while (held >= 0 && of(held).length === 0) held = bodies[held]!.parent ?? -1;
    if (held < 0) return null;
    const poses = new Float64Array(7 * run.bodies);
    run.posesAt(run.placeOf(run.start), poses);
    const pose = poses.subarray(7 * held, 7 * held + 7);
    const joint = run.doc.stage.joints.find((one) => one.body === held && !one.loop);
    const own = of(held);
    const byJoint = own.filter(({ way }) => way === "joint");
    const [used, axis] = byJoint.length > 0 && joint ? [byJoint, turned(pose, joint.axis)] as const
      : turn && own.some(({ way }) => way === "turn") ? [own.filter(({ way }) => way === "turn"), [0, 0, 1] as Vec3] as const
        : [own.filter(({ way }) => way !== "turn" && way !== "joint"), null] as const;
    const slides = axis !== null && joint?.kind === "prismatic";
    const about = joint && byJoint.length > 0 ? place(pose, joint.at) : [pose[0]!, pose[1]!, pose[2]!] as Vec3;
    const from = view.pointAt(clientX, clientY, about, axis && !slides ? axis : null);
    return from && used.length > 0 ? new Hold(view, used, descendants(bodies, held), from, about, axis, slides) : null;
  }

  /** Where the pointer has taken it: new values, and how the picture shows it. */
  move(clientX: number, clientY: number): { changes: Changes; preview: Preview } | null {
    const { axis, about, from } = this;
    const to = this.view.pointAt(clientX, clientY, about, axis && !this.slides ? axis : null);
    if (!to) return null;
    const shift = [0, 1, 2].map((k) => to[k]! - from[k]!) as Vec3;
    const still: Vec3 = [0, 0, 0];
    if (!axis) {
      const along = (grip: Grip) => shift[AXES.indexOf(grip.way as "x")]!;
      const free = AXES.map((way, k) => (this.grips.some((grip) => grip.way === way) ? shift[k]! : 0)) as Vec3;
      return { changes: this.grips.map((grip) => [grip, grip.value + grip.gain * along(grip)]), preview: { bodies: this.bodies, about, axis: [0, 0, 1], angle: 0, shift: free } };
    }
    const amount = this.slides ? dot(shift, axis) : angleAbout(axis, minus(from, about), minus(to, about));
    const preview = this.slides ? { angle: 0, shift: axis.map((x) => x * amount) as Vec3 } : { angle: amount, shift: still };
    return { changes: this.grips.map((grip) => [grip, grip.value + grip.gain * amount]), preview: { bodies: this.bodies, about, axis, ...preview } };
  }
}

/** A body and everything that it carries. */
export function descendants(bodies: { parent?: number }[], root: number): Set<number> {
  const all = new Set([root]);
  let before = 0;
  while (all.size !== before) {
    before = all.size;
    bodies.forEach(({ parent }, i) => {
      if (parent !== undefined && all.has(parent)) all.add(i);
    });
  }
  return all;
}

/** The angle from one direction to another about a unit axis. */
export function angleAbout(axis: Vec3, a: Vec3, b: Vec3): number {
  const [across, along] = [dot(axis, cross(a, b)), dot(a, b) - dot(a, axis) * dot(b, axis)];
  return Math.atan2(across, along);
}

function dot(a: Vec3, b: Vec3): number { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
function minus(a: Vec3, b: Vec3): Vec3 { return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]; }
function cross(a: Vec3, b: Vec3): Vec3 { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]; }
