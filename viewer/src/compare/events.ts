/** The table of matched events: time, impulse and loss of each run. */
import type { Run } from "../model/run";
import { h } from "../ui/dom";
import { seconds, significant } from "../ui/numbers";
import { impulseOf, matched, type Matched } from "./matched";

/** Rows that are added at once. */
const PORTION = 200;

export interface Column { run: Run; label: string; colour: string }

export class MatchedTable {
  readonly element = h("section.panel.matched", { "aria-label": "Events side by side" });
  private rows: Matched[] = [];
  private columns: Column[] = [];
  private readonly body = h("tbody");
  private readonly more = h<HTMLButtonElement>("button.small", { type: "button" });

  /** `go` is called with the event that was chosen. */
  constructor(private readonly go: (event: Matched) => void) {
    this.more.addEventListener("click", () => this.extend());
  }

  show(columns: Column[]): void {
    this.columns = columns;
    this.rows = matched(columns.map((column) => column.run));
    const alike = this.rows.filter((row) => row.events.every((event) => event !== null)).length;
    const name = ({ label, colour }: Column) => h("th.num", { scope: "colgroup", colspan: 3 }, h("span.block", { style: `background:${colour}` }), ` ${label}`);
    const units = columns.flatMap(() => ["t / s", "pₙ / N·s", "lost / J"].map((text) => h("th.num", { scope: "col" }, text)));
    this.body.replaceChildren();
    const table = h("table.sheet.side", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col", rowspan: 2 }, "Event"), h("th", { scope: "col", rowspan: 2 }, "Contact"), ...columns.map(name)), h("tr", {}, ...units)), this.body);
    this.element.replaceChildren(
      h("header.row", {}, h("h2", {}, "Events side by side"), h("span.note", {}, `${alike} of ${this.rows.length} happen in every run; the nth of a kind at a contact is the same event`)),
      h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Table of events" }, table), this.more);
    this.extend();
  }

  /** One portion more: runs have ten thousand events. */
  private extend(): void {
    const from = this.body.children.length;
    this.body.append(...this.rows.slice(from, from + PORTION).map((row) => this.row(row)));
    const left = this.rows.length - this.body.children.length;
    this.more.hidden = left === 0;
    this.more.textContent = `${Math.min(left, PORTION)} more of ${left}`;
  }

  private row(event: Matched): HTMLElement {
    const { kind, contact, nth, events } = event;
    const button = h("button.link", { type: "button", onclick: () => this.go(event) }, `${kind} ${nth}`);
    const cells = events.flatMap((index, which) => {
      const { run } = this.columns[which]!;
      const own = index === null ? undefined : run.events[index];
      if (!own) return [h("td.num.missing", { colspan: 3 }, "does not happen")];
      const lost = own.energy_before - own.energy_after;
      const noise = 1e-12 * Math.max(Math.abs(own.energy_before), Math.abs(own.energy_after));
      const number = (x: number, none: boolean) => h("td.num", {}, none ? "–" : significant(x, 4));
      const impulse = impulseOf(own);
      return [h("td.num.first", {}, seconds(own.t, run.end - run.start)), number(impulse, impulse === 0), number(lost, Math.abs(lost) <= noise)];
    });
    return h("tr", {}, h("th", { scope: "row" }, button), h("td", {}, contact || "–"), ...cells);
  }
}
