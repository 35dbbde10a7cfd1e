/** Runs that were kept, side by side with the one that is looked at. */
import type { Run } from "../model/run";
import { lawText } from "../ui/about";
import type { Setting } from "../ui/address";
import { h } from "../ui/dom";
import { significant } from "../ui/numbers";
import { seriesColour } from "../ui/palette";

export interface Kept { run: Run; number: number; label: string; setting: Setting; words: string[]; shown: boolean; colour: string }

/** Colours of kept runs, by their numbers from 1; the run that is looked at has the ink of the page. */
export function keptColour(number: number, dark: boolean): string {
  return seriesColour([1, 2, 3, 4, 5, 6][(number - 1) % 6]!, dark);
}

export interface CompareActions {
  toggle(index: number): void;
  remove(index: number): void;
}

export function compareTable(now: { run: Run; words: string[] } | null, kept: Kept[], actions: CompareActions): HTMLElement {
  const head = ["", "Law", "Changed", "Impacts", "Lost / J", "Stop", "End state", ""];
  const row = (cells: (Node | string)[], kind: string) =>
    h(`tr${kind}`, {}, ...cells.map((cell, i) => h(`td${i === 3 || i === 4 ? ".num" : ""}`, { "data-label": head[i]! }, cell)));
  const rows = kept.map((one, i) => {
    const box = h<HTMLInputElement>("input", { type: "checkbox", checked: one.shown, "aria-label": `Show ${one.label} as a ghost`, onclick: () => actions.toggle(i) });
    const drop = h("button.small", { type: "button", "aria-label": `Remove ${one.label}`, onclick: () => actions.remove(i) }, "×");
    return row([h("label.row", {}, box, h("span.block", { style: `background:${one.colour}` }), one.label), ...numbers(one.run, one.words), drop], ".kept");
  });
  const current = now ? [row(["this run", ...numbers(now.run, now.words), ""], ".now")] : [];
  return h("table.compare", {}, h("thead", {}, h("tr", {}, ...head.map((text) => (text ? h("th", { scope: "col" }, text) : h("td"))))), h("tbody", {}, ...current, ...rows));
}

function numbers(run: Run, words: string[]): (Node | string)[] {
  const { summary } = run.doc;
  const lost = summary.energy?.lost;
  return [
    lawText(run) || "–",
    words.length > 0 ? words.join("; ") : "–",
    String(summary.counts?.impacts ?? "–"),
    lost === undefined ? "–" : significant(lost),
    `${(summary.stop?.reason ?? "–").replaceAll("-", " ")} at ${significant(summary.stop?.t ?? run.end)} s`,
    endState(run),
  ];
}

/** The first coordinates at the end; all of them in the title. */
function endState(run: Run): Node {
  const q = run.doc.summary.state?.q ?? [];
  const names = run.series.filter((s) => s.group === "coordinates").map((s) => s.label);
  // What is nothing beside the largest is round-off.
  const least = 1e-10 * Math.max(...q.map(Math.abs));
  const words = q.map((x, i) => `${names[i] ?? `q${i + 1}`} ${significant(Math.abs(x) < least ? 0 : x, 4)}`);
  return h("span", { title: words.join(", ") }, words.slice(0, 3).join(", ") + (words.length > 3 ? " …" : ""));
}
