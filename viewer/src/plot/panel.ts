/** The plots: one per quantity and unit, under a common time cursor; what is shown is chosen by group and by series. */
import type { Group } from "../model/format";
import type { Run } from "../model/run";
import { h, iconButton } from "../ui/dom";
import { seconds, significant } from "../ui/numbers";
import { dash, fixedDash, fixedLook, seriesColour, type Ink } from "../ui/palette";
import type { Player } from "../ui/player";
import type { Theme } from "../ui/theme";
import type { Shown } from "../stage/view";
import { sheetsOf, type Sheet } from "./cards";
import { figureTools } from "../ui/figure";
import { isJump } from "./lens";
import { LinePlot, type Curve, type Stems } from "./lines";
import { isPlain, ModePlot } from "./modes";
import { pairsOf, PhasePlot, type Pair } from "./phase";
import { timesOf, valuesOf } from "./sampled";
import { SectionCard, type SectionWords } from "./section_card";
import { Window } from "./window";
import { XyCard, type Columns } from "./xy";

const TITLES: Record<Group, string> = {
  energy: "Energy", coordinates: "Coordinates", speeds: "Speeds", force: "Contact forces", gap: "Gaps",
  work: "Work and losses", torque: "Torques", other: "Other",
};
const ORDER: Group[] = ["energy", "coordinates", "speeds", "force", "gap", "work", "torque", "other"];
/** Series that are shown at first, per plot. */
const FIRST = 6;
/** The total is drawn in the colour of the text. */
const TOTAL = "energy.stored";

interface Card {
  group: Group;
  names: string[];
  hidden: Set<string>;
  /** Whether all its values are zero. */
  quiet: boolean;
  /** Largest value of all: what is nothing beside it is shown as nothing. */
  scale: number;
  plot: LinePlot;
  element: HTMLElement;
  values: Map<string, HTMLElement>;
  /** The contact whose impulses are shown as well. */
  site: number;
  title: string;
  unit: string;
}

export class PlotPanel {
  readonly element: HTMLElement;
  private readonly cards = new Map<string, Card>();
  private readonly off = new Set<string>(["work", "gap", "other", "phase", "xy", "section"]);
  private phases: { plot: PhasePlot; pair: Pair; element: HTMLElement }[] = [];
  private readonly xy: XyCard;
  private readonly section: SectionCard;
  /** Series that have moved in some run. */
  private readonly seen = new Set<string>();
  private sheets: Sheet[] = [];
  private readonly rest = h("span.note.rest");
  private readonly grid = h("div.plots");
  private readonly which = h("div.legend.which");
  private readonly chips = h("div.chips", { role: "group", "aria-label": "Which plots" });
  readonly window: Window;
  private readonly lensButton = h<HTMLButtonElement>("button.small.lens", { type: "button", "aria-pressed": "false", title: "An axis on which impacts have room and flights are short; play then slows down at impacts" }, "Impact lens");
  private modes: ModePlot | null = null;
  private shown: Shown[] = [];
  private waiting = false;
  private stale = 0;

  constructor(private readonly player: Player, private readonly theme: Theme) {
    this.window = new Window(player.start, player.end);
    this.window.onChange(() => this.touch());
    this.xy = new XyCard(theme, TITLES, this.window, () => {
      this.xy.draw(player.t);
      this.chosen();
    });
    this.section = new SectionCard(theme, TITLES, this.window, () => {
      this.section.draw();
      this.chosen();
    }, (t) => player.seek(t));
    this.lensButton.addEventListener("click", () => this.setLens(!this.window.lens));
    player.follow(() => {
      const { lens } = this.window;
      return lens && { at: (t) => lens.at(t), time: (x) => lens.time(x), duration: Math.min(40, 3 + 1.6 * lens.slots.length) };
    });
    const tools = h("div.row.tools", {}, this.rest, this.degreesButton,
      iconButton("M3 8h10", "Longer stretch of time", () => this.window.zoom(0.5, this.player.t)),
      iconButton("M8 3v10M3 8h10", "Shorter stretch of time, about the cursor", () => this.window.zoom(2, this.player.t)),
      this.lensButton,
      h("button.small", { type: "button", onclick: () => this.window.all(), title: "Double click on a plot does the same" }, "All"));
    this.element = h("section.panel.plots-panel#plots", { "aria-label": "Plots" },
      h("header.row", {}, h("h2", {}, "Plots"), this.chips, tools), this.which, this.grid);
    player.onTime((t) => this.moveCursor(t));
    theme.onChange(() => this.touch());
    new ResizeObserver(() => this.touch()).observe(this.grid);
  }

