/** A canvas context that writes SVG: as much of one as the plots use. */

interface State { stroke: string; fill: string; width: number; dash: number[]; alpha: number; font: string; align: string; baseline: string; move: [number, number]; angle: number; clip: string }

export class SvgPen {
  strokeStyle: string | CanvasPattern = "#000";
  fillStyle: string | CanvasPattern = "#000";
  lineWidth = 1;
  lineJoin = "round";
  globalAlpha = 1;
  font = "11px sans-serif";
  textAlign = "left";
  textBaseline = "alphabetic";
  private dashes: number[] = [];
  private path = "";
  private box: [number, number, number, number] | null = null;
  private move: [number, number] = [0, 0];
  private angle = 0;
  private clipped = "";
  private clips = 0;
  private readonly parts: string[] = [];
  private readonly stack: State[] = [];
  private readonly measure = document.createElement("canvas").getContext("2d")!;

  constructor(readonly width: number, readonly height: number, private readonly paper: string) {}

  save(): void {
    this.stack.push({ stroke: String(this.strokeStyle), fill: String(this.fillStyle), width: this.lineWidth, dash: this.dashes, alpha: this.globalAlpha, font: this.font, align: this.textAlign, baseline: this.textBaseline, move: this.move, angle: this.angle, clip: this.clipped });
  }

  restore(): void {
    const state = this.stack.pop();
    if (!state) return;
    [this.strokeStyle, this.fillStyle, this.lineWidth, this.dashes, this.globalAlpha] = [state.stroke, state.fill, state.width, state.dash, state.alpha];
    [this.font, this.textAlign, this.textBaseline, this.move, this.angle, this.clipped] = [state.font, state.align, state.baseline, state.move, state.angle, state.clip];
  }

  translate(x: number, y: number): void { this.move = [this.move[0] + x, this.move[1] + y]; }
  rotate(angle: number): void { this.angle += angle; }
  setLineDash(dashes: number[]): void { this.dashes = dashes; }

  beginPath(): void {
    this.path = "";
    this.box = null;
  }

  moveTo(x: number, y: number): void { this.path += `M${n(x)} ${n(y)}`; }
  lineTo(x: number, y: number): void { this.path += `${this.path ? "L" : "M"}${n(x)} ${n(y)}`; }
  closePath(): void { this.path += "Z"; }

  arc(x: number, y: number, r: number): void {
    this.path += `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0`;
  }

  rect(x: number, y: number, w: number, h: number): void {
    this.box = [x, y, w, h];
    this.path += `M${n(x)} ${n(y)}h${n(w)}v${n(h)}h${n(-w)}Z`;
  }

  clip(): void {
    if (!this.box) return;
    const id = `clip${++this.clips}`;
    const [x, y, w, h] = this.box.map(n);
    this.parts.push(`<clipPath id="${id}"><rect x="${x}" y="${y}" width="${w}" height="${h}"/></clipPath>`);
    this.clipped = ` clip-path="url(#${id})"`;
  }

  stroke(): void {
    if (!this.path || typeof this.strokeStyle !== "string") return;
    const dash = this.dashes.length > 0 ? ` stroke-dasharray="${this.dashes.join(" ")}"` : "";
    this.put(`<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${n(this.lineWidth)}" stroke-linejoin="round"${dash}${this.around()}/>`);
  }

  fill(): void {
    if (this.path && typeof this.fillStyle === "string") this.put(`<path d="${this.path}" fill="${this.fillStyle}"${this.around()}/>`);
  }

  fillRect(x: number, y: number, w: number, h: number): void {
    if (typeof this.fillStyle === "string") this.put(`<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${this.fillStyle}"${this.around()}/>`);
  }

  clearRect(): void {}
  setTransform(): void {}
  createPattern(): null { return null; }

  measureText(text: string): TextMetrics {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }

  fillText(text: string, x: number, y: number): void {
    const anchor = { left: "start", center: "middle", right: "end" }[this.textAlign] ?? "start";
    const size = parseFloat(this.font);
    const down = this.textBaseline === "middle" ? 0.35 * size : 0;
    const turn = this.angle === 0 && this.move[0] === 0 && this.move[1] === 0 ? "" : ` transform="translate(${n(this.move[0])} ${n(this.move[1])}) rotate(${n((this.angle * 180) / Math.PI)})"`;
    const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    this.put(`<text x="${n(x)}" y="${n(y + down)}" font-size="${size}" text-anchor="${anchor}" fill="${String(this.fillStyle)}"${turn}>${safe}</text>`);
  }

  /** The picture; `above` is put over it, such as a title and a legend. */
  text(above = 0, head = ""): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${n(this.width)}" height="${n(this.height + above)}" viewBox="0 ${-above} ${n(this.width)} ${n(this.height + above)}" font-family="system-ui, sans-serif"><rect y="${-above}" width="100%" height="100%" fill="${this.paper}"/>${head}${this.parts.join("\n")}</svg>\n`;
  }

  private around(): string {
    return `${this.globalAlpha < 1 ? ` opacity="${n(this.globalAlpha)}"` : ""}${this.clipped}`;
  }

  private put(part: string): void { this.parts.push(part); }
}

/** Hundredths of a pixel are enough. */
function n(x: number): string {
  return String(Math.round(x * 100) / 100);
}
