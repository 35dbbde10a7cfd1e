/**
 * The homogeneous ellipsoid that has the mass m and the inertia of a body: with the principal moments I₁, I₂, I₃ its
 * semi-axes are
 *
 *     aᵢ² = 5 (Iⱼ + Iₖ − Iᵢ) / (2 m)        (1)
 *
 * along the principal axes. In the plane only the moment about z counts: the circle of gyration, r² = I/m        (2)
 */
import type { Vec3 } from "./format";

export interface Ellipsoid {
  radii: Vec3;
  /** Its axes in the frame of the body, one after the other; right-handed. */
  axes: [Vec3, Vec3, Vec3];
}

/** (1); null for a body without mass. */
export function ellipsoidOf(mass: number | null, tensor: [Vec3, Vec3, Vec3] | undefined): Ellipsoid | null {
  if (mass === null || !(mass > 0) || !tensor) return null;
  const { values: I, vectors: axes } = principal(tensor);
  const half = (i: number, j: number, k: number) => Math.sqrt(Math.max(0, (5 * (I[j]! + I[k]! - I[i]!)) / (2 * mass)));
  return { radii: [half(0, 1, 2), half(1, 2, 0), half(2, 0, 1)], axes };
}

/** (2); null for a body without mass. */
export function gyration(mass: number | null, tensor: [Vec3, Vec3, Vec3] | undefined): number | null {
  return mass !== null && mass > 0 && tensor ? Math.sqrt(Math.max(0, tensor[2][2]) / mass) : null;
}

/** Principal values and axes of a symmetric matrix, by Jacobi's rotations. */
export function principal(tensor: readonly [Vec3, Vec3, Vec3]): { values: Vec3; vectors: [Vec3, Vec3, Vec3] } {
  const a = tensor.map((row) => [...row]) as [Vec3, Vec3, Vec3];
  const v: [Vec3, Vec3, Vec3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const size = Math.max(...a.flat().map(Math.abs));
  for (let sweep = 0; sweep < 30; sweep++) {
    if (Math.max(Math.abs(a[0][1]), Math.abs(a[0][2]), Math.abs(a[1][2])) <= 1e-15 * size) break;
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) {
      if (a[p][q] === 0) continue;
      const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1);
      const s = t * c;
      for (let k = 0; k < 3; k++) [a[k]![p], a[k]![q]] = [c * a[k]![p] - s * a[k]![q], s * a[k]![p] + c * a[k]![q]];
      for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = [c * a[p][k]! - s * a[q][k]!, s * a[p][k]! + c * a[q][k]!];
      // Rows of v are the axes.
      for (let k = 0; k < 3; k++) [v[p][k], v[q][k]] = [c * v[p][k]! - s * v[q][k]!, s * v[p][k]! + c * v[q][k]!];
    }
  }
  return { values: [a[0][0], a[1][1], a[2][2]], vectors: v };
}
