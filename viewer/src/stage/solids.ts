/** Meshes for the shapes of a scene. Shapes keep the axes of the scene: long ones lie along x, round ones turn about z. */
import {
  BoxGeometry, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, Float32BufferAttribute, Group, LineBasicMaterial,
  LineSegments, Mesh, MeshLambertMaterial, EdgesGeometry, SphereGeometry, type Material,
} from "three";
import type { Drawn } from "../model/format";

/** Materials of one run: its bodies and their edges. */
export interface Paint {
  body: MeshLambertMaterial;
  /** Shows turning: alternate octants of balls, edges of boxes. */
  line: LineBasicMaterial;
  striped: MeshLambertMaterial;
  ghost: boolean;
}

export function paint(body: string, edge: string, ghost: boolean): Paint {
  const see = ghost ? { transparent: true, opacity: 0.28, depthWrite: false } : {};
  return {
    body: new MeshLambertMaterial({ color: body, ...see }),
    striped: new MeshLambertMaterial({ color: body, vertexColors: true, ...see }),
    line: new LineBasicMaterial({ color: edge, transparent: ghost, opacity: ghost ? 0.5 : 1 }),
    ghost,
  };
}

export function dispose(paint: Paint): void {
  for (const material of [paint.body, paint.striped, paint.line] as Material[]) material.dispose();
}

/** A shape in its own frame, already placed in the frame of its body; null for planes. */
export function solid(shape: Drawn, paint: Paint, pointRadius: number): Group | null {
  const group = new Group();
  group.position.set(shape.pose[0], shape.pose[1], shape.pose[2]);
  group.quaternion.set(shape.pose[4], shape.pose[5], shape.pose[6], shape.pose[3]);
  const add = (geometry: BufferGeometry, striped = false) => {
    const mesh = new Mesh(geometry, striped ? paint.striped : paint.body);
    mesh.castShadow = !paint.ghost;
    mesh.receiveShadow = !paint.ghost;
    group.add(mesh);
    return mesh;
  };
  switch (shape.kind) {
    case "plane": return null;
    case "point": add(new SphereGeometry(pointRadius, 12, 8)); break;
    case "sphere": add(octants(new SphereGeometry(shape.radius, 48, 24)), true); break;
    case "ellipsoid": add(octants(new SphereGeometry(1, 48, 24)), true).scale.set(...shape.radii); break;
    case "disk": add(wheel(shape.radius, Math.max(pointRadius * 0.6, shape.radius * 0.04)), true); break;
    case "ellipse": add(wheel(1, 1), true).scale.set(shape.radii[0], shape.radii[1], Math.max(pointRadius * 0.6, shape.radii[0] * 0.04)); break;
    case "cylinder": add(wheel(shape.radius, shape.length), true); break;
    case "capsule": add(new CapsuleGeometry(shape.radius, shape.length, 10, 28).rotateZ(-Math.PI / 2)); break;
    case "rod": add(new CylinderGeometry(pointRadius * 0.7, pointRadius * 0.7, shape.length, 16).rotateZ(-Math.PI / 2)); break;
    case "hull": {
      const geometry = hull(shape.corners, shape.faces);
      add(geometry);
      group.add(new LineSegments(new EdgesGeometry(geometry), paint.line));
      break;
    }
    case "box": {
      const thin = pointRadius * 0.3;
      const geometry = new BoxGeometry(...(shape.size.map((s) => Math.max(s, thin)) as [number, number, number]));
      add(geometry);
      group.add(new LineSegments(new EdgesGeometry(geometry), paint.line));
      break;
    }
  }
  return group;
}

/** Faces as fans of triangles, each with its own normal. */
function hull(corners: [number, number, number][], faces: number[][]): BufferGeometry {
  const places: number[] = [];
  for (const face of faces) {
    for (let k = 1; k + 1 < face.length; k++) {
      for (const i of [face[0]!, face[k]!, face[k + 1]!]) places.push(...corners[i]!);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(places, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** A drum about z, every second sixth darker. */
function wheel(radius: number, length: number): BufferGeometry {
  const geometry = new CylinderGeometry(radius, radius, length, 48).rotateX(Math.PI / 2).toNonIndexed();
  return shade(geometry, (x, y) => Math.floor((Math.atan2(y, x) / (2 * Math.PI) + 1) * 6 + 1e-6) % 2 === 0);
}

/** Alternate octants darker. */
function octants(geometry: SphereGeometry): BufferGeometry {
  return shade(geometry.toNonIndexed(), (x, y, z) => x * y * z > 0);
}

/** Colours per triangle, by where its middle lies. */
function shade(geometry: BufferGeometry, dark: (x: number, y: number, z: number) => boolean): BufferGeometry {
  const position = geometry.getAttribute("position");
  const colours: number[] = [];
  const [light, deep] = [new Color(1, 1, 1), new Color(0.42, 0.46, 0.52)];
  for (let i = 0; i < position.count; i += 3) {
    const mean = (get: (k: number) => number) => (get(i) + get(i + 1) + get(i + 2)) / 3;
    const colour = dark(mean((k) => position.getX(k)), mean((k) => position.getY(k)), mean((k) => position.getZ(k))) ? deep : light;
    for (let k = 0; k < 3; k++) colours.push(colour.r, colour.g, colour.b);
  }
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  return geometry;
}
