/** A canvas with metres on it: what planar drawings are made of. */
import type { Vec3 } from "../model/format";
import type { Ink } from "../ui/palette";

export class Brush {
  readonly ctx: CanvasRenderingContext2D;
  readonly font = "system-ui, sans-serif";
  /** World point in the middle of the picture, and pixels per metre. */
  x = 0;
  y = 0;
  scale = 100;
  width = 1;
  height = 1;

  constructor(private readonly canvas: HTMLCanvasElement) {
    const ctx = canvas.getContext("2d");
    if (!ctx) throw new Error("this browser draws no canvas");
    this.ctx = ctx;
  }

  /** Takes the size of the element; false while it has none. */
  resize(): boolean {
    if (this.canvas.clientWidth === 0 || this.canvas.clientHeight === 0) return false;
    const ratio = Math.min(3, devicePixelRatio || 1);
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.width = width;
    this.height = height;
    this.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    return true;
  }

  /** Looks at a rectangle of the world, with room around it for arrows and labels. */
  frame(x0: number, x1: number, y0: number, y1: number): void {
    const room = 0.1;
    const width = Math.max(x1 - x0, 1e-6);
    const height = Math.max(y1 - y0, 1e-6);
    const size = Math.max(width, height, 1e-6);
    this.x = (x0 + x1) / 2;
    this.y = (y0 + y1) / 2;
    this.scale = Math.min(this.width / (width + 2 * room * size), (this.height - 30) / (height + 2 * room * size));
    // Room that is left over goes above rather than into the ground.
    const spare = this.height - 30 - (height + 2 * room * size) * this.scale;
    this.y += (0.2 * Math.max(0, spare) - 8) / this.scale;
  }

  px(x: number): number { return this.width / 2 + (x - this.x) * this.scale; }
  py(y: number): number { return this.height / 2 - (y - this.y) * this.scale; }
  alpha(alpha: number): void { this.ctx.globalAlpha = alpha; }

  clear(colour: string): void {
    this.ctx.globalAlpha = 1;
    this.ctx.fillStyle = colour;
    this.ctx.fillRect(0, 0, this.width, this.height);
  }

  dot(at: Vec3, radius: number, colour: string): void {
    this.ctx.fillStyle = colour;
    this.ctx.beginPath();
    this.ctx.arc(this.px(at[0]), this.py(at[1]), radius, 0, 2 * Math.PI);
    this.ctx.fill();
  }

  ring(at: Vec3, radius: number, colour: string): void {
    this.ctx.strokeStyle = colour;
    this.ctx.lineWidth = 2;
    this.ctx.beginPath();
    this.ctx.arc(this.px(at[0]), this.py(at[1]), radius, 0, 2 * Math.PI);
    this.ctx.stroke();
  }

  /** A dashed circle in the world. */
  circle(at: Vec3, metres: number, colour: string): void {
    this.ctx.setLineDash([5, 3]);
    this.ring(at, metres * this.scale, colour);
    this.ctx.setLineDash([]);
  }

  /** A disk or ellipse with a hub and one spoke, so that rolling is seen. */
  wheel(at: Vec3, angle: number, a: number, b: number, fill: string | null, edge: string): void {
    this.local(at, angle, () => {
      const { ctx } = this;
      ctx.beginPath();
      ctx.ellipse(0, 0, a * this.scale, b * this.scale, 0, 0, 2 * Math.PI);
      this.paint(fill, edge);
      ctx.beginPath();
      ctx.moveTo(0, 0);
      ctx.lineTo(a * this.scale, 0);
      ctx.stroke();
      ctx.fillStyle = edge;
      ctx.beginPath();
      ctx.arc(0, 0, 2.2, 0, 2 * Math.PI);
      ctx.fill();
    });
  }

  rectangle(at: Vec3, angle: number, width: number, height: number, fill: string | null, edge: string): void {
    this.local(at, angle, () => {
      // Bars thinner than a line are still to be seen.
      const w = Math.max(width * this.scale, 2);
      const h = Math.max(height * this.scale, 2);
      this.ctx.beginPath();
      this.ctx.rect(-w / 2, -h / 2, w, h);
      this.paint(fill, edge);
    });
  }

