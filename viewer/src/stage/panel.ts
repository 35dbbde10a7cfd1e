/** The stage with its buttons: which layers are shown, zoom, and what the arrows' lengths mean. */
import { ARROW, FAR, NO_SCALES, scalesOf, type Scales } from "../model/scales";
import type { Run } from "../model/run";
import { h, icon, iconButton } from "../ui/dom";
import { significant } from "../ui/numbers";
import type { Player } from "../ui/player";
import type { Theme } from "../ui/theme";
import { PlanarView } from "./planar";
import { SpatialView } from "./spatial";
import { Pace } from "./pace";
import { defaultLayers, LAYERS, type Layers, type Shown, type StageView } from "./view";

/** Impulses stay this long on the screen, s of the reader's time. */
const HOLD = 0.3;

export class StagePanel {
  readonly element: HTMLElement;
  private view: StageView | null = null;
  private layers: Layers = defaultLayers();
  private scales: Scales = NO_SCALES;
  private waiting = false;
  private drawn = false;
  private readonly scale = h("div.arrow-scale", { "aria-hidden": "true" });
  private readonly pace = new Pace();
  private readonly holder = h("div.stage-holder");
  private space: string | null = null;
  /** Time of the last frames, ms, for the benchmark. */
  readonly cost: number[] = [];

  constructor(private readonly player: Player, private readonly theme: Theme) {
    const reset = iconButton("M2 6V2h4M14 6V2h-4M2 10v4h4M14 10v4h-4", "Show everything", () => this.view?.fit(), "f");
    const closer = iconButton("M8 3v10M3 8h10", "Zoom in", () => this.view?.zoom(1.25), "+");
    const farther = iconButton("M3 8h10", "Zoom out", () => this.view?.zoom(0.8), "−");
    this.element = h("section.panel.stage", { "aria-label": "Animation" },
      this.holder, h("div.stage-tools", {}, this.layerMenu(), closer, farther, reset), this.scale);
    player.onTime(() => this.touch());
    // What was drawn coarsely while playing is drawn finely at rest.
    player.onMode(() => this.touch());
    theme.onChange((ink) => {
      this.view?.setInk(ink);
      this.touch();
    });
    new ResizeObserver(() => {
      this.view?.resized();
      this.touch();
    }).observe(this.holder);
  }

  /** The run that is looked at, then the ghosts. */
  show(shown: Shown[], fit: boolean): void {
    const run = shown[0]!.run;
    this.scales = scalesOf(run);
    if (this.space !== run.doc.space) this.makeView(run);
    if (fit) this.setLayer("follow", this.scales.extent > FAR * this.scales.mechanism);
    this.view?.setLayers(this.layers);
    this.view?.setRuns(shown, fit);
    this.describe(run);
    this.touch();
  }

  fit(): void { this.view?.fit(); }
  zoom(factor: number): void { this.view?.zoom(factor); }

  private setLayer(key: keyof Layers, on: boolean): void {
    const box = this.element.querySelector<HTMLInputElement>(`input[data-layer="${key}"]`);
    if (box) box.checked = on;
    this.layers = { ...this.layers, [key]: on };
    this.view?.setLayers(this.layers);
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

  private makeView(run: Run): void {
    this.view?.dispose();
    this.space = run.doc.space;
    this.holder.replaceChildren();
    try {
      this.view = run.doc.space === "planar" ? new PlanarView(this.theme.ink) : new SpatialView(this.theme.ink);
    } catch (error) {
      this.view = null;
      this.holder.append(h("p.empty", {}, `The 3D picture needs WebGL, which this browser does not give: ${error instanceof Error ? error.message : error}. Everything else on this page works without it.`));
      return;
    }
    this.view.canvas.tabIndex = 0;
    this.view.canvas.setAttribute("role", "img");
    this.view.onMove(() => this.touch());
    this.holder.append(this.view.canvas);
  }

  private describe(run: Run): void {
    const names = run.doc.stage.bodies.map((body) => body.name).join(", ");
    this.view?.canvas.setAttribute("aria-label", `Animation of ${run.doc.title}: ${names}`);
  }

  private paint(): void {
    if (!this.view) return;
    const begin = performance.now();
    this.view.setDetail(this.pace.detail(begin, this.player.playing));
    this.view.draw(this.player.t, HOLD * this.player.speed);
    if (!this.drawn) performance.mark("carom-drawn");
    this.drawn = true;
    this.cost.push(performance.now() - begin);
    if (this.cost.length > 600) this.cost.shift();
    this.showScale();
  }

  /** Arrows of a round number of newtons and newton seconds, as long as they are in the middle of the picture. */
  private showScale(): void {
    if (!this.view) return;
    const pixels = ARROW * this.scales.size * this.view.pixelsPerMetre();
    const rows: [boolean, string, number, string][] = [
      [this.layers.forces && this.scales.forces, "force", this.scales.force, "N"],
      [this.layers.impulses && this.scales.impulses, "impulse", this.scales.impulse, "N·s"],
    ];
    const parts = rows.filter(([on]) => on).map(([, kind, value, unit]) => {
      let [length, amount] = [pixels, value];
      while (length > 110) [length, amount] = [length / 2, amount / 2];
      while (length < 28) [length, amount] = [length * 2, amount * 2];
      return `${kind}|${Math.round(length)}|${significant(amount, 3)} ${unit}`;
    });
    const step = this.view.gridStep();
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
      });
      list.append(h("label", { title: hint }, box, label));
    }
    const summary = h("summary.icon", { "aria-label": "What is drawn", title: "What is drawn" });
    summary.append(icon("M8 2l6 3.5L8 9 2 5.5zM2 8.5L8 12l6-3.5M2 11.5L8 15l6-3.5"));
    const menu = h<HTMLDetailsElement>("details.menu", {}, summary, list);
    document.addEventListener("pointerdown", (event) => {
      if (menu.open && !menu.contains(event.target as Node)) menu.open = false;
    });
    return menu;
  }
}
