/** Contact modes as bars: open, stick, slip; slip is hatched, so that it shows without colour. */
import type { Run, Site } from "../model/run";
import type { Ink } from "../ui/palette";
import type { Player } from "../ui/player";
import { BOTTOM, FONT, LEFT, RIGHT, sized, TimeFrame, TOP } from "./frame";
import type { Window } from "./window";

const ROW = 27;
const DENSE = 12;
/** Contacts with a name beside their bar; more get thin bars without. */
const NAMED = 12;
const MOST = 48;

export class ModePlot extends TimeFrame {
  constructor(player: Player, window: Window) {
    super(player, window, "Contact modes against time");
  }

  /** Contacts that touch at some time; if none does, the first few. */
  static rows(run: Run): Site[] {
    const used = run.sites.filter((site) => site.modes.some((mode) => mode !== 0));
    return (used.length > 0 ? used : run.sites.slice(0, 3)).slice(0, MOST);
  }

  /** The contacts of the first run; under each bar those of the same contact in the others. */
  draw(shown: { run: Run; label?: string }[], ink: Ink): void {
    const bars = ModePlot.rows(shown[0]!.run).flatMap(({ name }) => shown.flatMap(({ run, label }) => {
      const site = run.sites.find((one) => one.name === name);
      return site ? [{ run, site, name: shown.length > 1 && label ? `${name} · ${label}` : name }] : [];
    })).slice(0, MOST);
    const rows = bars.length;
    const row = rows > NAMED ? DENSE : ROW;
    this.canvas.style.height = `${TOP + rows * row + 4 + BOTTOM}px`;
    const area = sized(this.canvas);
    if (!area) return;
    const { ctx, width, height } = area;
    this.timeAxis(ctx, width, height, ink);
    const hatch = hatching(ctx, ink);
    bars.forEach(({ run, site, name }, i) => {
      const top = TOP + i * row + (row === ROW ? 14 : 1);
      this.bars(ctx, run, site, top, row === ROW ? 10 : row - 2, width, ink, hatch);
      if (row !== ROW) return;
      ctx.fillStyle = ink.text;
      ctx.font = FONT;
      ctx.textAlign = "left";
      ctx.textBaseline = "alphabetic";
      ctx.fillText(name, LEFT, top - 3, width - LEFT - RIGHT);
    });
  }

  private bars(ctx: CanvasRenderingContext2D, run: Run, site: Site, top: number, height: number, width: number, ink: Ink, hatch: CanvasPattern | null): void {
    const { modes } = site;
    const plain = isPlain(site);
    const from = run.frameAt(this.window.t0);
    const to = run.frameAt(this.window.t1);
    const left = (frame: number) => Math.max(LEFT, Math.min(width - RIGHT, this.x(run.t[frame]!)));
    const paint = (mode: number, x0: number, x1: number) => {
      if (x1 - x0 <= 0) return;
      // Without friction nothing sticks or slips: the contact is closed.
      ctx.fillStyle = mode === 0 ? ink.open : plain ? ink.stick : mode === 1 ? ink.stick : ink.slip;
      ctx.globalAlpha = plain && mode !== 0 ? 0.45 : 1;
      // A mode that lasts less than a pixel is still to be seen.
      const w = mode === 0 ? x1 - x0 : Math.max(1, x1 - x0);
      ctx.fillRect(x0, top, w, height);
      ctx.globalAlpha = 1;
      if (mode === 2 && !plain && hatch && w > 3) {
        ctx.fillStyle = hatch;
        ctx.fillRect(x0, top, w, height);
      }
    };
    paint(0, left(from), width - RIGHT);
    let begin = from;
    for (let i = from + 1; i <= to; i++) {
      if (modes[i] === modes[begin]) continue;
      paint(modes[begin]!, left(begin), left(i));
      begin = i;
    }
    const end = to + 1 < run.frames ? width - RIGHT : left(to);
    paint(modes[begin]!, left(begin), end);
  }
}

/** A contact without friction, or a stop. */
export function isPlain(site: Site): boolean {
  return site.limit || (site.friction === 0 && site.staticFriction === 0);
}

function hatching(ctx: CanvasRenderingContext2D, ink: Ink): CanvasPattern | null {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const pen = tile.getContext("2d");
  if (!pen) return null;
  pen.strokeStyle = ink.panel;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const shift of [-6, 0, 6]) {
    pen.moveTo(shift, 6);
    pen.lineTo(shift + 6, 0);
  }
  pen.stroke();
  return ctx.createPattern(tile, "repeat");
}