  stadium(at: Vec3, angle: number, length: number, radius: number, fill: string | null, edge: string): void {
    this.local(at, angle, () => {
      const half = (length / 2) * this.scale;
      const r = radius * this.scale;
      this.ctx.beginPath();
      this.ctx.arc(half, 0, r, -Math.PI / 2, Math.PI / 2);
      this.ctx.arc(-half, 0, r, Math.PI / 2, (3 * Math.PI) / 2);
      this.ctx.closePath();
      this.paint(fill, edge);
    });
  }

  polygon(corners: Vec3[], fill: string | null, edge: string): void {
    this.ctx.beginPath();
    for (const [x, y] of corners) this.ctx.lineTo(this.px(x), this.py(y));
    this.ctx.closePath();
    this.paint(fill, edge);
  }

  bar(a: Vec3, b: Vec3, colour: string, width: number): void {
    const { ctx } = this;
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.lineCap = "round";
    ctx.beginPath();
    ctx.moveTo(this.px(a[0]), this.py(a[1]));
    ctx.lineTo(this.px(b[0]), this.py(b[1]));
    ctx.stroke();
    ctx.lineCap = "butt";
  }

  /** A straight surface through a point, solid below its own x axis: tint, line and hatching. */
  surface(at: Vec3, angle: number, ink: Ink): void {
    const reach = this.width + this.height;
    // The piece of the line around the middle of the picture, wherever the plane's own origin is.
    const along = [Math.cos(angle), Math.sin(angle)] as const;
    const s = (this.x - at[0]) * along[0] + (this.y - at[1]) * along[1];
    const step = 9;
    const shift = (s * this.scale) % step;
    this.local([at[0] + s * along[0], at[1] + s * along[1], 0], angle, () => {
      const { ctx } = this;
      ctx.fillStyle = ink.ground;
      ctx.fillRect(-reach, 0, 2 * reach, reach);
      ctx.strokeStyle = ink.groundEdge;
      ctx.lineWidth = 1;
      ctx.beginPath();
      for (let x = -Math.ceil(reach / step) * step; x < reach; x += step) {
        ctx.moveTo(x - shift, 0);
        ctx.lineTo(x - shift - 7, 8);
      }
      ctx.stroke();
      ctx.lineWidth = 1.75;
      ctx.beginPath();
      ctx.moveTo(-reach, 0);
      ctx.lineTo(reach, 0);
      ctx.stroke();
    });
  }

  /** A pin; on a small hatched support if it is fixed to the world. */
  pin(at: Vec3, supported: boolean, ink: Ink): void {
    const { ctx } = this;
    const x = this.px(at[0]);
    const y = this.py(at[1]);
    ctx.strokeStyle = ink.text;
    ctx.lineWidth = 1.5;
    if (supported) {
      ctx.fillStyle = ink.panel;
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x - 9, y - 14);
      ctx.lineTo(x + 9, y - 14);
      ctx.closePath();
      ctx.fill();
      ctx.stroke();
      ctx.lineWidth = 1;
      ctx.beginPath();
      for (let k = -12; k <= 8; k += 4) {
        ctx.moveTo(x + k, y - 14);
        ctx.lineTo(x + k + 5, y - 19);
      }
      ctx.stroke();
      ctx.lineWidth = 1.5;
    }
    ctx.fillStyle = ink.panel;
    ctx.beginPath();
    ctx.arc(x, y, 3.6, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }

  /** A zigzag between two points; a small spiral where they coincide (a spring that turns). */
  spring(a: Vec3, b: Vec3, ink: Ink): void {
    const { ctx } = this;
    const [x0, y0, x1, y1] = [this.px(a[0]), this.py(a[1]), this.px(b[0]), this.py(b[1])];
    const length = Math.hypot(x1 - x0, y1 - y0);
    ctx.strokeStyle = ink.faint;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    if (length < 6) {
      for (let k = 0; k <= 48; k++) {
        const turn = (k / 48) * 5 * Math.PI;
        const r = 5 + (k / 48) * 6;
        ctx.lineTo(x0 + r * Math.cos(turn), y0 + r * Math.sin(turn));
      }
    } else {
      const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
      const coils = 12;
      ctx.moveTo(x0, y0);
      for (let k = 0; k <= coils; k++) {
        const s = length * (0.15 + (0.7 * k) / coils);
        const side = k === 0 || k === coils ? 0 : k % 2 ? 5 : -5;
        ctx.lineTo(x0 + ux * s - uy * side, y0 + uy * s + ux * side);
      }
      ctx.lineTo(x1, y1);
    }
    ctx.stroke();
  }

