/**
 * How finely the stage is drawn: coarser while playing, where frames come too slowly, and fine again at rest.
 */

/** Fractions of the screen's pixels per length. */
const DETAILS = [1, 0.7, 0.5, 0.35];
/** Frames farther apart than this are felt, ms. */
const SLOW = 45;
/** Frames that are looked at before a change. */
const FRAMES = 6;

export class Pace {
  private level = 0;
  private last = 0;
  private readonly apart: number[] = [];

  /** The detail for a frame that begins now. */
  detail(now: number, playing: boolean): number {
    if (!playing) {
      this.last = 0;
      this.apart.length = 0;
      return 1;
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
