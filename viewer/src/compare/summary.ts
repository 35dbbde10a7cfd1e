/** What runs are summed up by, one column each; what differs stands out. */
import type { Run } from "../model/run";
import { lawText } from "../ui/about";
import { h, type Child } from "../ui/dom";
import { significant } from "../ui/numbers";

/** Coordinates at the end that are listed at most. */
const COORDINATES = 12;

export interface Entry { run: Run; label: string; colour: string; shown: boolean }

export interface SummaryActions {
  look(index: number): void;
  toggle(index: number): void;
}

export function summaryTable(entries: Entry[], main: number, actions: SummaryActions): HTMLElement {
  const head = entries.map(({ label, colour, shown }, i) => {
    const look = h<HTMLInputElement>("input", { type: "radio", name: "looked-at", checked: i === main, "aria-label": `Look at ${label}`, title: "Numbers, events and plots above are of this run", onclick: () => actions.look(i) });
    const box = h<HTMLInputElement>("input", { type: "checkbox", checked: shown || i === main, disabled: i === main, "aria-label": `Draw ${label}`, title: "Draw this run", onclick: () => actions.toggle(i) });
    return h("th", { scope: "col" }, h("div.row", {}, h("span.block", { style: `background:${colour}` }), h("span.run-name", {}, label)), h("div.row.note", {}, h("label.row", {}, look, "look at"), h("label.row", {}, box, "draw")));
  });
  const line = ({ label, unit, values, rough }: Line): HTMLElement => {
    const differs = !rough && new Set(values).size > 1;
    return h(differs ? "tr.differs" : "tr", {}, h("th", { scope: "row" }, label, unit ? h("span.unit", {}, ` / ${unit}`) : null), ...values.map((value) => h("td", {}, value as Child)));
  };
  return h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Summary of the runs" },
    h("table.sheet.summary", {}, h("thead", {}, h("tr", {}, h("td"), ...head)), h("tbody", {}, ...lines(entries.map(({ run }) => run)).map(line))));
}

/** A rough number matters by its size only: that it differs tells nothing. */
interface Line { label: string; unit?: string; values: string[]; rough?: boolean }

function lines(runs: Run[]): Line[] {
  const of = (label: string, value: (run: Run) => string | number | null | undefined, unit?: string): Line =>
    ({ label, unit, values: runs.map(value).map((x) => (x === null || x === undefined || x === "" ? "–" : typeof x === "number" ? significant(x) : x)) });
  const all = [
    of("Scene", ({ doc }) => doc.name),
    of("Law", lawText),
    of("Changed", ({ doc }) => doc.summary.scene?.overrides?.filter((text) => !text.startsWith("law=")).join("; ")),
    of("Ended", ({ doc, end }) => `${(doc.summary.stop?.reason ?? "reached-end").replaceAll("-", " ")} at ${significant(doc.summary.stop?.t ?? end)} s`),
    of("Impacts", ({ doc }) => doc.summary.counts?.impacts),
    of("Events", ({ events }) => events.length),
    of("At rest from", ({ rest }) => rest, "s"),
    of("Energy at start", ({ doc }) => doc.energy.initial, "J"),
    of("Energy lost", ({ doc }) => doc.summary.energy?.lost, "J"),
    ...losses(runs),
    { ...of("Worst gap", ({ doc }) => significant(doc.summary.worst?.gap ?? NaN, 2), "m"), rough: true },
    { ...of("Ledger open by", ({ doc }) => significant(doc.energy.closure, 2), "J"), rough: true },
  ];
  const names = [...new Set(runs.flatMap((run) => coordinates(run).map(({ name }) => name)))].slice(0, COORDINATES);
  return [...all, ...names.map((name) => {
    const unit = runs.flatMap(coordinates).find((one) => one.name === name)?.unit;
    return of(`${name} at the end`, (run) => coordinates(run).find((one) => one.name === name)?.value, unit);
  })].filter(({ values }) => values.some((value) => value !== "–"));
}

/** Where the energy went: the works of the ledger, without what is nothing in every run. */
function losses(runs: Run[]): Line[] {
  const least = 1e-13 * Math.max(...runs.map((run) => Math.abs(run.doc.energy.initial)));
  const works = (run: Run) => run.doc.energy.rows.filter((row) => (row.kind ?? "work") === "work" && Math.abs(row.value) > least);
  const labels = [...new Set(runs.flatMap((run) => works(run).map(({ label }) => label)))];
  return labels.map((label) => ({ label: `– ${label}`, unit: "J", values: runs.map((run) => {
    const row = works(run).find((one) => one.label === label);
    return row ? significant(row.value) : "–";
  }) }));
}

function coordinates(run: Run): { name: string; unit: string; value: number }[] {
  const q = run.doc.summary.state?.q ?? [];
  const series = run.series.filter((one) => one.group === "coordinates");
  // What is nothing beside the largest is round-off.
  const least = 1e-10 * Math.max(...q.map(Math.abs));
  // The summary has radians, whatever the reader likes.
  const told = (x: number, unit: string) => (Math.abs(x) < least ? 0 : unit === "°" ? (x * 180) / Math.PI : x);
  return series.slice(0, q.length).map(({ label, unit }, i) => ({ name: label, unit, value: told(q[i]!, unit) }));
}
