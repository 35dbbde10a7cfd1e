/** To take a figure away: SVG, PDF and PNG of what is drawn, CSV of its numbers. */
import { drawOnto } from "../plot/frame";
import { pdfOf, pictured } from "../plot/pdf";
import { SvgPen } from "../plot/pen";
import { h } from "./dom";
import type { Theme } from "./theme";

export interface Figure {
  /** Name of the file, without its ending. */
  name: string;
  title: string;
  canvases: HTMLCanvasElement[];
  /** Draws the canvases once more, onto whatever context is given. */
  redraw: () => void;
  theme: Theme;
  table: () => { head: string[]; rows: number[][] };
  /** Lines of the legend: colour, dash pattern, name. */
  legend?: () => { colour: string; dash: number[]; label: string }[];
}

const GAP = 14;
/** Pixels of a PNG for one of the page. */
const FINE = 3;

export function figureTools(figure: Figure): HTMLElement {
  const button = (label: string, press: () => void) => h("button.small", { type: "button", title: `Save this figure as ${label}`, "aria-label": `Save ${figure.title} as ${label}`, onclick: press }, label);
  return h("div.figure-tools", {},
    button("SVG", () => save(`${figure.name}.svg`, new Blob([svgOf(figure)], { type: "image/svg+xml" }))),
    button("PDF", () => void savePdf(figure)),
    button("PNG", () => void savePng(figure)),
    button("CSV", () => save(`${figure.name}.csv`, new Blob([csvOf(figure)], { type: "text/csv" }))));
}

export function csvOf({ table }: Figure): string {
  const { head, rows } = table();
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [head.map(cell).join(","), ...rows.map((row) => row.map((x) => (Number.isFinite(x) ? String(x) : "")).join(","))].join("\n") + "\n";
}

/** One picture, or several under each other. */
export function svgOf(figure: Figure): string {
  const { ink } = figure.theme;
  let height = 0;
  const parts = figure.canvases.map((canvas, i) => {
    const pen = new SvgPen(canvas.clientWidth, canvas.clientHeight, ink.panel);
    // Only the canvas in question is drawn onto the pen; the others would lie over it.
    drawOnto({ ctx: pen as unknown as CanvasRenderingContext2D, width: pen.width, height: pen.height, only: canvas }, figure.redraw);
    const legend = i === 0 ? legendOf(figure, pen.width) : { above: 0, text: "" };
    const text = pen.text(legend.above, legend.text).replace("<svg ", `<svg y="${height}" `);
    height += pen.height + legend.above + GAP;
    return text;
  });
  // The numbers of the canvases stay where they are.
  figure.redraw();
  if (parts.length === 1) return parts[0]!.replace(' y="0"', "");
  const width = Math.max(...figure.canvases.map((canvas) => canvas.clientWidth));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join("")}</svg>\n`;
}

/** The title and the names of the lines, over the picture. */
function legendOf({ title, legend, theme }: Figure, width: number): { above: number; text: string } {
  const safe = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const lines = legend?.() ?? [];
  const { ink } = theme;
  let [x, y] = [12, 0];
  const placed = lines.map(({ colour, dash, label }) => {
    const room = 40 + 6.6 * label.length;
    if (x + room > width) [x, y] = [12, y + 16];
    const text = `<path d="M${x} ${y}h24" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash.join(" ") || "none"}"/><text x="${x + 30}" y="${y + 4}" font-size="11" fill="${ink.text}">${safe(label)}</text>`;
    x += room;
    return text;
  });
  const above = 24 + (lines.length > 0 ? y + 18 : 0);
  return { above, text: `<text x="12" y="${16 - above}" font-size="13" font-weight="600" fill="${ink.text}">${safe(title)}</text><g transform="translate(0 ${32 - above})">${placed.join("")}</g>` };
}

/** The figure on a canvas, three pixels for one of the page. */
async function rastered(figure: Figure): Promise<HTMLCanvasElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(figure))}`;
  await image.decode();
  const canvas = h<HTMLCanvasElement>("canvas", {});
  [canvas.width, canvas.height] = [image.width * FINE, image.height * FINE];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

async function savePng(figure: Figure): Promise<void> {
  (await rastered(figure)).toBlob((blob) => {
    if (blob) save(`${figure.name}.png`, blob);
  });
}

/** Lines and words; a picture where letters are in no font of a reader. */
async function savePdf(figure: Figure): Promise<void> {
  let pdf = pdfOf(svgOf(figure));
  if (!pdf) {
    const canvas = await rastered(figure);
    pdf = await pictured(canvas, canvas.width / FINE, canvas.height / FINE);
  }
  if (pdf) save(`${figure.name}.pdf`, pdf);
}

export function save(name: string, blob: Blob): void {
  const link = h<HTMLAnchorElement>("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
