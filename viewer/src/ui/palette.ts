/** Okabe and Ito's colours, darker where they are too pale for thin lines, with dash patterns, so that lines differ without
 * colour as well. They are those of carom-figure: the same thing has the same colour in plots and on the page. */

const SERIES = ["#0072b2", "#d55e00", "#009e73", "#b4468c", "#b47800", "#2e8cc4", "#404040", "#8c8c8c"];
const SERIES_DARK = ["#4a96eb", "#f5823a", "#3ccd96", "#de8cd2", "#f2b832", "#98d4fa", "#d2d2d2", "#969696"];
const DASHES: number[][] = [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 2], [12, 4], [1, 2], [6, 2, 1, 2, 1, 2]];

export function seriesColour(index: number, dark: boolean): string {
  const list = dark ? SERIES_DARK : SERIES;
  return list[index % list.length]!;
}

/** Series with a look of their own, whatever stands beside them; −1 is the colour of the text. */
export function fixedLook(name: string): number | null {
  if (name === "energy.stored") return -1;
  if (name === "energy.kinetic") return 0;
  if (name === "energy.gravity") return 2;
  if (name === "energy.spring") return 3;
  if (/^force\..*\.n$/.test(name)) return 3;
  if (/^force\..*\.t1$/.test(name)) return 4;
  if (/^force\..*\.t2$/.test(name)) return 5;
  return null;
}

/** Dashes of these series, as in the plots. */
export function fixedDash(name: string): number[] | null {
  if (/^(energy\.(stored|kinetic)|force\..*\.n)$/.test(name)) return [];
  if (/^(energy\.gravity|force\..*\.t1)$/.test(name)) return [7, 3];
  return fixedLook(name) === null ? null : [9, 3, 2, 3];
}

/** Axes x, y, z of a frame. */
export function axisColour(axis: number, ink: Ink): string {
  return seriesColour([1, 2, 0][axis]!, ink.dark);
}

export function dash(index: number): number[] {
  return DASHES[index % DASHES.length]!;
}

/** Colours of canvases, read once per theme from the style sheet. */
export interface Ink {
  dark: boolean;
  paper: string;
  panel: string;
  text: string;
  faint: string;
  grid: string;
  axis: string;
  accent: string;
  body: string;
  bodyEdge: string;
  solid: string;
  ground: string;
  groundEdge: string;
  force: string;
  compression: string;
  restitution: string;
  impulse: string;
  stick: string;
  slip: string;
  open: string;
}

export function readInk(): Ink {
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    dark: get("scheme") === "dark",
    paper: get("paper"), panel: get("panel"), text: get("text"), faint: get("faint"),
    grid: get("grid"), axis: get("axis"), accent: get("accent"),
    body: get("body"), bodyEdge: get("body-edge"), solid: get("solid"), ground: get("ground"), groundEdge: get("ground-edge"),
    force: get("force"), compression: get("compression"), restitution: get("restitution"), impulse: get("impulse"),
    stick: get("stick"), slip: get("slip"), open: get("open"),
  };
}
