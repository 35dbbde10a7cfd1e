/** Spatial scenes, drawn by WebGL: orbit with the pointer, shadows, contact points, arrows, friction cones. */
import {
  AmbientLight, BufferAttribute, BufferGeometry, DirectionalLight, DoubleSide, Fog, Group, HemisphereLight, Line, LineBasicMaterial,
  Mesh, MeshBasicMaterial, MeshLambertMaterial, PCFShadowMap, PerspectiveCamera, Scene, SphereGeometry, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Vec3 } from "../model/format";
import type { Place, Run } from "../model/run";
import { ARROW, centre, NO_SCALES, scalesOf, type Scales } from "../model/scales";
import { place as placed } from "../model/vector";
import type { Ink } from "../ui/palette";
import { ground, gridStep } from "./ground";
import { Arrow, barMesh, coneMesh, flat, markMesh, Pool, setBar, setCone } from "./signs";
import { dispose, paint, solid, type Paint } from "./solids";
import { defaultLayers, recentImpulses, trailAnchors, trailFrames, TRAIL_POINTS, type Layers, type Shown, type StageView } from "./view";

/** One run's meshes. */
interface Cast { run: Run; bodies: Group[]; paint: Paint; bars: Mesh[]; poses: Float64Array }

/** Signs of the main run, in the colours of the theme. */
interface Signs {
  forces: Pool<Arrow>;
  impulses: Pool<Arrow>;
  cones: Pool<Mesh>;
  sticks: Pool<Mesh>;
  slips: Pool<Mesh>;
  joints: Mesh[];
  com: Mesh;
  trails: { line: Line; body: number; at: Vec3 }[];
}

export class SpatialView implements StageView {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private scene = new Scene();
  private shown: Shown[] = [];
  private casts: Cast[] = [];
  private signs: Signs | null = null;
  private scales: Scales = NO_SCALES;
  private layers: Layers = defaultLayers();
  private grids: Group[] = [];
  private moved: () => void = () => {};
  private followed: Vec3 | null = null;
  private stale = true;
  private height = 1;

