/**
 * Impacts that can be heard: a short knock per impact while the run plays, louder and brighter the larger its impulse is
 * beside the largest of the run. Off until the reader asks for it.
 */
import type { Run } from "../model/run";
import { isJump } from "../plot/lens";
import { iconButton } from "./dom";
import { remember } from "./theme";

/** Knocks at one time, at most: more are a noise. */
const MOST = 6;
/** Impulses below this part of the largest are not heard. */
const LEAST = 1e-4;

/** One knock: when, how loud (0 to 1), and of which event. */
export interface Knock { event: number; loudness: number }

/** What is heard when time goes from t0 to t1: the loudest impacts of (t0, t1], in the order of time. */
export function knocks(run: Run, t0: number, t1: number): Knock[] {
  const largest = largestImpulse(run);
  const list: Knock[] = [];
  const first = t1 > t0 ? run.eventAfter(t0) : -1;
  for (let i = first; i >= 0 && i < run.events.length && run.events[i]!.t <= t1; i++) {
    const size = impulseOf(run, i);
    // Loudness goes with the square root: a hundredth of the energy of sound is half as loud, not nothing.
    if (size > LEAST * largest) list.push({ event: i, loudness: Math.sqrt(size / largest) });
  }
  return list.sort((a, b) => b.loudness - a.loudness).slice(0, MOST).sort((a, b) => a.event - b.event);
}

function impulseOf(run: Run, index: number): number {
  const { kind, contacts } = run.events[index]!;
  return isJump(kind) ? Math.max(0, ...contacts.map(({ impulse }) => Math.hypot(...impulse))) : 0;
}

const LARGEST = new WeakMap<Run, number>();

function largestImpulse(run: Run): number {
  let most = LARGEST.get(run);
  if (most === undefined) {
    most = 0;
    for (let i = 0; i < run.events.length; i++) most = Math.max(most, impulseOf(run, i));
    LARGEST.set(run, most);
  }
  return most;
}

export class Sound {
  readonly button: HTMLButtonElement;
  /** Knocks that were played, for the tests. */
  played = 0;
  private on = remember("carom-sound") === "on";
  private context: AudioContext | null = null;
  private last = Infinity;

  constructor() {
    this.button = iconButton("M2 6v4h3l4 3.5v-11L5 6zM11.5 5.5a3.5 3.5 0 0 1 0 5M13 3.5a6.4 6.4 0 0 1 0 9", "Sound of impacts", () => this.toggle(), "m");
    this.tell();
  }

  toggle(): void {
    this.on = !this.on;
    remember("carom-sound", this.on ? "on" : "off");
    if (!this.on) void this.context?.suspend();
    this.tell();
  }

  /** Time has come to t; what happened on the way is heard while playing. */
  reach(run: Run, t: number, playing: boolean): void {
    const from = this.last;
    this.last = playing ? t : Infinity;
    if (!this.on || !playing || !(t > from)) return;
    for (const { loudness } of knocks(run, from, t)) this.knock(loudness);
  }

  private tell(): void {
    this.button.setAttribute("aria-pressed", String(this.on));
  }

  /** A tone that falls a little and dies away within a tenth of a second. */
  private knock(loudness: number): void {
    this.played++;
    try {
      this.context ??= new AudioContext();
    } catch {
      // A browser without sound shows the motion all the same.
      return;
    }
    const { context } = this;
    void context.resume();
    const [now, tone, volume] = [context.currentTime, context.createOscillator(), context.createGain()];
    tone.type = "triangle";
    tone.frequency.setValueAtTime(220 + 660 * loudness, now);
    tone.frequency.exponentialRampToValueAtTime(110 + 220 * loudness, now + 0.09);
    volume.gain.setValueAtTime(0.5 * loudness, now);
    volume.gain.exponentialRampToValueAtTime(1e-4, now + 0.1);
    tone.connect(volume).connect(context.destination);
    tone.start(now);
    tone.stop(now + 0.11);
  }
}
