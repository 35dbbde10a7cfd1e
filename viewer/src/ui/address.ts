/** The moment in the address: reload, Back and a link lead to where the reader was. */

export interface Moment { t?: number; event?: number; lens?: boolean }

/** Values and law of the live viewer. */
export interface Setting { set: string[]; law: string | null }

export function readMoment(): Moment {
  const words = new URLSearchParams(location.hash.slice(1));
  const number = (key: string) => {
    const text = words.get(key);
    const x = text === null ? NaN : Number(text);
    return Number.isFinite(x) ? x : undefined;
  };
  return { t: number("t"), event: number("event"), lens: words.has("lens") };
}

export function readSetting(): Setting {
  const words = new URLSearchParams(location.hash.slice(1));
  return { set: words.getAll("set"), law: words.get("law") };
}

let waiting = 0;

/** Writes at most a few times a second: browsers refuse more. */
export function writeMoment(moment: () => Moment, setting: () => Setting | null): void {
  clearTimeout(waiting);
  waiting = window.setTimeout(() => {
    const { t, event, lens } = moment();
    const words = [event !== undefined ? `event=${event}` : t !== undefined ? `t=${t}` : "", lens ? "lens" : ""].filter(Boolean);
    const { set, law } = setting() ?? { set: [], law: null };
    if (law !== null) words.push(`law=${encodeURIComponent(law)}`);
    for (const one of set) words.push(`set=${encodeURIComponent(one)}`);
    try {
      history.replaceState(null, "", words.length > 0 ? `#${words.join("&")}` : location.pathname + location.search);
    } catch {
      // A page that may not change its address works without.
    }
  }, 300);
}
