/** The page: stage and clock, events, plots and facts around one run, with others as ghosts. */
import type { Looks } from "./model/looks";
import { Run } from "./model/run";
import { PlotPanel } from "./plot/panel";
import { homeOf } from "./plot/window";
import { StagePanel } from "./stage/panel";
import type { Shown } from "./stage/view";
import * as about from "./ui/about";
import { readMoment, writeMoment, type LiveSetting } from "./ui/address";
import { h, iconButton } from "./ui/dom";
import { EventTable } from "./ui/events";
import { ImpactPanel } from "./ui/impact";
import { helpSheet, listen, type Command } from "./ui/keys";
import { Player } from "./ui/player";
import { listenToPrint } from "./ui/print";
import { Theme } from "./ui/theme";
import { Transport } from "./ui/transport";

export class App {
  readonly player = new Player(0, 1);
  readonly theme = new Theme();
  readonly stage = new StagePanel(this.player, this.theme);
  private readonly plots = new PlotPanel(this.player, this.theme);
  private readonly events = new EventTable((index) => this.jump(index));
  private readonly impact = new ImpactPanel(this.theme);
  readonly transport = new Transport(this.player, this.theme, (direction) => this.step(direction));
  private readonly masthead = h("div.masthead");
  private readonly keys = h("section.key-holder", { "aria-label": "Key numbers" });
  private readonly notices = h("div.notices");
  private readonly below = h("div.below");
  /** Where the live viewer puts its panels. */
  readonly side = h("div.live-side");
  readonly runs = h("div.live-runs");
  private shown: Shown[] = [];
  /** Called when numbers are told in other units. */
  retold: () => void = () => {};
  /** Whether angles are told in degrees. */
  degrees = readMoment().degrees ?? false;
  /** The event that the reader chose last. */
  private chosen = -1;
  /** Values, law and kept runs, where they can be changed. */
  setting: () => LiveSetting | null = () => null;
  /** Whether the moment of the address has been gone to. */
  private settled = false;

  constructor(private readonly root: HTMLElement, private readonly kind: "report" | "live" | "compared" | "lesson") {
    const live = kind === "live";
    const commands = this.commands(live);
    const help = helpSheet(commands);
    commands.find((command) => command.keys.includes("?"))!.run = () => help.showModal();
    const tools = h("div.row.page-tools", {},
      iconButton("M8 1.5a6.5 6.5 0 1 0 0 13zM8 1.5a6.5 6.5 0 0 1 0 13", "Light or dark", () => this.theme.toggle(), "d"),
      iconButton("M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9.2 8 10M8 12.4v.6", "Keys", () => help.showModal(), "?"));
    root.replaceChildren(
      h("a.skip", { href: "#plots" }, "To the plots"),
      h(kind === "lesson" ? "section.top" : "header.top", kind === "lesson" ? { "aria-label": "Scene" } : {}, this.masthead, tools), this.keys, this.notices,
      h(`main.layout.${kind}`, {},
        ...(live ? [this.side] : []),
        h("div.centre", {}, h("div.stage-block", {}, this.stage.element, this.transport.element)),
        h("div.aside", {}, this.events.element, this.impact.element), ...(kind === "report" || kind === "lesson" ? [] : [this.runs])),
      this.plots.element, this.below, help);
    listen(commands);
    this.player.onTime((t) => {
      this.events.setTime(t, this.player.playing);
      if (this.run) this.impact.setProgress(this.run, this.player.inSlot);
    });
    this.player.onTime(() => this.remember());
    this.plots.window.onChange(() => this.remember());
    this.plots.onChoice(() => this.remember());
    this.stage.onChoice(() => this.remember());
    this.plots.onDegrees((on) => {
      this.degrees = on;
      this.show(this.shown, false);
      this.retold();
      this.remember();
    });
    listenToPrint(this.theme, this.events, () => {
      this.stage.snapshot();
      this.plots.drawNow();
      this.impact.drawNow();
    });
  }

  get run(): Run | null {
    return this.shown[0]?.run ?? null;
  }

  /** Before a prediction nothing but the start is shown. */
  setLocked(on: boolean): void {
    this.player.setLocked(on);
    this.root.classList.toggle("locked", on);
  }

  /** What robots look like. */
  setLooks(looks: Looks): void {
    this.stage.setLooks(looks);
    this.missing.replaceChildren(...(looks.missing.length > 0 ? [about.missingMeshes(looks.missing)] : []));
  }
  private readonly missing = h("div.missing");

  /** Shows a run, with ghosts; `fresh` looks at it anew. */
  show(shown: Shown[], fresh: boolean): void {
    const run = shown[0]!.run;
    for (const one of shown) one.run.setDegrees(this.degrees);
    const changed = run !== this.run;
    const { chosen } = this;
    this.shown = shown;
    if (this.kind !== "lesson") document.title = `${run.doc.title || run.doc.name} – carom`;
    this.stage.show(shown, fresh);
    this.plots.show(shown);
    if (changed) {
      this.masthead.replaceChildren(about.title(run));
      this.keys.replaceChildren(about.keyList(run));
      this.notices.replaceChildren(...present(about.failure(run)), ...present(about.warnings(run)));
      this.events.show(run);
      this.transport.show(run);
      this.impact.clear();
      this.chosen = -1;
      this.below.replaceChildren(about.ledger(run.doc.energy), about.facts(run), ...present(about.source(run)), this.missing);
    }
    this.player.setRange(run.start, run.end, homeOf(run));
    if (fresh) {
      this.player.seek(run.start);
      this.recall();
    }
    // While a value is changed, the chosen event is looked at in each new run.
    else if (changed && chosen >= 0 && !this.player.playing) this.jump(chosen);
  }

