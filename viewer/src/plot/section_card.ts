/** The plot of a section: by what it is cut, and which columns are looked at there. */
import type { Group } from "../model/format";
import type { Run, Series } from "../model/run";
import type { Shown } from "../stage/view";
import { h } from "../ui/dom";
import { figureTools } from "../ui/figure";
import { seconds } from "../ui/numbers";
import type { Theme } from "../ui/theme";
import { isElsewhere, sized } from "./frame";
import { Plane } from "./path";
import { spread } from "./phase";
import { cuts, MOST, type Cut, type Direction, type Where } from "./section";
import { columnOptions, columnsOf } from "./xy";

/** Where, level or period, direction or side, x, y: words of the address. */
export type SectionWords = string[];

/** The vertical axis of a return map: the column of the horizontal one at the next point. */
const NEXT = "next";

interface Point { t: number; x: number; y: number }

export class SectionCard {
  readonly element: HTMLElement;
  private readonly canvas = h<HTMLCanvasElement>("canvas.phase", { role: "img" });
  private readonly where = h<HTMLSelectElement>("select", { "aria-label": "Where the motion is cut" });
  private readonly level = h<HTMLInputElement>("input", { type: "number", step: "any", value: 0, "aria-label": "Level" });
  private readonly how = h<HTMLSelectElement>("select", { "aria-label": "Which way, or which side" });
  private readonly x = h<HTMLSelectElement>("select", { "aria-label": "Horizontal axis of the section" });
  private readonly y = h<HTMLSelectElement>("select", { "aria-label": "Vertical axis of the section" });
  private readonly count = h("span.note.section-count");
  private shown: Shown[] = [];
  private known: { key: string; sets: { points: Point[]; colour: string }[] } = { key: "", sets: [] };
  private drawn = "";

  constructor(private readonly theme: Theme, private readonly titles: Record<Group, string>, private readonly window: { t0: number; t1: number }, changed: () => void, seek: (t: number) => void) {
    this.where.addEventListener("change", () => this.ask());
    for (const field of [this.where, this.how, this.x, this.y, this.level]) field.addEventListener("change", changed);
    this.canvas.addEventListener("click", (event) => {
      const point = this.near(event);
      if (point) seek(point.t);
    });
    const tools = figureTools({
      name: "section", title: "Poincaré section", canvases: [this.canvas], theme, redraw: () => this.draw(),
      table: () => ({ head: ["n", "t / s", this.name(this.x.value), this.y.value === NEXT ? `${this.name(this.x.value)}, next` : this.name(this.y.value)], rows: (this.sets()[0]?.points ?? []).map(({ t, x, y }, i) => [i + 1, t, x, y]) }),
    });
    this.element = h("figure.plot.xy.section", {}, h("figcaption", {}, "Poincaré section ", this.count),
      h("div.row.axes", {}, h("label.row", {}, "at", this.where), this.how, this.level, h("label.row", {}, "y", this.y), h("label.row", {}, "x", this.x)), this.canvas, tools);
  }

  get words(): SectionWords {
    return [this.where.value, this.level.value, this.how.value, this.x.value, this.y.value];
  }

  choose([where, level, how, x, y]: SectionWords): void {
    pick(this.where, where);
    this.ask();
    if (level !== undefined && Number.isFinite(Number(level))) this.level.value = level;
    pick(this.how, how);
    pick(this.x, x);
    pick(this.y, y);
  }

  /** Another run keeps the choice as far as it has these columns and events. */
  show(shown: Shown[]): void {
    const first = this.shown.length === 0;
    const before = this.words;
    this.shown = shown;
    const { run } = shown[0]!;
    this.where.replaceChildren(
      h("optgroup", { label: "Events" }, ...eventKinds(run).map(([value, label]) => h("option", { value }, label))),
      h("optgroup", { label: "Time" }, h("option", { value: "period" }, "every period")),
      ...columnOptions(run, this.titles, "crossing of "));
    const options = () => columnOptions(run, this.titles, "");
    this.x.replaceChildren(...options());
    this.y.replaceChildren(h("option", { value: NEXT }, "x at the next point (return map)"), ...options());
    this.choose(first ? usual(run) : before);
    this.ask();
  }

  /** Fields that the chosen way of cutting needs. */
  private ask(): void {
    const event = this.where.value.startsWith("event:");
    const period = this.where.value === "period";
    const before = this.how.value;
    this.how.replaceChildren(...(event ? [["before", "just before"], ["after", "just after"]] : [["up", "rising"], ["down", "falling"], ["both", "both ways"]]).map(([value, label]) => h("option", { value }, label!)));
    pick(this.how, before);
    this.how.hidden = period;
    this.level.hidden = event;
    this.level.setAttribute("aria-label", period ? "Period, s" : "Level");
    if (period && !(Number(this.level.value) > 0)) this.level.value = "1";
  }

  private name(column: string): string {
    const series = columnsOf(this.shown[0]!.run).find((one) => one.name === column);
    return series ? `${series.label}${series.unit ? ` / ${series.unit}` : ""}` : column;
  }

  private whereIn(run: Run): Where | null {
    const level = Number(this.level.value);
    if (this.where.value === "period") return { by: "period", period: level };
    if (this.where.value.startsWith("event:")) {
      const [, kind, site] = this.where.value.split(":") as [string, string, string?];
      const index = site ? run.sites.findIndex((one) => one.name === decodeURIComponent(site)) : null;
      return index === -1 ? null : { by: "event", kind, site: index, before: this.how.value === "before" };
    }
    const series = columnsOf(run).find((one) => one.name === this.where.value);
    return series ? { by: "column", series, level, direction: this.how.value as Direction } : null;
  }

