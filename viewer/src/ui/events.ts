/** The event table. Only the rows in sight exist, so ten thousand events cost as much as thirty. */
import type { PageEvent } from "../model/format";
import type { Run } from "../model/run";
import { h } from "./dom";
import { seconds, significant } from "./numbers";

const ROW = 28;
/** Rows on paper at most. */
const PRINTED = 400;

type Column = "index" | "t" | "kind" | "contact" | "impulse" | "lost";

const COLUMNS: { key: Column; label: string; title: string; numeric: boolean }[] = [
  { key: "index", label: "#", title: "Number of the event", numeric: true },
  { key: "t", label: "t / s", title: "Time", numeric: true },
  { key: "kind", label: "Event", title: "What happened", numeric: false },
  { key: "contact", label: "Contact", title: "Where", numeric: false },
  { key: "impulse", label: "pₙ / N·s", title: "Largest normal impulse", numeric: true },
  { key: "lost", label: "Lost / J", title: "Energy lost", numeric: true },
];

export class EventTable {
  readonly element: HTMLElement;
  private run: Run | null = null;
  private order: number[] = [];
  private sort: { key: Column; down: boolean } = { key: "index", down: false };
  private kind = "";
  private current = -1;
  private selected = -1;
  private printing = false;
  private readonly body = h("div.rows", { tabindex: "0", role: "rowgroup", "aria-label": "Events; arrow keys choose one" });
  private readonly spacer = h("div.spacer");
  private readonly slice = h("div.slice");
  private readonly head = h("div.head", { role: "row" });
  private readonly filter = h<HTMLSelectElement>("select", { "aria-label": "Kind of event" });
  private readonly count = h("span.note");

  /** `choose` is called with the number of the event that the reader picked. */
  constructor(private readonly choose: (index: number) => void) {
    this.spacer.append(this.slice);
    this.body.append(this.spacer);
    const table = h("div.events", { role: "table", "aria-label": "Events" }, this.head, this.body);
    this.element = h("section.panel.events-panel", { "aria-label": "Events" },
      h("header.row", {}, h("h2", {}, "Events"), this.count, this.filter), table);
    this.body.addEventListener("scroll", () => this.render(), { passive: true });
    this.body.addEventListener("keydown", (event) => this.key(event));
    this.slice.addEventListener("click", (event) => {
      const row = (event.target as HTMLElement).closest<HTMLElement>(".tr");
      if (row) this.pick(Number(row.dataset.index));
    });
    this.filter.addEventListener("change", () => {
      this.kind = this.filter.value;
      this.reorder();
    });
    new ResizeObserver(() => {
      // The head's columns stand over the rows' whether or not the scroll bar takes room.
      this.head.style.paddingRight = `${this.body.offsetWidth - this.body.clientWidth}px`;
      this.render();
    }).observe(this.body);
  }

  show(run: Run): void {
    this.run = run;
    this.selected = -1;
    this.current = -1;
    const kinds = [...new Set(run.events.map((event) => event.kind))].sort();
    if (!kinds.includes(this.kind)) this.kind = "";
    this.filter.replaceChildren(h("option", { value: "" }, "all kinds"), ...kinds.map((kind) => h("option", { value: kind, selected: kind === this.kind }, kind)));
    this.reorder();
  }

  /** Marks the last event at or before t. */
  setTime(t: number, follow: boolean): void {
    if (!this.run) return;
    const next = this.run.eventAfter(t);
    let current = (next < 0 ? this.run.events.length : next) - 1;
    // Of several events at one instant, "now" is the one that was chosen.
    if (this.run.events[this.selected]?.t === t) current = this.selected;
    if (current === this.current) return;
    this.current = current;
    if (follow && this.sort.key === "index") this.reveal(current);
    this.render();
  }

  select(index: number): void {
    this.selected = this.current = index;
    this.reveal(index);
    this.render();
  }

  private pick(index: number): void {
    this.selected = this.current = index;
    this.render();
    this.choose(index);
  }

  private sortBy(key: Column): void {
    const down = this.sort.key === key ? !this.sort.down : key === "impulse" || key === "lost";
    this.sort = { key, down };
    this.reorder();
    this.body.scrollTop = 0;
  }

