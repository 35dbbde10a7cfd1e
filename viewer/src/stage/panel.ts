/** The stage with its buttons: which layers are shown, zoom, and what the arrows' lengths mean. */
import { ARROW, FAR, NO_SCALES, scalesOf, type Scales } from "../model/scales";
import type { Looks } from "../model/looks";
import type { Run } from "../model/run";
import { h, icon, iconButton } from "../ui/dom";
import { save } from "../ui/figure";
import { significant } from "../ui/numbers";
import type { Player } from "../ui/player";
import type { Theme } from "../ui/theme";
import { Hold, type Changes, type Grip } from "./drag";
import { PlanarView } from "./planar";
import { SpatialView } from "./spatial";
import { Inspector } from "./inspector";
import { Pace } from "./pace";
import { ANGLES, defaultLayers, LAYERS, type Layers, type Shown, type StageView } from "./view";

/** Impulses stay this long on the screen, s of the reader's time. */
const HOLD = 0.3;
/** Pictures side by side. */
const MOST_VIEWS = 4;
/** A press that moves less than this is a click, px. */
const CLICK = 4;

export class StagePanel {
  readonly element: HTMLElement;
  /** One picture with ghosts, or one per run side by side; none without WebGL. */
  private views: StageView[] = [];
  private shown: Shown[] = [];
  private split = false;
  private layers: Layers = defaultLayers();
  private scales: Scales = NO_SCALES;
  private waiting = false;
  private drawn = false;
  private readonly scale = h("div.arrow-scale", { "aria-hidden": "true" });
  private readonly pace = new Pace();
  private readonly holder = h("div.stage-holder");
  readonly inspector: Inspector;
  private readonly cameras: HTMLElement;
  private space: string | null = null;
  /** Time of the last frames, ms, for the benchmark. */
  readonly cost: number[] = [];

  constructor(private readonly player: Player, private readonly theme: Theme) {
    const reset = iconButton("M2 6V2h4M14 6V2h-4M2 10v4h4M14 10v4h-4", "Show everything", () => this.fit(), "f");
    const closer = iconButton("M8 3v10M3 8h10", "Zoom in", () => this.zoom(1.25), "+");
    const farther = iconButton("M3 8h10", "Zoom out", () => this.zoom(0.8), "−");
    const save = iconButton("M8 2v8M4.5 6.5L8 10l3.5-3.5M2.5 13.5h11", "Save this picture as PNG", () => this.savePicture());
    const inspect = iconButton("M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 7.2V11M8 4.8v.4", "Inspect a body", () => this.inspector.open(this.inspector.body === null ? 0 : null), "b");
    this.inspector = new Inspector((body) => {
      for (const view of this.views) view.setChosen(body);
      this.inspector.tell(player.t, false);
      this.touch();
      this.chosen();
    });
    this.cameras = this.cameraMenu();
    this.element = h("section.panel.stage", { "aria-label": "Animation" },
      this.holder, this.told, h("div.stage-tools", {}, this.dragButton, this.layerMenu(), this.cameras, inspect, closer, farther, reset, save), this.scale, this.inspector.element);
    this.dragButton.hidden = true;
    this.showLooksChoice();
    player.onTime((t) => {
      if (this.dragging && t !== player.start) this.setDragging(false);
      this.inspector.tell(t, player.playing);
      this.touch();
    });
    // What was drawn coarsely while playing is drawn finely at rest.
    player.onMode(() => this.touch());
    theme.onChange((ink) => {
      for (const view of this.views) view.setInk(ink);
      this.touch();
    });
    new ResizeObserver(() => {
      for (const view of this.views) view.resized();
      this.touch();
    }).observe(this.holder);
  }

  /** The run that is looked at, then the ghosts. */
  show(shown: Shown[], fit: boolean): void {
    const run = shown[0]!.run;
    this.shown = shown;
    this.fitting = true;
    this.drop();
    const pictures = this.split ? shown.slice(0, MOST_VIEWS).map((one) => [{ ...one, colour: "" }]) : [shown];
    this.scales = scalesOf(run);
    const runs = shown.map((one) => one.run);
    // Side by side, arrows of the same length are forces of the same size.
    if (this.split) this.scales = widest(this.scales, runs.map(scalesOf));
    const fresh = this.space !== run.doc.space || this.views.length !== pictures.length;
    if (fresh) this.makeViews(run, pictures.length);
    if (fit) this.setLayer("follow", (this.follows = this.scales.extent > FAR * this.scales.mechanism));
    this.views.forEach((view, i) => {
      view.setLayers(this.layers);
      view.setRuns(pictures[i]!, fit || fresh, { runs, scales: this.scales });
      this.describe(view, pictures[i]![0]!);
    });
    this.fitting = false;
    this.align(this.views[0]);
    this.cameras.hidden = run.doc.space === "planar";
    this.inspector.show(run);
    this.inspector.tell(this.player.t, false);
    for (const view of this.views) view.setChosen(this.inspector.body);
    this.touch();
  }

