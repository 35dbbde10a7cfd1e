/** Spatial scenes, drawn by WebGL: orbit with the pointer, shadows, contact points, arrows, friction cones. */
import {
  BufferAttribute, BufferGeometry, DoubleSide, Fog, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, MeshLambertMaterial,
  PCFShadowMap, Plane, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
  type Object3D,
} from "three";
import type { Vec3 } from "../model/format";
import { ellipsoidOf } from "../model/inertia";
import type { Looks } from "../model/looks";
import { at as atFrame } from "../model/pieces";
import type { Place, Run } from "../model/run";
import { ARROW, centre, NO_SCALES, type Scales } from "../model/scales";
import { place as placed, turned } from "../model/vector";
import { axisColour, type Ink } from "../ui/palette";
import { Daylight } from "./daylight";
import { dressed, isKept } from "./dress";
import { Eye } from "./eye";
import { Ground, gridStep } from "./ground";
import { Arrow, barMesh, coneMesh, ellipsoidMesh, flat, markMesh, Pool, setBar, setCone, setEllipsoid } from "./signs";
import { dispose, paint, solid, type Paint } from "./solids";
import { defaultLayers, movePoses, recentImpulses, trailAnchors, trailTimes, TRAIL_POINTS, type Angle, type Framing, type Layers, type Look, type Preview, type Shown, type StageView } from "./view";

/** One run's meshes. */
interface Cast { run: Run; bodies: Group[]; shapes: Group[]; meshes: (Group | null)[]; paint: Paint; bars: Mesh[]; poses: Float64Array }

/** Signs of the main run, in the colours of the theme. */
interface Signs {
  forces: Pool<Arrow>;
  impulses: Pool<Arrow>;
  cones: Pool<Mesh>;
  sticks: Pool<Mesh>;
  slips: Pool<Mesh>;
  joints: Mesh[];
  com: Mesh;
  coms: Pool<Mesh>;
  velocities: Pool<Arrow>;
  axes: Pool<Arrow>[];
  ellipsoids: Pool<Mesh>;
  trails: { line: Line; body: number; at: Vec3 }[];
}

export class SpatialView implements StageView {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly eye: Eye;
  private scene = new Scene();
  private shown: Shown[] = [];
  private casts: Cast[] = [];
  private signs: Signs | null = null;
  private poses = new Float64Array(0);
  private scales: Scales = NO_SCALES;
  private layers: Layers = defaultLayers();
  private grids: Ground[] = [];
  private moved: () => void = () => {};
  private stale = true;
  private height = 1;
  private detail = 1;
  private daylight: Daylight | null = null;

  constructor(private ink: Ink) {
    this.canvas = document.createElement("canvas");
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.eye = new Eye(this.canvas, () => this.moved());
  }

  setRuns(shown: Shown[], fit: boolean, framing: Framing): void {
    this.shown = shown;
    this.scales = framing.scales;
    this.build();
    if (fit) this.fit();
  }

  setInk(ink: Ink): void {
    this.ink = ink;
    if (this.shown.length > 0) this.build();
  }

  setLooks(looks: Looks | null): void { this.looks = looks; }
  private looks: Looks | null = null;
  setPreview(preview: Preview | null): void { this.preview = preview; }
  private preview: Preview | null = null;

