/** The camera of a spatial scene: turned by the pointer, fitted to the motion, or going along with it. */
import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Vec3 } from "../model/format";
import type { Run } from "../model/run";
import { centre, type Scales } from "../model/scales";
import { ANGLES, type Angle } from "./view";

export class Eye {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private followed: Vec3 | null = null;

  constructor(private readonly canvas: HTMLCanvasElement, moved: () => void) {
    // The wheel scrolls the page unless the stage has the focus or Ctrl is held; this listener comes first.
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== canvas) event.stopImmediatePropagation();
    }, { capture: true });
    canvas.addEventListener("keydown", (event) => {
      const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!turn || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.orbit(turn[0]! * 0.12, turn[1]! * 0.12);
      moved();
    });
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", moved);
  }

  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /** Pixels per metre at the point that is looked at, in a picture of this height. */
  pixelsPerMetre(height: number): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return height / (2 * Math.tan((this.camera.fov * Math.PI) / 360) * distance);
  }

  /** Looks from an angle at everything or at the mechanism alone. */
  fit(run: Run, scales: Scales, follow: boolean, { azimuth, elevation }: Angle = ANGLES[0]!): void {
    const up = new Vector3(...run.doc.up).normalize();
    const side = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const right = side.addScaledVector(up, -side.dot(up)).normalize();
    const front = new Vector3().crossVectors(right, up);
    // Straight from above nothing would tell which way is up.
    const [a, e] = [(azimuth * Math.PI) / 180, (Math.min(89.9, Math.max(-89.9, elevation)) * Math.PI) / 180];
    const away = new Vector3().addScaledVector(right, Math.cos(e) * Math.sin(a)).addScaledVector(front, Math.cos(e) * Math.cos(a)).addScaledVector(up, Math.sin(e));
    // A mechanism that is followed fills a fifth of the picture, wherever it goes.
    const distance = follow ? 9 * scales.mechanism : this.distance(run, away, up);
    const target = new Vector3(...centre(run));
    this.camera.up.copy(up);
    this.camera.position.copy(target).addScaledVector(away, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 5 + 20 * scales.extent;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(target);
    this.controls.update();
    this.followed = null;
  }

  /** Where the camera is and what it looks at. */
  look(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray(), this.camera.near, this.camera.far];
  }

  setLook(look: readonly number[]): void {
    this.camera.position.fromArray(look as number[], 0);
    this.controls.target.fromArray(look as number[], 3);
    [this.camera.near, this.camera.far] = [look[6]!, look[7]!];
    this.camera.lookAt(this.controls.target);
    this.camera.updateProjectionMatrix();
  }

  zoom(factor: number): void {
    const away = this.camera.position.clone().sub(this.controls.target).divideScalar(factor);
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.update();
  }

  /** Turns about what is looked at: around the vertical, and up or down. */
  private orbit(around: number, down: number): void {
    const up = this.camera.up.clone().normalize();
    const away = this.camera.position.clone().sub(this.controls.target).applyAxisAngle(up, around);
    const right = new Vector3().crossVectors(up, away).normalize();
    const angle = away.angleTo(up);
    const next = Math.min(Math.PI - 0.05, Math.max(0.05, angle + down));
    away.applyAxisAngle(right, next - angle);
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.update();
  }

  /** Goes along with a point; null stays where it is. */
  follow(point: Vec3 | null): void {
    if (point) {
      const from = this.followed ? new Vector3(...this.followed) : this.controls.target;
      const step = new Vector3(...point).sub(from);
      this.camera.position.add(step);
      this.controls.target.add(step);
      this.camera.lookAt(this.controls.target);
    }
    this.followed = point;
  }

  dispose(): void {
    this.controls.dispose();
  }

  /** How far the camera must be to have all corners of the motion in the picture. */
  private distance(run: Run, away: Vector3, up: Vector3): number {
    const { min, max } = run.doc.stage.bounds;
    const middle = centre(run);
    const right = new Vector3().crossVectors(up, away).normalize();
    const top = new Vector3().crossVectors(away, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * Math.max(0.2, this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight));
    let distance = 1e-3;
    for (let corner = 0; corner < 8; corner++) {
      const c = new Vector3(...([0, 1, 2].map((k) => ((corner >> k) & 1 ? max[k]! : min[k]!) - middle[k]!) as Vec3));
      distance = Math.max(distance, Math.max(Math.abs(c.dot(right)) / wide, Math.abs(c.dot(top)) / tall) + c.dot(away));
    }
    return 1.18 * distance;
  }
}
