/** A sun with shadows, and the sky. */
import { AmbientLight, DirectionalLight, Group, HemisphereLight, Vector3 } from "three";
import type { Vec3 } from "../model/format";
import type { Scales } from "../model/scales";
import type { Ink } from "../ui/palette";

export class Daylight extends Group {
  private readonly sun: DirectionalLight;
  private readonly direction: Vector3;

  constructor(up: Vector3, scales: Scales, ink: Ink) {
    super();
    // Shadows follow the mechanism: sharp however far it goes.
    const reach = 1.1 * Math.min(scales.extent, 5 * scales.mechanism);
    const aside = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const across = new Vector3().crossVectors(up, aside);
    this.direction = up.clone().multiplyScalar(2.2 * reach).addScaledVector(aside, 0.7 * reach).addScaledVector(across, -0.9 * reach);
    this.sun = new DirectionalLight(0xffffff, ink.dark ? 1.6 : 1.9);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.normalBias = reach * 2e-3;
    const box = this.sun.shadow.camera;
    box.left = box.bottom = -reach;
    box.right = box.top = reach;
    box.near = 0.1 * reach;
    box.far = 6 * reach;
    const sky = new HemisphereLight(0xffffff, ink.dark ? 0x30343a : 0xb8b4ac, ink.dark ? 0.9 : 1.3);
    sky.position.copy(up);
    this.add(this.sun, this.sun.target, sky, new AmbientLight(0xffffff, 0.25));
  }

  /** The sun stands over a point. */
  shineOn(point: Vec3): void {
    this.sun.target.position.set(...point);
    this.sun.position.set(...point).add(this.direction);
  }

  setShadows(on: boolean): void {
    this.sun.castShadow = on;
  }
}
