/**
 * Figures as PDF: what the pen wrote as SVG, translated part by part. Lines stay lines and words stay words; where a word
 * has letters that the fonts of a PDF reader do not have, the figure becomes a picture (see `pictured`).
 */
import { literal, stretches, widthOf } from "./pdf_text";

/** Points per CSS pixel. */
const POINT = 0.75;
const FONTS = ["Helvetica", "Symbol", "Helvetica-Bold"];

interface Frame { x: number; y: number; fontSize: number }

/** The pages' marks of an SVG figure; null if a letter is in no font. */
export function pdfOf(svg: string): Blob | null {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const [width, height] = ["width", "height"].map((name) => Number(root.getAttribute(name))) as [number, number];
  const writer = new Marks();
  writer.svg(root, { x: 0, y: 0, fontSize: 11 });
  if (writer.lost) return null;
  const start = `${POINT} 0 0 ${-POINT} 0 ${n(height * POINT)} cm\n`;
  return file(width * POINT, height * POINT, [`<< /Length ${start.length + writer.text.length} >>\nstream\n${start}${writer.text}\nendstream`], writer.alphas, null);
}

/** A picture of a figure on a page of its size. */
export async function pictured(canvas: HTMLCanvasElement, width: number, height: number): Promise<Blob | null> {
  const jpeg = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.95));
  if (!jpeg) return null;
  const draw = `${n(width * POINT)} 0 0 ${n(height * POINT)} 0 0 cm /Im Do`;
  const image = { head: `<< /Type /XObject /Subtype /Image /Width ${canvas.width} /Height ${canvas.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.size} >>`, data: jpeg };
  return file(width * POINT, height * POINT, [`<< /Length ${draw.length} >>\nstream\n${draw}\nendstream`], [], image);
}

/** Operators of PDF for the elements that the pen writes. */
class Marks {
  text = "";
  lost = false;
  readonly alphas: number[] = [];

  svg(element: Element, frame: Frame): void {
    const box = element.getAttribute("viewBox")?.split(" ").map(Number) ?? [0, 0];
    const y = frame.y + number(element, "y");
    this.children(element, { ...frame, x: frame.x - box[0]!, y: y - box[1]! });
  }

  private children(parent: Element, frame: Frame): void {
    for (const element of parent.children) {
      this.text += "q\n";
      this.one(element, frame);
      this.text += "Q\n";
    }
  }

  private one(element: Element, frame: Frame): void {
    this.clip(element, frame);
    const opacity = element.getAttribute("opacity");
    if (opacity !== null) this.fade(Number(opacity));
    switch (element.tagName) {
      case "svg": return this.svg(element, frame);
      case "g": {
        const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(element.getAttribute("transform") ?? "") ?? [];
        return this.children(element, { ...frame, x: frame.x + Number(x ?? 0), y: frame.y + Number(y ?? 0) });
      }
      case "rect": return this.paint(element, this.rect(element, frame));
      case "path": return this.paint(element, outline(element.getAttribute("d") ?? "", frame));
      case "text": return this.words(element, frame);
    }
  }

