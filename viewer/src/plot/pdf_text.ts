/** Words of a figure in the fonts that every PDF reader has: Helvetica, and Symbol for Greek and signs. */

/** A stretch of one font; `rise` and `scale` are for small letters above or below the line. */
export interface Stretch { font: "F1" | "F2" | "F3"; bytes: number[]; rise: number; scale: number }

/** What Windows-1252 has beyond Latin-1. */
const LATIN: Record<string, number> = { "−": 0x96, "–": 0x96, "—": 0x97, "…": 0x85, "‘": 0x91, "’": 0x92, "“": 0x93, "”": 0x94, "•": 0x95 };
/** Greek letters, each with the one that it is written as in Symbol. */
const GREEK = "αaβbχcδdεeφfγgηhιiκkλlμmνnοoπpθqρrσsτtυuωwξxψyζzΔDΦFΓGΛLΠPΘQΣSΩWΞXΨY";
const SIGNS: Record<string, number> = { "≤": 0xa3, "≥": 0xb3, "∞": 0xa5, "→": 0xae, "≠": 0xb9, "√": 0xd6, "∂": 0xb6, "≈": 0xbb, "∑": 0xe5, "⟂": 0x5e };
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ";
const RAISED_AS = "0123456789-+n";
const LOWERED = "₀₁₂₃₄₅₆₇₈₉₋ₙₜₐₑᵢⱼₖ";
const LOWERED_AS = "0123456789-ntaeijk";

const SYMBOL = new Map<string, number>([...Object.entries(SIGNS), ["µ", 0x6d]]);
for (let i = 0; i < GREEK.length; i += 2) SYMBOL.set(GREEK[i]!, GREEK.charCodeAt(i + 1));

/** The stretches of a text; null if a character is in neither font. */
export function stretches(text: string, bold: boolean): Stretch[] | null {
  const list: Stretch[] = [];
  for (const sign of text) {
    const next = glyph(sign, bold);
    if (!next) return null;
    const last = list[list.length - 1];
    if (last && last.font === next.font && last.rise === next.rise) last.bytes.push(...next.bytes);
    else list.push(next);
  }
  return list;
}

function glyph(sign: string, bold: boolean): Stretch | null {
  const plain = bold ? "F3" as const : "F1" as const;
  const code = sign.codePointAt(0)!;
  const [up, down] = [RAISED.indexOf(sign), LOWERED.indexOf(sign)];
  if (down >= 0) return { font: plain, bytes: [LOWERED_AS.charCodeAt(down)], rise: -0.18, scale: 0.68 };
  // The small one, two and three are letters of Latin-1, but beside others they should look alike.
  if (up >= 0) return { font: plain, bytes: [RAISED_AS.charCodeAt(up)], rise: 0.36, scale: 0.68 };
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff && code !== 0xb5)) return { font: plain, bytes: [code], rise: 0, scale: 1 };
  if (LATIN[sign] !== undefined) return { font: plain, bytes: [LATIN[sign]!], rise: 0, scale: 1 };
  const symbol = SYMBOL.get(sign);
  return symbol === undefined ? null : { font: "F2", bytes: [symbol], rise: 0, scale: 1 };
}

/** Widths of Helvetica from space to tilde, thousandths of its size (Adobe's font metrics). */
const WIDTHS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
  1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
  333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const OTHERS: Record<number, number> = { 0xb0: 400, 0xb7: 278, 0xd7: 584, 0xb1: 584, 0x85: 1000, 0x97: 1000 };
/** Symbol's letters are about this wide; bold ones are wider by this. */
const SYMBOL_WIDTH = 550;
const BOLD = 1.06;

/** Width of a stretch of letters of a size. */
export function widthOf({ font, bytes, scale }: Stretch, size: number): number {
  const one = (byte: number) => (font === "F2" ? SYMBOL_WIDTH : WIDTHS[byte - 32] ?? OTHERS[byte] ?? 556);
  return (bytes.reduce((sum, byte) => sum + one(byte), 0) * size * scale * (font === "F3" ? BOLD : 1)) / 1000;
}

/** A string of PDF. */
export function literal(bytes: number[]): string {
  return `<${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}>`;
}