  /** Called when angles are wanted in degrees, or in radians again. */
  onDegrees(listener: (on: boolean) => void): void {
    this.degreesButton.addEventListener("click", () => listener(this.degreesButton.getAttribute("aria-pressed") !== "true"));
  }
  private readonly degreesButton = h<HTMLButtonElement>("button.small.lens", { type: "button", "aria-pressed": "false", title: "Angles in degrees instead of radians" }, "Degrees");

  /** Called when the reader chose what is plotted. */
  onChoice(listener: () => void): void {
    this.chosen = listener;
  }
  private chosen: () => void = () => {};

  /** The columns of the x–y plot; null while it is not shown. */
  get columns(): Columns | null {
    return this.off.has("xy") ? null : this.xy.columns;
  }

  /** What the section is of; null while it is not shown. */
  get sectionWords(): SectionWords | null {
    return this.off.has("section") ? null : this.section.words;
  }

  setSection(words: SectionWords): void {
    this.off.delete("section");
    this.section.choose(words);
    this.makeChips();
    this.arrange();
  }

  /** Kinds of plots that the reader switched on or off. */
  get choice(): string[] {
    return [...this.kinds()].filter((key) => key !== "xy" && key !== "section" && this.off.has(key) !== this.first.has(key));
  }
  /** What is off at first. */
  private first = new Set<string>();

  /** Switches kinds of plots as an address tells. */
  recall(kinds: string[]): void {
    for (const key of kinds) if (this.kinds().has(key) && !this.off.delete(key)) this.off.add(key);
    this.makeChips();
    this.arrange();
  }

  private kinds(): Set<string> {
    return new Set(this.entries().map(([key]) => key));
  }

  setColumns(columns: Columns): void {
    this.off.delete("xy");
    this.xy.choose(columns);
    this.makeChips();
    this.arrange();
  }

  /** Looks at impacts through the lens, or at plain time. */
  setLens(on: boolean): void {
    this.lensButton.setAttribute("aria-pressed", String(on));
    this.window.look(on ? this.shown[0]!.run : null);
  }

  show(shown: Shown[]): void {
    const before = this.shown[0]?.run;
    this.shown = shown;
    const runs = shown.map((s) => s.run);
    this.window.setRange(Math.min(...runs.map((r) => r.start)), Math.max(...runs.map((r) => r.end)), restOf(runs));
    const { rest, start, end } = runs[0]!;
    if (this.window.lens) this.window.look(runs[0]!);
    this.rest.textContent = rest !== null && rest < end ? `at rest from ${seconds(rest, end - start)} s` : "";
    this.degreesButton.hidden = !runs[0]!.hasAngles;
    this.degreesButton.setAttribute("aria-pressed", String(runs[0]!.degrees));
    this.xy.show(shown);
    this.section.show(shown);
    const sheets = sheetsOf(runs[0]!, this.seen);
    // Runs with the same quantities keep the reader's choice of plots.
    const same = before && before.sites.length === runs[0]!.sites.length && JSON.stringify(sheets) === JSON.stringify(this.sheets);
    this.sheets = sheets;
    if (!same) this.layout(runs[0]!);
    // Another run may close other contacts: the note beside the legend tells how many stay open.
    else if (ModePlot.rows(before).length !== ModePlot.rows(runs[0]!).length) this.arrange();
    this.lensButton.hidden = !runs[0]!.events.some(({ kind }) => isJump(kind));
    for (const card of this.cards.values()) card.scale = scaleOf(runs[0]!, card.names);
    this.touch();
  }

  /** Cards and chips for the quantities that the run has. */
  private layout(run: Run): void {
    this.cards.clear();
    for (const sheet of this.sheets) this.cards.set(sheet.key, this.makeCard(sheet, run));
    for (const group of ["force", "torque"] as const) if (!this.loud(group)) this.off.add(group);
    if (this.first.size === 0) this.first = new Set(this.off);
    this.phases = pairsOf(run).map((pair) => this.makePhase(pair, new PhasePlot(`Phase portrait of ${pair.title}: speed against coordinate`)));
    this.modes = run.sites.length > 0 ? new ModePlot(this.player, this.window) : null;
    this.makeChips();
    this.arrange();
  }

