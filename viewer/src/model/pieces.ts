/**
 * Motion as polynomials: between two times every quantity is the polynomial of degree p through its values at
 * Chebyshev's points x_j = (1 − cos(jπ/p))/2. Pieces share their ends; a piece of degree 0 is a jump.
 */

/** Where a time falls: the values from `first` on with their weights; `frame` is the last at or before it. */
export interface Place { frame: number; first: number; weights: ArrayLike<number> }

const ONE = [1];
const nodes = new Map<number, Float64Array>();

function points(p: number): Float64Array {
  let list = nodes.get(p);
  if (!list) nodes.set(p, (list = Float64Array.from({ length: p + 1 }, (_, j) => (1 - Math.cos((Math.PI * j) / p)) / 2)));
  return list;
}

/** Weights of the values of a piece of degree p at x in [0, 1], by the barycentric formula. */
export function weights(p: number, x: number): Float64Array {
  const at = points(p);
  const all = new Float64Array(p + 1);
  let sum = 0;
  for (let j = 0; j <= p; j++) {
    if (at[j] === x) {
      all.fill(0);
      all[j] = 1;
      return all;
    }
    const w = ((j % 2 === 0 ? 1 : -1) * (j === 0 || j === p ? 0.5 : 1)) / (x - at[j]!);
    all[j] = w;
    sum += w;
  }
  for (let j = 0; j <= p; j++) all[j]! /= sum;
  return all;
}

export class Pieces {
  /** First frame of each piece, and the last of all. */
  readonly first: Uint32Array;
  readonly count: number;

  constructor(readonly t: Float64Array, readonly degrees: Uint8Array) {
    this.count = degrees.length;
    this.first = new Uint32Array(this.count + 1);
    for (let k = 0; k < this.count; k++) this.first[k + 1] = this.first[k]! + Math.max(1, degrees[k]!);
    if (this.first[this.count] !== t.length - 1) throw new Error(`pieces: ${this.first[this.count]! + 1} values, expected ${t.length}`);
  }

  /** The last piece that begins at or before t. */
  pieceAt(t: number): number {
    let low = 0;
    let high = this.count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.t[this.first[middle]!]! <= t) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The state at t; at a jump, the one after it. */
  placeOf(t: number): Place {
    if (this.count === 0) return at(0);
    const piece = this.pieceAt(t);
    const first = this.first[piece]!;
    const p = this.degrees[piece]!;
    const end = first + Math.max(1, p);
    if (t >= this.t[end]!) return at(end);
    if (p === 0 || t <= this.t[first]!) return at(first);
    return this.within(piece, t);
  }

  /** The state at t by the polynomial of a piece. */
  within(piece: number, t: number): Place {
    const first = this.first[piece]!;
    const p = this.degrees[piece]!;
    if (p === 0) return at(first + 1);
    const [a, b] = [this.t[first]!, this.t[first + p]!];
    let frame = first;
    while (frame < first + p && this.t[frame + 1]! <= t) frame++;
    return { frame, first, weights: weights(p, Math.min(1, Math.max(0, (t - a) / (b - a)))) };
  }
}

/** Exactly at a frame. */
export function at(frame: number): Place {
  return { frame, first: frame, weights: ONE };
}

/** Number `k` of `width` numbers per frame. */
export function mix(values: ArrayLike<number>, { first, weights: w }: Place, width = 1, k = 0): number {
  let sum = 0;
  for (let j = 0; j < w.length; j++) sum += w[j]! * values[(first + j) * width + k]!;
  return sum;
}