  constructor(private ink: Ink) {
    this.canvas = document.createElement("canvas");
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    // The wheel scrolls the page unless the stage has the focus or Ctrl is held; this listener comes first.
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== this.canvas) event.stopImmediatePropagation();
    }, { capture: true });
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => this.moved());
  }

  setRuns(shown: Shown[], fit: boolean): void {
    this.shown = shown;
    this.scales = scalesOf(shown[0]!.run);
    this.build();
    if (fit) this.fit();
  }

  setInk(ink: Ink): void {
    this.ink = ink;
    if (this.shown.length > 0) this.build();
  }

  setLayers(layers: Layers): void {
    const turned = layers.follow !== this.layers.follow;
    this.layers = layers;
    if (turned) this.fit();
  }

  onMove(listener: () => void): void { this.moved = listener; }
  resized(): void { this.stale = true; }
  gridStep(): number | null { return this.grids.length > 0 && this.layers.grid ? gridStep(this.scales.extent) : null; }

  pixelsPerMetre(): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return this.height / (2 * Math.tan((this.camera.fov * Math.PI) / 360) * distance);
  }

  fit(): void {
    const run = this.shown[0]?.run;
    if (!run) return;
    const up = new Vector3(...run.doc.up).normalize();
    const side = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const right = side.addScaledVector(up, -side.dot(up)).normalize();
    const front = new Vector3().crossVectors(right, up);
    const target = new Vector3(...centre(run));
    const away = new Vector3().addScaledVector(right, 0.5).addScaledVector(front, 0.8).addScaledVector(up, 0.34).normalize();
    // A mechanism that is followed fills a fifth of the picture, wherever it goes.
    const distance = this.layers.follow ? 9 * this.scales.mechanism : this.distance(run, away, up);
    this.camera.up.copy(up);
    this.camera.position.copy(target).addScaledVector(away, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 5 + 20 * this.scales.extent;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(target);
    this.controls.update();
    this.followed = null;
    this.moved();
  }

  /** How far the camera must be to have all corners of the motion in the picture. */
  private distance(run: Run, away: Vector3, up: Vector3): number {
    const { min, max } = run.doc.stage.bounds;
    const middle = centre(run);
    const right = new Vector3().crossVectors(up, away).normalize();
    const top = new Vector3().crossVectors(away, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * Math.max(0.2, this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight));
    let distance = 1e-3 * this.scales.extent;
    for (let corner = 0; corner < 8; corner++) {
      const c = new Vector3(...([0, 1, 2].map((k) => ((corner >> k) & 1 ? max[k]! : min[k]!) - middle[k]!) as Vec3));
      const need = Math.max(Math.abs(c.dot(right)) / wide, Math.abs(c.dot(top)) / tall) + c.dot(away);
      distance = Math.max(distance, need);
    }
    return 1.18 * distance;
  }

  zoom(factor: number): void {
    const away = this.camera.position.clone().sub(this.controls.target).divideScalar(factor);
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.update();
    this.moved();
  }

  draw(t: number, hold: number): void {
    if (!this.signs) return;
    if (this.stale) this.resize();
    for (const cast of this.casts) this.pose(cast, cast.run.placeOf(t));
    const run = this.shown[0]!.run;
    const place = run.placeOf(t);
    if (this.layers.follow) this.follow(run.comAt(place));
    else this.followed = null;
    this.contacts(run, place);
    this.impulses(run, t, hold);
    this.trails(run, t);
    this.signs.com.visible = this.layers.com;
    this.signs.com.position.set(...run.comAt(place));
    for (const grid of this.grids) for (const child of grid.children) if (child.name === "grid") child.visible = this.layers.grid;
    this.renderer.render(this.scene, this.camera);
  }

  dispose(): void {
    this.clear();
    this.controls.dispose();
    this.renderer.dispose();
  }

  private resize(): void {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    this.stale = width === 0 || height === 0;
    if (this.stale) return;
    this.height = height;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  private clear(): void {
    this.scene.traverse((object) => {
      if (object instanceof Line) object.geometry.dispose();
      else if (object instanceof Mesh && object.parent?.parent !== this.scene) object.geometry.dispose();
    });
    for (const cast of this.casts) dispose(cast.paint);
    this.scene = new Scene();
    this.casts = [];
  }

  private build(): void {
    this.clear();
    const run = this.shown[0]!.run;
    const { extent } = this.scales;
    this.renderer.setClearColor(this.ink.panel);
    this.scene.fog = new Fog(this.ink.panel, 4 * extent, 11 * extent);
    this.lights(run);
    this.grids = run.doc.stage.fixed.filter((s) => s.kind === "plane").map((s) => ground(s, centre(run), extent, this.ink));
    for (const grid of this.grids) this.scene.add(grid);
    this.casts = this.shown.map(({ run: one, colour }, i) => this.cast(one, i > 0 ? colour : null));
    this.fixtures(run);
    this.signs = this.makeSigns(run);
  }

  private lights(run: Run): void {
    const { extent } = this.scales;
    const up = new Vector3(...run.doc.up).normalize();
    const middle = new Vector3(...centre(run));
    const sun = new DirectionalLight(0xffffff, this.ink.dark ? 1.6 : 1.9);
    const aside = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    sun.position.copy(middle).addScaledVector(up, 2.2 * extent).addScaledVector(aside, 0.7 * extent).addScaledVector(new Vector3().crossVectors(up, aside), -0.9 * extent);
    sun.target.position.copy(middle);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.normalBias = extent * 2e-3;
    const box = sun.shadow.camera;
    box.left = box.bottom = -1.1 * extent;
    box.right = box.top = 1.1 * extent;
    box.near = 0.1 * extent;
    box.far = 6 * extent;
    const sky = new HemisphereLight(0xffffff, this.ink.dark ? 0x30343a : 0xb8b4ac, this.ink.dark ? 0.9 : 1.3);
    sky.position.copy(up);
    this.scene.add(sun, sun.target, sky, new AmbientLight(0xffffff, 0.25));
  }

  private pointRadius(): number {
    return 0.008 * this.scales.size;
  }

  private cast(run: Run, ghost: string | null): Cast {
    const look = paint(ghost ?? this.ink.solid, ghost ?? this.ink.bodyEdge, ghost !== null);
    const bodies = run.doc.stage.bodies.map(({ shapes }) => {
      const group = new Group();
      for (const shape of shapes) {
        const part = solid(shape, look, this.pointRadius());
        if (part) group.add(part);
      }
      return group;
    });
    const bars = [...run.doc.stage.links, ...run.doc.stage.springs].map(() => barMesh(look.body));
    for (const part of [...bodies, ...bars]) this.scene.add(part);
    return { run, bodies, paint: look, bars, poses: new Float64Array(run.bodies * 7) };
  }

  /** Shapes fixed to the world other than planes. */
  private fixtures(run: Run): void {
    const look = paint(this.ink.ground, this.ink.groundEdge, false);
    for (const shape of run.doc.stage.fixed) {
      const part = solid(shape, look, this.pointRadius());
      if (part) this.scene.add(part);
    }
  }

  private makeSigns(run: Run): Signs {
    const layer = new Group();
    this.scene.add(layer);
    const colour = { force: flat(this.ink.force), stick: flat(this.ink.stick), slip: flat(this.ink.slip) };
    const joint = new MeshLambertMaterial({ color: this.ink.bodyEdge });
    const com = new Mesh(new SphereGeometry(1.6 * this.pointRadius(), 20, 14), flat(this.ink.accent));
    com.renderOrder = 7;
    const joints = run.doc.stage.joints.map(() => barMesh(joint));
    layer.add(com, ...joints);
    return {
      forces: new Pool(layer, () => new Arrow(colour.force)),
      impulses: new Pool(layer, () => new Arrow(flat(this.ink.impulse))),
      cones: new Pool(layer, () => coneMesh(new MeshBasicMaterial({ color: this.ink.axis, transparent: true, opacity: 0.22, depthWrite: false, side: DoubleSide }))),
      sticks: new Pool(layer, () => markMesh(false, colour.stick)),
      slips: new Pool(layer, () => markMesh(true, colour.slip)),
      joints,
      com,
      trails: trailAnchors(run).slice(0, 40).map((anchor) => {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array((TRAIL_POINTS + 4) * 3), 3));
        const line = new Line(geometry, new LineBasicMaterial({ color: this.ink.accent, transparent: true, opacity: 0.8 }));
        line.frustumCulled = false;
        layer.add(line);
        return { line, ...anchor };
      }),
    };
  }

  private pose(cast: Cast, place: Place): void {
    cast.run.posesAt(place, cast.poses);
    const pose = (body: number) => (body < 0 ? [0, 0, 0, 1, 0, 0, 0] : cast.poses.subarray(body * 7, body * 7 + 7));
    for (const [i, body] of cast.bodies.entries()) {
      const p = pose(i);
      body.position.set(p[0]!, p[1]!, p[2]!);
      body.quaternion.set(p[4]!, p[5]!, p[6]!, p[3]!);
    }
    const { links, springs, joints } = cast.run.doc.stage;
    const radius = this.pointRadius();
    [...links, ...springs].forEach((line, i) => {
      const bar = cast.bars[i]!;
      setBar(bar, placed(pose(line.a), line.pa), placed(pose(line.b), line.pb), i < links.length ? 0.9 * radius : 0.35 * radius);
      if (i >= links.length) bar.visible &&= this.layers.joints;
    });
    if (cast !== this.casts[0] || !this.signs) return;
    for (const [i, joint] of joints.entries()) {
      const mesh = this.signs.joints[i]!;
      const ends = [-1.8, 1.8].map((s) => placed(pose(joint.body), [0, 1, 2].map((k) => joint.at[k]! + s * radius * joint.axis[k]!) as Vec3));
      setBar(mesh, ends[0]!, ends[1]!, 1.3 * radius);
      mesh.visible = mesh.visible && this.layers.joints && (joint.kind === "revolute" || joint.kind === "prismatic");
    }
  }

  private contacts(run: Run, place: Place): void {
    const signs = this.signs!;
    const { size } = this.scales;
    const pools = [signs.forces, signs.cones, signs.sticks, signs.slips];
    for (const pool of pools) pool.begin();
    for (const site of run.sites) {
      const mode = site.modes[place.frame]!;
      const normal = run.mixed(site.normal, place);
      if (mode === 0 || site.limit) continue;
      const point = run.mixed(site.point, place);
      if (this.layers.contacts) {
        const mark = (mode === 2 ? signs.slips : signs.sticks).take();
        mark.position.set(...point);
        mark.scale.setScalar(0.9 * this.pointRadius());
      }
      if (this.layers.cones) setCone(signs.cones.take(), point, normal, site.friction, 0.7 * ARROW * size);
      if (this.layers.forces) signs.forces.take().set(point, run.forceAt(site, place), (ARROW * size) / this.scales.force, 0.0026 * size);
    }
    for (const pool of pools) pool.end();
  }

  private impulses(run: Run, t: number, hold: number): void {
    const pool = this.signs!.impulses;
    const { size, impulse } = this.scales;
    pool.begin();
    for (const { event, age } of this.layers.impulses ? recentImpulses(run, t, hold) : []) {
      const at: Place = { frame: Math.min(event.frame, run.frames - 1), s: 0 };
      for (const contact of event.contacts) {
        const site = run.sites[contact.site];
        if (!site || site.limit) continue;
        const arrow = pool.take();
        arrow.set(run.mixed(site.point, at), run.worldVector(site, at, contact.impulse), (ARROW * size) / impulse, 0.0034 * size);
        for (const part of arrow.children) ((part as Mesh).material as MeshBasicMaterial).opacity = 1 - 0.85 * age;
      }
    }
    pool.end();
  }

  private trails(run: Run, t: number): void {
    const frames = this.layers.trails ? trailFrames(run, t) : [];
    const poses = this.casts[0]!.poses;
    for (const { line, body, at } of this.signs!.trails) {
      line.visible = this.layers.trails;
      if (!line.visible) continue;
      const positions = line.geometry.getAttribute("position") as BufferAttribute;
      let count = 0;
      for (const frame of frames) positions.setXYZ(count++, ...placed(run.poseAt(frame, body), at));
      positions.setXYZ(count++, ...placed(poses.subarray(body * 7, body * 7 + 7), at));
      positions.needsUpdate = true;
      line.geometry.setDrawRange(0, count);
    }
  }

  private follow(com: Vec3): void {
    if (this.followed) {
      const step = new Vector3(com[0] - this.followed[0], com[1] - this.followed[1], com[2] - this.followed[2]);
      this.camera.position.add(step);
      this.controls.target.add(step);
      this.camera.lookAt(this.controls.target);
    } else {
      const step = new Vector3(...com).sub(this.controls.target);
      this.camera.position.add(step);
      this.controls.target.add(step);
    }
    this.followed = com;
  }
}
