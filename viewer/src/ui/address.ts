/** The moment in the address: reload, Back and a link lead to where the reader was. */

export interface Moment {
  t?: number;
  event?: number;
  lens?: boolean;
  xy?: [string, string, string?];
  degrees?: boolean;
  /** Where the stage looks, if the reader chose it. */
  look?: readonly number[];
  /** Layers of the stage that are not as they are at first. */
  layers?: string[];
  /** Kinds of plots that are not as they are at first. */
  plots?: string[];
  /** The body that is inspected. */
  body?: string;
  /** The section: what is cut by what. */
  section?: string[];
}

/** Values and law of a run of the live viewer. */
export interface Setting {
  set: string[];
  law: string | null;
  /** Whether the run is of a text that is in no file. */
  edited?: boolean;
}

/** A run that was kept: it is simulated again where the address is opened. */
export interface KeptSetting extends Setting { number: number; shown: boolean }

/** All that the live viewer puts into the address. */
export interface LiveSetting extends Setting { kept: KeptSetting[] }

export function readMoment(): Moment {
  const words = new URLSearchParams(location.hash.slice(1));
  const number = (key: string) => {
    const text = words.get(key);
    const x = text === null ? NaN : Number(text);
    return Number.isFinite(x) ? x : undefined;
  };
  const [x, y, of] = words.getAll("xy");
  const list = (key: string) => words.get(key)?.split(",").filter(Boolean);
  const look = list("look")?.map(Number);
  const section = words.getAll("section");
  return {
    t: number("t"), event: number("event"), lens: words.has("lens"), degrees: words.has("degrees"), xy: x !== undefined && y !== undefined ? [x, y, of] : undefined,
    look: look?.every(Number.isFinite) ? look : undefined, layers: list("layers"), plots: list("plots"), body: words.get("body") ?? undefined,
    section: section.length > 0 ? section : undefined,
  };
}

export function readSetting(): LiveSetting {
  const words = new URLSearchParams(location.hash.slice(1));
  return { ...settingOf(words), kept: words.getAll("kept").map(readKept) };
}

function settingOf(words: URLSearchParams): Setting {
  return { set: words.getAll("set"), law: words.get("law") };
}

/** A kept run is an address of its own within the address. */
function readKept(text: string, index: number): KeptSetting {
  const words = new URLSearchParams(text);
  const number = Number(words.get("number"));
  return { ...settingOf(words), number: Number.isInteger(number) && number > 0 ? number : index + 1, shown: !words.has("hidden") };
}

function keptWords({ number, shown, ...setting }: KeptSetting): string {
  return [`number=${number}`, ...(shown ? [] : ["hidden"]), ...settingWords(setting)].join("&");
}

function settingWords({ set, law }: Setting): string[] {
  return [...(law === null ? [] : [`law=${encodeURIComponent(law)}`]), ...set.map((one) => `set=${encodeURIComponent(one)}`)];
}

let waiting = 0;

/** Writes at most a few times a second: browsers refuse more. */
export function writeMoment(moment: () => Moment, setting: () => LiveSetting | null): void {
  clearTimeout(waiting);
  waiting = window.setTimeout(() => {
    const { t, event, lens, xy, degrees, look, layers = [], plots = [], body, section = [] } = moment();
    const words = [event !== undefined ? `event=${event}` : t !== undefined ? `t=${t}` : "", lens ? "lens" : "", degrees ? "degrees" : ""].filter(Boolean);
    words.push(...(xy ?? []).flatMap((name) => name ?? []).map((name) => `xy=${encodeURIComponent(name)}`));
    if (look) words.push(`look=${look.map((x) => Number(x.toPrecision(6))).join(",")}`);
    if (layers.length > 0) words.push(`layers=${layers.join(",")}`);
    if (plots.length > 0) words.push(`plots=${plots.join(",")}`);
    if (body !== undefined) words.push(`body=${encodeURIComponent(body)}`);
    words.push(...section.map((word) => `section=${encodeURIComponent(word)}`));
    const { kept, ...now } = setting() ?? { set: [], law: null, kept: [] };
    words.push(...settingWords(now), ...kept.map((one) => `kept=${encodeURIComponent(keptWords(one))}`));
    try {
      history.replaceState(null, "", words.length > 0 ? `#${words.join("&")}` : location.pathname + location.search);
    } catch {
      // A page that may not change its address works without.
    }
  }, 300);
}