  /** One picture per run, or all in one. */
  setSplit(split: boolean): void {
    if (split === this.split) return;
    this.split = split;
    if (this.shown.length > 0) this.show(this.shown, false);
  }

  fit(): void {
    this.views[0]?.fit();
    this.own = false;
    this.chosen();
  }

  zoom(factor: number): void { this.views[0]?.zoom(factor); }

  /** What robots look like; the runs are drawn again. */
  setLooks(looks: Looks | null): void {
    this.looks = looks;
    this.showLooksChoice();
    for (const view of this.views) view.setLooks(looks);
    if (this.shown.length > 0) this.show(this.shown, false);
  }
  private looks: Looks | null = null;

  private showLooksChoice(): void {
    const label = this.element.querySelector<HTMLElement>('input[data-layer="looks"]')?.parentElement;
    if (label) label.hidden = !this.looks?.any;
  }

  /** Bodies may be dragged to where they start: what can be changed, and what to do with new values. */
  letDrag(grips: () => Grip[], put: (changes: Changes) => void): void {
    this.grips = grips;
    this.put = put;
    this.dragButton.hidden = false;
  }
  private grips: () => Grip[] = () => [];
  private put: (changes: Changes) => void = () => {};
  private readonly dragButton = iconButton("M8 1.5v13M1.5 8h13M8 1.5L6 3.5M8 1.5l2 2M8 14.5l-2-2M8 14.5l2-2M1.5 8l2-2M1.5 8l2 2M14.5 8l-2-2M14.5 8l-2 2", "Drag bodies to set the start", () => this.setDragging(!this.dragging), "g");
  private dragging = false;

  /** Dragging moves bodies instead of the picture, at the start of the run. */
  setDragging(on: boolean): void {
    if (this.dragButton.hidden) return;
    this.dragging = on;
    this.dragButton.setAttribute("aria-pressed", String(on));
    this.element.classList.toggle("dragging", on);
    this.drop();
    if (!on) return;
    this.player.pause();
    this.player.seek(this.player.start);
  }

  /** What was being dragged is drawn where it is again. */
  drop(): void {
    for (const view of this.views) view.setPreview(null);
    this.told.hidden = true;
    this.touch();
  }
  private readonly told = h("output.drag-values", { hidden: true });

  /** Called when the reader chose what the stage shows, and from where. */
  onChoice(listener: () => void): void { this.chosen = listener; }
  private chosen: () => void = () => {};
  /** Whether the reader has moved the view. */
  private own = false;
  private fitting = false;

  /** What the address tells of the stage. */
  get choice(): { look?: readonly number[]; layers: string[]; body?: string } {
    const first = { ...defaultLayers(), follow: this.follows };
    const { body } = this.inspector;
    return {
      look: this.own ? this.views[0]?.look() : undefined, layers: LAYERS.map(({ key }) => key).filter((key) => this.layers[key] !== first[key]),
      body: body === null ? undefined : this.shown[0]?.run.doc.stage.bodies[body]?.name,
    };
  }
  /** Whether the centre of mass is followed at first. */
  private follows = false;

  /** Shows what an address tells. */
  recall({ look, layers = [], body }: { look?: readonly number[]; layers?: string[]; body?: string }): void {
    for (const { key } of LAYERS.filter((one) => layers.includes(one.key))) this.setLayer(key, !this.layers[key]);
    const index = this.shown[0]?.run.doc.stage.bodies.findIndex(({ name }) => name === body) ?? -1;
    if (index >= 0) this.inspector.open(index);
    const view = this.views[0];
    if (!look || !view || look.length !== view.look().length) return;
    view.setLook(look);
    this.own = true;
    this.align(view);
    this.touch();
  }

  /** Looks from one of the named angles, by its number from 0. */
  turn(which: number): void {
    const angle = ANGLES[which];
    if (angle) this.views[0]?.turn(angle);
  }

  /** The picture as an image for paper: what WebGL draws is gone when the printer asks for it. */
  snapshot(): void {
    for (const view of this.views) {
      view.setDetail(1);
      view.draw(this.player.t, HOLD * this.player.speed);
      const cell = view.canvas.parentElement!;
      cell.querySelector(".print-shot")?.remove();
      try {
        cell.append(h("img.print-shot", { src: view.canvas.toDataURL("image/png"), alt: "" }));
      } catch {
        // A canvas without a picture prints as it is.
      }
    }
  }