  pointAt(clientX: number, clientY: number, through: Vec3, normal: Vec3 | null): Vec3 | null {
    const ray = this.ray(clientX, clientY);
    const facing = normal ? new Vector3(...normal) : this.eye.camera.getWorldDirection(new Vector3());
    const point = ray.ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(facing, new Vector3(...through)), new Vector3());
    return point ? point.toArray() : null;
  }

  private ray(clientX: number, clientY: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height), this.eye.camera);
    return ray;
  }

  /** Robots as they look, or by the shapes that touch. */
  private dress(): void {
    for (const { shapes, meshes } of this.casts) {
      shapes.forEach((group, i) => (group.visible = !(this.layers.looks && meshes[i])));
      for (const group of meshes) if (group) group.visible = this.layers.looks;
    }
  }

  setLayers(layers: Layers): void {
    const turned = layers.follow !== this.layers.follow;
    this.layers = layers;
    this.setFog();
    this.dress();
    if (turned) this.fit();
  }

  onMove(listener: () => void): void { this.moved = listener; }
  resized(): void { this.stale = true; }

  setDetail(detail: number): void {
    if (detail !== this.detail) this.stale = true;
    this.detail = detail;
    // The last thing to go on a machine that cannot keep up.
    this.daylight?.setShadows(detail > 0.4);
  }

  gridStep(): number | null { return this.grids.length > 0 && this.layers.grid ? gridStep(this.scales) : null; }

  pixelsPerMetre(): number {
    return this.eye.pixelsPerMetre(this.height);
  }

  fit(): void {
    const run = this.shown[0]?.run;
    if (run) this.eye.fit(run, this.scales, this.layers.follow);
    this.moved();
  }

  zoom(factor: number): void {
    this.eye.zoom(factor);
    this.moved();
  }

  turn(angle: Angle): void {
    const run = this.shown[0]?.run;
    if (run) this.eye.fit(run, this.scales, this.layers.follow, angle);
    this.moved();
  }

  setChosen(body: number | null): void { this.chosen = body; }
  private chosen: number | null = null;

  pick(clientX: number, clientY: number): number | null {
    const cast = this.casts[0];
    if (!cast) return null;
    const ray = this.ray(clientX, clientY);
    // Lines of edges would be found from far away.
    ray.params.Line.threshold = 0;
    const links = cast.run.doc.stage.links;
    const hit = ray.intersectObjects([...cast.bodies, ...cast.bars.slice(0, links.length)], true).find(({ object }) => object instanceof Mesh && isShown(object));
    if (!hit) return null;
    const bar = cast.bars.indexOf(hit.object as Mesh);
    if (bar >= 0) return links[bar]!.a >= 0 ? links[bar]!.a : null;
    return cast.bodies.findIndex((group) => {
      for (let part: typeof hit.object | null = hit.object; part; part = part.parent) if (part === group) return true;
      return false;
    });
  }

  look(): Look {
    return this.eye.look();
  }

  setLook(look: Look): void {
    this.eye.setLook(look);
  }

  draw(t: number, hold: number): void {
    if (!this.signs) return;
    if (this.stale) this.resize();
    for (const cast of this.casts) this.pose(cast, cast.run.placeOf(t));
    const run = this.shown[0]!.run;
    const place = run.placeOf(t);
    this.eye.follow(this.layers.follow ? (this.chosen === null ? run.comAt(place) : run.motionOf(this.chosen, t).com) : null);
    this.daylight?.shineOn(run.comAt(place));
    this.contacts(run, place);
    this.impulses(run, t, hold);
    this.trails(run, t);
    this.bodySigns(run, t);
    this.signs.com.visible = this.layers.com;
    this.signs.com.position.set(...run.comAt(place));
    const at = this.layers.follow ? run.comAt(place) : centre(run);
    for (const grid of this.grids) grid.setLines(this.layers.grid, at);
    this.renderer.render(this.scene, this.eye.camera);
  }

  dispose(): void {
    this.clear();
    this.eye.dispose();
    this.renderer.dispose();
  }

  private resize(): void {
    const ratio = Math.min(2, devicePixelRatio || 1) * this.detail;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    this.stale = width === 0 || height === 0;
    if (this.stale) return;
    this.height = height;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.eye.setAspect(width / height);
  }

  private clear(): void {
    this.scene.traverse((object) => {
      if (object instanceof Line) object.geometry.dispose();
      else if (object instanceof Mesh && object.parent?.parent !== this.scene && !isKept(object.geometry)) object.geometry.dispose();
    });
    for (const cast of this.casts) dispose(cast.paint);
    this.scene = new Scene();
    this.casts = [];
  }

  private build(): void {
    this.clear();
    const run = this.shown[0]!.run;
    this.renderer.setClearColor(this.ink.panel);
    this.scene.fog = new Fog(this.ink.panel);
    this.setFog();
    this.daylight = new Daylight(new Vector3(...run.doc.up).normalize(), this.scales, this.ink);
    this.scene.add(this.daylight);
    this.grids = run.doc.stage.fixed.filter((s) => s.kind === "plane").map((s) => new Ground(s, centre(run), this.scales, this.ink));
    for (const grid of this.grids) this.scene.add(grid);
    this.casts = this.shown.map(({ run: one, colour }, i) => this.cast(one, i > 0 ? colour : null));
    this.fixtures(run);
    this.signs = this.makeSigns(run);
    this.dress();
  }

  /** The ground ends in fog, not at an edge: behind everything that is looked at. */
  private setFog(): void {
    const far = this.layers.follow ? this.scales.size : this.scales.extent;
    const { fog } = this.scene;
    if (fog instanceof Fog) [fog.near, fog.far] = [3.5 * far, 9 * far];
  }

  private pointRadius(): number {
    return 0.008 * this.scales.size;
  }

  private cast(run: Run, ghost: string | null): Cast {
    const look = paint(ghost ?? this.ink.solid, ghost ?? this.ink.bodyEdge, ghost !== null);
    const shapes = run.doc.stage.bodies.map((body) => {
      const group = new Group();
      for (const shape of body.shapes) {
        const part = solid(shape, look, this.pointRadius());
        if (part) group.add(part);
      }
      return group;
    });
    const meshes = run.doc.stage.bodies.map(({ name }) => this.looks && dressed(this.looks, name, look));
    const bodies = shapes.map((group, i) => {
      const body = new Group().add(group);
      const mesh = meshes[i];
      return mesh ? body.add(mesh) : body;
    });
    const bars = [...run.doc.stage.links, ...run.doc.stage.springs].map(() => barMesh(look.body));
    for (const part of [...bodies, ...bars]) this.scene.add(part);
    return { run, bodies, shapes, meshes, paint: look, bars, poses: new Float64Array(run.bodies * 7) };
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
      coms: new Pool(layer, () => markMesh(false, flat(this.ink.text))),
      velocities: new Pool(layer, () => new Arrow(flat(this.ink.accent))),
      axes: [0, 1, 2].map((axis) => new Pool(layer, () => new Arrow(flat(axisColour(axis, this.ink))))),
      ellipsoids: new Pool(layer, () => ellipsoidMesh(this.ink.accent)),
      trails: trailAnchors(run).slice(0, 40).map((anchor) => {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array((2 * TRAIL_POINTS + 4) * 3), 3));
        const line = new Line(geometry, new LineBasicMaterial({ color: this.ink.accent, transparent: true, opacity: 0.8 }));
        line.frustumCulled = false;
        layer.add(line);
        return { line, ...anchor };
      }),
    };
  }

  private pose(cast: Cast, place: Place): void {
    cast.run.posesAt(place, cast.poses);
    if (this.preview && cast === this.casts[0]) movePoses(cast.poses, this.preview);
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
      // Lines that stand for bodies without shapes are not needed where these are seen.
      else if (this.layers.looks && line.a >= 0 && cast.meshes[line.a]) bar.visible = false;
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
      if (mode === 0 || site.limit) continue;
      const normal = run.mixed(site.normal, place);
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
      const at = atFrame(Math.min(event.frame, run.frames - 1));
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

  /** Frames, centres and velocities of bodies. */
  private bodySigns(run: Run, t: number): void {
    const { coms, velocities, axes, ellipsoids } = this.signs!;
    const { size, speed } = this.scales;
    const pools = [coms, velocities, ellipsoids, ...axes];
    for (const pool of pools) pool.begin();
    const wanted = this.layers.frames || this.layers.coms || this.layers.velocities || this.layers.inertia || this.chosen !== null;
    for (let body = 0; wanted && body < run.bodies; body++) {
      const { pose, com, velocity } = run.motionOf(body, t);
      const own = body === this.chosen;
      if (this.layers.frames || own) {
        for (const axis of [0, 1, 2]) {
          const along = turned(pose, [0, 1, 2].map((k) => (k === axis ? 1 : 0)) as Vec3);
          axes[axis]!.take().set([pose[0]!, pose[1]!, pose[2]!], along, 0.4 * ARROW * size, 0.002 * size);
        }
      }
      const { mass, inertia } = run.doc.stage.bodies[body]!;
      const ellipsoid = this.layers.inertia ? ellipsoidOf(mass, inertia) : null;
      if (ellipsoid) setEllipsoid(ellipsoids.take(), com, ellipsoid.radii, ellipsoid.axes.map((axis) => turned(pose, axis)) as [Vec3, Vec3, Vec3]);
      if (this.layers.velocities) velocities.take().set(com, velocity, (ARROW * size) / speed, 0.0024 * size);
      if (this.layers.coms || own) {
        const mark = coms.take();
        mark.position.set(...com);
        mark.scale.setScalar(0.8 * this.pointRadius());
      }
    }
    for (const pool of pools) pool.end();
  }

  private trails(run: Run, t: number): void {
    const { trails } = this.signs!;
    for (const { line } of trails) line.visible = this.layers.trails;
    if (!this.layers.trails || trails.length === 0) return;
    const times = trailTimes(run, t);
    this.poses = this.poses.length === 7 * run.bodies ? this.poses : new Float64Array(7 * run.bodies);
    times.forEach((time, k) => {
      run.posesAt(run.placeOf(time), this.poses);
      for (const { line, body, at } of trails) {
        const positions = line.geometry.getAttribute("position") as BufferAttribute;
        positions.setXYZ(k, ...placed(this.poses.subarray(body * 7, body * 7 + 7), at));
      }
    });
    for (const { line } of trails) {
      line.geometry.getAttribute("position").needsUpdate = true;
      line.geometry.setDrawRange(0, times.length);
    }
  }
}

/** Whether an object and all that hold it are shown. */
function isShown(object: Object3D): boolean {
  for (let part: Object3D | null = object; part; part = part.parent) if (!part.visible) return false;
  return true;
}
