/** A page of several runs: pictures at the same time, plots over each other, summaries and events side by side. */
import { App } from "../app";
import type { RunDocument } from "../model/format";
import { Run } from "../model/run";
import type { Shown } from "../stage/view";
import { h } from "../ui/dom";
import { arrangement } from "./arrangement";
import { MatchedTable } from "./events";
import { MatchedImpacts } from "./impacts";
import { summaryTable, type Entry } from "./summary";
import { keptColour } from "./table";

/** Pictures side by side, at first. */
const SIDE_BY_SIDE = 4;

export interface ComparedPage { runs: { label: string; document: RunDocument }[] }

export function startComparison(root: HTMLElement, page: ComparedPage): void {
  const app = new App(root, "compared");
  // For the tests.
  (globalThis as Record<string, unknown>).carom = app;
  new Comparison(app, page.runs.map(({ label, document }) => ({ label, run: new Run(document), shown: true, colour: "" })));
}

class Comparison {
  /** The run that numbers and tables are of. */
  private main = 0;
  private split: boolean;
  private readonly panel = h("section.panel.runs", { "aria-label": "Runs" });
  private readonly events: MatchedTable;
  private readonly impacts: MatchedImpacts;

  constructor(private readonly app: App, private readonly entries: Entry[]) {
    this.split = entries.length <= SIDE_BY_SIDE;
    this.impacts = new MatchedImpacts(entries, app.theme);
    this.events = new MatchedTable(({ kind, contact, nth, t, events }) => {
      const own = events[this.main];
      if (own !== null && own !== undefined) app.jump(own);
      else app.player.seek(t);
      this.impacts.show(`${kind} ${nth}${contact ? ` at ${contact}` : ""}`, events);
    });
    app.runs.append(this.panel, this.events.element, this.impacts.element);
    app.theme.onChange(() => this.show(false));
    app.retold = () => this.show(false);
    app.stage.setSplit(this.split);
    this.show(true);
  }

  private show(fresh: boolean): void {
    const { ink } = this.app.theme;
    this.entries.forEach((entry, i) => (entry.colour = i === this.main ? ink.text : keptColour(i + 1, ink.dark)));
    const looked = this.entries[this.main]!;
    const others = this.entries.filter((entry) => entry !== looked && entry.shown && entry.run.doc.space === looked.run.doc.space);
    const shown: Shown[] = [{ run: looked.run, colour: "", label: looked.label }, ...others];
    this.app.show(shown, fresh);
    this.panel.replaceChildren(
      h("header.row", {}, h("h2", {}, `${this.entries.length} runs`), arrangement(this.split, null, (split) => this.arrange(split))),
      summaryTable(this.entries, this.main, {
        look: (index) => {
          this.main = index;
          this.show(false);
        },
        toggle: (index) => {
          this.entries[index]!.shown = !this.entries[index]!.shown;
          this.show(false);
        },
      }));
    this.events.show(this.entries);
    this.impacts.redraw();
  }

  private arrange(split: boolean): void {
    this.split = split;
    this.app.stage.setSplit(split);
    this.show(false);
  }
}
