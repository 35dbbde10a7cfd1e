/** The live viewer: sliders change the scene, the scene runs again at once, runs are kept and compared. */
import { App } from "../app";
import { arrangement } from "../compare/arrangement";
import { compareTable, keptColour, type Kept } from "../compare/table";
import { Looks } from "../model/looks";
import { Run } from "../model/run";
import type { Shown } from "../stage/view";
import type { Summary } from "../model/format";
import { lawText } from "../ui/about";
import { readSetting, type KeptSetting, type LiveSetting, type Setting } from "../ui/address";
import { significant } from "../ui/numbers";
import { h } from "../ui/dom";
import { Api, Refusal, type SceneInfo } from "./api";
import { Editor } from "./editor";
import { Sliders } from "./sliders";
import { Wait } from "./wait";

/** A change that follows another within this time waits so long for the next one, ms. */
const PAUSE = 60;
const MOST_KEPT = 6;
/** Time between two looks at the file of the scene, ms. */
const WATCH = 1000;

export interface LivePage { token: string; runs?: unknown[] }

export function startLive(root: HTMLElement, page: LivePage): void {
  const app = new App(root, "live");
  // For the tests.
  (globalThis as Record<string, unknown>).carom = app;
  const session = new Session(app, new Api(page.token));
  void session.begin((page.runs ?? []).length > 0);
}

class Session {
  private sliders: Sliders | null = null;
  private readonly kept: Kept[] = [];
  /** Values and law of the run that is looked at. */
  private setting: Setting = { set: [], law: null };
  /** Kept runs of the address that are yet to be simulated. */
  private pending: KeptSetting[] = [];
  private abort: AbortController | null = null;
  private timer = 0;
  private count = 0;
  private readonly status = h("p.status", { role: "status" });
  private readonly trouble = h("div.trouble", { role: "alert" });
  private readonly again = h<HTMLButtonElement>("button.small", { type: "button", hidden: true, onclick: () => void this.simulate(!this.app.run) }, "Run it");
  private readonly copy = h<HTMLButtonElement>("button.small", { type: "button", hidden: true, title: "The run that is shown, as a command for a terminal", onclick: () => void this.copyCommand() }, "Copy as command");
  private readonly edit = h<HTMLButtonElement>("button.small", { type: "button", title: "The text of the scene, beside its picture", onclick: () => this.editor.open(Boolean(this.editor.element.hidden)) }, "Edit the scene");
  private readonly editor = new Editor(() => void this.rewritten());
  private readonly wait: Wait;
  private readonly runs = h("section.panel.runs", { "aria-label": "Runs" });
  private readonly keep = h<HTMLButtonElement>("button.small", { type: "button", disabled: true, title: "Keep this run as a ghost to compare with" }, "Keep this run");

  constructor(private readonly app: App, private readonly api: Api) {
    this.wait = new Wait((name) => api.progress(name), () => this.cancel());
    this.keep.addEventListener("click", () => this.keepRun());
    app.theme.onChange(() => this.recolour());
    app.runs.append(this.editor.element, this.runs);
    app.stage.letDrag(() => this.sliders?.grips() ?? [], (changes) => this.sliders?.put(changes.map(([{ path }, value]) => [path, value])));
    app.retold = () => this.sliders?.setDegrees(app.degrees);
    this.showRuns();
    // The answer under the sliders stays in sight, however much is told above them.
    new ResizeObserver(() => app.side.style.setProperty("--side-top", `${Math.round(app.side.getBoundingClientRect().top + scrollY)}px`)).observe(document.body);
  }

  async begin(ready: boolean): Promise<void> {
    try {
      const scene = await this.api.scene();
      this.editor.setFile(scene.text, scene.path ?? scene.name);
      this.panel(scene);
      const setting = readSetting();
      const changed = this.sliders!.restore(setting);
      this.pending = setting.kept.slice(0, MOST_KEPT).map((one) => ({ ...one, ...this.sliders!.known(one) }));
      this.keptCount = Math.max(0, ...this.pending.map((one) => one.number));
      this.app.setting = () => this.address();
      void this.dress();
      if (this.editor.text !== null) await this.rewritten(true);
      else if (ready && !changed) this.take(new Run(await this.api.document(0)), true);
      else await this.simulate(true);
      void this.watch();
      await this.recall();
    } catch (error) {
      this.fail(error);
      this.app.side.append(h("section.panel", {}, this.trouble));
    }
  }

  /** Another text: what can be changed in it, and its run. */
  private async rewritten(fresh = false): Promise<void> {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    const { text } = this.editor;
    try {
      const scene = await (text === null ? this.api.scene() : this.api.sceneOf(text, abort.signal));
      if (this.abort !== abort) return;
      const setting = this.sliders!.setting();
      this.panel(scene);
      this.sliders!.restore(setting);
      await this.simulate(fresh);
    } catch (error) {
      if (!abort.signal.aborted) this.fail(error);
    }
  }

