// More to look at: columns against each other, the inspector, layers, cameras.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { watchedPage } from "./browser_setup.mjs";
import { report, simulate } from "./carom.mjs";
import { assert, until } from "./harness.mjs";
import { drawn, stage } from "./report_tests.mjs";

export function lookTests(suite, browser, folder) {
  const open = async (name, body, sets = []) => {
    const out = join(folder, `look_${name}.run`);
    const run = simulate(name, out, sets);
    assert.equal(run.status, 0, run.stderr);
    const { page, context, errors } = await watchedPage(browser);
    try {
      await page.goto(pathToFileURL(report(out, join(folder, `look_${name}.html`))).href);
      await drawn(page);
      await body(page, run);
      assert.deepEqual(errors, []);
    } finally {
      await context.close();
    }
  };
  const seek = (page, t) => page.evaluate((time) => globalThis.carom.player.seek(time), t);
  const told = async (page, key) => (await page.locator(`[data-inspect="${key}"]`).first().textContent()).replaceAll("−", "-").replace(/ [^\d,.-][^,]*$/, "").split(",").map(Number);
  const near = (found, wanted, part, what) => assert.ok(Math.abs(found - wanted) <= part * Math.max(1e-3, Math.abs(wanted)), `${what}: ${found}, wanted ${wanted}`);

  suite.test("x–y: any column against any other, as they are stored", () =>
    open("rolling_disk", async (page, { trajectory }) => {
      await page.getByRole("button", { name: "x–y" }).click();
      const card = page.locator("figure.xy");
      assert.deepEqual(await card.locator("label select").evaluateAll((all) => all.map((one) => one.value)), ["q.disk.y", "q.disk.x"], "the path of the body at first");
      await page.waitForTimeout(200);
      const path = await card.locator("canvas").screenshot();
      await card.getByLabel("Horizontal axis").selectOption("q.disk.angle");
      await card.getByLabel("Vertical axis").selectOption("energy.kinetic");
      await page.waitForTimeout(200);
      assert.ok(!path.equals(await card.locator("canvas").screenshot()));
      const waiting = page.waitForEvent("download");
      await card.getByRole("button", { name: /as CSV/ }).click();
      const text = await (await waiting).createReadStream().then(async (stream) => {
        let all = "";
        for await (const part of stream) all += part;
        return all;
      });
      const [head, ...rows] = text.trim().split("\n").map((line) => line.split(","));
      assert.deepEqual(head, ["t / s", "q.disk.angle / rad", "energy.kinetic / J"]);
      for (const sample of trajectory.filter((_, i) => i % 7 === 3)) {
        const row = rows.reduce((best, one) => (Math.abs(one[0] - sample.t) < Math.abs(best[0] - sample.t) ? one : best));
        if (Math.abs(row[0] - sample.t) > 1e-9) continue;
        near(Number(row[1]), Number(sample["q.disk.angle"]), 1e-5, "angle");
        near(Number(row[2]), Number(sample["energy.kinetic"]), 1e-4, "energy");
      }
      // The choice is in the address.
      await until(async () => decodeURIComponent(page.url()).includes("xy=q.disk.angle&xy=energy.kinetic"), "the address tells the columns");
      await page.reload();
      await drawn(page);
      assert.deepEqual(await card.locator("label select").evaluateAll((all) => all.map((one) => one.value)), ["energy.kinetic", "q.disk.angle"]);
      await card.getByRole("button", { name: "⇄" }).click();
      assert.deepEqual(await card.locator("label select").evaluateAll((all) => all.map((one) => one.value)), ["q.disk.angle", "energy.kinetic"]);
    }));

  suite.test("x–y: rates are the speeds that are stored, spectra have the frequency of a pendulum", async () => {
    const csv = async (page) => {
      const waiting = page.waitForEvent("download");
      await page.locator("figure.xy").getByRole("button", { name: /as CSV/ }).click();
      let text = "";
      for await (const part of await (await waiting).createReadStream()) text += part;
      const [head, ...rows] = text.trim().split("\n").map((line) => line.split(","));
      return { head, rows: rows.map((row) => row.map(Number)) };
    };
    await open("superball", async (page, { trajectory }) => {
      await page.getByRole("button", { name: "x–y" }).click();
      await page.getByLabel("Horizontal axis").selectOption("t");
      await page.getByLabel("Vertical axis").selectOption("q.ball.x");
      await page.getByLabel("What of the vertical column").selectOption("rate");
      const { head, rows } = await csv(page);
      assert.deepEqual(head, ["t / s", "t / s", "rate of q.ball.x / m/s"]);
      const fastest = Math.max(...trajectory.map((row) => Math.abs(row["v.ball.vx"])));
      let compared = 0;
      for (const sample of trajectory) {
        const near = rows.filter((row) => Math.abs(row[0] - sample.t) < 1e-9).map((row) => row[2]);
        if (near.length === 0) continue;
        compared++;
        // Before and after an impact there are two rows for one time.
        assert.ok(near.some((v) => Math.abs(v - sample["v.ball.vx"]) < 2e-3 * fastest), `${sample.t}: ${near} ${sample["v.ball.vx"]}`);
      }
      assert.ok(compared > 5, `${compared}`);
    });
    await open("pendulum", async (page) => {
      await page.getByRole("button", { name: "x–y" }).click();
      await page.getByLabel("What of the vertical column").selectOption("spectrum");
      await until(async () => /Spectrum of/.test(await page.locator("figure.xy canvas").getAttribute("aria-label")), "the spectrum is drawn");
      const { head, rows } = await csv(page);
      assert.equal(head[0], "f / Hz");
      const peak = rows.reduce((best, row) => (row[1] > best[1] ? row : best));
      // A rod of 1 m swings by √(3g/2L)/2π = 0.6105 Hz; the run is 10 s long, so lines are 0.1 Hz apart.
      assert.ok(Math.abs(peak[0] - 0.6105) <= 0.05, `${peak}`);
      assert.ok(Math.abs(peak[1] - 0.02) < 0.004, `amplitude ${peak[1]}`);
      assert.ok(await page.getByLabel("Horizontal axis").isDisabled());
      // Hanging straight down and pushed by 0.02 rad.
    }, ["body.rod.joint.initial=-1.5507963267948966"]);
  });

  suite.test("a caption says what happens now", () =>
    open("double_pendulum", async (page, { events }) => {
      const caption = () => page.locator(".caption").textContent();
      assert.match(await caption(), /^nothing touches · in 515 ms: impact at tip$/);
      await page.keyboard.press("]");
      assert.match(await caption(), /· now: impact at tip, 37\.9 J lost · in 405 ms: impact at tip$/);
      await seek(page, events[0].t + 0.1);
      assert.match(await caption(), /^nothing touches · 100 ms ago: impact at tip, 37\.9 J lost · in /);
      await seek(page, 5);
      assert.match(await caption(), /^tip sticks · [\d.]+ s ago: everything rests$/);
    }));

  suite.test("degrees or radians, as the reader likes, kept in the address", () =>
    open("double_pendulum", async (page, { trajectory }) => {
      const sample = trajectory[Math.floor(trajectory.length / 3)];
      await seek(page, Number(sample.t));
      const angle = async () => Number((await page.locator('button.key[title="q.shoulder"] output').textContent()).replace("−", "-"));
      const heads = async () => (await page.locator("figure.plot figcaption").allTextContents()).join(" | ");
      near(await angle(), Number(sample["q.shoulder"]), 1e-3, "radians");
      assert.match(await heads(), /Coordinates \/ rad \|.*Speeds \/ rad\/s/);
      await page.getByRole("button", { name: "Degrees" }).click();
      await page.waitForTimeout(200);
      near(await angle(), (Number(sample["q.shoulder"]) * 180) / Math.PI, 1e-3, "degrees");
      assert.match(await heads(), /Coordinates \/ ° \|.*Speeds \/ °\/s/);
      await until(async () => page.url().includes("degrees"), "the address tells it");
      await page.reload();
      await drawn(page);
      assert.equal(await page.getByRole("button", { name: "Degrees" }).getAttribute("aria-pressed"), "true");
      await page.getByRole("button", { name: "Degrees" }).click();
      await page.waitForTimeout(200);
      near(await angle(), Number(sample["q.shoulder"]), 1e-3, "radians again");
      await page.keyboard.press("b");
      assert.match(await page.locator('[data-inspect="angle"]').textContent(), / rad$/);
    }));

  suite.test("inspector of a planar body: its numbers are those of the run", () =>
    open("rolling_disk", async (page, { trajectory }) => {
      await page.getByRole("button", { name: "Inspect a body" }).click();
      const sample = trajectory[Math.floor(trajectory.length / 2)];
      const of = (key) => Number(sample[key]);
      await seek(page, of("t"));
      const [com, velocity, spin, kinetic, force] = await Promise.all(["com", "velocity", "spin", "kinetic", "force"].map((key) => told(page, key)));
      near(com[0], of("q.disk.x"), 1e-3, "x");
      near(com[1], of("q.disk.y"), 1e-3, "y");
      near(velocity[0], of("v.disk.vx"), 1e-3, "vx");
      near(velocity[1], of("v.disk.vy"), 1e-3, "vy");
      near(spin[0], of("v.disk.rate"), 1e-3, "w");
      near(kinetic[0], of("energy.kinetic"), 1e-3, "kinetic energy");
      const [n, t1] = ["n", "t1"].map((axis) => of(Object.keys(sample).find((key) => key.startsWith("force.") && key.endsWith(`.${axis}`))));
      near(Math.hypot(...force), Math.hypot(n, t1), 1e-3, "force");
      assert.ok(force[1] > 0, "the incline carries the disk, not the other way round");
      await page.getByRole("button", { name: "Close the inspector" }).click();
      assert.ok(await page.locator(".inspector").isHidden());
    }));

  suite.test("inspector of a body in space, by a click on it", () =>
    open("box_drop", async (page, { trajectory }) => {
      const sample = trajectory.find((row) => Number(row.t) > 0.1);
      await seek(page, Number(sample.t));
      await page.waitForTimeout(200);
      // Where the centre of mass is drawn.
      const at = await page.evaluate(() => {
        const { stage } = globalThis.carom;
        const view = stage.views[0];
        const { run } = stage.shown[0];
        const com = run.comAt(run.placeOf(globalThis.carom.player.t));
        const v = view.eye.camera.position.clone().set(...com).project(view.eye.camera);
        const box = view.canvas.getBoundingClientRect();
        return { x: box.left + ((v.x + 1) / 2) * box.width, y: box.top + ((1 - v.y) / 2) * box.height };
      });
      await page.mouse.click(at.x, at.y);
      assert.ok(await page.locator(".inspector").isVisible());
      const [velocity, spin, kinetic] = await Promise.all(["velocity", "spin", "kinetic"].map((key) => told(page, key)));
      near(velocity[2], Number(sample["v.box.vz"]), 2e-3, "vz");
      near(kinetic[0], Number(sample["energy.kinetic"]), 2e-3, "kinetic energy");
      const stored = ["wx", "wy", "wz"].map((key) => Number(sample[`v.box.${key}`]));
      near(Math.hypot(...spin), Math.hypot(...stored), 2e-3, "spin");
      await page.mouse.click(5, 5);
      const [box] = [await page.locator(".stage-cell canvas").boundingBox()];
      await page.mouse.click(box.x + 20, box.y + box.height - 20);
      assert.ok(await page.locator(".inspector").isVisible(), "a click beside everything changes nothing");
    }));

  for (const name of ["double_pendulum", "box_drop"]) {
    suite.test(`layers of ${name}: frames, centres and velocities change the picture`, () =>
      open(name, async (page) => {
        await seek(page, 0.2);
        await page.waitForTimeout(300);
        let before = await stage(page);
        for (const label of ["Body frames", "Centres of bodies", "Velocities"]) {
          await page.getByLabel("What is drawn").first().click();
          await page.getByLabel(label).check();
          await page.mouse.click(5, 5);
          await page.waitForTimeout(300);
          const after = await stage(page);
          assert.ok(!before.equals(after), label);
          before = after;
        }
        assert.match(await page.locator(".arrow-scale").textContent(), /m\/s/);
      }));
  }

  suite.test("follow keeps the body that is inspected in the middle", () =>
    open("double_pendulum", async (page) => {
      await page.evaluate(() => {
        globalThis.carom.stage.inspector.open(1);
        globalThis.carom.stage.setLayer("follow", true);
      });
      for (const t of [0.3, 0.9]) {
        await seek(page, t);
        await page.waitForTimeout(150);
        const [look, com, all] = await page.evaluate(() => {
          const { stage, player } = globalThis.carom;
          const { run } = stage.shown[0];
          return [[...stage.views[0].look()], run.motionOf(1, player.t).com, run.comAt(run.placeOf(player.t))];
        });
        assert.ok(Math.hypot(look[0] - com[0], look[1] - com[1]) < 1e-9, `${look} ${com}`);
        assert.ok(Math.hypot(look[0] - all[0], look[1] - all[1]) > 1e-3, "not the centre of everything");
      }
    }));

  suite.test("cameras: by key, by menu, and turned by the arrow keys", () =>
    open("box_drop", async (page) => {
      const looks = () => page.evaluate(() => {
        const { camera, controls } = globalThis.carom.stage.views[0].eye;
        return camera.position.clone().sub(controls.target).normalize().toArray();
      });
      const close = (found, wanted) => assert.ok(found.every((x, i) => Math.abs(x - wanted[i]) < 0.01), `${found} is not ${wanted}`);
      for (const [key, away] of [["2", [0, -1, 0]], ["3", [0, 1, 0]], ["4", [-1, 0, 0]], ["5", [1, 0, 0]], ["6", [0, 0, 1]]]) {
        await page.keyboard.press(key);
        close(await looks(), away);
      }
      await page.locator(".cameras summary").click();
      await page.getByRole("button", { name: "Front" }).click();
      close(await looks(), [0, -1, 0]);
      await page.locator(".stage-cell canvas").focus();
      await page.keyboard.press("ArrowRight");
      const turned = await looks();
      assert.ok(Math.abs(turned[0]) > 0.1 && Math.abs(turned[2]) < 0.01, `${turned}`);
      await page.keyboard.press("ArrowUp");
      assert.ok((await looks())[2] > 0.05, "up lifts the camera");
    }));

  suite.test("at 420 pixels scales and inspector leave the buttons free", () =>
    open("box_drop", async (page) => {
      await page.setViewportSize({ width: 420, height: 900 });
      await page.getByRole("button", { name: "Inspect a body" }).click();
      await page.waitForTimeout(300);
      const [tools, scale, inspector] = await Promise.all([".stage-tools", ".arrow-scale", ".inspector"].map((one) => page.locator(one).boundingBox()));
      assert.ok(scale.y >= tools.y + tools.height, "scales below the buttons");
      assert.ok(inspector.y >= tools.y + tools.height, "inspector below the buttons");
    }));

  for (const name of ["double_pendulum", "box_drop"]) {
    suite.test(`${name} at 420 pixels: no button and no number is cut`, () =>
      open(name, async (page) => {
        await page.setViewportSize({ width: 420, height: 900 });
        await page.waitForTimeout(300);
        const cut = await page.locator("button, .td.num, .th button, select").evaluateAll((all) => all.filter((one) => one.clientWidth > 0 && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2)).map((one) => `${one.className}: ${one.textContent}`));
        assert.deepEqual(cut, []);
      }));
  }

  suite.test("a planar scene has no cameras", () =>
    open("double_pendulum", async (page) => assert.ok(await page.locator(".cameras").isHidden())));
}
