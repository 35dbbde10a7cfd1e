/** Which series stand together in one plot: by quantity and unit, contact forces by contact, energies by their size. */
import type { Group } from "../model/format";
import type { Run, Series } from "../model/run";

export interface Sheet {
  key: string;
  group: Group;
  unit: string;
  /** Behind the title of the group, such as the name of a contact. */
  of: string;
  series: { name: string; label: string }[];
}

/** Contacts with a plot of their own; the others share one. */
const MOST_CONTACTS = 8;
/** Changes below this part of the largest number of a group are round-off. */
const ROUND_OFF = 1e-10;

/** Sheets of a run. `seen` holds the names that have moved before: a slider must not make plots come and go. */
export function sheetsOf(run: Run, seen: Set<string>): Sheet[] {
  for (const name of moving(run)) seen.add(name);
  const own = contactsOf(run, seen);
  const far = hasFarZero(run);
  const sheets = new Map<string, Sheet>();
  for (const series of run.series) {
    if (!isWorthIt(series, run, seen)) continue;
    const [of, label] = placeOf(series, own, far);
    const key = `${series.group} ${series.unit} ${of}`;
    let sheet = sheets.get(key);
    if (!sheet) sheets.set(key, (sheet = { key, group: series.group, unit: series.unit, of, series: [] }));
    sheet.series.push({ name: series.name, label });
  }
  for (const sheet of sheets.values()) sheet.series.sort((a, b) => rank(a.name) - rank(b.name));
  return [...sheets.values()];
}

/** The total before its parts, the normal before the tangents. */
function rank(name: string): number {
  return name === "energy.stored" || /^force\..*\.n$/.test(name) ? 0 : 1;
}

/** Names of series that do not stay what they were at first. */
function moving(run: Run): string[] {
  const scales = new Map<string, number>();
  for (const { group, values } of run.series) scales.set(group, Math.max(scales.get(group) ?? 0, largest(values)));
  return run.series
    .filter(({ group, values }) => {
      const least = ROUND_OFF * scales.get(group)!;
      return values.some((v) => Math.abs(v - values[0]!) > least);
    })
    .map((series) => series.name);
}

/** What never moves is left out where something else of its group does; of energies and forces, what is always zero. */
function isWorthIt(series: Series, run: Run, seen: Set<string>): boolean {
  const { group, name, values } = series;
  if (seen.has(name)) return true;
  if (group === "energy") return values.some((v) => v !== 0);
  // A constant force is a force; the other directions of a contact that acts stay with it.
  if (group === "force" && isStruck(run, siteOf(name))) return true;
  if (group === "force") return run.series.some((s) => s.group === "force" && siteOf(s.name) === siteOf(name) && (seen.has(s.name) || s.values.some((v) => v !== 0)));
  if (group !== "coordinates" && group !== "speeds") return true;
  return !run.series.some((s) => s.group === group && seen.has(s.name));
}

/** Whether a contact takes an impulse at some time. */
function isStruck(run: Run, name: string): boolean {
  const site = run.sites.findIndex((one) => one.name === name);
  return run.events.some(({ contacts }) => contacts.some((contact) => contact.site === site && contact.impulse[2] !== 0));
}

function siteOf(name: string): string {
  return name.replace(/^force\./, "").replace(/\.(n|t1|t2)$/, "");
}

/** Contacts whose forces have a plot of their own: those with the largest. */
function contactsOf(run: Run, seen: Set<string>): Set<string> {
  const sizes = new Map<string, number>();
  for (const series of run.series) {
    if (series.group !== "force" || !isWorthIt(series, run, seen)) continue;
    const site = siteOf(series.name);
    sizes.set(site, Math.max(sizes.get(site) ?? 0, largest(series.values)));
  }
  return new Set([...sizes].sort((a, b) => b[1] - a[1]).slice(0, MOST_CONTACTS).map(([site]) => site));
}

/** What a series stands under, and its name there. */
function placeOf({ group, name, label }: Series, own: Set<string>, far: boolean): [string, string] {
  if (group === "energy") return [far && /\.(gravity|stored)$/.test(name) ? "potential and total" : "", label];
  if (group !== "force") return ["", label];
  const site = siteOf(name);
  return own.has(site) ? [site, label.replace(`${site} `, "")] : ["other contacts", label];
}

/** Whether the zero of the potential is so far off that kinetic energy would vanish beside it. */
function hasFarZero(run: Run): boolean {
  const of = (name: string) => run.series.find((s) => s.name === name)?.values;
  const gravity = of("energy.gravity");
  if (!gravity) return false;
  let [low, high] = [Infinity, -Infinity];
  for (const v of gravity) [low, high] = [Math.min(low, v), Math.max(high, v)];
  const swing = Math.max(high - low, ...["energy.kinetic", "energy.spring"].map((name) => largest(of(name) ?? [])));
  return swing > 0 && Math.min(Math.abs(low), Math.abs(high)) > 4 * swing;
}

function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]!));
  return most;
}