  /** The picture that is looked at, as a file. */
  private savePicture(): void {
    const view = this.views[0];
    if (!view) return;
    // WebGL forgets its picture as soon as it was shown: drawn and taken in one go.
    view.setDetail(1);
    view.draw(this.player.t, HOLD * this.player.speed);
    const name = this.shown[0]!.run.doc.name.replace(/\.[a-z]+$/i, "");
    view.canvas.toBlob((blob) => {
      if (blob) save(`${name}_${significant(this.player.t, 4)}s.png`, blob);
    });
  }

  private setLayer(key: keyof Layers, on: boolean): void {
    const box = this.element.querySelector<HTMLInputElement>(`input[data-layer="${key}"]`);
    if (box) box.checked = on;
    this.layers = { ...this.layers, [key]: on };
    for (const view of this.views) view.setLayers(this.layers);
    this.touch();
  }

  /** Draws in the next frame; a page at rest costs nothing. */
  touch(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  private makeViews(run: Run, count: number): void {
    for (const view of this.views) view.dispose();
    this.space = run.doc.space;
    this.holder.replaceChildren();
    try {
      const make = () => (run.doc.space === "planar" ? new PlanarView(this.theme.ink) : new SpatialView(this.theme.ink));
      this.views = Array.from({ length: count }, make);
    } catch (error) {
      this.views = [];
      this.holder.append(h("p.empty", {}, `The 3D picture needs WebGL, which this browser does not give: ${error instanceof Error ? error.message : error}. Everything else on this page works without it.`));
      return;
    }
    for (const view of this.views) {
      view.setLooks(this.looks);
      this.listenToDrags(view);
      this.listenToClicks(view);
      view.canvas.tabIndex = 0;
      view.canvas.setAttribute("role", "img");
      view.onMove(() => {
        this.align(view);
        this.touch();
        if (this.fitting) return;
        this.own = true;
        this.chosen();
      });
      this.holder.append(h("div.stage-cell", {}, view.canvas, h("span.stage-name", { hidden: count === 1 })));
    }
  }

  /** Drags of bodies; the view itself sees only what is left. */
  private listenToDrags(view: StageView): void {
    view.canvas.addEventListener("pointerdown", (event) => {
      const run = this.shown[0]?.run;
      const body = this.dragging && run && event.button === 0 ? view.pick(event.clientX, event.clientY) : null;
      const hold = body === null || !run ? null : Hold.of(view, run, body, this.grips(), event.shiftKey, event.clientX, event.clientY);
      if (!hold) return;
      // Before the camera's own listeners, which would turn the picture.
      event.preventDefault();
      event.stopImmediatePropagation();
      view.canvas.setPointerCapture(event.pointerId);
      this.follow(view, hold);
    }, { capture: true });
  }

  private follow(view: StageView, hold: Hold): void {
    let changes: Changes = [];
    const move = ({ clientX, clientY }: PointerEvent) => {
      const moved = hold.move(clientX, clientY);
      if (!moved) return;
      changes = moved.changes;
      view.setPreview(moved.preview);
      this.told.hidden = false;
      this.told.textContent = changes.map(([{ label, unit }, value]) => `${label} = ${significant(value, 4)}${unit ? ` ${unit}` : ""}`).join(", ");
      this.touch();
    };
    const end = () => {
      view.canvas.removeEventListener("pointermove", move);
      for (const kind of ["pointerup", "pointercancel"] as const) view.canvas.removeEventListener(kind, end);
      if (changes.length > 0) this.put(changes);
      else this.drop();
    };
    view.canvas.addEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel"] as const) view.canvas.addEventListener(kind, end);
  }

  /** A click that is no drag inspects the body under it. */
  private listenToClicks(view: StageView): void {
    let from: { x: number; y: number } | null = null;
    view.canvas.addEventListener("pointerdown", ({ clientX, clientY }) => (from = { x: clientX, y: clientY }));
    view.canvas.addEventListener("click", ({ clientX, clientY }) => {
      if (!from || Math.hypot(clientX - from.x, clientY - from.y) > CLICK) return;
      const body = view.pick(clientX, clientY);
      if (body !== null) this.inspector.open(body);
    });
  }

  private cameraMenu(): HTMLElement {
    const list = h("div.menu-list", { role: "group", "aria-label": "From where it is seen" });
    const summary = h("summary.icon", { "aria-label": "Camera", title: "Camera" });
    summary.append(icon("M2 4.5h8v7H2zM10 7l4-2v6l-4-2"));
    const menu = h<HTMLDetailsElement>("details.menu.cameras", {}, summary, list);
    ANGLES.forEach(({ name }, i) => list.append(h("button.small", { type: "button", onclick: () => {
      this.turn(i);
      menu.open = false;
    } }, `${name[0]!.toUpperCase()}${name.slice(1)}`, h("kbd", {}, String(i + 1)))));
    closeOutside(menu);
    return menu;
  }

  /** All pictures look where one of them looks; those that follow a body in space go their own ways. */
  private align(from: StageView | undefined): void {
    if (!from || (this.layers.follow && this.space === "spatial")) return;
    for (const view of this.views) if (view !== from) view.setLook(from.look());
  }

  private describe(view: StageView, { run, label }: Shown): void {
    const names = run.doc.stage.bodies.map((body) => body.name).join(", ");
    view.canvas.setAttribute("aria-label", `Animation of ${run.doc.title}${label && this.views.length > 1 ? `, ${label}` : ""}: ${names}`);
    const name = view.canvas.nextElementSibling;
    if (name) name.textContent = label ?? "";
  }

  private paint(): void {
    if (this.views.length === 0) return;
    const begin = performance.now();
    const detail = this.pace.detail(begin, this.player.playing);
    for (const view of this.views) {
      view.setDetail(detail);
      view.draw(this.player.t, HOLD * this.player.speed);
    }
    if (!this.drawn) performance.mark("carom-drawn");
    this.drawn = true;
    this.cost.push(performance.now() - begin);
    if (this.cost.length > 600) this.cost.shift();
    this.showScale();
  }

  /** Arrows of a round number of newtons and newton seconds, as long as they are in the middle of the picture. */
  private showScale(): void {
    const view = this.views[0];
    if (!view) return;
    const pixels = ARROW * this.scales.size * view.pixelsPerMetre();
    const rows: [boolean, string, number, string][] = [
      [this.layers.forces && this.scales.forces, "force", this.scales.force, "N"],
      [this.layers.impulses && this.scales.impulses, "impulse", this.scales.impulse, "N·s"],
      [this.layers.velocities, "velocity", this.scales.speed, "m/s"],
    ];
    const parts = rows.filter(([on]) => on).map(([, kind, value, unit]) => {
      let [length, amount] = [pixels, value];
      while (length > 110) [length, amount] = [length / 2, amount / 2];
      while (length < 28) [length, amount] = [length * 2, amount * 2];
      return `${kind}|${Math.round(length)}|${significant(amount, 3)} ${unit}`;
    });
    const step = view.gridStep();
    if (step !== null) parts.push(`grid|0|grid ${significant(step, 2)} m`);
    const key = parts.join(";");
    if (this.scale.dataset.key === key) return;
    this.scale.dataset.key = key;
    this.scale.replaceChildren(...parts.map((part) => {
      const [kind, length, text] = part.split("|");
      return h("div", {}, kind === "grid" ? null : h(`span.arrow.${kind}`, { style: `width:${length}px` }), text);
    }));
  }

  private layerMenu(): HTMLElement {
    const list = h("div.menu-list", { role: "group", "aria-label": "What is drawn" });
    for (const { key, label, hint } of LAYERS) {
      const box = h<HTMLInputElement>("input", { type: "checkbox", "data-layer": key, checked: this.layers[key] });
      box.addEventListener("change", () => {
        this.setLayer(key, box.checked);
        this.chosen();
      });
      list.append(h("label", { title: hint }, box, label));
    }
    const summary = h("summary.icon", { "aria-label": "What is drawn", title: "What is drawn" });
    summary.append(icon("M8 2l6 3.5L8 9 2 5.5zM2 8.5L8 12l6-3.5M2 11.5L8 15l6-3.5"));
    const menu = h<HTMLDetailsElement>("details.menu", {}, summary, list);
    closeOutside(menu);
    return menu;
  }
}

function closeOutside(menu: HTMLDetailsElement): void {
  document.addEventListener("pointerdown", (event) => {
    if (menu.open && !menu.contains(event.target as Node)) menu.open = false;
  });
}

/** Scales that suit all of several runs. */
function widest(first: Scales, all: Scales[]): Scales {
  const most = (of: (scales: Scales) => number) => Math.max(...all.map(of));
  return {
    ...first, extent: most((s) => s.extent), size: most((s) => s.size), force: most((s) => (s.forces ? s.force : 0)) || 1,
    impulse: most((s) => (s.impulses ? s.impulse : 0)) || 1, speed: most((s) => s.speed), forces: all.some((s) => s.forces), impulses: all.some((s) => s.impulses),
  };
}
