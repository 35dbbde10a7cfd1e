/** Vectors and unit quaternions (w, x, y, z), as far as drawing needs them. */
import type { Pose7, Vec3 } from "./format";

type Quat = [number, number, number, number];

/** q v q*. */
export function rotate(q: Quat, v: Vec3): Vec3 {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

/** Product of two rotations: b first, then a. */
export function product(a: Quat, b: Quat): Quat {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** The turn, in world axes, from the orientation of one pose to that of another; the short way around. */
export function relative(to: ArrayLike<number>, from: ArrayLike<number>): Quat {
  const q = product([to[3]!, to[4]!, to[5]!, to[6]!], [from[3]!, -from[4]!, -from[5]!, -from[6]!]);
  return q[0] < 0 ? [-q[0], -q[1], -q[2], -q[3]] : q;
}

/** A direction of the world, in a frame. */
export function inFrame(pose: ArrayLike<number>, v: Vec3): Vec3 {
  return rotate([pose[3]!, -pose[4]!, -pose[5]!, -pose[6]!], v);
}

/** A direction of a frame, in the world. */
export function turned(pose: ArrayLike<number>, v: Vec3): Vec3 {
  return rotate([pose[3]!, pose[4]!, pose[5]!, pose[6]!], v);
}

/** A point of a frame, in the world. */
export function place(pose: ArrayLike<number>, point: Vec3): Vec3 {
  const r = rotate([pose[3]!, pose[4]!, pose[5]!, pose[6]!], point);
  return [pose[0]! + r[0], pose[1]! + r[1], pose[2]! + r[2]];
}

/** Pose of a frame that sits in another. */
export function compose(outer: ArrayLike<number>, inner: Pose7): Pose7 {
  const at = place(outer, [inner[0], inner[1], inner[2]]);
  const q = product([outer[3]!, outer[4]!, outer[5]!, outer[6]!], [inner[3], inner[4], inner[5], inner[6]]);
  return [...at, ...q];
}

/** Angle of a rotation about z, for planar poses. */
export function planarAngle(pose: ArrayLike<number>): number {
  return 2 * Math.atan2(pose[6]!, pose[3]!);
}

export function length(v: ArrayLike<number>): number {
  return Math.hypot(v[0]!, v[1]!, v[2]!);
}
