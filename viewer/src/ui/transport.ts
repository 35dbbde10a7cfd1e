/** Play, pause, scrub, speed, loop, and steps from event to event. */
import type { Run } from "../model/run";
import { sized } from "../plot/frame";
import { isJump } from "../plot/lens";
import { homeOf } from "../plot/window";
import { Caption } from "./caption";
import { h, iconButton } from "./dom";
import { seconds } from "./numbers";
import { SPEEDS, type Player } from "./player";
import { Sound } from "./sound";
import type { Theme } from "./theme";

const PLAY = "M4 2.5v11l9-5.5z";
const PAUSE = "M4 2.5h3v11H4zM9 2.5h3v11H9z";

export class Transport {
  readonly element: HTMLElement;
  private run: Run | null = null;
  private readonly caption = new Caption();
  readonly sound = new Sound();
  private readonly range = h<HTMLInputElement>("input", { type: "range", min: 0, max: 1, step: "any", "aria-label": "Time" });
  private readonly strip = h<HTMLCanvasElement>("canvas.strip", { "aria-hidden": "true" });
  private readonly clock = h("output.clock", { "aria-label": "Time" });
  private readonly button: HTMLButtonElement;
  private readonly speed = h<HTMLSelectElement>("select", { "aria-label": "Speed", title: "Speed (< slower, > faster)" });
  private readonly loop: HTMLButtonElement;

  constructor(private readonly player: Player, private readonly theme: Theme, step: (direction: 1 | -1) => void) {
    this.button = iconButton(PLAY, "Play", () => player.toggle(), "space");
    this.button.classList.add("play");
    this.loop = iconButton("M3 8a5 5 0 0 1 8.5-3.5L13 6M13 2v4H9M13 8a5 5 0 0 1-8.5 3.5L3 10M3 14v-4h4", "Loop", () => player.setLoop(!player.loop), "l");
    for (const value of SPEEDS) this.speed.append(h("option", { value }, `${value}×`));
    this.speed.addEventListener("change", () => player.setSpeed(Number(this.speed.value)));
    this.range.addEventListener("input", () => player.seek(Number(this.range.value)));
    this.element = h("div.transport", {},
      h("div.scrub", {}, this.strip, this.range),
      h("div.row.controls", {},
        iconButton("M3 3v10M13 3L6 8l7 5z", "To the start", () => player.seek(player.start), "Home"),
        iconButton("M10 3L4 8l6 5M13 3v10", "Event before", () => step(-1), "["),
        this.button,
        iconButton("M6 3l6 5-6 5M3 3v10", "Next event", () => step(1), "]"),
        iconButton("M13 3v10M3 3l7 5-7 5z", "To the end", () => player.seek(player.end), "End"),
        this.loop, this.sound.button, this.clock, this.speed), this.caption.element);
    player.onTime(() => this.time());
    player.onMode(() => this.mode());
    theme.onChange(() => this.marks());
    new ResizeObserver(() => this.marks()).observe(this.strip);
    this.mode();
  }

  show(run: Run): void {
    this.run = run;
    this.range.min = String(run.start);
    this.range.max = String(homeOf(run));
    this.caption.show(run);
    this.time();
    this.marks();
  }

  private time(): void {
    const { player } = this;
    const span = player.end - player.start;
    const text = `${seconds(player.t, span)} s`;
    this.clock.textContent = text;
    this.clock.dataset.t = String(player.t);
    this.range.value = String(player.t);
    this.range.setAttribute("aria-valuetext", text);
    this.caption.tell(player.t, player.playing);
    if (this.run) this.sound.reach(this.run, player.t, player.playing);
  }

  private mode(): void {
    const { player } = this;
    const label = player.playing ? "Pause" : "Play";
    this.button.setAttribute("aria-label", label);
    this.button.title = `${label} (space)`;
    this.button.querySelector("path")?.setAttribute("d", player.playing ? PAUSE : PLAY);
    this.loop.setAttribute("aria-pressed", String(player.loop));
    this.speed.value = String(player.speed);
  }

  /** Impacts as long ticks, other events as short ones; where they crowd, one tick per pixel. */
  private marks(): void {
    const area = sized(this.strip);
    if (!area || !this.run) return;
    const { ctx, width, height } = area;
    const { start, events } = this.run;
    const end = homeOf(this.run);
    const seen = new Set<number>();
    for (const event of events) {
      const x = Math.round(((event.t - start) / Math.max(end - start, 1e-300)) * (width - 16) + 8);
      const impact = isJump(event.kind);
      const key = impact ? x : -x - 1;
      if (seen.has(key)) continue;
      seen.add(key);
      ctx.fillStyle = impact ? this.theme.ink.impulse : this.theme.ink.axis;
      ctx.fillRect(x - 0.5, 0, 1.25, impact ? height : height / 2);
    }
  }
}
