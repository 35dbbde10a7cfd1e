/** What was simulated: header, facts, ledger, warnings, source. */
import type { Ledger } from "../model/format";
import type { Run } from "../model/run";
import { isJump } from "../plot/lens";
import { h, type Child } from "./dom";
import { significant } from "./numbers";

/** The numbers that a run is summed up by, as the command line prints them. */
interface Key { key: string; label: string; value: string; unit?: string; exact?: number | string }

function keyNumbers(run: Run): Key[] {
  const { summary, energy } = run.doc;
  const impacts = summary.counts?.impacts ?? run.events.filter((event) => isJump(event.kind)).length;
  // Below the round-off of the energies themselves nothing was lost.
  const clean = (x: number) => (Math.abs(x) <= 1e-13 * Math.abs(energy.initial) ? 0 : x);
  const lost = summary.energy?.lost;
  const keys: Key[] = [
    { key: "stop", label: "Ended", value: `${(summary.stop?.reason ?? "reached end").replaceAll("-", " ")} at ${significant(summary.stop?.t ?? run.end)}`, unit: "s", exact: summary.stop?.t ?? run.end },
    { key: "impacts", label: "Impacts", value: String(impacts), exact: impacts },
    { key: "events", label: "Events", value: String(run.events.length), exact: run.events.length },
    { key: "initial", label: "Energy at start", value: significant(energy.initial), unit: "J", exact: energy.initial },
  ];
  if (lost !== undefined) keys.push({ key: "lost", label: "Energy lost", value: significant(clean(lost)), unit: "J", exact: lost });
  if (summary.worst?.gap !== undefined) keys.push({ key: "gap", label: "Worst gap", value: significant(summary.worst.gap, 2), unit: "m", exact: summary.worst.gap });
  return keys;
}

export function keyList(run: Run): HTMLElement {
  return h("dl.keys", {}, ...keyNumbers(run).map(({ key, label, value, unit, exact }) =>
    h("div", {}, h("dt", {}, label), h(key === "stop" && run.doc.summary.stop?.reason !== "reached-end" ? "dd.stopped" : "dd", { "data-key": key, "data-exact": exact ?? "" }, value, unit ? h("span.unit", {}, ` ${unit}`) : null))));
}

export function title(run: Run): HTMLElement {
  const { doc } = run;
  const law = lawText(run);
  return h("div.title", {}, h("h1", {}, doc.title || doc.name),
    h("p.subtitle", {}, doc.name, law ? ` · ${law}` : "", ` · ${doc.space}`));
}

/** The scene's impact law in words. */
export function lawText(run: Run): string {
  const law = run.doc.summary.law?.scene;
  if (!law) return run.doc.facts.find((fact) => /law/i.test(fact.label))?.value ?? "";
  return ["formulation", "restitution", "method", "rule"].map((key) => law[key]).filter((word) => typeof word === "string").join(", ");
}

/** A run that failed says so before anything else, with what may be done about it. */
export function failure(run: Run): HTMLElement | null {
  const { stop } = run.doc.summary;
  if (stop?.reason !== "error") return null;
  return h("section.panel.failed", { "aria-label": "Failure" }, h("h2", {}, `The run failed at ${significant(stop.t ?? run.end)} s; what came before is shown`),
    h("p", {}, stop.message ?? ""), stop.hint ? h("p.note", {}, `hint: ${stop.hint}`) : null);
}

export function warnings(run: Run): HTMLElement | null {
  const { stop } = run.doc.summary;
  // What failed stands above.
  const list = run.doc.warnings.filter((text) => stop?.reason !== "error" || !stop.message || !text.includes(stop.message));
  if (list.length === 0) return null;
  const lines = h("ul", {}, ...list.map((text) => h("li", {}, text)));
  const title = h("h2", {}, list.length === 1 ? "Warning" : `${list.length} warnings`);
  // Many of them would push the picture off the screen.
  const folded = list.length > 3 ? h("details", {}, h("summary", {}, title, h("span.note", {}, list[0]!), " …"), lines) : null;
  return h("section.panel.warnings", { "aria-label": "Warnings" }, ...(folded ? [folded] : [title, lines]));
}

/** Files of robots that were not found: the shapes that touch are drawn instead. */
export function missingMeshes(files: string[]): HTMLElement {
  return h("section.panel", { "aria-label": "Meshes that are missing" }, h("h2", {}, "Meshes that are missing"),
    h("p.note", {}, "Robots are drawn by the shapes that touch where these files are not found. Put them beside the description, or name their folder in ROS_PACKAGE_PATH."),
    h("ul", {}, ...files.map((file) => h("li", {}, file))));
}

