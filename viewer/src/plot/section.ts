/**
 * Poincaré sections: the states of a run at the instants at which something happens.
 *
 *     events      tₖ = time of the kth event of a kind, at a contact                     (1)
 *     crossings   c(tₖ) = level, c rising or falling through it along the motion         (2)
 *     period      tₖ = t₀ + k T                                                          (3)
 *
 * Zeros of (2) are those of the polynomials that the motion is kept as. A value that jumps over the level at an impact
 * is never at it: no point of the section. States at events are those just before or just after.
 */
import { at, mix, type Place } from "../model/pieces";
import type { Run, Series } from "../model/run";

export type Where =
  | { by: "event"; kind: string; site: number | null; before: boolean }
  | { by: "column"; series: Series; level: number; direction: Direction }
  | { by: "period"; period: number };

export type Direction = "up" | "down" | "both";

/** An instant of the section, and where its state is read. */
export interface Cut { t: number; place: Place; event: number | null }

/** Points of a section at most: more are a blot. */
export const MOST = 20_000;
/** A polynomial of degree p is looked at in this many stretches per degree. */
const STRETCHES = 3;

export function cuts(run: Run, where: Where, t0: number, t1: number): Cut[] {
  if (where.by === "event") return events(run, where, t0, t1);
  return where.by === "period" ? strobes(run, where.period, t0, t1) : crossings(run, where, t0, t1);
}

/** (1). */
function events(run: Run, { kind, site, before }: Where & { by: "event" }, t0: number, t1: number): Cut[] {
  const list: Cut[] = [];
  for (const [i, event] of run.events.entries()) {
    if (event.kind !== kind || event.t < t0 || event.t > t1 || list.length >= MOST) continue;
    if (site !== null && !event.contacts.some((contact) => contact.site === site)) continue;
    const after = Math.min(event.frame, run.frames - 1);
    list.push({ t: event.t, place: at(before ? firstAt(run, after) : after), event: i });
  }
  return list;
}

/** The frame before everything that happens at the time of a frame. */
function firstAt(run: Run, frame: number): number {
  let first = frame;
  while (first > 0 && run.t[first - 1] === run.t[frame]) first--;
  return first;
}

/** (3). */
function strobes(run: Run, period: number, t0: number, t1: number): Cut[] {
  if (!(period > 0)) return [];
  const list: Cut[] = [];
  for (let k = Math.ceil((t0 - run.start) / period - 1e-9); list.length < MOST; k++) {
    const t = run.start + k * period;
    if (t > t1 || t > run.end) break;
    list.push({ t, place: run.placeOf(t), event: null });
  }
  return list;
}

/** (2). */
function crossings(run: Run, { series, level, direction }: Where & { by: "column" }, t0: number, t1: number): Cut[] {
  const { pieces } = run;
  const list: Cut[] = [];
  for (let k = pieces.count > 0 ? pieces.pieceAt(t0) : 0; k < pieces.count && list.length < MOST; k++) {
    const p = pieces.degrees[k]!;
    const [a, b] = [run.t[pieces.first[k]!]!, run.t[pieces.first[k]! + p]!];
    if (a > t1) break;
    if (p === 0 || !(b > a)) continue;
    const over = (t: number) => mix(series.values, pieces.within(k, t)) - level;
    const count = STRETCHES * p;
    let [last, from] = [over(a), a];
    for (let i = 1; i <= count; i++) {
      const to = i === count ? b : a + ((b - a) * i) / count;
      const next = over(to);
      // Half open: a zero at the start belongs to the stretch before.
      const rises = last < 0 && next >= 0;
      const falls = last > 0 && next <= 0;
      if ((rises && direction !== "down") || (falls && direction !== "up")) {
        const t = zero(over, from, to, last);
        if (t >= t0 && t <= t1) list.push({ t, place: pieces.within(k, t), event: null });
      }
      [last, from] = [next, to];
    }
  }
  return list;
}

/** Where a function that changes its sign does so, by halving. */
function zero(f: (t: number) => number, from: number, to: number, first: number): number {
  let [a, b] = [from, to];
  for (let i = 0; i < 60; i++) {
    const middle = (a + b) / 2;
    if (middle <= a || middle >= b) break;
    if (f(middle) < 0 === first < 0) a = middle;
    else b = middle;
  }
  return b;
}
