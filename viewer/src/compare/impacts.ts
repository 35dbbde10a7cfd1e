/** One event in every run, beside each other: what each law makes of the same blow. */
import { h } from "../ui/dom";
import { ImpactPanel } from "../ui/impact";
import type { Theme } from "../ui/theme";
import type { Entry } from "./summary";

export class MatchedImpacts {
  readonly element = h("section.panel.matched", { "aria-label": "Event in every run", hidden: true });
  private readonly panels: ImpactPanel[];
  private chosen: (number | null)[] = [];
  private title = "";

  constructor(private readonly entries: Entry[], theme: Theme) {
    this.panels = entries.map(({ label }) => new ImpactPanel(theme, `Event of ${label}`));
  }

  /** The events of all runs that are one event, by their numbers. */
  show(title: string, events: (number | null)[]): void {
    [this.title, this.chosen] = [title, events];
    this.redraw();
  }

  /** Colours of runs change with the one that is looked at. */
  redraw(): void {
    this.element.hidden = this.chosen.length === 0;
    if (this.element.hidden) return;
    const column = ({ run, label, colour }: Entry, i: number) => {
      const index = this.chosen[i];
      const happens = index !== null && index !== undefined;
      if (happens) this.panels[i]!.show(run, index);
      return h("div.beside", {}, h("p.run-name", {}, h("span.block", { style: `background:${colour}` }), ` ${label}`),
        happens ? this.panels[i]!.element : h("p.empty", {}, "Does not happen in this run."));
    };
    this.element.replaceChildren(h("header.row", {}, h("h2", {}, this.title), h("span.note", {}, "in every run")), h("div.columns", {}, ...this.entries.map(column)));
  }
}
