/** Any column of a run against any other. */
import type { Group } from "../model/format";
import type { Run, Series } from "../model/run";
import type { Shown } from "../stage/view";
import { h } from "../ui/dom";
import { figureTools } from "../ui/figure";
import type { Theme } from "../ui/theme";
import { isElsewhere, sized } from "./frame";
import { Plane } from "./path";
import { PhasePlot, type Pair } from "./phase";
import { slopesOf, timesOf, valuesOf } from "./sampled";
import { spectrum } from "./spectrum";

/** What is shown of the vertical column. */
type Sort = "value" | "rate" | "spectrum";
const SORTS: [Sort, string][] = [["value", "value"], ["rate", "rate of change"], ["spectrum", "spectrum"]];

/** Names of the two columns, and what is shown of the second. */
export type Columns = [x: string, y: string, of?: string];

const TIME = "t";
const times = new WeakMap<Run, Series>();

/** Every column, time first: between its values time is time itself. */
export function columnsOf(run: Run): Series[] {
  let time = times.get(run);
  if (!time) times.set(run, (time = { name: TIME, group: "other", unit: "s", label: "time", values: run.t }));
  return [time, ...run.series];
}

/** Every column as an option, by group. */
export function columnOptions(run: Run, titles: Record<Group, string>, prefix: string): HTMLElement[] {
  const columns = columnsOf(run);
  const groups = [...new Set(columns.map(({ group }) => group))];
  return groups.map((group) => h("optgroup", { label: group === "other" ? "Other" : titles[group] },
    ...columns.filter((one) => one.group === group).map(({ name, label, unit }) => h("option", { value: name }, `${prefix}${unit ? `${label} / ${unit}` : label}`))));
}

export class XyCard {
  readonly element: HTMLElement;
  private readonly plot = new PhasePlot("One column against another");
  private readonly x = h<HTMLSelectElement>("select", { "aria-label": "Horizontal axis" });
  private readonly y = h<HTMLSelectElement>("select", { "aria-label": "Vertical axis" });
  private readonly sort = h<HTMLSelectElement>("select", { "aria-label": "What of the vertical column" }, ...SORTS.map(([value, label]) => h("option", { value }, label)));
  private shown: Shown[] = [];

  constructor(private readonly theme: Theme, private readonly titles: Record<Group, string>, private readonly window: { t0: number; t1: number }, changed: () => void) {
    for (const select of [this.x, this.y, this.sort]) select.addEventListener("change", changed);
    const swap = h("button.small", { type: "button", title: "Exchange the axes", onclick: () => {
      [this.x.value, this.y.value] = [this.y.value, this.x.value];
      changed();
    } }, "⇄");
    const tools = figureTools({
      name: "xy", title: "One column against another", canvases: [this.plot.canvas], theme, redraw: () => this.draw(this.t),
      table: () => {
        const { run } = this.shown[0]!;
        const { q, v, rate } = this.pair(run)!;
        const head = (series: Series) => `${series.name}${series.unit ? ` / ${series.unit}` : ""}`;
        if (this.sort.value === "spectrum") {
          const { f, a } = spectrum(run, v, window.t0, window.t1);
          return { head: ["f / Hz", `amplitude of ${head(v)}`], rows: f.map((x, i) => [x, a[i]!]) };
        }
        const at = timesOf(run, window.t0, window.t1, 1200);
        const [xs, ys] = [valuesOf(q, at), rate ? slopesOf(run, v, at) : valuesOf(v, at)];
        return { head: ["t / s", head(q), rate ? `rate of ${head(v)}/s` : head(v)], rows: at.t.map((t, i) => [t, xs[i]!, ys[i]!]) };
      },
    });
    this.element = h("figure.plot.xy", {}, h("figcaption", {}, "x–y"),
      h("div.row.axes", {}, h("label.row", {}, "y", this.y), this.sort, h("label.row", {}, "x", this.x), swap), this.plot.canvas, tools);
  }
  private t = 0;

  /** Columns that are chosen. */
  get columns(): Columns {
    return [this.x.value, this.y.value, ...(this.sort.value === "value" ? [] : [this.sort.value])] as Columns;
  }

