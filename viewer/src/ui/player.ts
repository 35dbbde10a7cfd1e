/** The clock of the page: one time that the stage, the plots and the tables share. */

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export type Listener = (t: number) => void;

/** An axis that play goes along evenly instead of time, such as the impact lens. */
export interface Track {
  at(t: number): number;
  time(x: number): { t: number; slot: { event: number } | null; s: number };
  /** How long all of it takes at speed 1, s. */
  duration: number;
}

export class Player {
  /** Within an impact: which event, and how much of its impulse has been. */
  inSlot: { event: number; s: number } | null = null;
  private track: (() => Track | null) | null = null;
  private place = 0;
  t: number;
  playing = false;
  speed = 1;
  loop = false;
  private last = 0;
  private request = 0;
  private readonly listeners: Listener[] = [];
  private readonly modeListeners: (() => void)[] = [];

  /** Where play ends: what comes after it is rest. */
  private home: number;

  constructor(public start: number, public end: number) {
    this.t = start;
    this.home = end;
  }

  /** Called with each new time. */
  onTime(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Called when playing, speed or loop change. */
  onMode(listener: () => void): void {
    this.modeListeners.push(listener);
  }

  /** Plays along another axis as long as `track` gives one. */
  follow(track: () => Track | null): void {
    this.track = track;
  }

  /** A locked clock stays at the start. */
  setLocked(on: boolean): void {
    this.pause();
    this.locked = false;
    this.seek(this.start);
    this.locked = on;
  }
  private locked = false;

  seek(t: number): void {
    if (this.locked) return;
    this.inSlot = null;
    this.go(t);
  }

  private go(t: number): void {
    this.t = Math.min(this.end, Math.max(this.start, t));
    for (const listener of this.listeners) listener(this.t);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.playing || this.locked) return;
    if (this.t >= this.end || this.t === this.home) this.seek(this.start);
    this.playing = true;
    this.place = this.track?.()?.at(this.t) ?? 0;
    this.last = performance.now();
    this.request = requestAnimationFrame((now) => this.step(now));
    this.changed();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.request);
    this.changed();
  }

  setSpeed(speed: number): void {
    this.speed = Math.min(SPEEDS[SPEEDS.length - 1]!, Math.max(SPEEDS[0]!, speed));
    this.changed();
  }

  /** The next speed of the list, up or down. */
  faster(direction: 1 | -1): void {
    const nearest = SPEEDS.reduce((best, s, i) => (Math.abs(Math.log(s / this.speed)) < Math.abs(Math.log(SPEEDS[best]! / this.speed)) ? i : best), 0);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, nearest + direction))]!);
  }

  setLoop(loop: boolean): void {
    this.loop = loop;
    this.changed();
  }

  /** A new run under the same clock. */
  setRange(start: number, end: number, home = end): void {
    this.start = start;
    this.end = end;
    this.home = home;
    this.seek(this.t);
  }

  private step(now: number): void {
    if (!this.playing) return;
    // A hidden tab gets no frames: do not leap when it comes back.
    const passed = Math.min(0.25, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    const track = this.track?.();
    if (track) {
      this.place += (passed * this.speed) / track.duration;
      if (this.place >= 1) this.place = this.loop ? 0 : 1;
      const { t, slot, s } = track.time(this.place);
      this.inSlot = slot ? { event: slot.event, s } : null;
      this.go(t);
      if (this.place >= 1) return this.pause();
      this.request = requestAnimationFrame((later) => this.step(later));
      return;
    }
    let next = this.t + passed * this.speed;
    // From within the rest play goes on to the end.
    const stop = this.t < this.home ? this.home : this.end;
    if (next >= stop) {
      if (this.loop && this.end > this.start) next = this.start;
      else {
        this.seek(stop);
        this.pause();
        return;
      }
    }
    this.seek(next);
    this.request = requestAnimationFrame((later) => this.step(later));
  }

  private changed(): void {
    for (const listener of this.modeListeners) listener();
  }
}