  /** Points of each run; computed again only if something has changed. */
  private sets(): { points: Point[]; colour: string }[] {
    const { t0, t1 } = this.window;
    const key = [...this.words, t0, t1, ...this.shown.map(({ run, colour }) => `${run.doc.summary.result_hash} ${run.degrees} ${colour}`)].join("|");
    if (key !== this.known.key) this.known = { key, sets: this.shown.map(({ run, colour }) => ({ points: this.pointsOf(run), colour })) };
    return this.known.sets;
  }

  private pointsOf(run: Run): Point[] {
    const where = this.whereIn(run);
    const find = (name: string) => columnsOf(run).find((one) => one.name === name);
    const [x, y] = [find(this.x.value), this.y.value === NEXT ? find(this.x.value) : find(this.y.value)];
    if (!where || !x || !y) return [];
    const list = cuts(run, where, this.window.t0, this.window.t1);
    const value = (series: Series, { t, place }: Cut) => (series.name === "t" ? t : run.valueAt(series, place));
    const next = this.y.value === NEXT ? 1 : 0;
    return list.slice(0, list.length - next).map((cut, i) => ({ t: cut.t, x: value(x, cut), y: value(y, list[i + next]!) }));
  }

  draw(): void {
    const sets = this.sets();
    const { ink } = this.theme;
    const key = [this.known.key, ink.dark, this.canvas.clientWidth].join("|");
    const area = this.drawn === key && !isElsewhere() ? null : sized(this.canvas);
    if (!area) return;
    this.drawn = key;
    const all = sets.flatMap(({ points }) => points);
    const { length } = sets[0]!.points;
    this.count.textContent = length === 0 ? "no point in this stretch of time" : `${length}${length >= MOST ? " (the first)" : ""} ${length === 1 ? "point" : "points"}`;
    const labels = [this.name(this.x.value), this.y.value === NEXT ? "x at the next point" : this.name(this.y.value)] as const;
    this.canvas.setAttribute("aria-label", `Poincaré section: ${labels[1]} against ${labels[0]}, ${length} points`);
    const none = { low: -1, high: 1 };
    const [xs, ys] = [all.length > 0 ? spread(all.map(({ x }) => x)) : none, all.length > 0 ? spread(all.map(({ y }) => y)) : none];
    const [wide, tall] = this.y.value === NEXT ? [join(xs, ys), join(xs, ys)] : [xs, ys];
    const plane = new Plane(area.ctx, area.width, area.height, wide, tall);
    plane.axes(labels[0], labels[1], ink, false);
    if (this.y.value === NEXT) {
      area.ctx.setLineDash([2, 3]);
      plane.polyline([wide.low, wide.high], [wide.low, wide.high], ink.axis, 1);
      area.ctx.setLineDash([]);
    }
    this.plane = plane;
    for (const [i, { points, colour }] of [...sets.entries()].reverse()) {
      const radius = points.length > 600 ? 1.3 : points.length > 60 ? 2.2 : 3.5;
      points.forEach(({ x, y }, n) => {
        // Later points are stronger: what settles stands out.
        area.ctx.globalAlpha = 0.35 + 0.65 * ((n + 1) / points.length);
        plane.dot(x, y, radius, i === 0 ? ink.accent : colour, "transparent");
      });
    }
    area.ctx.globalAlpha = 1;
  }
  private plane: Plane | null = null;

  /** The point of the run that is looked at next to a click, within a few pixels. */
  private near({ offsetX, offsetY }: MouseEvent): Point | null {
    const { plane } = this;
    if (!plane) return null;
    const far = ({ x, y }: Point) => Math.hypot(plane.x(x) - offsetX, plane.y(y) - offsetY);
    const points = this.sets()[0]?.points ?? [];
    const best = points.reduce<Point | null>((near, next) => (near === null || far(next) < far(near) ? next : near), null);
    if (best) this.canvas.title = `t = ${seconds(best.t, this.window.t1 - this.window.t0)} s`;
    return best && far(best) < 12 ? best : null;
  }
}

function join(a: { low: number; high: number }, b: { low: number; high: number }): { low: number; high: number } {
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}

function pick(select: HTMLSelectElement, value: string | undefined): void {
  if (value !== undefined && [...select.options].some((option) => option.value === value)) select.value = value;
}

/** Kinds of events, at all contacts and at each. */
function eventKinds(run: Run): [string, string][] {
  const found = new Map<string, Set<number>>();
  for (const { kind, contacts } of run.events) {
    const sites = found.get(kind) ?? new Set<number>();
    found.set(kind, sites);
    for (const { site } of contacts) sites.add(site);
  }
  return [...found].flatMap(([kind, sites]): [string, string][] => [[`event:${kind}`, `every ${kind}`],
    ...(run.sites.length > 1 ? [...sites].sort((a, b) => a - b).map((site): [string, string] => [`event:${kind}:${encodeURIComponent(run.sites[site]!.name)}`, `${kind} at ${run.sites[site]!.name}`]) : [])]);
}

/** Impacts if there are any, speed against coordinate just after them. */
function usual(run: Run): SectionWords {
  const kind = run.events.find((event) => event.kind === "impact")?.kind ?? run.events[0]?.kind;
  const speeds = run.series.filter(({ group, values }) => group === "speeds" && values.some((x) => x !== values[0]));
  const coordinates = run.series.filter(({ group, values }) => group === "coordinates" && values.some((x) => x !== values[0]));
  return [kind ? `event:${kind}` : "period", "0", kind ? "after" : "up", (kind ? speeds[0] ?? coordinates[0] : coordinates[0])?.name ?? "t", (kind ? undefined : speeds[0]?.name) ?? NEXT];
}