  /** The address tells the moment: events are numbered from 1, as in the table. */
  remember(): void {
    if (!this.run || this.player.playing || !this.settled || this.kind === "lesson") return;
    writeMoment(() => ({
      event: this.run?.events[this.chosen]?.t === this.player.t ? this.chosen + 1 : undefined,
      t: this.player.t === this.player.start ? undefined : this.player.t, lens: this.plots.window.lens !== null, xy: this.plots.columns ?? undefined, degrees: this.degrees,
      ...this.stage.choice, plots: this.plots.choice, section: this.plots.sectionWords ?? undefined,
    }), this.setting);
  }

  /** Goes to the moment of the address, once. */
  private recall(): void {
    if (this.settled || this.kind === "lesson") return;
    const { t, event, lens, xy, plots, section, ...stage } = readMoment();
    if (event !== undefined) this.jump(event - 1);
    else if (t !== undefined) this.player.seek(t);
    if (lens) this.plots.setLens(true);
    if (xy) this.plots.setColumns(xy);
    if (section) this.plots.setSection(section);
    if (plots) this.plots.recall(plots);
    this.stage.recall(stage);
    this.settled = true;
  }

  /** To an event: the time is its time, the state the one after it. */
  jump(index: number): void {
    const run = this.run;
    const event = run?.events[index];
    if (!run || !event) return;
    this.player.pause();
    this.player.seek(event.t);
    this.chosen = index;
    this.events.select(index);
    this.impact.show(run, index);
  }

  /** To the next event or the one before; events at one instant are stepped through one by one. */
  step(direction: 1 | -1): void {
    const run = this.run;
    if (!run || run.events.length === 0) return;
    const here = run.events[this.chosen];
    const next = here && here.t === this.player.t ? this.chosen + direction
      : direction > 0 ? run.eventAfter(this.player.t) : run.eventBefore(this.player.t);
    if (next >= 0 && next < run.events.length) this.jump(next);
  }

  /** To the next sample or the one before that has another time. */
  private sample(direction: 1 | -1): void {
    const run = this.run;
    if (!run) return;
    this.player.pause();
    const t = this.player.t;
    let frame = run.frameAt(t);
    if (direction > 0) while (frame < run.frames - 1 && run.t[frame]! <= t) frame++;
    else while (frame > 0 && run.t[frame]! >= t) frame--;
    this.player.seek(run.t[frame]!);
  }

  private nudge(fraction: number): void {
    this.player.seek(this.player.t + fraction * (this.player.end - this.player.start));
  }

  private commands(live: boolean): Command[] {
    const { player, stage } = this;
    return [
      { keys: [" ", "k"], shown: "space", label: "play, pause", run: () => player.toggle() },
      { keys: ["ArrowLeft"], shown: "←", label: "back by a hundredth", run: () => this.nudge(-0.01) },
      { keys: ["ArrowRight"], shown: "→", label: "on by a hundredth", run: () => this.nudge(0.01) },
      { keys: ["["], shown: "[", label: "event before", run: () => this.step(-1) },
      { keys: ["]"], shown: "]", label: "next event", run: () => this.step(1) },
      { keys: [","], shown: ",", label: "stored time before", run: () => this.sample(-1) },
      { keys: ["."], shown: ".", label: "next stored time", run: () => this.sample(1) },
      { keys: ["Home"], shown: "Home", label: "to the start", run: () => player.seek(player.start) },
      { keys: ["End"], shown: "End", label: "to the end", run: () => player.seek(player.end) },
      { keys: ["<"], shown: "<", label: "slower", run: () => player.faster(-1) },
      { keys: [">"], shown: ">", label: "faster", run: () => player.faster(1) },
      { keys: ["m"], shown: "m", label: "sound of impacts", run: () => this.transport.sound.toggle() },
      { keys: ["l"], shown: "l", label: "loop", run: () => player.setLoop(!player.loop) },
      { keys: ["f"], shown: "f", label: "show everything on the stage", run: () => stage.fit() },
      { keys: ["+", "="], shown: "+", label: "zoom in", run: () => stage.zoom(1.25) },
      { keys: ["-"], shown: "−", label: "zoom out", run: () => stage.zoom(0.8) },
      { keys: ["1", "2", "3", "4", "5", "6", "7"], shown: "1 … 7", label: "camera: usual, front, back, left, right, top, corner", run: (key) => stage.turn(Number(key) - 1) },
      { keys: ["b"], shown: "b", label: "inspect a body", run: () => stage.inspector.open(stage.inspector.body === null ? 0 : null) },
      ...(live ? [{ keys: ["g"], shown: "g", label: "drag bodies to set the start", run: () => stage.setDragging(true) }] : []),
      { keys: ["i"], shown: "i", label: "impact lens", run: () => this.plots.setLens(!this.plots.window.lens) },
      { keys: ["d"], shown: "d", label: "light or dark", run: () => this.theme.toggle() },
      { keys: ["?"], shown: "?", label: "this sheet", run: () => {} },
    ];
  }
}

function present(element: HTMLElement | null): HTMLElement[] {
  return element ? [element] : [];
}
