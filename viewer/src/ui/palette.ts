/** Okabe and Ito's colours with dash patterns, so that lines differ without colour as well. */

const SERIES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A6D3B", "#777777"];
const SERIES_DARK = ["#56A8E0", "#F0803C", "#2FC49A", "#E39AC4", "#F2B735", "#8FD0F5", "#C7A97A", "#A9A9A9"];
const DASHES: number[][] = [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 2], [12, 4], [1, 2], [6, 2, 1, 2, 1, 2]];

export function seriesColour(index: number, dark: boolean): string {
  const list = dark ? SERIES_DARK : SERIES;
  return list[index % list.length]!;
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
    force: get("force"), compression: get("compression"), impulse: get("impulse"),
    stick: get("stick"), slip: get("slip"), open: get("open"),
  };
}
