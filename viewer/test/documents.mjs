// Run documents made by formulas, for what real runs are too small or too slow to show:
// a bouncing disk beside a swinging bar (planar), a ball and a sliding box (spatial), ten thousand
// events, minutes of motion. Every number follows from the closed forms below.

const G = 9.81;

const pack = (kind, numbers) => {
  const array = kind === "f64" ? Float64Array.from(numbers) : kind === "u8" ? Uint8Array.from(numbers) : Float32Array.from(numbers);
  return { [kind]: Buffer.from(array.buffer).toString("base64") };
};

/** A line from each sample to the next, a jump at events. */
const degreesOf = (samples) => samples.slice(1).map(({ t }, k) => (t > samples[k].t ? 1 : 0));

/** Flights of a ball with restitution e: [start, length, speed at the start], until `until`. */
function flights(height, e, until, floorSpeed = 0) {
  const list = [{ t: -Math.sqrt((2 * height) / G), v: Math.sqrt(2 * G * height) }];
  for (;;) {
    const last = list[list.length - 1];
    const next = { t: last.t + (2 * last.v) / G, v: Math.max(e * last.v, floorSpeed) };
    if (next.t >= until || next.v < 1e-3 || list.length > 200_000) return list;
    list.push(next);
  }
}

const heightAt = (flight, t) => Math.max(0, flight.v * (t - flight.t) - 0.5 * G * (t - flight.t) ** 2);

/** Sample times with each event twice, and which flight each sample belongs to. */
function sampling(list, until, interval) {
  const samples = [];
  let k = 0;
  const regular = Math.round(until / interval);
  for (let i = 0; i <= regular; i++) {
    const t = i * interval;
    while (k + 1 < list.length && list[k + 1].t <= t) {
      samples.push({ t: list[k + 1].t, flight: k }, { t: list[k + 1].t, flight: k + 1, event: k });
      k++;
    }
    if (samples.length === 0 || samples[samples.length - 1].t < t) samples.push({ t, flight: k });
  }
  return samples;
}

function base(overrides) {
  return {
    format: "carom page", version: 2, error: 1e-6, carom: "0.1.0", description: null, gravity: [0, -G, 0], up: [0, 1, 0],
    source: [{ name: "made.toml", text: "# made by formulas\nspace = \"planar\"\n" }],
    facts: [
      { label: "impact law", value: "differential, energetic, together" }, { label: "method", value: "closed form" },
      { label: "relative tolerance", value: "1e-9" }, { label: "scene hash", value: "ec8a6221b6c9b9d5cda441b3b9166caa936b10a7a5a50e33ade236f857a698c3" },
    ],
    warnings: [], ...overrides,
  };
}

function summaryOf(events, until, initial, lost) {
  return {
    stop: { reason: "reached-end", t: until }, counts: { events: events.length, impacts: events.length, mode_changes: 0 },
    energy: { initial, lost }, worst: { gap: -4.4e-16, residual: 0 }, state: { t: until, q: [], v: [] }, result_hash: "0123456789abcdef",
    law: { scene: { formulation: "differential", restitution: "energetic", rule: "together" } },
  };
}

/** An impact of the disk: friction stops part of the slip. */
function impact(t, frame, m, vIn, vOut, slip, spatial) {
  const p = m * (vIn + vOut);
  const slipAfter = 0.6 * slip;
  const points = 9;
  const s = Array.from({ length: points }, (_, i) => i / (points - 1));
  const work = s.map((x) => -vIn * p * x + (p * x) ** 2 / (2 * m));
  const turn = spatial ? 0.5 : 0;
  return {
    t, kind: "impact", frame, energy_before: 0.5 * m * vIn ** 2, energy_after: 0.5 * m * vOut ** 2, remaining_time: null,
    contacts: [{
      site: 0, mode_before: "open", mode_after: "open", velocity_before: [slip, 0, -vIn], velocity_after: [slipAfter, turn * slip * 0.3, vOut],
      impulse: [-m * (slip - slipAfter), 0, p], normal_work: 0.5 * m * (vOut ** 2 - vIn ** 2), friction_work: -0.01,
    }],
    paths: [{
      site: 0, p: s.map((x) => x * p), u_t: s.map((x) => slip + (slipAfter - slip) * x),
      u_t2: spatial ? s.map((x) => turn * slip * Math.sin(2 * x) * (1 - 0.5 * x)) : null,
      u_n: s.map((x) => -vIn + (vIn + vOut) * x), stages: [{ name: "start", index: 0 }, { name: "slip stop", index: 5 }, { name: "end", index: points - 1 }], work,
    }],
  };
}

