/** Arrows, cones, contact marks and bars in space, kept in pools and reused from frame to frame. */
import {
  BoxGeometry, ConeGeometry, CylinderGeometry, DoubleSide, Group, Matrix4, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3,
  type BufferGeometry, type Material, type Object3D,
} from "three";
import type { Vec3 } from "../model/format";

const UP = new Vector3(0, 1, 0);

/** Objects that are taken one after the other in each frame; the rest is hidden. */
export class Pool<T extends Object3D> {
  private readonly items: T[] = [];
  private used = 0;

  constructor(private readonly parent: Object3D, private readonly make: () => T) {}

  begin(): void {
    this.used = 0;
  }

  take(): T {
    if (this.used === this.items.length) {
      const item = this.make();
      this.items.push(item);
      this.parent.add(item);
    }
    const item = this.items[this.used++]!;
    item.visible = true;
    return item;
  }

  end(): void {
    for (let i = this.used; i < this.items.length; i++) this.items[i]!.visible = false;
  }
}

const shaft: BufferGeometry = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
const head: BufferGeometry = new ConeGeometry(1, 1, 16).translate(0, -0.5, 0);
const openCone: BufferGeometry = new ConeGeometry(1, 1, 40, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
const ball: BufferGeometry = new SphereGeometry(1, 16, 12);
const wires: BufferGeometry = new SphereGeometry(1, 20, 10);
const cube: BufferGeometry = new BoxGeometry(1.6, 1.6, 1.6);

/** Flat colour, drawn over the bodies: a force inside a body must be seen. */
export function flat(colour: string, opacity = 1): MeshBasicMaterial {
  return new MeshBasicMaterial({ color: colour, transparent: true, opacity, depthTest: false });
}

export class Arrow extends Group {
  private readonly shaft: Mesh;
  private readonly head: Mesh;

  constructor(material: Material) {
    super();
    this.shaft = new Mesh(shaft, material);
    this.head = new Mesh(head, material);
    this.shaft.renderOrder = this.head.renderOrder = 5;
    this.add(this.shaft, this.head);
  }

  set(at: Vec3, vector: Vec3, metresPerUnit: number, thickness: number): void {
    const direction = new Vector3(...vector).multiplyScalar(metresPerUnit);
    const length = direction.length();
    this.visible = length > 2 * thickness;
    if (!this.visible) return;
    const tip = Math.min(length * 0.6, 7 * thickness);
    this.position.set(...at);
    this.quaternion.setFromUnitVectors(UP, direction.divideScalar(length));
    this.shaft.scale.set(thickness, length - tip * 0.9, thickness);
    this.head.position.y = length;
    this.head.scale.set(2.8 * thickness, tip, 2.8 * thickness);
  }
}

/** A friction cone with its apex at the contact. */
export function coneMesh(material: Material): Mesh {
  material.side = DoubleSide;
  const mesh = new Mesh(openCone, material);
  mesh.renderOrder = 4;
  return mesh;
}

export function setCone(mesh: Mesh, at: Vec3, normal: Vec3, friction: number, height: number): void {
  mesh.position.set(...at);
  mesh.quaternion.setFromUnitVectors(UP, new Vector3(...normal).normalize());
  mesh.scale.set(friction * height, height, friction * height);
}

export function markMesh(square: boolean, material: Material): Mesh {
  const mesh = new Mesh(square ? cube : ball, material);
  mesh.renderOrder = 6;
  return mesh;
}

/** A wire ball that is drawn over what lies before it. */
export function ellipsoidMesh(colour: string): Mesh {
  const mesh = new Mesh(wires, new MeshBasicMaterial({ color: colour, wireframe: true, transparent: true, opacity: 0.55, depthTest: false }));
  mesh.renderOrder = 5;
  mesh.matrixAutoUpdate = false;
  return mesh;
}

/** Semi-axes along three directions of the world. */
export function setEllipsoid(mesh: Mesh, at: Vec3, radii: Vec3, [a, b, c]: [Vec3, Vec3, Vec3]): void {
  mesh.matrix.copy(new Matrix4().makeBasis(new Vector3(...a).multiplyScalar(radii[0]), new Vector3(...b).multiplyScalar(radii[1]), new Vector3(...c).multiplyScalar(radii[2])).setPosition(...at));
  mesh.matrixWorldNeedsUpdate = true;
}

/** A round bar between two points. */
export function barMesh(material: Material): Mesh {
  const mesh = new Mesh(shaft, material);
  mesh.castShadow = true;
  return mesh;
}

export function setBar(mesh: Mesh, a: Vec3, b: Vec3, radius: number): void {
  const along = new Vector3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  const length = along.length();
  mesh.visible = length > 1e-9;
  if (!mesh.visible) return;
  mesh.position.set(...a);
  mesh.quaternion.copy(new Quaternion().setFromUnitVectors(UP, along.divideScalar(length)));
  mesh.scale.set(radius, length, radius);
}
