/** Planar scenes: x to the right, y up, equal scales, drawn on a canvas. */
import type { Drawn, Vec3 } from "../model/format";
import { gyration } from "../model/inertia";
import { at as atFrame } from "../model/pieces";
import type { Place, Run } from "../model/run";
import { ARROW, NO_SCALES, radiusOf, type Scales } from "../model/scales";
import { compose, inFrame, place as placed, planarAngle, turned } from "../model/vector";
import { axisColour, type Ink } from "../ui/palette";
import { Brush } from "./brush";
import { drawGrid, drawGridLabels } from "./grid";
import { defaultLayers, movePoses, recentImpulses, trailAnchors, trailTimes, type Framing, type Layers, type Look, type Preview, type Shown, type StageView } from "./view";

interface Box { x0: number; x1: number; y0: number; y1: number }

export class PlanarView implements StageView {
  readonly canvas = document.createElement("canvas");
  private readonly brush = new Brush(this.canvas);
  private shown: Shown[] = [];
  private around: Run[] = [];
  /** Fingers and buttons that are down, where they were last. */
  private readonly held = new Map<number, { x: number; y: number }>();
  private scales: Scales = NO_SCALES;
  private layers: Layers = defaultLayers();
  private poses = new Float64Array(0);
  private supports: boolean[] = [];
  private own = false;
  private stale = true;
  private moved: () => void = () => {};

