/** A run under way: how far it has come, and a way to give it up. Short runs come and go unseen. */
import { h } from "../ui/dom";
import { significant } from "../ui/numbers";
import type { Progress } from "./api";

/** Runs that are done within this show no bar, ms. */
const UNSEEN = 400;
/** Time between two looks, ms. */
const LOOK = 300;

export class Wait {
  readonly element = h("div.wait", { hidden: true });
  private readonly bar = h<HTMLProgressElement>("progress", { max: 1, "aria-label": "Simulated time" });
  private readonly words = h("p.note");
  private timer = 0;

  constructor(private readonly ask: (name: string) => Promise<Progress>, cancel: () => void) {
    const button = h("button.small", { type: "button", onclick: cancel }, "Cancel");
    this.element.append(h("div.row", {}, this.bar, button), this.words);
  }

  /** Watches a run until `end` is called. */
  begin(name: string): void {
    this.end();
    this.timer = window.setTimeout(() => void this.look(name), UNSEEN);
  }

  end(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.element.hidden = true;
  }

  private async look(name: string): Promise<void> {
    const { timer } = this;
    const progress = await this.ask(name).catch(() => null);
    // Done meanwhile, or another run is watched.
    if (this.timer !== timer) return;
    if (progress) this.show(progress);
    this.timer = window.setTimeout(() => void this.look(name), LOOK);
  }

  private show({ stage, start = 0, t = 0, end = 0, events = 0, wall = 0 }: Progress): void {
    const part = end > start ? Math.min(1, Math.max(0, (t - start) / (end - start))) : 0;
    if (stage === "simulating") this.bar.value = part;
    else this.bar.removeAttribute("value");
    const what = stage === "simulating" ? `${Math.floor(100 * part)} %: ${significant(t, 4)} of ${significant(end, 4)} s, ${events} ${events === 1 ? "event" : "events"}`
      : stage === "drawing" ? "simulated; the picture is made" : "waits for runs before it to end";
    this.words.textContent = `${what}; ${clock(wall)} so far`;
    this.element.hidden = false;
  }
}

function clock(seconds: number): string {
  const s = Math.floor(seconds);
  return s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min ${s % 60} s` : `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}
