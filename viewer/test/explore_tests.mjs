// Reports as instruments: sections, sound, equations, inertia, figures as PDF, meshes of robots, the address.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { watchedPage } from "./browser_setup.mjs";
import { compare, report, scene, simulate } from "./carom.mjs";
import { assert, until } from "./harness.mjs";
import { drawn } from "./report_tests.mjs";

export function exploreTests(suite, browser, folder) {
  const made = new Map();
  const reportOf = (name) => {
    if (!made.has(name)) {
      const out = join(folder, `explore_${name}.run`);
      const run = simulate(name, out);
      assert.equal(run.status, 0, run.stderr);
      made.set(name, { ...run, url: pathToFileURL(report(out, join(folder, `explore_${name}.html`))).href });
    }
    return made.get(name);
  };
  const open = async (url, body, options) => {
    const { page, context, errors } = await watchedPage(browser, { acceptDownloads: true, ...options });
    try {
      await page.goto(url);
      await drawn(page);
      await body(page);
      assert.deepEqual(errors, [], "console errors");
    } finally {
      await context.close();
    }
  };
  const download = async (page, press) => {
    const [file] = await Promise.all([page.waitForEvent("download"), press()]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  const table = async (page) => {
    const { bytes } = await download(page, () => page.getByRole("button", { name: "Save Poincaré section as CSV" }).click());
    return bytes.toString().trim().split("\n").slice(1).map((row) => row.split(",").map(Number));
  };

  suite.test("a section at impacts has the states just after or before them", () => {
    const { url, events } = reportOf("ball");
    const impacts = events.filter((event) => event.kind === "impact");
    return open(`${url}#section=event:impact&section=0&section=after&section=v.ball.vz&section=next`, async (page) => {
      const rows = await table(page);
      assert.equal(rows.length, impacts.length - 1);
      rows.forEach(([, t, x, next], i) => {
        assert.equal(t, impacts[i].t);
        // Each impact leaves half the speed: the return map is a straight line.
        assert.ok(Math.abs(x - 0.5 ** (i + 1) * Math.sqrt(2 * 9.81)) < 1e-6 * x + 1e-7, `${x} after impact ${i + 1}`);
        assert.ok(Math.abs(next - 0.5 * x) < 1e-6 * x + 1e-7);
      });
      await page.getByLabel("Which way, or which side").selectOption("before");
      assert.ok((await table(page))[0][2] < -4.4, "before the impact it falls");
    });
  });

  suite.test("a section at a level, or of a period, is cut where the motion is", () => {
    const { url } = reportOf("ball");
    return open(`${url}#section=q.ball.z&section=0.5&section=both&section=t&section=v.ball.vz`, async (page) => {
      const rows = await table(page);
      const t = Math.sqrt((2 * 0.55) / 9.81);
      assert.equal(rows.length, 1, "after the first impact it stays below 0.5 m");
      assert.ok(Math.abs(rows[0][1] - t) < 1e-6, `${rows[0][1]} is ${t}`);
      assert.ok(Math.abs(rows[0][3] + 9.81 * t) < 1e-4, "its speed there");
      await page.getByLabel("Which way, or which side").selectOption("up");
      await until(async () => /no point/.test(await page.locator(".section-count").textContent()), "it never rises through it");
      await page.getByLabel("Where the motion is cut").selectOption("period");
      await page.getByLabel("Period, s").fill("0.25");
      await page.getByLabel("Period, s").press("Enter");
      const strobes = await table(page);
      assert.deepEqual(strobes.slice(0, 4).map((row) => row[1]), [0, 0.25, 0.5, 0.75]);
      await until(async () => decodeURIComponent(page.url()).includes("section=period"), "the address tells the section");
    });
  });

  suite.test("phase portraits are curves, however many bounces there are", () => {
    const { url } = reportOf("vibrating_table");
    return open(`${url}#plots=phase`, async (page) => {
      const { bytes } = await download(page, () => page.getByRole("button", { name: "Save Phase portrait: shaker as SVG" }).click());
      // The table swings by itself: its portrait is an ellipse, 300 times over.
      const lines = [...bytes.toString().matchAll(/<path d="([^"]+)" fill="none"/g)].map(([, d]) => [...d.matchAll(/[ML]([-\d.]+) ([-\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]));
      const curves = lines.filter((points) => points.length > 3);
      const all = curves.flat();
      const [low, high] = [Math.min, Math.max].map((f) => [0, 1].map((k) => all.reduce((best, p) => f(best, p[k]), all[0][k])));
      const [c, r] = [[0, 1].map((k) => (low[k] + high[k]) / 2), [0, 1].map((k) => (high[k] - low[k]) / 2)];
      const off = ([x, y]) => Math.abs(Math.hypot((x - c[0]) / r[0], (y - c[1]) / r[1]) - 1) * Math.min(...r);
      const middles = curves.flatMap((points) => points.slice(1).map(([x, y], i) => [(x + points[i][0]) / 2, (y + points[i][1]) / 2]));
      const worst = middles.reduce((most, point) => Math.max(most, off(point)), 0);
      assert.ok(middles.length > 3000 && worst < 1, `${worst} px beside the curve, ${middles.length} chords`);
    });
  });

  suite.test("a click on a point of a section goes to its time", () => {
    const { url, events } = reportOf("ball");
    return open(`${url}#section=event:impact&section=0&section=after&section=t&section=v.ball.vz`, async (page) => {
      const canvas = page.locator("figure.section canvas");
      await canvas.scrollIntoViewIfNeeded();
      const at = await page.evaluate(() => {
        const { plane, known } = globalThis.carom.plots.section;
        const { x, y } = known.sets[0].points[0];
        return { x: plane.x(x), y: plane.y(y) };
      });
      await canvas.click({ position: at });
      await until(async () => (await page.evaluate(() => globalThis.carom.player.t)) === events.find((event) => event.kind === "impact").t, "the time of the first impact");
    });
  });

  suite.test("impacts are heard while playing, and only if asked for", () => {
    const { url, events } = reportOf("double_pendulum");
    return open(`${url}#t=0.5`, async (page) => {
      await page.getByLabel("Speed", { exact: true }).selectOption("0.25");
      await page.locator("h1").click();
      const heard = () => page.evaluate(() => globalThis.carom.transport.sound.played);
      const play = async () => {
        await page.evaluate(() => globalThis.carom.player.seek(0.5));
        await page.keyboard.press(" ");
        await until(async () => (await page.evaluate(() => globalThis.carom.player.t)) > 0.55, "past the first impact");
        await page.keyboard.press(" ");
        // A busy machine lets it play on: as many as there were by then.
        const end = await page.evaluate(() => globalThis.carom.player.t);
        return events.filter(({ kind, t }) => kind === "impact" && t > 0.5 && t <= end).length;
      };
      await play();
      assert.equal(await heard(), 0, "silent at first");
      const button = page.getByRole("button", { name: "Sound of impacts" });
      await button.click();
      assert.equal(await button.getAttribute("aria-pressed"), "true");
      await page.locator("h1").click();
      const impacts = await play();
      assert.ok(impacts > 0);
      assert.equal(await heard(), impacts, "one impact, one knock");
      await page.keyboard.press("m");
      await play();
      assert.equal(await heard(), impacts, "switched off again");
    });
  });

  suite.test("the law's equations stand beside the path of an impact", async () => {
    const { url } = reportOf("double_pendulum");
    await open(`${url}#event=2`, async (page) => {
      const law = page.locator(".impact .law");
      assert.match(await law.textContent(), /W_r = −e² W_c/);
      assert.match(await law.textContent(), /ṗₜ = −μd ṗₙ û/);
      assert.ok(!(await law.textContent()).includes("p_r = e p_c"), "not those of another restitution");
    });
    const laws = compare([scene("double_pendulum")], join(folder, "explore_laws.html"), ["newton", "poisson"]);
    await open(pathToFileURL(laws).href, async (page) => {
      await page.getByRole("button", { name: "impact 2", exact: true }).click();
      const words = await page.locator(".law").allTextContents();
      assert.ok(words.some((text) => text.includes("0 ≤ pₙ ⟂ uₙ⁺ + e uₙ⁻ ≥ 0")), "Newton's");
      assert.ok(words.some((text) => text.includes("0 ≤ pₙ^E − e pₙ^C ⟂ uₙ⁺ ≥ 0")), "Poisson's");
    });
  });

  suite.test("ellipsoids of inertia have the size of the body's inertia", () => {
    const { url } = reportOf("box_drop");
    return open(`${url}#layers=inertia`, async (page) => {
      const radii = await page.evaluate(() => {
        const { elements } = globalThis.carom.stage.views[0].signs.ellipsoids.items[0].matrix;
        return [0, 4, 8].map((k) => Math.hypot(elements[k], elements[k + 1], elements[k + 2])).sort((a, b) => b - a);
      });
      // A box with edges a has I₁ = m (a₂² + a₃²)/12, so that rᵢ² = 5 aᵢ²/12.
      [0.3, 0.2, 0.1].forEach((edge, i) => assert.ok(Math.abs(radii[i] - edge * Math.sqrt(5 / 12)) < 1e-9, `${radii[i]}`));
    });
  });

  suite.test("figures are saved as PDF with lines and words", () => {
    const { url } = reportOf("double_pendulum");
    return open(`${url}#event=2`, async (page) => {
      const { name, bytes } = await download(page, () => page.getByRole("button", { name: "Save Impact as PDF" }).click());
      const text = bytes.toString("latin1");
      assert.equal(name, "impact.pdf");
      assert.match(text, /^%PDF-1\.4\n[\s\S]*%%EOF\n$/);
      const start = Number(/startxref\n(\d+)/.exec(text)[1]);
      assert.equal(text.slice(start, start + 4), "xref", "the table is where the file says");
      const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map(([, at]) => Number(at));
      offsets.forEach((at, i) => assert.ok(text.slice(at).startsWith(`${i + 1} 0 obj`), `object ${i + 1}`));
      const stream = /stream\n([\s\S]*?)\nendstream/.exec(text)[1];
      const words = [...stream.matchAll(/<([0-9a-f]+)> Tj/g)].map(([, hex]) => Buffer.from(hex, "hex").toString("latin1")).join("|");
      assert.match(words, /compression/);
      assert.ok((stream.match(/ l\n/g) ?? []).length > 20 && !/NaN|undefined/.test(stream), "lines, all with numbers");
      const white = [...stream.matchAll(/^([\d. ]+) rg$/gm)][0][1];
      assert.equal(white, "1 1 1", "on white paper");
    });
  });

  suite.test("the stage is saved as a picture", () => {
    const { url } = reportOf("box_drop");
    return open(`${url}#t=0.3`, async (page) => {
      const { name, bytes } = await download(page, () => page.getByRole("button", { name: "Save this picture as PNG" }).click());
      assert.equal(name, "box_drop_0.3s.png");
      assert.equal(bytes.subarray(1, 4).toString(), "PNG");
      assert.ok(bytes.length > 15_000, `${bytes.length} bytes: not an empty sheet`);
    });
  });

  suite.test("camera, layers, plots and the body that is inspected are in the address", () => {
    const { url } = reportOf("box_drop");
    return open(url, async (page) => {
      const look = () => page.evaluate(() => globalThis.carom.stage.views[0].look().map((x) => Math.round(1e3 * x) / 1e3));
      await page.locator(".stage canvas").focus();
      for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
      await page.locator("h1").click();
      await page.keyboard.press("b");
      await page.getByLabel("What is drawn").first().click();
      await page.getByLabel("Friction cones").check();
      await page.locator("h1").click();
      await page.getByRole("button", { name: "Gaps", exact: true }).click();
      await page.getByRole("button", { name: "Speeds", exact: true }).click();
      const before = await look();
      await until(async () => /look=/.test(page.url()) && /layers=cones/.test(page.url()) && /body=box/.test(page.url()) && /plots=[^&]*speeds/.test(page.url()) && /plots=[^&]*gap/.test(page.url()), "the address tells all of it");
      await page.reload();
      await drawn(page);
      assert.deepEqual(await look(), before);
      assert.ok(await page.getByLabel("Friction cones").isChecked());
      assert.ok(await page.locator(".inspector").isVisible());
      const pressed = (name) => page.getByRole("button", { name, exact: true }).getAttribute("aria-pressed");
      assert.deepEqual([await pressed("Gaps"), await pressed("Speeds"), await pressed("Energy")], ["true", "false", "true"]);
      // Show everything: the look of the reader is given up.
      await page.keyboard.press("f");
      await until(async () => !/look=/.test(page.url()), "the address forgets the look");
    });
  });

  /** A pendulum whose link looks like a tetrahedron from a file. */
  const robot = (name, file) => {
    const dir = join(folder, name);
    mkdirSync(join(dir, "meshes"), { recursive: true });
    const corners = [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.8]];
    const sides = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    writeFileSync(join(dir, "meshes", "arm.obj"), `${corners.map((c) => `v ${c.join(" ")}`).join("\n")}\n${sides.map((s) => `f ${s.map((i) => i + 1).join(" ")}`).join("\n")}\n`);
    writeFileSync(join(dir, "arm.urdf"), `<robot name="arm"><link name="base"><visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual></link>
      <link name="bar"><inertial><mass value="1"/><origin xyz="0 0 0.4"/><inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
      <visual><geometry><mesh filename="package://arm_description/meshes/${file}" scale="1 1 1"/></geometry><material name="red"><color rgba="0.8 0.1 0.1 1"/></material></visual>
      <collision><origin xyz="0 0 0.4"/><geometry><sphere radius="0.05"/></geometry></collision></link>
      <joint name="pin" type="continuous"><parent link="base"/><child link="bar"/><axis xyz="0 1 0"/></joint></robot>`);
    writeFileSync(join(dir, "arm.toml"), '[[urdf]]\nfile = "arm.urdf"\n[initial]\nangle = { pin = 0.5 }\n[solver]\nuntil = 0.5\n');
    return pathToFileURL(report(join(dir, "arm.toml"), join(dir, "arm.html"))).href;
  };

  suite.test("robots look as their files say, and their shapes are a click away", () =>
    open(robot("robot", "arm.obj"), async (page) => {
      const parts = () => page.evaluate(() => globalThis.carom.stage.views[0].casts[0].meshes.map((group) => group && { visible: group.visible, triangles: group.children.map((mesh) => mesh.geometry.index.count / 3) }));
      assert.deepEqual((await parts()).filter(Boolean), [{ visible: true, triangles: [4] }], "the link that moves; the base is fixed");
      const shapes = () => page.evaluate(() => globalThis.carom.stage.views[0].casts[0].shapes.map((group) => group.visible));
      assert.deepEqual(await shapes(), [false]);
      await page.getByLabel("What is drawn").first().click();
      await page.getByLabel("Meshes").uncheck();
      assert.deepEqual([await shapes(), (await parts())[0].visible], [[true], false]);
      assert.equal(await page.locator(".missing section").count(), 0);
    }));

  suite.test("meshes that are not there are told, and shapes are drawn", () =>
    open(robot("robot_missing", "leg.dae"), async (page) => {
      assert.match(await page.locator(".missing").textContent(), /leg\.dae: not found/);
      assert.deepEqual(await page.evaluate(() => globalThis.carom.stage.views[0].casts[0].shapes.map((group) => group.visible)), [true]);
    }));
}
