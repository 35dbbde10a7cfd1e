/**
 * How finely the stage is drawn: coarser while playing, where frames come too slowly, and fine again at rest. Where a
 * single picture takes so long that it is felt, a new run is drawn coarsely at once, and finely a moment later.
 */

/** Fractions of the screen's pixels per length. */
const DETAILS = [1, 0.7, 0.5, 0.35];
/** Frames farther apart than this are felt, ms. */
const SLOW = 45;
/** Frames that are looked at before a change. */
const FRAMES = 6;
/** Detail of the first picture of a new run on a machine that is slow. */
const SKETCH = 0.5;
/** Time after which a sketch is drawn finely, ms. */
export const SETTLE = 150;

export class Pace {
  private level = 0;
  private last = 0;
  private readonly apart: number[] = [];
  /** How long the last fine picture kept the next frame waiting, ms. */
  private took = 0;
  /** Whether what is drawn is a sketch. */
  sketching = false;

  /** Another run is to be drawn: coarsely at first if pictures take long. */
  renew(): void {
    this.sketching = this.took > SLOW;
  }

  /** What is there is drawn as it should be. */
  settle(): void {
    this.sketching = false;
  }

  /** Looks how long the picture that was begun takes. */
  time(begin: number, playing: boolean): void {
    if (!playing && !this.sketching) requestAnimationFrame(() => (this.took = performance.now() - begin));
  }

  /** The detail for a frame that begins now. */
  detail(now: number, playing: boolean): number {
    if (!playing) {
      this.last = 0;
      this.apart.length = 0;
      return this.sketching ? SKETCH : 1;
    }
    if (this.last > 0) this.apart.push(now - this.last);
    this.last = now;
    if (this.apart.length >= FRAMES) {
      const mean = this.apart.reduce((sum, x) => sum + x, 0) / this.apart.length;
      // Only ever coarser: going back and forth would be seen.
      if (mean > SLOW && this.level < DETAILS.length - 1) this.level++;
      this.apart.length = 0;
    }
    return DETAILS[this.level]!;
  }
}