  /** A path that fades with age. */
  trail(points: Vec3[], colour: string): void {
    const { ctx } = this;
    ctx.strokeStyle = colour;
    ctx.lineWidth = 1.5;
    const parts = 6;
    for (let part = 0; part < parts; part++) {
      const from = Math.floor(((points.length - 1) * part) / parts);
      const to = Math.floor(((points.length - 1) * (part + 1)) / parts);
      ctx.globalAlpha = (0.75 * (part + 1)) / parts;
      ctx.beginPath();
      for (let i = from; i <= to; i++) ctx.lineTo(this.px(points[i]![0]), this.py(points[i]![1]));
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }

  /** A vector at a point; too short ones are left out rather than drawn as blots. */
  arrow(at: Vec3, vector: Vec3, metresPerUnit: number, colour: string, width: number): void {
    const [dx, dy] = [vector[0] * metresPerUnit * this.scale, -vector[1] * metresPerUnit * this.scale];
    const length = Math.hypot(dx, dy);
    if (length < 3) return;
    const [x, y] = [this.px(at[0]), this.py(at[1])];
    const [ux, uy] = [dx / length, dy / length];
    const head = Math.min(4 + 2.2 * width, length * 0.6);
    const { ctx } = this;
    ctx.strokeStyle = colour;
    ctx.fillStyle = colour;
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + dx - ux * head * 0.8, y + dy - uy * head * 0.8);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x + dx, y + dy);
    ctx.lineTo(x + dx - ux * head - uy * head * 0.45, y + dy - uy * head + ux * head * 0.45);
    ctx.lineTo(x + dx - ux * head + uy * head * 0.45, y + dy - uy * head - ux * head * 0.45);
    ctx.closePath();
    ctx.fill();
  }

  /** The two edges of a friction cone. */
  cone(at: Vec3, normal: Vec3, friction: number, metres: number, colour: string): void {
    const { ctx } = this;
    const half = Math.atan(friction);
    const middle = Math.atan2(-normal[1], normal[0]);
    const r = metres * this.scale;
    const [x, y] = [this.px(at[0]), this.py(at[1])];
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.arc(x, y, r, middle - half, middle + half);
    ctx.closePath();
    ctx.strokeStyle = colour;
    ctx.fillStyle = colour;
    ctx.lineWidth = 1;
    const before = ctx.globalAlpha;
    ctx.globalAlpha = 0.12 * before;
    ctx.fill();
    ctx.globalAlpha = 0.7 * before;
    ctx.stroke();
    ctx.globalAlpha = before;
  }

  /** A contact: round while it sticks, square while it slips. */
  mark(at: Vec3, slipping: boolean, colour: string, edge: string): void {
    const { ctx } = this;
    const [x, y] = [this.px(at[0]), this.py(at[1])];
    ctx.fillStyle = colour;
    ctx.strokeStyle = edge;
    ctx.lineWidth = 1.25;
    ctx.beginPath();
    if (slipping) ctx.rect(x - 4.5, y - 4.5, 9, 9);
    else ctx.arc(x, y, 5, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }

  /** The usual sign of a centre of mass. */
  quarters(at: Vec3, ink: Ink): void {
    const { ctx } = this;
    const [x, y, r] = [this.px(at[0]), this.py(at[1]), 8];
    ctx.fillStyle = ink.panel;
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillStyle = ink.text;
    for (const start of [0, Math.PI]) {
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.arc(x, y, r, start, start + Math.PI / 2);
      ctx.fill();
    }
    ctx.strokeStyle = ink.text;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 2 * Math.PI);
    ctx.stroke();
  }

  /** Draws in pixels about a world point, x along a direction, y to its right (downwards). */
  private local(at: Vec3, angle: number, draw: () => void): void {
    const { ctx } = this;
    ctx.save();
    ctx.translate(this.px(at[0]), this.py(at[1]));
    ctx.rotate(-angle);
    draw();
    ctx.restore();
  }

  private paint(fill: string | null, edge: string): void {
    const { ctx } = this;
    if (fill) {
      ctx.fillStyle = fill;
      ctx.fill();
    }
    ctx.strokeStyle = edge;
    ctx.lineWidth = 1.5;
    ctx.stroke();
  }
}