export function ledger({ initial, rows, closure }: Ledger): HTMLElement {
  const ofKind = (kind: string) => rows.filter((row) => (row.kind ?? "work") === kind);
  const stored = ofKind("stored");
  const line = (label: string, value: number, digits = 6, kind = ""): HTMLElement =>
    h(`tr${kind}`, {}, h("th", { scope: "row" }, label), h("td.num", { title: `${value} J` }, significant(value, digits)));
  return h("section.panel", { "aria-label": "Energy ledger" },
    h("header.row", {}, h("h2", {}, "Energy ledger"), h("span.note", {}, "J")),
    h("table.numbers.ledger", {}, h("tbody", {}, line("at the start", initial),
      ...ofKind("work").map((row) => line(row.label, row.value)),
      ...(stored.length > 0 ? [line("stored at the end", stored.reduce((sum, row) => sum + row.value, 0), 6, ".total")] : []),
      ...stored.map((row) => line(row.label, row.value, 6, ".part")), line("does not close by", closure, 2, ".closure"))));
}

export function facts(run: Run): HTMLElement {
  const { doc } = run;
  const rows: [string, Child][] = doc.facts.map((fact) => [fact.label, factValue(fact.value, fact.unit)]);
  const has = (word: RegExp) => doc.facts.some((fact) => word.test(fact.label));
  if (!has(/version|carom/i)) rows.push(["carom", doc.carom]);
  if (doc.summary.result_hash && !has(/result/i)) rows.push(["result hash", h("code", {}, doc.summary.result_hash)]);
  if (doc.summary.scene?.hash && !has(/scene hash|hash of the scene/i)) rows.push(["scene hash", h("code", {}, doc.summary.scene.hash)]);
  return h("section.panel", { "aria-label": "What was simulated" }, h("h2", {}, "What was simulated"),
    ...(doc.description ? description(doc.description) : []),
    surfaces(run),
    h("dl.facts", {}, ...rows.flatMap(([label, value]) => [h("dt", {}, label), h("dd", {}, value)])));
}

/** The first paragraph; the others on demand. */
function description(text: string): HTMLElement[] {
  const [first, ...rest] = text.trim().split(/\n\s*\n/).map((part) => h("p.description", {}, unbroken(part)));
  return [first!, ...(rest.length > 0 ? [h("details.more", {}, h("summary", {}, "More"), ...rest)] : [])];
}

/** Line breaks of a file are no line breaks of a page, but for items of a list. */
function unbroken(text: string): string {
  return text.trim().replace(/\s*\n\s*(?!-\s|--|\s)/g, " ").replace(/\s*\n\s*/g, "\n");
}

/** Long values without spaces are hashes: in fixed width, breakable. */
function factValue(value: string, unit?: string): Child {
  const text = unit ? `${value} ${unit}` : value;
  return /^[0-9a-f]{12,}$/i.test(value) ? h("code", {}, text) : text;
}

function surfaces(run: Run): HTMLElement | null {
  if (run.sites.length === 0) return null;
  const cell = (text: string) => h("td.num", {}, text);
  const rows = run.sites.slice(0, 40).map((site) => h("tr", {}, h("th", { scope: "row" }, site.name),
    cell(site.restitution === null ? "–" : significant(site.restitution, 4)), cell(site.limit ? "–" : significant(site.friction, 4)), cell(site.limit ? "–" : significant(site.staticFriction, 4))));
  return h("table.numbers", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "contact"), h("th.num", { scope: "col" }, "e"), h("th.num", { scope: "col" }, "μ"), h("th.num", { scope: "col" }, "μ static"))),
    h("tbody", {}, ...rows, run.sites.length > rows.length ? h("tr", {}, h("td", { colspan: 4 }, `and ${run.sites.length - rows.length} more`)) : null));
}

export function source(run: Run): HTMLElement | null {
  const files = run.doc.source;
  if (files.length === 0) return null;
  return h("section.panel.source", { "aria-label": "Scene files" }, h("h2", {}, "Scene"),
    ...files.map((file, i) => h("details", { open: i === 0 }, h("summary", {}, file.name), h("pre", { tabindex: "0" }, file.text))));
}