  /** Asks what robots look like; pictures do without. */
  private async dress(): Promise<void> {
    const looks = await this.api.looks().then((doc) => new Looks(doc)).catch(() => null);
    if (looks && (looks.any || looks.missing.length > 0)) this.app.setLooks(looks);
  }

  private panel(scene: SceneInfo): void {
    this.sliders = new Sliders(scene, () => this.changed());
    this.sliders.setDegrees(this.app.degrees);
    this.app.side.replaceChildren(h("section.panel.parameters", { "aria-label": "Parameters" }, this.sliders.element,
      h("div.answer", {}, h("div.row", {}, this.status, this.again), h("div.row.ways", {}, this.edit, this.copy), this.wait.element, this.trouble)));
  }

  /** Runs the scene again whenever its file is saved; the values of the sliders stay. */
  private async watch(): Promise<void> {
    let known = await this.api.stamp().catch(() => null);
    for (;;) {
      await new Promise((done) => setTimeout(done, WATCH));
      if (document.hidden) continue;
      // A server that has gone is told when it is needed.
      const stamp = await this.api.stamp().catch(() => known);
      if (stamp === known) continue;
      known = stamp;
      try {
        const scene = await this.api.scene();
        this.editor.setFile(scene.text, scene.path ?? scene.name);
        // What the reader has written is shown until it is given up.
        if (this.editor.text !== null) continue;
        const setting = this.sliders!.setting();
        this.panel(scene);
        this.sliders!.restore(setting);
        this.abort?.abort();
        await this.simulate(false);
      } catch (error) {
        this.fail(error);
      }
    }
  }

  /** What the address tells: sliders, and the runs that are kept or about to be. */
  private address(): LiveSetting {
    // A text that is in no file cannot be run again by an address.
    const kept = this.kept.filter(({ setting }) => !setting.edited).map(({ number, shown, setting }) => ({ number, shown, ...setting }));
    return { ...this.sliders!.setting(), kept: [...kept, ...this.pending] };
  }

  /** Simulates the kept runs of the address again, one after the other. */
  private async recall(): Promise<void> {
    while (this.pending.length > 0) {
      const { number, shown, ...setting } = this.pending[0]!;
      try {
        const doc = await this.api.run(this.sliders!.overrides(setting), name(), new AbortController().signal);
        // Removed or kept anew while it went.
        if (this.pending.shift()) this.keepAs(new Run(doc), setting, number, shown);
      } catch (error) {
        this.pending.shift();
        this.fail(error, `run ${number} of the address: `);
      }
      this.refresh();
    }
  }

  /** The first change runs at once; while a slider moves, runs wait until it rests. A run under way is given up at once. */
  private changed(): void {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.wait.end();
    this.status.textContent = "…";
    const now = performance.now();
    const moving = now - this.touched < PAUSE;
    this.touched = now;
    this.timer = window.setTimeout(() => void this.simulate(false), moving ? PAUSE : 0);
  }
  /** When a value was changed last. */
  private touched = -Infinity;

  private async simulate(fresh: boolean): Promise<void> {
    const abort = new AbortController();
    this.abort = abort;
    const { text } = this.editor;
    const setting = { ...this.sliders!.setting(), edited: text !== null };
    const own = name();
    this.status.textContent = "simulating …";
    this.again.hidden = true;
    this.wait.begin(own);
    const begin = performance.now();
    try {
      const doc = await this.api.run(this.sliders!.overrides(setting), own, abort.signal, text);
      if (this.abort !== abort) return;
      this.wait.end();
      this.editor.fault(null);
      this.setting = setting;
      this.take(new Run(doc), fresh || !this.app.run);
      this.app.remember();
      this.told(doc.summary.stop, Math.round(performance.now() - begin));
      this.status.dataset.done = String(++this.count);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.wait.end();
      this.fail(error);
    }
  }

  /** Gives up the run under way; what was shown before stays. */
  private cancel(): void {
    this.abort?.abort();
    this.wait.end();
    this.status.textContent = this.app.run ? "Cancelled: the run before is shown." : "Cancelled.";
    this.trouble.replaceChildren();
    this.again.hidden = false;
    this.status.dataset.done = String(++this.count);
  }