  private makeCard({ group, unit, of, series }: Sheet, run: Run): Card {
    const head = [TITLES[group], of].filter(Boolean).join(": ");
    const plot = new LinePlot(this.player, this.window, `${head}${unit ? ` / ${unit}` : ""} against time`);
    const names = series.map(({ name }) => name);
    const site = group === "force" ? run.sites.findIndex((s) => s.name === of) : -1;
    const struck = site >= 0 && impulsesOf(run, site, this.theme.ink).length > 0;
    const quiet = !struck && names.every((name) => run.series.find((s) => s.name === name)!.values.every((v) => v === 0));
    const card: Card = { group, names, hidden: new Set(names.slice(FIRST)), quiet, scale: 0, plot, element: h("figure.plot"), values: new Map(), site, title: head, unit };
    const legend = h("div.legend");
    series.forEach(({ name, label }) => {
      const value = h("output", {}, "");
      const swatch = h("span.swatch", { style: swatchStyle(lookOf(names, name), fixedDash(name)), "aria-hidden": "true" });
      const button = h("button.key", { type: "button", "aria-pressed": String(!card.hidden.has(name)), title: name }, swatch, h("span", {}, label), value);
      button.addEventListener("click", () => {
        if (!card.hidden.delete(name)) card.hidden.add(name);
        button.setAttribute("aria-pressed", String(!card.hidden.has(name)));
        this.touch();
      });
      card.values.set(name, value);
      legend.append(button);
    });
    if (struck) {
      const turning = unit === "N·m";
      legend.append(h("span.key", {}, h("span.stem", { "aria-hidden": "true" }), `normal ${turning ? "angular impulse / N·m·s" : "impulse / N·s"}, right`));
      if (impulsesOf(run, site, this.theme.ink).length > 1) legend.append(h("span.key", {}, h("span.stem.hollow", { "aria-hidden": "true" }), run.sites[site]!.tangent2 ? "tangential impulse (size)" : "tangential impulse"));
    }
    card.element.append(h("figcaption", {}, group === "force" && unit === "N·m" ? head.replace("Contact forces", "Torque of the stop") : head, unit ? h("span.unit", {}, ` / ${unit}`) : null), legend, plot.element, this.tools(card));
    return card;
  }

  private makePhase(pair: Pair, plot: PhasePlot): { plot: PhasePlot; pair: Pair; element: HTMLElement } {
    const { title } = pair;
    const redraw = () => this.drawPhases();
    const tools = figureTools({
      name: `phase ${title}`, title: `Phase portrait: ${title}`, canvases: [plot.canvas], redraw, theme: this.theme,
      table: () => {
        const run = this.shown[0]!.run;
        const at = timesOf(run, this.window.t0, this.window.t1, 1200);
        const own = pairsOf(run).find((one) => one.q.name === pair.q.name) ?? pair;
        const [q, v] = [valuesOf(own.q, at), valuesOf(own.v, at)];
        return { head: ["t / s", `${own.q.name} / ${own.q.unit}`, `${own.v.name} / (${own.v.unit})`], rows: at.t.map((t, i) => [t, q[i]!, v[i]!]) };
      },
    });
    return { plot, pair, element: h("figure.plot", {}, h("figcaption", {}, `Phase portrait: ${title}`), plot.canvas, tools) };
  }

  /** Buttons that save a plot. */
  private tools(card: Card): HTMLElement {
    return figureTools({
      name: card.title.replace(/[^\w]+/g, "_"), title: `${card.title}${card.unit ? ` / ${card.unit}` : ""}`, canvases: [card.plot.canvas], theme: this.theme,
      redraw: () => card.plot.draw(this.curves(card), this.theme.ink, this.stems(card)),
      legend: () => this.curves(card).filter((curve) => !curve.ghost).map(({ colour, dash: pattern, series }) => ({ colour, dash: pattern, label: series.label })),
      table: () => {
        const curves = this.curves(card).filter((curve) => !curve.ghost);
        const run = this.shown[0]!.run;
        const at = timesOf(run, this.window.t0, this.window.t1, 1200);
        const columns = curves.map(({ series }) => valuesOf(series, at));
        return { head: ["t / s", ...curves.map(({ series }) => `${series.name}${series.unit ? ` / ${series.unit}` : ""}`)], rows: at.t.map((t, i) => [t, ...columns.map((column) => column[i]!)]) };
      },
    });
  }

  private stems(card: Card): Stems[] {
    return card.site >= 0 ? impulsesOf(this.shown[0]!.run, card.site, this.theme.ink) : [];
  }

  private drawPhases(): void {
    const run = this.shown[0]!.run;
    const pairs = pairsOf(run);
    if (this.xy.element.isConnected) this.xy.draw(this.player.t);
    if (this.section.element.isConnected) this.section.draw();
    for (const { plot, pair: drawn, element } of this.phases) {
      const pair = pairs.find(({ q }) => q.name === drawn.q.name);
      const ghosts = this.shown.slice(1).flatMap((one) => {
        const own = pairsOf(one.run).find(({ q }) => q.name === drawn.q.name);
        return own ? [{ run: one.run, pair: own, colour: one.colour }] : [];
      });
      if (element.isConnected && pair) plot.draw({ run, pair, colour: ghosts.length > 0 ? this.theme.ink.text : "" }, ghosts, this.player.t, this.window, this.theme.ink);
    }
  }

