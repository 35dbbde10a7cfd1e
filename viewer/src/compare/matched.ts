/**
 * Events of several runs beside each other. The nth event of a kind at the same contacts is the same event in each run: runs
 * differ in when it happens, what it costs, and whether it happens at all.
 */
import type { PageEvent } from "../model/format";
import type { Run } from "../model/run";

export interface Matched { kind: string; contact: string; nth: number; t: number; events: (number | null)[] }

/** All events of all runs, in the order of their first time. */
export function matched(runs: Run[]): Matched[] {
  const rows = new Map<string, Matched>();
  runs.forEach((run, which) => {
    const counts = new Map<string, number>();
    run.events.forEach((event, index) => {
      const contact = contactOf(run, event);
      const sort = `${event.kind}\n${contact}`;
      const nth = (counts.get(sort) ?? 0) + 1;
      counts.set(sort, nth);
      const key = `${sort}\n${nth}`;
      let row = rows.get(key);
      if (!row) rows.set(key, (row = { kind: event.kind, contact, nth, t: event.t, events: runs.map(() => null) }));
      row.t = Math.min(row.t, event.t);
      row.events[which] = index;
    });
  });
  return [...rows.values()].sort((a, b) => a.t - b.t);
}

/** Contacts of an event by their names, in the order of the alphabet. */
function contactOf(run: Run, event: PageEvent): string {
  return [...new Set(event.contacts.map((contact) => run.sites[contact.site]?.name ?? "?"))].sort().join(", ");
}

/** Largest normal impulse of an event, N·s. */
export function impulseOf(event: PageEvent): number {
  return Math.max(0, ...event.contacts.map((contact) => contact.impulse[2]));
}