  choose([x, y, of]: Columns): void {
    if (SORTS.some(([sort]) => sort === of)) this.sort.value = of!;
    const has = (name: string) => [...this.x.options].some((option) => option.value === name);
    if (has(x)) this.x.value = x;
    if (has(y)) this.y.value = y;
  }

  /** Another run keeps the choice as far as it has these columns. */
  show(shown: Shown[]): void {
    this.shown = shown;
    const before = this.columns;
    const columns = columnsOf(shown[0]!.run);
    const options = () => columnOptions(shown[0]!.run, this.titles, "");
    this.x.replaceChildren(...options());
    this.y.replaceChildren(...options());
    this.choose(usual(columns));
    this.choose(before);
  }

  private pair(run: Run): Pair | null {
    const find = (name: string) => columnsOf(run).find((one) => one.name === name);
    const [q, v] = [find(this.x.value), find(this.y.value)];
    const rate = this.sort.value === "rate";
    const label = ({ label: text, unit }: Series) => (unit ? `${text} / ${unit}` : text);
    const slope = ({ label: text, unit }: Series) => `d(${text})/dt / (${unit || "1"}/s)`;
    return q && v ? { q, v, rate, title: `${rate ? "rate of " : ""}${v.label} against ${q.label}`, xLabel: label(q), yLabel: rate ? slope(v) : label(v) } : null;
  }

  draw(t: number): void {
    this.t = t;
    const [first, ...rest] = this.shown;
    const pair = first && this.pair(first.run);
    if (!first || !pair) return;
    const ghosts = rest.flatMap(({ run, colour }) => {
      const own = this.pair(run);
      return own ? [{ run, pair: own, colour }] : [];
    });
    this.x.disabled = this.sort.value === "spectrum";
    if (this.sort.value === "spectrum") return this.drawSpectrum();
    this.drawn = "";
    this.plot.canvas.setAttribute("aria-label", pair.title);
    this.plot.draw({ run: first.run, pair, colour: ghosts.length > 0 ? this.theme.ink.text : "" }, ghosts, t, this.window, this.theme.ink);
  }

  /** Amplitudes over frequency, of the stretch of time that all plots show. */
  private drawSpectrum(): void {
    const { ink } = this.theme;
    // It does not change with the time that is looked at: not drawn again in every frame.
    const key = [this.y.value, this.window.t0, this.window.t1, ink.dark, this.plot.canvas.clientWidth, ...this.shown.map(({ run, colour }) => `${run.doc.summary.result_hash} ${colour}`)].join("|");
    const area = this.drawn === key && !isElsewhere() ? null : sized(this.plot.canvas);
    if (!area) return;
    this.drawn = key;
    const lines = this.shown.flatMap(({ run, colour }) => {
      const pair = this.pair(run);
      return pair ? [{ ...spectrum(run, pair.v, this.window.t0, this.window.t1), colour, v: pair.v }] : [];
    });
    const most = (of: number[]) => Math.max(...of, 1e-300);
    const plane = new Plane(area.ctx, area.width, area.height, { low: 0, high: most(lines.flatMap(({ f }) => f)) }, { low: 0, high: 1.08 * most(lines.flatMap(({ a }) => a)) });
    const { label, unit } = lines[0]!.v;
    this.plot.canvas.setAttribute("aria-label", `Spectrum of ${label}`);
    plane.axes("frequency / Hz", `amplitude of ${label}${unit ? ` / ${unit}` : ""}`, ink, false);
    for (const [i, { f, a, colour }] of [...lines.entries()].reverse()) plane.polyline(f, a, i === 0 ? (lines.length > 1 ? ink.text : ink.restitution) : colour, i === 0 ? 1.6 : 1.1);
  }
  private drawn = "";
}

/** What is most often wanted: the path of the first body that moves in two directions, else a coordinate over time. */
function usual(columns: Series[]): Columns {
  const moves = columns.filter(({ group, values }) => group === "coordinates" && values.some((x) => x !== values[0]));
  const path = moves.find(({ name, unit }) => unit === "m" && moves.some((other) => other.name === name.replace(/\.x$/, ".y") && other.name !== name));
  if (path) return [path.name, path.name.replace(/\.x$/, ".y")];
  return [TIME, (moves[0] ?? columns[1] ?? columns[0]!).name];
}