  /** Kinds of plots with their names. */
  private entries(): [string, string][] {
    const groups = ORDER.filter((group) => [...this.cards.values()].some((card) => card.group === group));
    const entries: [string, string][] = groups.map((group) => [group, TITLES[group]]);
    if (this.modes) entries.unshift(["modes", "Modes"]);
    if (this.phases.length > 0) entries.push(["phase", "Phase portraits"]);
    entries.push(["xy", "x–y"], ["section", "Section"]);
    return entries;
  }

  private makeChips(): void {
    this.chips.replaceChildren(...this.entries().map(([key, label]) => {
      const chip = h("button.chip", { type: "button", "aria-pressed": String(!this.off.has(key)) }, label);
      chip.addEventListener("click", () => {
        if (!this.off.delete(key)) this.off.add(key);
        chip.setAttribute("aria-pressed", String(!this.off.has(key)));
        this.arrange();
        this.chosen();
      });
      return chip;
    }));
  }

  private arrange(): void {
    const cards = [...this.cards.values()].filter((card) => !this.off.has(card.group) && !(card.quiet && this.loud(card.group)));
    cards.sort((a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group));
    const modes = this.modes && !this.off.has("modes") ? [this.modeCard(this.modes)] : [];
    const phases = this.off.has("phase") ? [] : this.phases.map(({ element }) => element);
    this.grid.replaceChildren(...modes, ...cards.map((card) => card.element), ...phases, ...(this.off.has("xy") ? [] : [this.xy.element]), ...(this.off.has("section") ? [] : [this.section.element]));
    this.touch();
  }

  /** Whether some plot of a group shows more than zeros. */
  private loud(group: Group): boolean {
    return [...this.cards.values()].some((card) => card.group === group && !card.quiet);
  }

  private modeCard(modes: ModePlot): HTMLElement {
    const rows = ModePlot.rows(this.shown[0]!.run);
    const plain = rows.filter(isPlain).length;
    const words = ["open", ...(plain < rows.length ? ["stick", "slip"] : []), ...(plain > 0 ? ["closed"] : [])];
    const keys = words.map((mode) => h("span.key", {}, h(`span.block.${mode}`), mode));
    const run = this.shown[0]!.run;
    const left = run.sites.length - ModePlot.rows(run).length;
    if (left > 0) keys.push(h("span.note", {}, `${left} more ${left === 1 ? "stays" : "stay"} open`));
    return h("figure.plot.modes", {}, h("figcaption", {}, "Contact modes"), h("div.legend", {}, ...keys), modes.element);
  }

