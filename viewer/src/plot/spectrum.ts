/**
 * The amplitude spectrum of a series over a stretch of time: N values at equal distances, less their mean, under Hann's
 * window, A_k = 2 |Σ w_j y_j e^(−2πi jk/N)| / Σ w_j at f_k = k/T.
 */
import type { Run, Series } from "../model/run";

const COUNT = 4096;
/** Frequencies are shown as far as this part of all that moves reaches, and half as far again. */
const MOST = 0.999;
const LEAST = 24;

export interface Spectrum { f: number[]; a: number[] }

export function spectrum(run: Run, series: Series, t0: number, t1: number): Spectrum {
  const [from, to] = [Math.max(t0, run.start), Math.min(t1, run.end)];
  const duration = Math.max(to - from, 1e-300);
  const y = Float64Array.from({ length: COUNT }, (_, j) => run.valueAt(series, run.placeOf(from + (duration * j) / COUNT)));
  const mean = y.reduce((sum, x) => sum + x, 0) / COUNT;
  const [re, im] = [new Float64Array(COUNT), new Float64Array(COUNT)];
  let weight = 0;
  for (let j = 0; j < COUNT; j++) {
    const w = 0.5 - 0.5 * Math.cos((2 * Math.PI * j) / COUNT);
    re[j] = w * (y[j]! - mean);
    weight += w;
  }
  transform(re, im);
  const a = Array.from({ length: COUNT / 2 }, (_, k) => (2 * Math.hypot(re[k]!, im[k]!)) / weight);
  const shown = reach(a);
  return { f: Array.from({ length: shown }, (_, k) => k / duration), a: a.slice(0, shown) };
}

/** How many lines are worth showing. */
function reach(a: number[]): number {
  const all = a.reduce((sum, x) => sum + x * x, 0);
  let [sum, k] = [0, 0];
  while (k < a.length && sum < MOST * all) sum += a[k]! * a[k++]!;
  return Math.min(a.length, Math.max(LEAST, Math.ceil(1.5 * k)));
}

/** Cooley and Tukey's transform in place; the length is a power of two. */
function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j]!, re[i]!, im[j]!, im[i]!];
  }
  for (let size = 2; size <= n; size *= 2) {
    const angle = (-2 * Math.PI) / size;
    for (let k = 0; k < size / 2; k++) {
      const [c, s] = [Math.cos(angle * k), Math.sin(angle * k)];
      for (let i = k; i < n; i += size) {
        const j = i + size / 2;
        const [x, y] = [re[j]! * c - im[j]! * s, re[j]! * s + im[j]! * c];
        [re[j], im[j]] = [re[i]! - x, im[i]! - y];
        [re[i], im[i]] = [re[i]! + x, im[i]! + y];
      }
    }
  }
}
