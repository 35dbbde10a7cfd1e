/** The stretch of time that all plots show. */

export class Window {
  t0: number;
  t1: number;
  private readonly listeners: (() => void)[] = [];

  constructor(public start: number, public end: number) {
    this.t0 = start;
    this.t1 = end;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  get zoomed(): boolean {
    return this.t0 > this.start || this.t1 < this.end;
  }

  set(t0: number, t1: number): void {
    const least = Math.max((this.end - this.start) * 1e-7, 1e-9);
    const span = Math.min(Math.max(t1 - t0, least), this.end - this.start);
    this.t0 = Math.max(this.start, Math.min(t0, this.end - span));
    this.t1 = this.t0 + span;
    for (const listener of this.listeners) listener();
  }

  /** Makes the stretch shorter (factor > 1) or longer, t staying where it is. */
  zoom(factor: number, t: number): void {
    const at = Math.min(this.t1, Math.max(this.t0, t));
    this.set(at - (at - this.t0) / factor, at + (this.t1 - at) / factor);
  }

  all(): void {
    this.set(this.start, this.end);
  }

  /** Moves along so that t stays in sight. */
  reveal(t: number): void {
    const span = this.t1 - this.t0;
    if (t < this.t0 || t > this.t1) this.set(t - 0.1 * span, t + 0.9 * span);
  }

  setRange(start: number, end: number): void {
    const whole = !this.zoomed;
    this.start = start;
    this.end = end;
    if (whole) this.all();
    else this.set(this.t0, this.t1);
  }
}