  /** Draws in the next frame; a page at rest costs nothing. */
  private touch(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  drawNow(): void {
    this.draw(true);
  }

  /** What is on the screen at once, the rest after it: while a value is changed, nobody waits for plots out of sight. */
  private draw(all = false): void {
    if (this.shown.length === 0 || this.grid.clientWidth === 0) return;
    const { ink } = this.theme;
    this.which.replaceChildren(...this.runKeys());
    const cards = [...this.cards.values()].filter(({ element }) => element.isConnected);
    const near = new Set(all ? cards : cards.filter(({ element }) => onScreen(element)));
    for (const card of near) card.plot.draw(this.curves(card), ink, this.stems(card));
    if (this.modes?.element.isConnected) this.modes.draw(this.shown, ink);
    const round = ++this.round;
    const rest = () => {
      if (round !== this.round) return;
      for (const card of cards) if (!near.has(card)) card.plot.draw(this.curves(card), this.theme.ink, this.stems(card));
      this.moveCursor(this.player.t);
    };
    if (all) rest();
    else idle(rest);
    for (const swatch of this.grid.querySelectorAll<HTMLElement>(".swatch[style]")) swatch.style.color = this.colour(Number(swatch.style.getPropertyValue("--i")), 0);
    this.stale = 0;
    this.moveCursor(this.player.t);
  }

  private round = 0;

  private curves(card: Card): Curve[] {
    return this.shown.flatMap(({ run }, which) =>
      card.names.flatMap((name) => {
        const series = card.hidden.has(name) ? undefined : run.series.find((s) => s.name === name);
        if (!series) return [];
        const look = lookOf(card.names, name);
        const lines = look < 0 ? [] : fixedDash(name) ?? dash(look);
        return [{ run, series, colour: this.colour(look, which), dash: lines, ghost: which > 0, strong: look < 0 }];
      }));
  }

  /** Of one run, series differ in colour and dash; of several, runs differ in colour and series in dash. */
  private colour(look: number, which: number): string {
    if (this.shown.length === 1) return colourOf(look, this.theme.ink);
    return which === 0 ? this.theme.ink.text : this.shown[which]!.colour;
  }

  /** Which colour is which run. */
  private runKeys(): HTMLElement[] {
    if (this.shown.length === 1) return [];
    return this.shown.map(({ label }, which) => h("span.key", {}, h("span.swatch", { style: `background:${this.colour(0, which)}`, "aria-hidden": "true" }), label ?? `run ${which + 1}`));
  }

  /** The cursor moves in every frame, the numbers ten times a second. */
  private moveCursor(t: number): void {
    if (this.shown.length === 0) return;
    if (this.player.playing && this.window.zoomed) this.window.reveal(t);
    for (const card of this.cards.values()) if (card.element.isConnected) card.plot.cursor(t);
    this.modes?.cursor(t);
    this.drawPhases();
    const now = performance.now();
    if (this.player.playing && now - this.stale < 100) return;
    this.stale = now;
    const run = this.shown[0]!.run;
    const place = run.placeOf(t);
    for (const card of this.cards.values()) {
      if (!card.element.isConnected) continue;
      for (const [name, output] of card.values) {
        const series = run.series.find((s) => s.name === name);
        const value = series && !card.hidden.has(name) ? run.valueAt(series, place) : null;
        output.textContent = value === null ? "" : Math.abs(value) < 1e-10 * card.scale ? "0" : significant(value, 4);
      }
    }
  }
}

/** Does something once the picture is on the screen and nothing else is to be done, but soon. */
function idle(then: () => void): void {
  if ("requestIdleCallback" in globalThis) requestAnimationFrame(() => requestIdleCallback(then, { timeout: 300 }));
  else requestAnimationFrame(() => setTimeout(then));
}

/** Impulses of a contact: normal, and tangential if there is friction. */
function impulsesOf(run: Run, site: number, ink: Ink): Stems[] {
  const normal: Stems = { label: "normal impulse", unit: "N·s", colour: ink.impulse, hollow: false, t: [], y: [] };
  const tangential: Stems = { label: "tangential impulse", unit: "N·s", colour: ink.impulse, hollow: true, t: [], y: [] };
  const spatial = run.sites[site]!.tangent2 !== null;
  for (const { t, kind, contacts } of run.events) {
    if (!isJump(kind)) continue;
    for (const { site: own, impulse } of contacts) {
      if (own !== site || impulse[2] === 0) continue;
      normal.t.push(t);
      normal.y.push(impulse[2]);
      tangential.t.push(t);
      tangential.y.push(spatial ? Math.hypot(impulse[0], impulse[1]) : impulse[0]);
    }
  }
  if (normal.t.length === 0) return [];
  const most = Math.max(...normal.y);
  return tangential.y.some((p) => Math.abs(p) > 1e-10 * most) ? [normal, tangential] : [normal];
}

/** Largest absolute value of some series. */
function scaleOf(run: Run, names: string[]): number {
  let scale = 0;
  for (const series of run.series) if (names.includes(series.name)) for (const value of series.values) scale = Math.max(scale, Math.abs(value));
  return scale;
}

/** The time from which no run moves; null if one does not rest. */
function restOf(runs: Run[]): number | null {
  const rests = runs.map((run) => run.rest);
  return rests.some((rest) => rest === null) ? null : Math.max(...(rests as number[]));
}

/** The number of a series among those that have a colour; −1 for the total. */
function lookOf(names: string[], name: string): number {
  const own = names.length <= 4 ? fixedLook(name) : null;
  if (own !== null) return own;
  return names.indexOf(name) - (names[0] === TOTAL ? 1 : 0);
}

function colourOf(look: number, ink: Ink): string {
  return look < 0 ? ink.text : seriesColour(look, ink.dark);
}

/** A line in the dash pattern of the series, painted in `currentColor`. */
function swatchStyle(index: number, own: number[] | null): string {
  const pattern = index < 0 ? [] : own ?? dash(index);
  if (pattern.length === 0) return `--i:${index};background:currentColor`;
  let at = 0;
  const stops = pattern.flatMap((length, k) => {
    const from = at;
    at += length;
    return k % 2 === 0 ? [`currentColor ${from}px ${at}px`] : [`transparent ${from}px ${at}px`];
  });
  return `--i:${index};background:repeating-linear-gradient(90deg,${stops.join(",")})`;
}

/** Whether some of an element is in the window. */
function onScreen(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