  /** Says how a run ended: one that failed is no success, however fast it was. */
  private told(stop: Summary["stop"], ms: number): void {
    const failed = stop?.reason === "error";
    const early = stop?.reason && stop.reason !== "reached-end" ? `stopped (${stop.reason.replaceAll("-", " ")})` : "simulated";
    this.status.textContent = failed ? `failed after ${ms} ms` : `${early} in ${ms} ms`;
    this.trouble.replaceChildren(...(failed ? [h("p.message", {}, `Run failed at ${significant(stop?.t ?? 0)} s: ${stop?.message ?? ""}`), ...(stop?.hint ? [h("p.note", {}, `hint: ${stop.hint}`)] : [])] : []));
  }

  /** Puts the command that repeats the run into the clipboard, or where it can be copied from. */
  private async copyCommand(): Promise<void> {
    if (this.setting.edited) {
      this.trouble.replaceChildren(h("p.note", {}, "This run is of a text that is in no file: save a copy of it, and run that."));
      return;
    }
    const command = this.sliders!.command(this.app.run?.doc.summary.scene?.overrides ?? []);
    try {
      await navigator.clipboard.writeText(command);
      this.status.textContent = "The command is in the clipboard.";
    } catch {
      this.trouble.replaceChildren(h("pre.command", { tabindex: "0" }, command));
    }
  }

  private take(run: Run, fresh: boolean): void {
    this.app.show(this.shown(run), fresh);
    this.keep.disabled = false;
    this.copy.hidden = false;
    this.showRuns();
  }

  /** The last good run stays; the words are those of the command line. */
  private fail(error: unknown, which = ""): void {
    const refusal = error instanceof Refusal ? error : null;
    this.app.stage.drop();
    this.editor.fault(error instanceof Error ? error.message : String(error), refusal?.at ?? null);
    const message = which + (error instanceof TypeError ? "the server does not answer; is `carom view` still running?" : error instanceof Error ? error.message : String(error));
    this.status.textContent = this.app.run ? "The last good run is shown." : "";
    this.trouble.replaceChildren(...(refusal?.report ? [h("pre.message", {}, which + refusal.report.trim())] : this.composed(message, refusal)));
    this.status.dataset.done = String(++this.count);
  }

  private composed(message: string, refusal: Refusal | null): HTMLElement[] {
    return [h("p.message", {}, `error: ${message}`),
      ...(refusal?.place ? [h("p.note", {}, refusal.place)] : []), ...(refusal?.hint ? [h("p.note", {}, `hint: ${refusal.hint}`)] : [])];
  }

  private shown(run: Run): Shown[] {
    const ghosts = this.kept.filter((one) => one.shown && one.run !== run && one.run.doc.space === run.doc.space);
    const runs = [{ run, colour: "", label: "this run", words: this.sliders?.words(this.setting) ?? [] }, ...ghosts];
    // Names of pictures say in what the runs differ.
    const laws = new Set(runs.map((one) => lawText(one.run)));
    const named = (one: (typeof runs)[number]) => [one.label, ...(laws.size > 1 ? [lawText(one.run)] : []), ...one.words].join(" · ");
    return runs.map((one) => ({ run: one.run, colour: one.colour, label: named(one) }));
  }

  private keepRun(): void {
    const { run } = this.app;
    if (!run || this.kept.some((one) => one.run === run)) return;
    this.keepAs(run, this.setting, ++this.keptCount, true);
    this.refresh();
  }
  private keptCount = 0;

  private keepAs(run: Run, setting: Setting, number: number, shown: boolean): void {
    if (this.kept.length >= MOST_KEPT) this.kept.shift();
    this.kept.push({ run, number, label: `run ${number}`, setting, words: this.sliders!.words(setting), shown, colour: keptColour(number, this.app.theme.ink.dark) });
  }

  private refresh(): void {
    const { run } = this.app;
    if (run) this.app.show(this.shown(run), false);
    this.showRuns();
    this.app.remember();
  }

  private recolour(): void {
    for (const one of this.kept) one.colour = keptColour(one.number, this.app.theme.ink.dark);
    this.refresh();
  }

  private arrange(split: boolean): void {
    this.split = split;
    this.app.stage.setSplit(split);
    this.showRuns();
  }
  private split = false;

  private showRuns(): void {
    const { run } = this.app;
    const table = compareTable(run ? { run, words: this.sliders?.words(this.setting) ?? [] } : null, this.kept, {
      toggle: (i) => {
        this.kept[i]!.shown = !this.kept[i]!.shown;
        this.refresh();
      },
      remove: (i) => {
        this.kept.splice(i, 1);
        this.refresh();
      },
    });
    this.runs.replaceChildren(h("header.row", {}, h("h2", {}, "Runs"), h("div.row", {}, arrangement(this.split, this.kept.some((one) => one.shown) ? null : "Keep a run first", (split) => this.arrange(split)), this.keep)), table);
  }
}

/** A name that no other run of this server has. */
function name(): string {
  return `run-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}