  constructor(private ink: Ink) {
    this.canvas.addEventListener("pointerdown", (event) => this.grip(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      this.canvas.addEventListener(end, (event) => this.held.delete(event.pointerId));
    }
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  setRuns(shown: Shown[], fit: boolean, framing: Framing): void {
    this.shown = shown;
    this.around = framing.runs;
    this.scales = framing.scales;
    const run = shown[0]!.run;
    this.poses = new Float64Array(Math.max(...shown.map((s) => s.run.bodies)) * 7);
    this.supports = run.doc.stage.joints.map((joint) => stays(run, joint.body, joint.at));
    if (fit) this.fit();
    else this.frame();
  }

  setInk(ink: Ink): void { this.ink = ink; }
  setLooks(): void {}
  setPreview(preview: Preview | null): void { this.preview = preview; }
  private preview: Preview | null = null;

  pointAt(clientX: number, clientY: number): Vec3 {
    const box = this.canvas.getBoundingClientRect();
    return [this.brush.x + (clientX - box.left - box.width / 2) / this.brush.scale, this.brush.y - (clientY - box.top - box.height / 2) / this.brush.scale, 0];
  }

  setLayers(layers: Layers): void {
    const turned = layers.follow !== this.layers.follow;
    this.layers = layers;
    if (turned) this.fit();
  }

  onMove(listener: () => void): void { this.moved = listener; }
  pixelsPerMetre(): number { return this.brush.scale; }
  setDetail(): void {}
  gridStep(): null { return null; }
  resized(): void { this.stale = true; }
  dispose(): void {}

  fit(): void {
    this.own = false;
    this.brush.resize();
    this.frame();
    this.moved();
  }

  zoom(factor: number): void {
    this.own = true;
    this.brush.scale *= factor;
    this.moved();
  }

  turn(): void { this.fit(); }

  setChosen(body: number | null): void { this.chosen = body; }
  private chosen: number | null = null;

  /** The smallest shape under the point, with a few pixels to spare for thin ones. */
  pick(clientX: number, clientY: number): number | null {
    const run = this.shown[0]?.run;
    if (!run || !this.drawnAt) return null;
    const at = this.pointAt(clientX, clientY);
    run.posesAt(this.drawnAt, this.poses);
    const pose = (body: number) => (body < 0 ? [0, 0, 0, 1, 0, 0, 0] : this.poses.slice(7 * body, 7 * body + 7));
    const slack = 6 / this.brush.scale;
    for (const { body, shape } of [...inDepth(run)].reverse()) if (covers(shape, compose(pose(body), shape.pose), at, slack)) return body;
    const link = run.doc.stage.links.find(({ a, pa, b, pb }) => a >= 0 && besides(placed(pose(a), pa), placed(pose(b), pb), at) < slack);
    return link ? link.a : null;
  }
  private drawnAt: Place | null = null;

  look(): Look {
    return [this.brush.x, this.brush.y, this.brush.scale, Number(this.own)];
  }

  setLook([x, y, scale, own]: Look): void {
    [this.brush.x, this.brush.y, this.brush.scale, this.own] = [x!, y!, scale!, own === 1];
  }

  draw(t: number, hold: number): void {
    const run = this.shown[0]?.run;
    if (!run) return;
    if (this.stale) {
      this.stale = !this.brush.resize();
      this.frame();
    }
    const place = run.placeOf(t);
    this.drawnAt = place;
    if (this.layers.follow) {
      // Closer than the whole motion if that is large, never farther away.
      if (!this.own) {
        this.frame();
        this.brush.scale = Math.max(this.brush.scale, Math.min(this.brush.width, this.brush.height) / (5 * this.scales.mechanism));
      }
      const com = this.chosen === null ? run.comAt(place) : run.motionOf(this.chosen, t).com;
      this.brush.x = com[0];
      this.brush.y = com[1];
    }
    this.brush.clear(this.ink.panel);
    if (this.layers.grid) drawGrid(this.brush, this.ink);
    for (const shape of run.doc.stage.fixed) this.shape(shape, shape.pose, null);
    if (this.layers.grid) drawGridLabels(this.brush, this.ink);
    for (const ghost of this.shown.slice(1)) this.mechanism(ghost.run, ghost.run.placeOf(t), ghost.colour);
    if (this.layers.trails) this.trails(run, t);
    this.mechanism(run, place, null);
    this.contacts(run, place);
    if (this.layers.impulses) this.impulses(run, t, hold);
    this.bodySigns(run, t);
    if (this.layers.com) this.brush.quarters(run.comAt(place), this.ink);
  }

  /** Puts the whole motion into the picture, and the surfaces near it. */
  private frame(): void {
    if (this.own || this.shown.length === 0) return;
    const box: Box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
    for (const run of this.around) {
      include(box, run.doc.stage.bounds.min);
      include(box, run.doc.stage.bounds.max);
    }
    const middle: Vec3 = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, 0];
    for (const shape of this.shown[0]!.run.doc.stage.fixed) {
      const foot = shape.kind === "plane" ? footOn(shape, middle) : ([shape.pose[0], shape.pose[1], 0] as Vec3);
      if (Math.hypot(foot[0] - middle[0], foot[1] - middle[1]) < 1.5 * this.scales.extent) include(box, foot);
    }
    this.brush.frame(box.x0, box.x1, box.y0, box.y1);
  }

  private mechanism(run: Run, place: Place, ghost: string | null): void {
    run.posesAt(place, this.poses);
    if (this.preview && !ghost) movePoses(this.poses, this.preview);
    const stage = run.doc.stage;
    const pose = (body: number) => (body < 0 ? [0, 0, 0, 1, 0, 0, 0] : this.poses.subarray(body * 7, body * 7 + 7));
    if (ghost) this.brush.alpha(0.55);
    for (const link of stage.links) this.brush.bar(placed(pose(link.a), link.pa), placed(pose(link.b), link.pb), ghost ?? this.ink.bodyEdge, 4);
    for (const { body, shape } of inDepth(run)) this.shape(shape, compose(pose(body), shape.pose), ghost);
    if (this.layers.joints && !ghost) {
      for (const spring of stage.springs) this.brush.spring(placed(pose(spring.a), spring.pa), placed(pose(spring.b), spring.pb), this.ink);
      for (const [i, joint] of stage.joints.entries()) {
        if (joint.kind !== "revolute") continue;
        this.brush.pin(placed(pose(joint.body), joint.at), this.supports[i]!, this.ink);
      }
    }
    this.brush.alpha(1);
  }

  private shape(shape: Drawn, pose: ArrayLike<number>, ghost: string | null): void {
    const at: Vec3 = [pose[0]!, pose[1]!, 0];
    const angle = planarAngle(pose);
    const edge = ghost ?? this.ink.bodyEdge;
    const fill = ghost ? null : this.ink.body;
    switch (shape.kind) {
      case "plane": return this.brush.surface(at, angle, this.ink);
      case "point": return this.brush.dot(at, 3, edge);
      case "sphere":
      case "disk": return this.brush.wheel(at, angle, shape.radius, shape.radius, fill, edge);
      case "ellipse":
      case "ellipsoid": return this.brush.wheel(at, angle, shape.radii[0], shape.radii[1], fill, edge);
      case "box":
      case "cylinder": {
        const [width, height] = shape.kind === "box" ? shape.size : [2 * shape.radius, shape.length];
        return this.brush.rectangle(at, angle, width, height, fill, edge);
      }
      case "capsule": return this.brush.stadium(at, angle, shape.length, shape.radius, fill, edge);
      case "hull": {
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const corner = ([x, y]: Vec3): Vec3 => [at[0] + c * x - s * y, at[1] + s * x + c * y, 0];
        return this.brush.polygon(shape.faces[0]!.map((k) => corner(shape.corners[k]!)), fill, edge);
      }
      case "rod": {
        const half = shape.length / 2;
        const end: Vec3 = [Math.cos(angle) * half, Math.sin(angle) * half, 0];
        return this.brush.bar([at[0] - end[0], at[1] - end[1], 0], [at[0] + end[0], at[1] + end[1], 0], edge, ghost ? 3 : 5);
      }
    }
  }

  private trails(run: Run, t: number): void {
    const anchors = trailAnchors(run);
    const paths: Vec3[][] = anchors.map(() => []);
    for (const time of trailTimes(run, t)) {
      run.posesAt(run.placeOf(time), this.poses);
      anchors.forEach(({ body, at }, i) => paths[i]!.push(placed(this.poses.subarray(body * 7, body * 7 + 7), at)));
    }
    for (const points of paths) this.brush.trail(points, this.ink.accent);
  }

  private contacts(run: Run, place: Place): void {
    const reach = (ARROW * this.scales.size) / this.scales.force;
    for (const site of run.sites) {
      const mode = site.modes[place.frame]!;
      if (mode === 0 || site.limit) continue;
      const normal = run.mixed(site.normal, place);
      const point = run.mixed(site.point, place);
      if (this.layers.cones) this.brush.cone(point, normal, site.friction, 0.7 * ARROW * this.scales.size, this.ink.axis);
      if (this.layers.forces) this.brush.arrow(point, run.forceAt(site, place), reach, this.ink.force, 2.5);
      if (this.layers.contacts) this.brush.mark(point, mode === 2, mode === 2 ? this.ink.slip : this.ink.stick, this.ink.panel);
    }
  }

  /** Frames, centres and velocities of bodies. */
  private bodySigns(run: Run, t: number): void {
    const { frames, coms, velocities, inertia } = this.layers;
    if (!frames && !coms && !velocities && !inertia && this.chosen === null) return;
    const reach = ARROW * this.scales.size;
    for (let body = 0; body < run.bodies; body++) {
      const { pose, com, velocity } = run.motionOf(body, t);
      const origin: Vec3 = [pose[0]!, pose[1]!, 0];
      if (frames || body === this.chosen) {
        for (const axis of [0, 1]) {
          const along = turned(pose, [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, 0]);
          this.brush.arrow(origin, along, 0.4 * reach, axisColour(axis, this.ink), 2);
        }
      }
      const { mass, inertia: tensor } = run.doc.stage.bodies[body]!;
      const radius = inertia ? gyration(mass, tensor) : null;
      if (radius !== null) this.brush.circle(com, radius, this.ink.accent);
      if (velocities) this.brush.arrow(com, velocity, reach / this.scales.speed, this.ink.accent, 2.2);
      if (coms || body === this.chosen) this.brush.quarters(com, this.ink);
    }
  }

  private impulses(run: Run, t: number, hold: number): void {
    const reach = (ARROW * this.scales.size) / this.scales.impulse;
    for (const { event, age } of recentImpulses(run, t, hold)) {
      this.brush.alpha(1 - 0.85 * age);
      const at = atFrame(Math.min(event.frame, run.frames - 1));
      for (const contact of event.contacts) {
        const site = run.sites[contact.site];
        if (!site || site.limit) continue;
        const point = run.mixed(site.point, at);
        this.brush.ring(point, 5 + 9 * age, this.ink.impulse);
        this.brush.arrow(point, run.worldVector(site, at, contact.impulse), reach, this.ink.impulse, 3.5);
      }
      this.brush.alpha(1);
    }
  }

  private grip(event: PointerEvent): void {
    // Whoever drags a body does not move the picture.
    if (event.button !== 0 || event.defaultPrevented) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.held.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** One finger moves the picture; two also zoom, about the point between them. */
  private drag(event: PointerEvent): void {
    const last = this.held.get(event.pointerId);
    if (!last) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...this.held].find(([id]) => id !== event.pointerId)?.[1];
    this.held.set(event.pointerId, now);
    // The middle of two fingers moves half as far as one of them.
    const part = other ? 0.5 : 1;
    this.own = true;
    this.brush.x -= (part * (now.x - last.x)) / this.brush.scale;
    this.brush.y += (part * (now.y - last.y)) / this.brush.scale;
    if (other) {
      const [before, after] = [last, now].map((p) => Math.hypot(p.x - other.x, p.y - other.y)) as [number, number];
      if (before > 10 && after > 10) this.zoomAt(after / before, (now.x + other.x) / 2, (now.y + other.y) / 2);
    }
    this.moved();
  }

  /** The wheel scrolls the page unless the stage has the focus or Ctrl is held. */
  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && document.activeElement !== this.canvas) return;
    event.preventDefault();
    this.zoomAt(Math.exp(-event.deltaY * 0.0015), event.clientX, event.clientY);
    this.moved();
  }

  /** Zooms so that the point of the window at x, y stays where it is. */
  private zoomAt(factor: number, x: number, y: number): void {
    const box = this.canvas.getBoundingClientRect();
    const dx = (x - box.left - box.width / 2) / this.brush.scale;
    const dy = -(y - box.top - box.height / 2) / this.brush.scale;
    this.own = true;
    this.brush.x += dx * (1 - 1 / factor);
    this.brush.y += dy * (1 - 1 / factor);
    this.brush.scale *= factor;
  }
}

