/** Planes of a spatial scene: a tinted square with lines every so many metres, fading into the distance. */
import {
  BufferGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshLambertMaterial, PlaneGeometry, Vector3,
} from "three";
import type { Drawn, Vec3 } from "../model/format";
import { nice, type Scales } from "../model/scales";
import type { Ink } from "../ui/palette";

/** Lines on each side of the point that is looked at. */
const LINES = 84;

/** Distance of the lines, m. */
export function gridStep(scales: Scales): number {
  return nice(scales.size / 12);
}

export class Ground extends Group {
  private readonly lines: LineSegments;
  private readonly step: number;

  constructor(shape: Drawn, middle: Vec3, scales: Scales, ink: Ink) {
    super();
    this.step = gridStep(scales);
    const size = 8 * scales.extent + LINES * this.step;
    // Pushed back a little, so that the lines on it are seen.
    const material = new MeshLambertMaterial({ color: ink.ground, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 4 });
    const surface = new Mesh(new PlaneGeometry(2 * size, 2 * size), material);
    surface.receiveShadow = true;
    this.lines = new LineSegments(gridLines(this.step), new LineBasicMaterial({ color: ink.groundEdge, transparent: true, opacity: 0.28 }));
    this.lines.frustumCulled = false;
    this.lines.position.z = 5e-4 * scales.size;
    this.add(surface, this.lines);
    this.quaternion.set(shape.pose[4], shape.pose[5], shape.pose[6], shape.pose[3]);
    this.position.set(shape.pose[0], shape.pose[1], shape.pose[2]);
    this.updateMatrixWorld(true);
    const below = this.worldToLocal(new Vector3(...middle));
    surface.position.set(below.x, below.y, 0);
  }

  /** Shows or hides the lines, around the place below a point. */
  setLines(visible: boolean, at: Vec3): void {
    this.lines.visible = visible;
    if (!visible) return;
    const below = this.worldToLocal(new Vector3(...at));
    this.lines.position.x = Math.round(below.x / this.step) * this.step;
    this.lines.position.y = Math.round(below.y / this.step) * this.step;
  }
}

function gridLines(step: number): BufferGeometry {
  const points: number[] = [];
  // In pieces: some drivers drop a line that reaches behind the camera.
  const piece = LINES / 12;
  for (let k = -LINES; k <= LINES; k++) {
    for (let j = -LINES; j < LINES; j += piece) {
      const [from, to] = [j * step, (j + piece) * step];
      points.push(k * step, from, 0, k * step, to, 0, from, k * step, 0, to, k * step, 0);
    }
  }
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3)) as BufferGeometry;
}
