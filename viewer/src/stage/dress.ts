/** Robots as they look: meshes from files, on the bodies that carry them. */
import { BufferAttribute, BufferGeometry, Color, Group, Mesh, MeshLambertMaterial, SRGBColorSpace } from "three";
import type { LookMesh, Looks } from "../model/looks";
import type { Paint } from "./solids";

const geometries = new WeakMap<LookMesh, BufferGeometry>();
const kept = new WeakSet<BufferGeometry>();

/** Meshes stay on the graphics card while runs come and go. */
function geometryOf(mesh: LookMesh): BufferGeometry {
  let geometry = geometries.get(mesh);
  if (!geometry) {
    geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(mesh.points, 3));
    geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
    geometries.set(mesh, geometry);
    kept.add(geometry);
  }
  return geometry;
}

/** Whether a geometry outlives the run that it is drawn in. */
export function isKept(geometry: BufferGeometry): boolean {
  return kept.has(geometry);
}

/** The meshes of a body of a robot; null for a body of none. */
export function dressed(looks: Looks, body: string, paint: Paint): Group | null {
  const parts = looks.of(body);
  if (!parts || !looks.any) return null;
  const group = new Group();
  for (const { mesh, pose, colour } of parts) {
    const geometry = geometryOf(looks.meshes[mesh]!);
    // Flat: files with few triangles have sharp edges, and thinned ones are none the worse for it.
    const tint = colour ? new Color().setRGB(...colour, SRGBColorSpace) : paint.body.color;
    const material = paint.ghost ? paint.body : new MeshLambertMaterial({ color: tint, flatShading: true });
    const part = new Mesh(geometry, material);
    part.position.set(pose[0], pose[1], pose[2]);
    part.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
    part.castShadow = part.receiveShadow = !paint.ghost;
    group.add(part);
  }
  return group;
}