  private reorder(): void {
    const run = this.run;
    if (!run) return;
    const all = run.events.map((_, i) => i).filter((i) => !this.kind || run.events[i]!.kind === this.kind);
    const { key, down } = this.sort;
    const values = run.events.map((event, i) => cellValue(run, event, i, key));
    const sign = down ? -1 : 1;
    // Equal values keep the order of time.
    all.sort((a, b) => {
      const [x, y] = [values[a]!, values[b]!];
      return x < y ? -sign : x > y ? sign : a - b;
    });
    this.order = all;
    this.count.textContent = all.length === run.events.length ? `${all.length}` : `${all.length} of ${run.events.length}`;
    this.spacer.style.height = `${all.length * ROW}px`;
    this.head.replaceChildren(...COLUMNS.map((column) => this.headCell(column)));
    this.render();
  }

  private headCell({ key, label, title, numeric }: (typeof COLUMNS)[number]): HTMLElement {
    const sorted = this.sort.key === key;
    const button = h("button", { type: "button", title: `${title}; sort`, "data-sort": key, onclick: () => this.sortBy(key) },
      label, h("span.sort", { "aria-hidden": "true" }, sorted ? (this.sort.down ? " ▾" : " ▴") : ""));
    return h(`div.th.${key}${numeric ? ".num" : ""}`, { role: "columnheader", "aria-sort": sorted ? (this.sort.down ? "descending" : "ascending") : "none" }, button);
  }

  private reveal(index: number): void {
    const at = this.sort.key === "index" && !this.kind && !this.sort.down ? index : this.order.indexOf(index);
    if (at < 0) return;
    const top = at * ROW;
    const height = this.body.clientHeight;
    if (top < this.body.scrollTop) this.body.scrollTop = top;
    else if (top + ROW > this.body.scrollTop + height) this.body.scrollTop = top + ROW - height;
  }

  /** On paper all rows are there, up to a few pages of them. */
  onPaper(printing: boolean): void {
    this.printing = printing;
    this.render();
  }

  private render(): void {
    const run = this.run;
    if (!run) return;
    const from = this.printing ? 0 : Math.max(0, Math.floor(this.body.scrollTop / ROW) - 4);
    const to = Math.min(this.order.length, this.printing ? PRINTED : from + Math.ceil(this.body.clientHeight / ROW) + 8);
    this.slice.style.transform = `translateY(${from * ROW}px)`;
    const rows: HTMLElement[] = [];
    for (let k = from; k < to; k++) rows.push(this.row(run, this.order[k]!, k));
    if (this.printing && to < this.order.length) rows.push(h("p.note", {}, `and ${this.order.length - to} more`));
    if (this.order.length === 0) rows.push(h("p.empty", {}, "No events."));
    this.slice.replaceChildren(...rows);
  }

  private row(run: Run, index: number, k: number): HTMLElement {
    const event = run.events[index]!;
    const row = h("div.tr", { role: "row", "data-index": index, "aria-rowindex": k + 1, "aria-selected": String(index === this.selected) });
    if (index === this.current) row.classList.add("current");
    for (const { key, numeric } of COLUMNS) {
      row.append(h(`div.td.${key}${numeric ? ".num" : ""}`, { role: "cell", title: key === "contact" ? event.contacts.map((c) => run.sites[c.site]?.name ?? "?").join(", ") : null }, cellText(run, event, index, key)));
    }
    return row;
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.body.clientHeight / ROW) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
    if (step === undefined || this.order.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.order.indexOf(this.selected >= 0 ? this.selected : this.current);
    const next = this.order[Math.min(this.order.length - 1, Math.max(0, at + step))]!;
    this.pick(next);
    this.reveal(next);
  }
}

function cellValue(run: Run, event: PageEvent, index: number, key: Column): number | string {
  switch (key) {
    case "index": return index;
    case "t": return event.t;
    case "kind": return event.kind;
    case "contact": return contactNames(run, event);
    case "impulse": return Math.max(0, ...event.contacts.map((contact) => contact.impulse[2]));
    case "lost": return event.energy_before - event.energy_after;
  }
}

function cellText(run: Run, event: PageEvent, index: number, key: Column): string {
  const value = cellValue(run, event, index, key);
  if (key === "index") return String(index + 1);
  if (key === "t") return seconds(event.t, run.end - run.start);
  if (typeof value === "string") return value;
  // Below the round-off of the energies themselves nothing was lost.
  const noise = 1e-12 * Math.max(Math.abs(event.energy_before), Math.abs(event.energy_after));
  return value === 0 || (key === "lost" && Math.abs(value) <= noise) ? "" : short(value);
}

/** Four digits in little room. */
function short(x: number): string {
  return Math.abs(x) < 1e-3 ? x.toExponential(2).replaceAll("-", "−") : significant(x, 4);
}

function contactNames(run: Run, event: PageEvent): string {
  const names = event.contacts.map((contact) => run.sites[contact.site]?.name ?? "?");
  return names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(", ");
}
