/** One body in numbers, at the time that is shown. */
import type { Vec3 } from "../model/format";
import type { Run } from "../model/run";
import { inFrame, length, planarAngle } from "../model/vector";
import { h, iconButton } from "../ui/dom";
import { significant } from "../ui/numbers";

export class Inspector {
  readonly element = h("section.inspector", { "aria-label": "Inspector", hidden: true });
  private run: Run | null = null;
  private readonly bodies = h<HTMLSelectElement>("select", { "aria-label": "Body" });
  private readonly numbers = h("dl.facts");
  private last = 0;

  /** `chosen` is called with the body that is inspected, or null. */
  constructor(private readonly chosen: (body: number | null) => void) {
    this.bodies.addEventListener("change", () => this.chosen(this.body));
    this.element.append(h("header.row", {}, this.bodies, iconButton("M4 4l8 8M12 4l-8 8", "Close the inspector", () => this.open(null))), this.numbers);
  }

  get body(): number | null {
    return this.element.hidden || this.bodies.value === "" ? null : Number(this.bodies.value);
  }

  show(run: Run): void {
    const name = this.run?.doc.stage.bodies[Number(this.bodies.value)]?.name;
    this.run = run;
    this.bodies.replaceChildren(...run.doc.stage.bodies.map((body, i) => h("option", { value: i, selected: body.name === name }, body.name)));
    if (run.bodies === 0) this.open(null);
  }

  /** Opens on a body; null closes. */
  open(body: number | null): void {
    this.element.hidden = body === null;
    if (body !== null) this.bodies.value = String(body);
    this.chosen(this.body);
  }

  /** The numbers follow the clock; while playing, ten times a second. */
  tell(t: number, playing: boolean): void {
    const { run, body } = this;
    const now = performance.now();
    if (!run || body === null || (playing && now - this.last < 100)) return;
    this.last = now;
    this.numbers.replaceChildren(...rows(run, body, t).flatMap(([label, value, unit, key]) =>
      [h("dt", {}, label), h("dd", { "data-inspect": key }, value, unit ? h("span.unit", {}, ` ${unit}`) : null)]));
  }
}

type Row = [label: string, value: string, unit: string, key: string];

function rows(run: Run, index: number, t: number): Row[] {
  const body = run.doc.stage.bodies[index]!;
  const { pose, com, velocity, spin } = run.motionOf(index, t);
  const planar = run.doc.space === "planar";
  // Slopes of what is stored in single precision: more digits would be made up.
  const noise = 1e-6 * Math.max(length(velocity), 1e-12);
  const number = (x: number, digits = 4, least = 0) => significant(Math.abs(x) <= least ? 0 : x, digits);
  const vector = (v: Vec3, digits = 4, least = 0) => (planar ? v.slice(0, 2) : v).map((x) => number(x, digits, least)).join(", ");
  const tensor = body.inertia;
  const list: Row[] = [];
  if (body.mass !== null) list.push(["mass", number(body.mass, 6), "kg", "mass"]);
  if (tensor && body.mass !== null) list.push(planar ? ["inertia", number(tensor[2][2], 6), "kg·m²", "inertia"] : ["inertia xx, yy, zz", [0, 1, 2].map((k) => number(tensor[k]![k]!)).join(", "), "kg·m²", "inertia"]);
  list.push(["centre of mass", vector(com), "m", "com"], ["velocity", vector(velocity, 4, noise), "m/s", "velocity"], ["speed", number(length(velocity)), "m/s", "speed"]);
  const [turn, angle] = run.degrees ? [180 / Math.PI, "°"] : [1, "rad"];
  const rate = spin.map((x) => turn * x) as Vec3;
  if (planar) list.push(["angle", number(turn * planarAngle(pose), 5), angle, "angle"], ["angular velocity", number(rate[2]), `${angle}/s`, "spin"]);
  else list.push(["angular velocity", vector(rate, 4, 1e-6 * length(rate)), `${angle}/s`, "spin"]);
  if (body.mass !== null && tensor) {
    const own = inFrame(pose, spin);
    const turning = own.reduce((sum, w, i) => sum + w * tensor[i]!.reduce((part, x, k) => part + x * own[k]!, 0), 0);
    list.push(["kinetic energy", number(0.5 * body.mass * length(velocity) ** 2 + 0.5 * turning, 5), "J", "kinetic"]);
  }
  return [...list, ...forces(run, index, t)];
}

/** What its contacts do to a body. */
function forces(run: Run, index: number, t: number): Row[] {
  const place = run.placeOf(t);
  return run.sites.flatMap((site): Row[] => {
    const [a, b] = site.bodies;
    if ((a !== index && b !== index) || site.limit || site.modes[place.frame] === 0) return [];
    // A force acts on the second body, its reaction on the first.
    const force = run.forceAt(site, place).map((x) => (b === index ? x : -x)) as Vec3;
    return [[`force at ${site.name}`, `${(run.doc.space === "planar" ? force.slice(0, 2) : force).map((x) => significant(x, 4)).join(", ")}`, "N", "force"]];
  });
}
