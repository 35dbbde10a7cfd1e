/** One event in detail: what each contact did, and the path of an impact in impulse space. */
import type { EventContact, ImpulsePath, LawText, PageEvent } from "../model/format";
import type { Run } from "../model/run";
import { drawHodograph, drawOverImpulse, drawPath } from "../plot/path";
import { isJump } from "../plot/lens";
import { figureTools } from "./figure";
import { h } from "./dom";
import { seconds, significant } from "./numbers";
import type { Theme } from "./theme";

export class ImpactPanel {
  readonly element: HTMLElement;
  private shownIndex = -1;
  private progress: number | null = null;
  private redraw: () => void = () => {};

  constructor(private readonly theme: Theme, label = "Chosen event") {
    this.element = h("section.panel.impact", { "aria-label": label, tabindex: "0" });
    theme.onChange(() => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(this.element);
    this.clear();
  }

  drawNow(): void {
    this.redraw();
  }

  clear(): void {
    this.shownIndex = -1;
    this.redraw = () => {};
    this.element.replaceChildren(h("header.row", {}, h("h2", {}, "Event in detail")),
      h("p.empty", {}, "Choose an event: its velocities, impulses and path in impulse space appear here."));
  }

  /** While an impact is played: how much of its impulse has been. */
  setProgress(run: Run, inSlot: { event: number; s: number } | null): void {
    if (inSlot && inSlot.event !== this.shownIndex) this.show(run, inSlot.event);
    const progress = inSlot ? inSlot.s : null;
    if (progress === this.progress) return;
    this.progress = progress;
    this.redraw();
  }

  show(run: Run, index: number): void {
    this.shownIndex = index;
    const event = run.events[index];
    if (!event) return this.clear();
    const span = run.end - run.start;
    const lost = event.energy_before - event.energy_after;
    const noise = 1e-12 * Math.max(Math.abs(event.energy_before), Math.abs(event.energy_after));
    this.element.replaceChildren(
      h("header.row", {}, h("h2", {}, `${capital(event.kind)} ${index + 1}`), h("span.note", {}, `t = ${seconds(event.t, span)} s`),
        Math.abs(lost) > noise ? h("span.note", {}, `${significant(lost, 5)} J lost`) : null),
    );
    if (event.remaining_time !== null && event.remaining_time !== undefined) {
      this.element.append(h("p.note", {}, `Further bounces would have taken ${significant(event.remaining_time, 3)} s: the contact closes.`));
    }
    this.contacts(run, event);
  }

  /** One contact at a time; the first that takes an impulse to begin with. */
  private contacts(run: Run, event: PageEvent): void {
    const paths = event.paths ?? [];
    const holder = h("div.detail");
    const first = event.contacts.findIndex((contact) => paths.some((path) => path.site === contact.site));
    const choose = (i: number) => this.contact(run, event, i, holder);
    if (event.contacts.length > 1) {
      const select = h<HTMLSelectElement>("select", { "aria-label": "Contact" },
        ...event.contacts.map((contact, i) => h("option", { value: i, selected: i === Math.max(0, first) }, run.sites[contact.site]?.name ?? "?")));
      select.addEventListener("change", () => choose(Number(select.value)));
      this.element.querySelector("header")?.append(select);
    }
    this.element.append(holder);
    if (event.contacts.length > 0) choose(Math.max(0, first));
    else holder.append(h("p.empty", {}, "No contact takes part."));
  }

  private contact(run: Run, event: PageEvent, i: number, holder: HTMLElement): void {
    const contact = event.contacts[i]!;
    const spatial = run.doc.space === "spatial";
    const path = event.paths?.find((one) => one.site === contact.site);
    holder.replaceChildren(this.numbers(run, contact, spatial), ...(path ? this.pictures(path) : []), ...(isJump(event.kind) && run.doc.law ? [lawCard(run.doc.law)] : []));
    if (!path && event.kind === "impact") {
      holder.append(h("p.note", {}, event.paths ? "This contact was not colliding: no path." : "This report keeps no path of this impact."));
    }
    if (!path) this.redraw = () => {};
  }

  private numbers(run: Run, contact: EventContact, spatial: boolean): HTMLElement {
    const name = run.sites[contact.site]?.name ?? "?";
    const line = (label: string, before: string, after: string, impulse: string | null) =>
      h("tr", {}, h("th", { scope: "row" }, label), h("td.num", {}, before), h("td.num", {}, after), impulse !== null ? h("td.num", {}, impulse) : null);
    const parts: [string, number][] = spatial ? [["tangent 1", 0], ["tangent 2", 1], ["normal", 2]] : [["tangent", 0], ["normal", 2]];
    const speed = Math.max(0.01, ...[...contact.velocity_before, ...contact.velocity_after].map(Math.abs));
    const impulse = Math.max(...contact.impulse.map(Math.abs));
    const energy = speed * impulse;
    // A change of mode has no impulse, so nothing is said of one.
    const struck = impulse > 0;
    return h("table.numbers", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, name), h("th.num", { scope: "col" }, "u⁻ / (m/s)"), h("th.num", { scope: "col" }, "u⁺ / (m/s)"), struck ? h("th.num", { scope: "col" }, "p / N·s") : null)),
      h("tbody", {},
        ...parts.map(([label, k]) => line(label, significant(clean(contact.velocity_before[k]!, speed), 5), significant(clean(contact.velocity_after[k]!, speed), 5), struck ? significant(clean(contact.impulse[k]!, impulse), 5) : null)),
        h("tr", {}, h("th", { scope: "row" }, "mode"), h("td.num", {}, contact.mode_before), h("td.num", {}, contact.mode_after), struck ? h("td") : null),
        struck ? h("tr", {}, h("th", { scope: "row" }, "work / J"), h("td.num", { colspan: 3 }, `normal ${significant(clean(contact.normal_work, energy), 4)}, friction ${significant(clean(contact.friction_work, energy), 4)}`,
          clean(contact.friction_work, energy) > 0 ? h("strong.gain", {}, " friction gives energy") : null)) : null,
      ));
  }

  private pictures(path: ImpulsePath): HTMLElement[] {
    const flat = h<HTMLCanvasElement>("canvas.path", { role: "img", "aria-label": "Path of the impact: slip against normal velocity" });
    const turn = path.u_t2 ? h<HTMLCanvasElement>("canvas.path", { role: "img", "aria-label": "Hodograph of the slip" }) : null;
    const over = h<HTMLCanvasElement>("canvas.path", { role: "img", "aria-label": "Velocities and work over the normal impulse" });
    this.redraw = () => {
      drawPath(flat, path, this.theme.ink);
      drawOverImpulse(over, path, this.theme.ink, this.progress);
      if (turn) drawHodograph(turn, path, this.theme.ink);
    };
    requestAnimationFrame(() => this.redraw());
    const stages = counted(path.stages.map((stage) => stage.name).filter((name) => name !== "start" && name !== "end"));
    const key = h("div.legend", {}, h("span.key", {}, h("span.swatch.compression"), "compression"), h("span.key", {}, h("span.swatch.restitution"), "restitution"), h("span.key", {}, "○ start  ● end"));
    return [
      h("figure.paths", {}, flat, ...(turn ? [turn] : []), key),
      h("figure.paths", {}, over,
        h("div.legend", {}, h("span.key", {}, h("span.swatch.normal"), "uₙ"), h("span.key", {}, h("span.swatch.slipping"), path.u_t2 ? "uₜ₁" : "uₜ"),
          path.u_t2 ? h("span.key", {}, h("span.swatch.second"), "uₜ₂") : null, h("span.key", {}, h("span.swatch.work"), "work / J, right"))),
      figureTools({ name: "impact", canvases: turn ? [flat, turn, over] : [flat, over], redraw: () => this.redraw(), theme: this.theme, title: "Impact",
        table: () => ({ head: ["p_n / N.s", "u_n / (m/s)", "u_t1 / (m/s)", ...(path.u_t2 ? ["u_t2 / (m/s)"] : []), "work / J"], rows: path.p.map((p, i) => [p, path.u_n[i]!, path.u_t[i]!, ...(path.u_t2 ? [path.u_t2[i]!] : []), path.work[i]!]) }) }),
      ...(stages.length > 0 ? [h("p.note", {}, `On the way: ${stages.join(", ")}.`)] : []),
    ];
  }
}

/** The law in equations, beside what it did. */
export function lawCard({ title, summary, equations, symbols, source }: LawText): HTMLElement {
  return h("details.law", { open: true }, h("summary", {}, title),
    h("ul.equations", {}, ...equations.map((line) => h("li", {}, line.replace(/\s+/g, " ")))),
    h("p.note", {}, summary), h("p.note", {}, `${symbols}.`), h("p.note", {}, source));
}

/** Zero for what is only round-off beside `scale`. */
function clean(x: number, scale: number): number {
  return Math.abs(x) < 1e-9 * scale ? 0 : x;
}

/** Each name once, with how often it came. */
function counted(names: string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} (${count}×)` : name));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
