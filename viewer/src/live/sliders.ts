/** Parameters of the scene as sliders with a field beside them, and the choice of the law. */
import { h } from "../ui/dom";
import type { Setting } from "../ui/address";
import { significant } from "../ui/numbers";
import type { Grip } from "../stage/drag";
import type { Parameter, SceneInfo } from "./api";

const TITLES: Record<string, string> = {
  contact: "Contacts", gravity: "Gravity", plane: "Surfaces", initial: "Start", body: "Bodies", solver: "Solver",
};
const OPEN = new Set(["contact", "gravity", "plane"]);

export class Sliders {
  readonly element = h("div.sliders");
  private readonly changed = new Map<string, number>();
  private law = -1;
  private readonly reset = h<HTMLButtonElement>("button.small", { type: "button", disabled: true }, "As in the scene");

  constructor(private readonly scene: SceneInfo, private readonly onChange: () => void) {
    this.reset.addEventListener("click", () => {
      this.changed.clear();
      this.law = -1;
      this.build();
      this.onChange();
    });
    this.build();
  }

  /** Values of the start that move bodies. */
  grips(): Grip[] {
    return this.scene.parameters.flatMap((p) => (p.grip ? [{ ...p.grip, path: p.path, label: p.label, unit: p.unit, value: this.changed.get(p.path) ?? p.value }] : []));
  }

  /** Several values at once. */
  put(values: [path: string, value: number][]): void {
    for (const [path, value] of values) {
      const own = this.scene.parameters.find((p) => p.path === path)?.value;
      // As many digits as a pointer has, so that fields and commands can be read.
      const short = Number(value.toPrecision(6));
      if (short === own) this.changed.delete(path);
      else this.changed.set(path, short);
    }
    this.build();
    this.touched();
  }

  /** Angles in degrees, or in radians as the scene has them. */
  setDegrees(on: boolean): void {
    if (on === this.degrees) return;
    this.degrees = on;
    this.build();
  }
  private degrees = false;

  /** The overrides of a setting, as `--set` takes them. */
  overrides({ set, law }: Setting): string[] {
    return [...(this.scene.laws.find(({ label }) => label === law)?.set ?? []), ...set];
  }

  /** A run of the scene by the command line, with all that was changed in it. */
  command(changes: string[]): string {
    return ["carom run", shellWord(this.scene.path ?? this.scene.name), ...changes.map((one) => `--set ${shellWord(one)}`)].join(" ");
  }

  /** What of a setting this scene has. */
  known({ set, law }: Setting): Setting {
    return { set: set.filter((one) => this.value(one) !== null), law: this.scene.laws.some(({ label }) => label === law) ? law : null };
  }

  /** Path and number of an override; null if the scene has no such value. */
  private value(one: string): [string, number] | null {
    const at = one.lastIndexOf("=");
    const [path, value] = [one.slice(0, at), Number(one.slice(at + 1))];
    return this.scene.parameters.some((p) => p.path === path) && Number.isFinite(value) ? [path, value] : null;
  }

  /** Values and law for the address. */
  setting(): Setting {
    return { set: [...this.changed].map(([path, value]) => `${path}=${value}`), law: this.law >= 0 ? this.scene.laws[this.law]!.label : null };
  }

  /** Takes what an address tells; what the scene does not have is left out. True if something differs from the scene. */
  restore({ set, law }: Setting): boolean {
    for (const one of set.map((text) => this.value(text))) if (one) this.changed.set(...one);
    this.law = law === null ? -1 : this.scene.laws.findIndex(({ label }) => label === law);
    this.build();
    return this.changed.size > 0 || this.law >= 0;
  }

  /** The values in which a setting differs from the scene, for people. */
  words({ set }: Setting): string[] {
    const named = (path: string) => this.scene.parameters.find((p) => p.path === path)?.label ?? path;
    return set.map((one) => this.value(one)).filter((one) => one !== null).map(([path, value]) => `${named(path)} = ${significant(value)}`);
  }

  private build(): void {
    const groups = [...new Set(this.scene.parameters.map((p) => p.group))];
    this.element.replaceChildren(
      h("header.row", {}, h("h2", {}, "Parameters"), this.reset),
      ...(this.scene.laws.length > 0 ? [this.lawChoice()] : []),
      ...groups.map((group, i) => h("details", { open: OPEN.has(group) || i === 0 }, h("summary", {}, TITLES[group] ?? group),
        ...this.scene.parameters.filter((p) => p.group === group).map((p) => this.slider(p)))));
    this.reset.disabled = this.changed.size === 0 && this.law < 0;
  }

  private lawChoice(): HTMLElement {
    const own = this.scene.law != null ? this.scene.laws[this.scene.law]?.label : undefined;
    const select = h<HTMLSelectElement>("select", { id: "law", "data-path": "law" },
      h("option", { value: -1, selected: this.law < 0 }, own ? `${own} (scene)` : "as in the scene"),
      ...this.scene.laws.map((law, i) => h("option", { value: i, selected: i === this.law }, law.label)));
    select.addEventListener("change", () => {
      this.law = Number(select.value);
      this.touched();
    });
    return h("label.field", { for: "law" }, h("span", {}, "Impact law"), select);
  }

  private slider(p: Parameter): HTMLElement {
    const turn = this.degrees && /^rad(\/s)?$/.test(p.unit) ? 180 / Math.PI : 1;
    const unit = turn === 1 ? p.unit : p.unit.replace("rad", "°");
    const value = this.changed.get(p.path) ?? p.value;
    const bounds = { min: Math.min(p.min, value), max: Math.max(p.max, value), step: p.step || "any" };
    const range = h<HTMLInputElement>("input", { type: "range", ...bounds, step: "any", value, "data-path": p.path, "aria-label": p.label });
    const field = h<HTMLInputElement>("input", { type: "number", value: plain(turn * value), step: "any", "data-field": p.path, "aria-label": `${p.label}${unit ? `, ${unit}` : ""}` });
    const put = (next: number) => {
      if (!Number.isFinite(next)) return;
      if (next === p.value) this.changed.delete(p.path);
      else this.changed.set(p.path, next);
      this.touched();
    };
    range.addEventListener("input", () => {
      const next = snapped(Number(range.value), p);
      field.value = plain(turn * next);
      put(next);
    });
    // Values outside of the slider are welcome: the scene's reader judges them.
    field.addEventListener("change", () => {
      const next = Number(field.value) / turn;
      if (field.value === "" || !Number.isFinite(next)) return;
      range.value = String(next);
      put(next);
    });
    return h("div.field", {}, h("span", {}, p.label), h("div.row", {}, range, field, h("span.unit", {}, unit)));
  }

  private touched(): void {
    this.reset.disabled = this.changed.size === 0 && this.law < 0;
    this.onChange();
  }
}

/** A word of a shell command. */
export function shellWord(word: string): string {
  return /^[\w./=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** To the slider's steps, without the binary dust of their sum. */
function snapped(x: number, p: Parameter): number {
  if (!(p.step > 0)) return Number(x.toPrecision(6));
  if (x >= p.max) return p.max;
  if (x <= p.min) return p.min;
  return Number((p.min + Math.round((x - p.min) / p.step) * p.step).toPrecision(12));
}

/** As short as it can be read back. */
function plain(x: number): string {
  return String(Number(x.toPrecision(12)));
}