const DEPTHS = new WeakMap<Run, { body: number; shape: Drawn }[]>();

/** Shapes of bodies from the largest to the smallest, thin ones last: nothing hides what is smaller. */
function inDepth(run: Run): { body: number; shape: Drawn }[] {
  let list = DEPTHS.get(run);
  if (!list) {
    list = [...run.shapes()].filter(({ body }) => body >= 0);
    const area = (shape: Drawn) => (shape.kind === "rod" || shape.kind === "point" ? 0 : radiusOf(shape));
    list.sort((a, b) => area(b.shape) - area(a.shape));
    DEPTHS.set(run, list);
  }
  return list;
}

/** Distance of a point from a stretch between two others. */
function besides(a: Vec3, b: Vec3, p: Vec3): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const s = Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / Math.max(dx * dx + dy * dy, 1e-300)));
  return Math.hypot(p[0] - a[0] - s * dx, p[1] - a[1] - s * dy);
}

/** Whether a shape at a pose reaches a point, give or take `slack` metres. */
function covers(shape: Drawn, pose: ArrayLike<number>, at: Vec3, slack: number): boolean {
  const [x, y] = inFrame(pose, [at[0] - pose[0]!, at[1] - pose[1]!, 0]);
  const inside = (halfX: number, halfY: number) => Math.abs(x) <= halfX + slack && Math.abs(y) <= halfY + slack;
  switch (shape.kind) {
    case "plane": return false;
    case "point": return Math.hypot(x, y) <= slack;
    case "sphere":
    case "disk": return Math.hypot(x, y) <= shape.radius;
    case "ellipse":
    case "ellipsoid": return Math.hypot(x / shape.radii[0], y / shape.radii[1]) <= 1;
    case "box": return inside(shape.size[0] / 2, shape.size[1] / 2);
    case "cylinder": return inside(shape.radius, shape.length / 2);
    case "hull": {
      const xs = shape.corners.map((corner) => Math.abs(corner[0]));
      const ys = shape.corners.map((corner) => Math.abs(corner[1]));
      return inside(Math.max(...xs), Math.max(...ys));
    }
    case "rod": return inside(shape.length / 2, 0);
    case "capsule": return besides([-shape.length / 2, 0, 0], [shape.length / 2, 0, 0], [x, y, 0]) <= shape.radius;
  }
}

function include(box: Box, point: Vec3): void {
  box.x0 = Math.min(box.x0, point[0]);
  box.x1 = Math.max(box.x1, point[0]);
  box.y0 = Math.min(box.y0, point[1]);
  box.y1 = Math.max(box.y1, point[1]);
}

/** The point of a plane's line nearest to a point. */
function footOn(shape: Drawn, point: Vec3): Vec3 {
  const angle = planarAngle(shape.pose);
  const normal = [-Math.sin(angle), Math.cos(angle)] as const;
  const distance = (point[0] - shape.pose[0]) * normal[0] + (point[1] - shape.pose[1]) * normal[1];
  return [point[0] - distance * normal[0], point[1] - distance * normal[1], 0];
}

/** Whether a point of a body never moves, seen at some samples: then it is drawn with a support. */
function stays(run: Run, body: number, at: Vec3): boolean {
  const first = placed(run.poseAt(0, body), at);
  for (let k = 1; k <= 16; k++) {
    const now = placed(run.poseAt(Math.floor(((run.frames - 1) * k) / 16), body), at);
    if (Math.hypot(now[0] - first[0], now[1] - first[1]) > 1e-6 * (1 + Math.hypot(first[0], first[1]))) return false;
  }
  return true;
}
