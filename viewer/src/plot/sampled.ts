/** Points of a curve: as many as its polynomials need in a picture of a given width. */
import type { Run, Series } from "../model/run";
import { at as atFrame, mix, type Place } from "../model/pieces";

/** `late` tells a point that begins a piece from one that ends it. */
export interface Points { t: number[]; y: number[]; late: boolean[] }

/** Times of points, the piece that each belongs to, and where it falls in that, once for all series. */
export interface Times { t: number[]; piece: number[]; places: Place[] }

/** The times that were asked for last of each run: all series of a plot, and most plots, ask for the same. */
const known = new WeakMap<Run, { key: string; times: Times }>();

/** Times of the points from t0 to t1; at a jump there are two. */
export function timesOf(run: Run, t0: number, t1: number, pixels: number): Times {
  const key = `${t0} ${t1} ${pixels}`;
  const before = known.get(run);
  if (before?.key === key) return before.times;
  const { t, piece } = pointsOf(run, t0, t1, pixels);
  const times = { t, piece, places: t.map((one, i) => (piece[i]! < 0 ? atFrame(0) : run.pieces.within(piece[i]!, one))) };
  known.set(run, { key, times });
  return times;
}

function pointsOf(run: Run, t0: number, t1: number, pixels: number): { t: number[]; piece: number[] } {
  const { pieces } = run;
  const [t, piece]: [number[], number[]] = [[], []];
  if (pieces.count === 0) return { t: [run.start], piece: [-1] };
  const from = pieces.pieceAt(t0);
  const to = pieces.pieceAt(t1);
  // Where there are few pieces, each is a smooth curve by itself, however short.
  const least = Math.min(16, Math.max(2, Math.floor((3 * pixels) / (to - from + 1))));
  for (let k = from; k <= to; k++) {
    const p = pieces.degrees[k]!;
    if (p === 0) continue;
    const a = Math.max(t0, run.t[pieces.first[k]!]!);
    const b = Math.min(t1, run.t[pieces.first[k]! + p]!);
    if (b < a) continue;
    const count = p === 1 ? 1 : Math.max(least, Math.min(pixels, Math.ceil(((b - a) / (t1 - t0)) * (pixels / 1.5))));
    for (let i = 0; i <= count; i++) {
      t.push(i === count ? b : a + ((b - a) * i) / count);
      piece.push(k);
    }
  }
  if (t.length === 0) return { t: [t0], piece: [from] };
  return { t, piece };
}

export function valuesOf(series: Series, at: Times): number[] {
  return at.places.map((place) => mix(series.values, place));
}

/** Part of a polynomial over which its slope is taken. */
const SLOPE = 0.01;

/** How fast a series changes at a time, within one piece. */
export function slopeAt(run: Run, series: Series, piece: number, t: number): number {
  const { pieces } = run;
  const degree = piece < 0 ? 0 : pieces.degrees[piece]!;
  if (degree === 0) return 0;
  const [a, b] = [run.t[pieces.first[piece]!]!, run.t[pieces.first[piece]! + degree]!];
  const h = SLOPE * (b - a);
  const [t0, t1] = [Math.max(a, t - h), Math.min(b, t + h)];
  return t1 > t0 ? (mix(series.values, pieces.within(piece, t1)) - mix(series.values, pieces.within(piece, t0))) / (t1 - t0) : 0;
}

export function slopesOf(run: Run, series: Series, at: Times): number[] {
  return at.t.map((t, i) => slopeAt(run, series, at.piece[i]!, t));
}

export function sampled(run: Run, series: Series, t0: number, t1: number, pixels: number): Points {
  const at = timesOf(run, t0, t1, pixels);
  return { t: at.t, y: valuesOf(series, at), late: at.piece.map((piece, i) => piece !== at.piece[i + 1] ? false : true) };
}