  private clip(element: Element, frame: Frame): void {
    const id = /url\(#(.+)\)/.exec(element.getAttribute("clip-path") ?? "")?.[1];
    const rect = id ? element.parentElement?.querySelector(`#${id} rect`) : null;
    if (rect) this.text += `${this.rect(rect, frame)}W n\n`;
  }

  private rect(element: Element, { x, y }: Frame): string {
    const owner = element.closest("svg")!;
    const size = (name: "width" | "height") => (element.getAttribute(name) === "100%" ? number(owner, name) : number(element, name));
    return `${n(x + number(element, "x"))} ${n(y + number(element, "y"))} ${n(size("width"))} ${n(size("height"))} re\n`;
  }

  private fade(alpha: number): void {
    let index = this.alphas.indexOf(alpha);
    if (index < 0) index = this.alphas.push(alpha) - 1;
    this.text += `/G${index} gs\n`;
  }

  private paint(element: Element, path: string): void {
    const [fill, stroke] = [colour(element.getAttribute("fill") ?? "black"), colour(element.getAttribute("stroke"))];
    const dash = element.getAttribute("stroke-dasharray");
    if (stroke) this.text += `${stroke} RG ${n(number(element, "stroke-width") || 1)} w 1 j [${dash && dash !== "none" ? dash : ""}] 0 d\n`;
    if (fill) this.text += `${fill} rg\n`;
    if (fill || stroke) this.text += `${path}${fill && stroke ? "B" : fill ? "f" : "S"}\n`;
  }

  private words(element: Element, frame: Frame): void {
    const size = number(element, "font-size") || frame.fontSize;
    const bold = element.hasAttribute("font-weight");
    const parts = stretches(element.textContent ?? "", bold);
    if (!parts) {
      this.lost = true;
      return;
    }
    const widths = parts.map((part) => widthOf(part, size));
    const whole = widths.reduce((sum, width) => sum + width, 0);
    const anchor = { middle: 0.5, end: 1 }[element.getAttribute("text-anchor") ?? ""] ?? 0;
    const [, tx, ty, degrees] = /translate\(([-\d.]+) ([-\d.]+)\) rotate\(([-\d.]+)\)/.exec(element.getAttribute("transform") ?? "") ?? [];
    const angle = (Number(degrees ?? 0) * Math.PI) / 180;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    // The page is turned over, its letters must not be.
    this.text += `BT ${colour(element.getAttribute("fill") ?? "black") ?? "0 0 0"} rg\n`;
    let along = number(element, "x") - anchor * whole;
    parts.forEach(({ font, bytes, rise, scale }, i) => {
      const [x, y] = [along, number(element, "y")];
      const [px, py] = [frame.x + Number(tx ?? 0) + c * x - s * y, frame.y + Number(ty ?? 0) + s * x + c * y];
      this.text += `/${font} ${n(size * scale)} Tf ${n(rise * size)} Ts ${f(c)} ${f(s)} ${f(s)} ${f(-c)} ${n(px)} ${n(py)} Tm ${literal(bytes)} Tj\n`;
      along += widths[i]!;
    });
    this.text += "ET\n";
  }
}

/** A path of the pen: M, L, Z, h, v, and circles as two arcs. */
function outline(d: string, frame: Frame): string {
  let [x, y, text] = [0, 0, ""];
  const at = (px: number, py: number) => `${n(frame.x + px)} ${n(frame.y + py)}`;
  for (const [, command, rest] of d.matchAll(/([MLZhva])([^MLZhva]*)/g)) {
    const values = (rest!.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
    if (command === "M" || command === "L") {
      [x, y] = [values[0]!, values[1]!];
      text += `${at(x, y)} ${command === "M" ? "m" : "l"}\n`;
    } else if (command === "h" || command === "v") {
      if (command === "h") x += values[0]!;
      else y += values[0]!;
      text += `${at(x, y)} l\n`;
    } else if (command === "Z") text += "h\n";
    else {
      // Half a circle, as two quarters.
      const [r, dx] = [values[0]!, values[5]!];
      const side = Math.sign(dx);
      const k = 0.5522847498 * r;
      const middle = x + dx / 2;
      text += `${at(x, y + side * k)} ${at(middle - side * k, y + side * r)} ${at(middle, y + side * r)} c\n`;
      text += `${at(middle + side * k, y + side * r)} ${at(x + dx, y + side * k)} ${at(x + dx, y)} c\n`;
      x += dx;
    }
  }
  return text;
}

/** Three numbers from 0 to 1; null for nothing. */
function colour(text: string | null): string | null {
  if (!text || text === "none" || text === "transparent") return null;
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3"));
  const list = hex ? hex.slice(1).map((part) => parseInt(part, 16)) : (text.match(/[\d.]+/g) ?? ["0", "0", "0"]).slice(0, 3).map(Number);
  return list.map((part) => f(part / 255)).join(" ");
}

/** The file around one page. */
function file(width: number, height: number, contents: string[], alphas: number[], image: { head: string; data: Blob } | null): Blob {
  const fonts = FONTS.map((name, i) => `/F${i + 1} << /Type /Font /Subtype /Type1 /BaseFont /${name}${name === "Symbol" ? "" : " /Encoding /WinAnsiEncoding"} >>`).join(" ");
  const states = alphas.map((alpha, i) => `/G${i} << /ca ${f(alpha)} /CA ${f(alpha)} >>`).join(" ");
  const objects: (string | [string, Blob, string])[] = [
    "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${n(width)} ${n(height)}] /Contents 4 0 R /Resources << /Font << ${fonts} >> /ExtGState << ${states} >>${image ? " /XObject << /Im 5 0 R >>" : ""} >> >>`,
    ...contents, ...(image ? [[`${image.head}\nstream\n`, image.data, "\nendstream"] as [string, Blob, string]] : []),
  ];
  const parts: (string | Blob)[] = ["%PDF-1.4\n"];
  const offsets: number[] = [];
  let length = 9;
  const put = (part: string | Blob) => {
    parts.push(part);
    length += typeof part === "string" ? part.length : part.size;
  };
  objects.forEach((object, i) => {
    offsets.push(length);
    put(`${i + 1} 0 obj\n`);
    for (const part of typeof object === "string" ? [object] : object) put(part);
    put("\nendobj\n");
  });
  const table = length;
  put(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")}`);
  put(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Blob(parts, { type: "application/pdf" });
}

function number(element: Element, name: string): number {
  return Number(element.getAttribute(name) ?? 0) || 0;
}

function n(x: number): string { return String(Math.round(x * 100) / 100); }
function f(x: number): string { return String(Math.round(x * 10_000) / 10_000); }
