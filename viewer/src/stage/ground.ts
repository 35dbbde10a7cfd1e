/** Planes of a spatial scene: a tinted square with lines every so many metres, fading into the distance. */
import {
  BufferGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshLambertMaterial, PlaneGeometry, Vector3,
} from "three";
import type { Drawn, Vec3 } from "../model/format";
import { nice } from "../model/scales";
import { rotate } from "../model/vector";
import type { Ink } from "../ui/palette";

/** Distance of the lines, m. */
export function gridStep(extent: number): number {
  return nice(extent / 12);
}

export function ground(shape: Drawn, middle: Vec3, extent: number, ink: Ink): Group {
  const size = 8 * extent;
  const step = gridStep(extent);
  const group = new Group();
  const surface = new Mesh(new PlaneGeometry(2 * size, 2 * size), new MeshLambertMaterial({ color: ink.ground, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 4 }));
  surface.receiveShadow = true;
  const lines = new LineSegments(gridLines(size, step), new LineBasicMaterial({ color: ink.groundEdge, transparent: true, opacity: 0.28 }));
  lines.position.z = extent * 5e-4;
  lines.name = "grid";
  group.add(surface, lines);
  group.quaternion.set(shape.pose[4], shape.pose[5], shape.pose[6], shape.pose[3]);
  group.position.copy(anchor(shape, middle, step));
  return group;
}

/** The plane's point below the middle of the motion, moved to a crossing of the lines. */
function anchor(shape: Drawn, middle: Vec3, step: number): Vector3 {
  const q = [shape.pose[3], shape.pose[4], shape.pose[5], shape.pose[6]] as [number, number, number, number];
  const origin = new Vector3(shape.pose[0], shape.pose[1], shape.pose[2]);
  const away = new Vector3(...middle).sub(origin);
  const at = origin.clone();
  for (const axis of [[1, 0, 0], [0, 1, 0]] as Vec3[]) {
    const direction = new Vector3(...rotate(q, axis));
    at.addScaledVector(direction, Math.round(away.dot(direction) / step) * step);
  }
  return at;
}

function gridLines(size: number, step: number): BufferGeometry {
  const points: number[] = [];
  const count = Math.floor(size / step);
  // In pieces: some drivers drop a line that reaches behind the camera.
  const piece = Math.ceil(count / 12);
  for (let k = -count; k <= count; k++) {
    for (let j = -count; j < count; j += piece) {
      const [from, to] = [j * step, Math.min(j + piece, count) * step];
      points.push(k * step, from, 0, k * step, to, 0, from, k * step, 0, to, k * step, 0);
    }
  }
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3)) as BufferGeometry;
}
