/** What happens now, in a sentence: what touches, what was last, what comes next. */
import type { PageEvent } from "../model/format";
import type { Run } from "../model/run";
import { isJump } from "../plot/lens";
import { isPlain } from "../plot/modes";
import { h } from "./dom";
import { significant } from "./numbers";

/** Contacts that are named at most. */
const NAMED = 3;

const KINDS: Record<string, string> = {
  impact: "impact", jam: "jam", close: "bouncing ends", touch: "touch", "lift-off": "lift-off", "slip-start": "slip begins", "slip-stop": "slip ends",
  "slip-reversal": "slip turns round", saturation: "a motor meets its limit", switch: "a controller switches", step: "a time step carries on", rest: "everything rests",
};

export class Caption {
  readonly element = h("p.caption", { "aria-live": "off" });
  private run: Run | null = null;
  private last = 0;

  show(run: Run): void {
    this.run = run;
    this.last = 0;
  }

  /** While playing, a few times a second. */
  tell(t: number, playing: boolean): void {
    const now = performance.now();
    if (!this.run || (playing && now - this.last < 150)) return;
    this.last = now;
    this.element.textContent = sentence(this.run, t);
  }
}

export function sentence(run: Run, t: number): string {
  const next = run.eventAfter(t);
  const before = (next < 0 ? run.events.length : next) - 1;
  const parts = [touching(run, t)];
  const past = before >= 0 ? t - run.events[before]!.t : 0;
  if (before >= 0) parts.push(`${past < 1e-12 ? "now" : `${lasting(past)} ago`}: ${told(run, run.events[before]!)}${cost(run.events[before]!)}`);
  // What the next event costs is for the reader to guess.
  if (next >= 0) parts.push(`in ${lasting(run.events[next]!.t - t)}: ${told(run, run.events[next]!)}`);
  return parts.join(" · ");
}

/** Modes of the contacts at a time. */
function touching(run: Run, t: number): string {
  if (run.sites.length === 0) return "no contacts";
  const { frame } = run.placeOf(t);
  const closed = run.sites.filter((site) => site.modes[frame] !== 0);
  if (closed.length === 0) return "nothing touches";
  if (closed.length > NAMED) {
    const slips = closed.filter((site) => site.modes[frame] === 2 && !isPlain(site)).length;
    return `${closed.length} contacts closed${slips > 0 ? `, ${slips} of them slip` : ""}`;
  }
  return closed.map((site) => `${site.name} ${isPlain(site) ? "is closed" : site.modes[frame] === 2 ? "slips" : "sticks"}`).join(", ");
}

function told(run: Run, event: PageEvent): string {
  const names = [...new Set(event.contacts.map(({ site }) => run.sites[site]?.name ?? "?"))];
  const where = names.length === 0 ? "" : names.length > NAMED ? ` at ${names.length} contacts` : ` at ${names.join(", ")}`;
  return `${KINDS[event.kind] ?? event.kind}${where}`;
}

function cost(event: PageEvent): string {
  const lost = event.energy_before - event.energy_after;
  const noise = 1e-9 * Math.max(Math.abs(event.energy_before), Math.abs(event.energy_after));
  return isJump(event.kind) && Math.abs(lost) > noise ? `, ${significant(Math.abs(lost), 3)} J ${lost > 0 ? "lost" : "gained"}` : "";
}

function lasting(seconds: number): string {
  return seconds < 1e-3 ? `${significant(1e6 * seconds, 2)} µs` : seconds < 1 ? `${significant(1e3 * seconds, 3)} ms` : `${significant(seconds, 3)} s`;
}
