/** Numbers as people read them: few digits, tabular, true minus signs. */

/** Significant digits without zeros at the end, as the command line's summary writes them. */
export function significant(x: number, digits = 6): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "–" : x > 0 ? "∞" : "−∞";
  const rounded = Number((x + 0).toPrecision(digits));
  if (rounded === 0) return "0";
  const size = Math.abs(rounded);
  if (size < 1e-4 || size >= 10 ** Math.max(digits, 6)) {
    return minus(rounded.toExponential().replace(/e([+-]?)(\d+)$/, (_, sign, n) => `e${sign === "-" ? "-" : ""}${n}`));
  }
  return minus(String(rounded));
}

/** A fixed number of decimals, for columns. */
export function fixed(x: number, decimals: number): string {
  const text = x.toFixed(decimals);
  return minus(/^-0\.?0*$/.test(text) ? text.slice(1) : text);
}

function minus(text: string): string {
  return text.replaceAll("-", "−");
}

/** Time with as many decimals as a run of this length needs. */
export function seconds(t: number, span: number): string {
  return fixed(t, span > 100 ? 3 : span > 1 ? 4 : 6);
}

export interface Ticks { values: number[]; decimals: number }

/** About `count` round values in [low, high]. */
export function ticks(low: number, high: number, count: number): Ticks {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return { values: [low], decimals: 2 };
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 2.5, 5, 10].find((f) => f * power >= raw * (1 - 1e-9)) ?? 10;
  const step = factor * power;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (factor === 2.5 ? 1 : 0));
  const values: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) values.push(k * step);
  return { values, decimals };
}

/** Labels for ticks: plain decimals, or powers of ten where those would be long. */
export function tickLabels({ values, decimals }: Ticks): string[] {
  const largest = Math.max(...values.map(Math.abs), 0);
  if (largest >= 1e5 || (largest > 0 && largest < 1e-3)) {
    return values.map((v) => (Math.abs(v) < largest * 1e-9 ? "0" : significant(v, 3).replace(/e(.+)$/, "·10^$1").replace(/\^(.+)$/, (_, e) => superscript(e))));
  }
  return values.map((v) => fixed(v, decimals));
}

function superscript(text: string): string {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  return [...text].map((c) => (c === "−" || c === "-" ? "⁻" : digits[Number(c)] ?? c)).join("");
}
