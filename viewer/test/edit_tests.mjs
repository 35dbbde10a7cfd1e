// The live viewer as an editor: the text of the scene, and bodies that are dragged to their start.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { watchedPage } from "./browser_setup.mjs";
import { scene, view } from "./carom.mjs";
import { assert, until } from "./harness.mjs";
import { drawn } from "./report_tests.mjs";

export function editTests(suite, browser, folder) {
  let number = 0;
  /** A copy of a scene in the viewer. */
  const withCopy = async (name, body) => {
    const file = join(folder, `edit_${number++}_${name}.toml`);
    copyFileSync(scene(name), file);
    const server = await view(file);
    const { page, context, errors } = await watchedPage(browser);
    try {
      await page.goto(server.url);
      await drawn(page);
      await body(page, file);
      assert.deepEqual(errors.filter((text) => !/status of 422/.test(text)), []);
    } finally {
      await context.close();
      await server.stop();
    }
  };
  const done = (page) => page.locator(".status").getAttribute("data-done");
  const rerun = async (page, action) => {
    const before = await done(page);
    await action();
    await until(async () => (await done(page)) !== before, "the scene runs again");
  };
  /** Numbers of the page against those of the command line. */
  const same = async (page, file, sets = []) => {
    const out = join(folder, `edited_${number++}.run`);
    const run = spawnSync(process.env.CAROM, ["run", file, "--out", out, ...sets.flatMap((set) => ["--set", set])], { encoding: "utf8" });
    assert.equal(run.status, 0, run.stderr);
    const summary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
    assert.ok((await page.locator(".below").textContent()).includes(summary.result_hash), "the same run to the last bit");
  };
  const write = (page, change) => page.getByLabel("Text of the scene").evaluate((area, [from, to]) => {
    area.value = area.value.replace(from, to);
    area.dispatchEvent(new Event("input"));
  }, change);

  suite.test("edit: what is written runs at once", () =>
    withCopy("double_pendulum", async (page, file) => {
      await page.getByRole("button", { name: "Edit the scene" }).click();
      await rerun(page, () => write(page, ["restitution = 0.5", "restitution = 0.25"]));
      const text = readFileSync(file, "utf8");
      assert.ok(text.includes("restitution = 0.5"), "the file is not touched");
      const other = join(folder, "edit_written.toml");
      writeFileSync(other, text.replace("restitution = 0.5", "restitution = 0.25"));
      await same(page, other);
      assert.equal(await page.locator('[data-field="contact.0.restitution"]').inputValue(), "0.25", "sliders follow the text");
      await page.getByRole("button", { name: "Copy as command" }).click();
      assert.match(await page.locator(".trouble").textContent(), /in no file/);
      // A reload keeps what was written; the file's text is a click away.
      await page.reload();
      await drawn(page);
      await same(page, other);
      await page.getByRole("button", { name: "Edit the scene" }).click();
      await rerun(page, () => page.getByRole("button", { name: "As in the file" }).click());
      await same(page, file);
    }));

  suite.test("edit: a fault is told at its line, and goes when it is mended", () =>
    withCopy("double_pendulum", async (page, file) => {
      await page.getByRole("button", { name: "Edit the scene" }).click();
      await rerun(page, () => write(page, ["friction = 0.57", "fricton = 0.57"]));
      const line = readFileSync(file, "utf8").split("\n").findIndex((text) => text.startsWith("friction = 0.57"));
      const mark = page.locator(".fault-line");
      assert.ok(await mark.isVisible());
      assert.match(await mark.textContent(), /fricton/);
      const place = await page.evaluate(() => {
        const [area, fault] = [document.querySelector(".sheet textarea"), document.querySelector(".fault-line")];
        return Math.round((parseFloat(fault.style.top) - 6 + area.scrollTop) / parseFloat(getComputedStyle(area).lineHeight));
      });
      assert.equal(place, line, "the mark is on the line");
      assert.match(await page.locator(".trouble").textContent(), new RegExp(`:${line + 1}:`));
      assert.equal(await page.getByLabel("Text of the scene").getAttribute("aria-invalid"), "true");
      await rerun(page, () => write(page, ["fricton", "friction"]));
      assert.ok(!(await mark.isVisible()));
      assert.equal(await page.locator(".trouble").textContent(), "");
    }));

  suite.test("edit: a text names no file that the scene does not", () =>
    withCopy("ball", async (page) => {
      writeFileSync(join(folder, "secret.urdf"), "<robot name='r'><link name='l'/></robot>");
      await page.getByRole("button", { name: "Edit the scene" }).click();
      await rerun(page, () => write(page, ["[body.ball]", '[[urdf]]\nfile = "secret.urdf"\n[body.ball]']));
      assert.match(await page.locator(".trouble").textContent(), /names the file `secret\.urdf`/);
    }));

  suite.test("edit: a file that is saved runs again, and does not take away what was written", () =>
    withCopy("double_pendulum", async (page, file) => {
      const text = readFileSync(file, "utf8");
      await rerun(page, () => writeFileSync(file, text.replace("restitution = 0.5", "restitution = 0.6")));
      await same(page, file);
      await page.getByRole("button", { name: "Edit the scene" }).click();
      assert.ok((await page.getByLabel("Text of the scene").inputValue()).includes("restitution = 0.6"));
      await rerun(page, () => write(page, ["restitution = 0.6", "restitution = 0.1"]));
      writeFileSync(file, text.replace("restitution = 0.5", "restitution = 0.7"));
      await until(async () => /has changed on disk/.test(await page.locator(".editor").textContent()), "it is told");
      assert.ok((await page.getByLabel("Text of the scene").inputValue()).includes("restitution = 0.1"));
    }));

  /** Places of points of the world on the screen. */
  const pixel = (page, point) => page.evaluate(([x, y]) => {
    const { brush, canvas } = globalThis.carom.stage.views[0];
    const box = canvas.getBoundingClientRect();
    return { x: box.left + brush.px(x), y: box.top + brush.py(y) };
  }, point);

  suite.test("edit: a body that is dragged starts there", () =>
    withCopy("double_pendulum", async (page, file) => {
      await page.getByRole("button", { name: "Drag bodies to set the start" }).click();
      // Both bars lie along x from (0, 1.5); the lower one is turned about the elbow at (1, 1.5) by −90°.
      const [from, to] = [await pixel(page, [1.5, 1.5]), await pixel(page, [1, 1.0])];
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 6 });
      assert.match(await page.locator(".drag-values").textContent(), /elbow: angle = −1\.5/);
      await rerun(page, () => page.mouse.up());
      const value = Number(await page.locator('[data-field="body.lower.joint.initial"]').inputValue());
      assert.ok(Math.abs(value + Math.PI / 2) < 0.02, `${value}`);
      await same(page, file, [`body.lower.joint.initial=${value}`]);
      const pose = await page.evaluate(() => [...globalThis.carom.run.poseAt(0, 1)]);
      assert.ok(Math.abs(2 * Math.atan2(pose[6], pose[3]) - value) < 1e-6, "it is drawn where it was put");
    }));

  suite.test("edit: a free body is dragged along, and turned with the shift key", () =>
    withCopy("rolling_disk", async (page) => {
      await page.getByRole("button", { name: "Drag bodies to set the start" }).click();
      const pose = () => page.evaluate(() => [...globalThis.carom.run.poseAt(0, 0)]);
      const before = await pose();
      const [from, to] = [await pixel(page, [before[0], before[1]]), await pixel(page, [before[0] + 0.1, before[1] + 0.2])];
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await rerun(page, () => page.mouse.up());
      const after = await pose();
      assert.ok(Math.abs(after[0] - before[0] - 0.1) < 0.01 && Math.abs(after[1] - before[1] - 0.2) < 0.01, `${after}`);
      // A quarter turn about its middle, from the right to the top.
      const [right, top] = [await pixel(page, [after[0] + 0.08, after[1]]), await pixel(page, [after[0], after[1] + 0.08])];
      await page.keyboard.down("Shift");
      await page.mouse.move(right.x, right.y);
      await page.mouse.down();
      await page.mouse.move(top.x, top.y, { steps: 4 });
      await rerun(page, () => page.mouse.up());
      await page.keyboard.up("Shift");
      const turned = await pose();
      assert.ok(Math.abs(2 * Math.atan2(turned[6], turned[3]) - Math.PI / 2) < 0.05, `${turned}`);
    }));
}