/** A disk of radius 0.1 m that bounces and drifts along x, beside a bar that swings from a pin. */
export function planar({ until = 10, interval = 0.01, e = 0.8, height = 1, floorSpeed = 0, drift = 0.25 } = {}) {
  const [m, r, ell] = [1, 0.1, 1];
  const list = flights(height, e, until, floorSpeed);
  const samples = sampling(list, until, interval);
  const [poses, com, modes, point, force] = [[], [], [], [], []];
  const series = { x: [], y: [], angle: [], vy: [], kinetic: [], gravity: [], n: [] };
  const events = [];
  samples.forEach(({ t, flight, event }, frame) => {
    const f = list[flight];
    const [x, y] = [drift * t, r + heightAt(f, t)];
    const spin = -(drift * t) / r;
    const swing = -Math.PI / 2 + 0.9 * Math.cos(Math.sqrt((1.5 * G) / ell) * t);
    poses.push(-0.6, 1.6, 0, Math.cos(swing / 2), 0, 0, Math.sin(swing / 2), x, y, 0, Math.cos(spin / 2), 0, 0, Math.sin(spin / 2));
    com.push(x, y, 0);
    const vy = t > f.t + (2 * f.v) / G ? 0 : f.v - G * (t - f.t);
    const resting = y <= r + 1e-12 && Math.abs(vy) < 2e-3;
    modes.push(resting ? (t > 0.8 * until ? 1 : 2) : 0);
    point.push(x, y - r, 0);
    force.push(resting ? -2 : 0, 0, resting ? m * G : 0);
    series.x.push(x); series.y.push(y); series.angle.push(swing); series.vy.push(vy);
    series.kinetic.push(0.5 * m * vy * vy); series.gravity.push(m * G * y); series.n.push(resting ? m * G : 0);
    if (event !== undefined) events.push(impact(t, frame, m, list[event].v, f.v, 2 - 0.1 * events.length % 2, false));
    // As in real documents, paths of the first 2 000 impacts only.
    if (events.length > 2000) events.at(-1).paths = null;
  });
  const F = samples.length;
  const flatten = (vector) => Array.from({ length: F }, () => vector).flat();
  const initial = m * G * (height + r);
  const lost = events.reduce((sum, event) => sum + event.energy_before - event.energy_after, 0);
  const line = (name, group, unit, label, values) => ({ name, group, unit, label, values: pack("f32", values) });
  return base({
    title: "Disk and bar, made by formulas", name: "made.toml", space: "planar",
    warnings: ["This document was made by formulas, not simulated."],
    stage: {
      bodies: [
        { name: "bar", shapes: [{ kind: "box", name: "bar", size: [ell, 0.05, 0], pose: [ell / 2, 0, 0, 1, 0, 0, 0] }, { kind: "point", name: "tip", pose: [ell, 0, 0, 1, 0, 0, 0] }], mass: 1, com: [ell / 2, 0, 0] },
        { name: "disk", shapes: [{ kind: "disk", name: "disk", radius: r, pose: [0, 0, 0, 1, 0, 0, 0] }], mass: m, com: [0, 0, 0] },
      ],
      fixed: [{ kind: "plane", name: "floor", pose: [0, 0, 0, 1, 0, 0, 0] }],
      links: [], joints: [{ name: "pin", kind: "revolute", body: 0, at: [0, 0, 0], axis: [0, 0, 1] }],
      springs: [{ a: 1, pa: [0, 0, 0], b: 0, pb: [ell, 0, 0] }],
      bounds: { min: [-1.6, 0, 0], max: [Math.max(0.6, drift * until + r), 1.7, 0] },
    },
    t: pack("f64", samples.map((s) => s.t)), degrees: pack("u8", degreesOf(samples)), poses: pack("f32", poses), com: pack("f32", com),
    series: [
      line("q.disk.x", "coordinates", "m", "disk x", series.x), line("q.disk.y", "coordinates", "m", "disk y", series.y),
      line("q.pin", "coordinates", "rad", "pin", series.angle), line("v.disk.y", "speeds", "m/s", "disk vy", series.vy),
      line("energy.kinetic", "energy", "J", "kinetic", series.kinetic), line("energy.gravity", "energy", "J", "gravity", series.gravity),
      line("energy.stored", "energy", "J", "stored", series.kinetic.map((x, i) => x + series.gravity[i])),
      line("force.disk-floor.n", "force", "N", "disk-floor n", series.n),
      line("gap.disk-floor", "gap", "m", "disk-floor", series.y.map((y) => y - r)),
    ],
    sites: [{
      name: "disk-floor", restitution: e, friction: 0.3, static_friction: 0.4, law: "differential", modes: pack("u8", modes), point: pack("f32", point),
      normal: pack("f32", flatten([0, 1, 0])), tangent1: pack("f32", flatten([1, 0, 0])), tangent2: null, force: pack("f32", force),
    }],
    events,
    energy: { initial, rows: [{ label: "stored at the end", value: initial - lost, unit: "J" }, { label: "disk-floor: impact, normal", value: -lost, unit: "J" }], closure: 1.2e-15 },
    summary: summaryOf(events, until, initial, lost),
  });
}

