/** A canvas with a time axis and a cursor that all plots share. */
import { h } from "../ui/dom";
import { seconds, tickLabels, ticks, type Ticks } from "../ui/numbers";
import type { Ink } from "../ui/palette";
import type { Player } from "../ui/player";
import type { Window } from "./window";

export const LEFT = 58;
export const RIGHT = 12;
export const BOTTOM = 22;
export const TOP = 8;
export const FONT = "11px system-ui, sans-serif";

/** Where to draw; with `only`, nothing but that canvas. */
export interface Area { ctx: CanvasRenderingContext2D; width: number; height: number; only?: HTMLCanvasElement }

let elsewhere: Area | null = null;

/** Draws onto another context, such as one that writes SVG, what would be drawn onto a canvas. */
export function drawOnto(area: Area, draw: () => void): void {
  elsewhere = area;
  try {
    draw();
  } finally {
    elsewhere = null;
  }
}

/** Whether what is drawn now goes onto another context. */
export function isElsewhere(): boolean {
  return elsewhere !== null;
}

/** Sets the size of a canvas in CSS pixels; the context is then in CSS pixels as well. */
export function sized(canvas: HTMLCanvasElement): Area | null {
  if (elsewhere) return !elsewhere.only || elsewhere.only === canvas ? elsewhere : null;
  const ctx = canvas.getContext("2d");
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (!ctx || width === 0 || height === 0) return null;
  const ratio = Math.min(3, devicePixelRatio || 1);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return { ctx, width, height };
}

export class TimeFrame {
  readonly canvas = h<HTMLCanvasElement>("canvas", { role: "img" });
  readonly element: HTMLElement;
  private readonly line = h("div.cursor", { "aria-hidden": "true" });
  /** Room at the right: more where there is a second axis. */
  protected right = RIGHT;
  /** Of the last drawing: asking the element in every frame would lay the page out again. */
  private width = 0;

  constructor(private readonly player: Player, readonly window: Window, label: string) {
    this.canvas.setAttribute("aria-label", label);
    this.element = h("div.timeframe", {}, this.canvas, this.line);
    this.element.addEventListener("pointerdown", (event) => this.scrub(event));
    this.element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      window.zoom(Math.exp(-event.deltaY * 0.002), this.timeAt(event.clientX));
    }, { passive: false });
    this.element.addEventListener("dblclick", () => window.all());
  }

  /** Pixels of a time; through the lens an instant of impact has two places, `late` is the one behind it. */
  x(t: number, late = true): number {
    return LEFT + this.window.place(t, late) * (this.width - LEFT - this.right);
  }

  timeAt(clientX: number): number {
    const box = this.canvas.getBoundingClientRect();
    const s = (clientX - box.left - LEFT) / Math.max(1, box.width - LEFT - this.right);
    return this.window.time(Math.min(1, Math.max(0, s)));
  }

  cursor(t: number): void {
    const inside = t >= this.window.t0 && t <= this.window.t1;
    this.line.style.visibility = inside ? "visible" : "hidden";
    const { inSlot } = this.player;
    const x = inSlot ? this.x(t, false) + inSlot.s * (this.x(t) - this.x(t, false)) : this.x(t);
    if (inside) this.line.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  /** Vertical lines and numbers of the time axis. */
  timeAxis(ctx: CanvasRenderingContext2D, width: number, height: number, ink: Ink): void {
    this.width = width;
    if (this.window.lens) return this.slots(ctx, width, height, ink);
    const times = ticks(this.window.t0, this.window.t1, Math.max(2, (width - LEFT - RIGHT) / 90));
    const labels = tickLabels(times);
    ctx.strokeStyle = ink.grid;
    ctx.fillStyle = ink.faint;
    ctx.font = FONT;
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    ctx.lineWidth = 1;
    ctx.beginPath();
    times.values.forEach((t, i) => {
      const x = Math.round(this.x(t)) + 0.5;
      ctx.moveTo(x, TOP);
      ctx.lineTo(x, height - BOTTOM);
      if (x < width - RIGHT - 24) ctx.fillText(labels[i]!, x, height - 7);
    });
    ctx.stroke();
    ctx.textAlign = "right";
    ctx.fillText("t / s", width - 4, height - 7);
  }

  /** Through the lens: instants of impact as bands, with their times where there is room. */
  private slots(ctx: CanvasRenderingContext2D, width: number, height: number, ink: Ink): void {
    ctx.font = FONT;
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    let free = LEFT - 10;
    const span = this.window.t1 - this.window.t0;
    for (const { t } of this.window.lens!.slots) {
      const [from, to] = [this.x(t, false), this.x(t)];
      ctx.fillStyle = ink.open;
      ctx.fillRect(from, TOP, Math.max(1, to - from), height - BOTTOM - TOP);
      const label = seconds(t, span);
      const half = ctx.measureText(label).width / 2;
      const middle = (from + to) / 2;
      if (middle - half < free || middle + half > width - 92) continue;
      ctx.fillStyle = ink.faint;
      ctx.fillText(label, middle, height - 7);
      free = middle + half + 12;
    }
    ctx.fillStyle = ink.faint;
    ctx.textAlign = "right";
    ctx.fillText("impacts, t / s", width - 4, height - 7);
  }

  /** Horizontal lines and numbers; returns the map to pixels. */
  valueAxis(ctx: CanvasRenderingContext2D, width: number, height: number, low: number, high: number, ink: Ink): (v: number) => number {
    const y = (v: number) => height - BOTTOM - ((v - low) / (high - low)) * (height - BOTTOM - TOP);
    const values: Ticks = ticks(low, high, Math.max(2, (height - BOTTOM - TOP) / 42));
    const labels = tickLabels(values);
    ctx.font = FONT;
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    ctx.lineWidth = 1;
    values.values.forEach((v, i) => {
      const py = Math.round(y(v)) + 0.5;
      ctx.strokeStyle = Math.abs(v) < (high - low) * 1e-9 ? ink.axis : ink.grid;
      ctx.beginPath();
      ctx.moveTo(LEFT, py);
      ctx.lineTo(width - this.right, py);
      ctx.stroke();
      ctx.fillStyle = ink.faint;
      ctx.fillText(labels[i]!, LEFT - 7, py);
    });
    return y;
  }

  private scrub(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    this.player.seek(this.timeAt(event.clientX));
    const move = (next: PointerEvent) => this.player.seek(this.timeAt(next.clientX));
    const end = () => {
      this.element.removeEventListener("pointermove", move);
      this.element.removeEventListener("pointerup", end);
      this.element.removeEventListener("pointercancel", end);
    };
    this.element.addEventListener("pointermove", move);
    this.element.addEventListener("pointerup", end);
    this.element.addEventListener("pointercancel", end);
  }
}