/** A ball that bounces and spins, and a box that slides to rest, on a floor z = 0. */
export function spatial({ until = 6, interval = 0.01, e = 0.85, height = 0.6 } = {}) {
  const [m, r, mu, v0] = [0.5, 0.08, 0.4, 1.6];
  const list = flights(height, e, until);
  const samples = sampling(list, until, interval);
  const stopAt = v0 / (mu * G);
  const [poses, com, kinetic, gravity, heightOf] = [[], [], [], [], []];
  const tracks = [0, 1].map(() => ({ modes: [], point: [], force: [] }));
  const events = [];
  samples.forEach(({ t, flight, event }, frame) => {
    const f = list[flight];
    const [x, y, z] = [-0.6 + 0.15 * t, 0.1 * t, r + heightAt(f, t)];
    const half = 1.5 * t;
    const axis = [0.36, 0.48, 0.8];
    const s = Math.min(t, stopAt);
    const bx = -0.4 + v0 * s - 0.5 * mu * G * s * s;
    poses.push(x, y, z, Math.cos(half), ...axis.map((a) => a * Math.sin(half)), bx, -0.5, 0.1, 1, 0, 0, 0);
    com.push((x * m + bx) / (1 + m), (y * m - 0.5) / (1 + m), (z * m + 0.1) / (1 + m));
    const vz = t > f.t + (2 * f.v) / G ? 0 : f.v - G * (t - f.t);
    kinetic.push(0.5 * m * vz * vz + 0.5 * (t < stopAt ? (v0 - mu * G * t) ** 2 : 0));
    gravity.push(m * G * z + 0.1 * G);
    heightOf.push(z);
    tracks[0].modes.push(0); tracks[0].point.push(x, y, z - r); tracks[0].force.push(0, 0, 0);
    tracks[1].modes.push(t < stopAt ? 2 : 1); tracks[1].point.push(bx, -0.5, 0); tracks[1].force.push(t < stopAt ? -mu * G : 0, 0, G);
    if (event !== undefined) events.push(impact(t, frame, m, list[event].v, f.v, 1.2, true));
  });
  const F = samples.length;
  const flatten = (vector) => pack("f32", Array.from({ length: F }, () => vector).flat());
  const site = (name, track) => ({
    name, restitution: e, friction: mu, static_friction: mu, law: "differential", modes: pack("u8", track.modes), point: pack("f32", track.point),
    normal: flatten([0, 0, 1]), tangent1: flatten([1, 0, 0]), tangent2: flatten([0, 1, 0]), force: pack("f32", track.force),
  });
  const line = (name, group, unit, label, values) => ({ name, group, unit, label, values: pack("f32", values) });
  const lost = events.reduce((sum, event) => sum + event.energy_before - event.energy_after, 0);
  const initial = kinetic[0] + gravity[0];
  return base({
    title: "Ball and sliding box, made by formulas", name: "made.toml", space: "spatial", up: [0, 0, 1], gravity: [0, 0, -G],
    stage: {
      bodies: [
        { name: "ball", shapes: [{ kind: "sphere", name: "ball", radius: r, pose: [0, 0, 0, 1, 0, 0, 0] }], mass: m, com: [0, 0, 0] },
        { name: "box", shapes: [{ kind: "box", name: "box", size: [0.3, 0.2, 0.2], pose: [0, 0, 0, 1, 0, 0, 0] }], mass: 1, com: [0, 0, 0] },
      ],
      fixed: [{ kind: "plane", name: "floor", pose: [0, 0, 0, 1, 0, 0, 0] }], links: [], joints: [], springs: [],
      bounds: { min: [-0.7, -0.6, 0], max: [0.4, 0.7, height + 2 * r] },
    },
    t: pack("f64", samples.map((s) => s.t)), degrees: pack("u8", degreesOf(samples)), poses: pack("f32", poses), com: pack("f32", com),
    series: [
      line("q.ball.z", "coordinates", "m", "ball z", heightOf), line("energy.kinetic", "energy", "J", "kinetic", kinetic),
      line("energy.gravity", "energy", "J", "gravity", gravity), line("force.box-floor.t1", "force", "N", "box-floor t1", samples.map((s) => (s.t < stopAt ? -mu * G : 0))),
    ],
    sites: [site("ball-floor", tracks[0]), site("box-floor", tracks[1])], events,
    energy: { initial, rows: [{ label: "ball-floor: impact, normal", value: -lost, unit: "J" }], closure: 0 },
    summary: summaryOf(events, until, initial, lost),
  });
}

/** Ten thousand impacts: a floor that keeps the disk bouncing. */
export const many = () => planar({ until: 2300, interval: 0.2, e: 1, height: 0.02872, drift: 0.001 });

/** Minutes of motion at 0.01 s. */
export const minutes = () => planar({ until: 180, interval: 0.01, e: 0.999, height: 1, drift: 0.01 });

/** A report as `carom report` writes it. */
export function html(page, document) {
  const json = JSON.stringify(document).replaceAll("<", "\\u003c");
  return page.replace("<!--carom:data-->", () => `<script type="application/json" id="carom-run">${json}</script>`);
}
