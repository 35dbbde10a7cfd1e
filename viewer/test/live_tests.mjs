// The live viewer: sliders run the scene again, and the numbers are those of the command line.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { watchedPage } from "./browser_setup.mjs";
import { repository, scene, shell, simulate, view } from "./carom.mjs";
import { assert, until } from "./harness.mjs";
import { mockServer } from "./mock_server.mjs";
import { drawn, stage } from "./report_tests.mjs";

export function liveTests(suite, browser, folder) {
  const pageText = readFileSync(join(repository, "crates/carom-report/assets/page.html"), "utf8");
  let number = 0;

  const withView = async (target, body, sets = []) => {
    const server = await view(target, sets);
    const { page, context, errors, requests } = await watchedPage(browser);
    try {
      await page.goto(server.url);
      await drawn(page);
      await body(page);
      const own = new URL(server.url).origin;
      assert.deepEqual(requests.filter((url) => !url.startsWith(own) && !url.startsWith("data:") && !url.startsWith("blob:")), []);
      // A refused value is an answer of the server that the browser also notes.
      assert.deepEqual(errors.filter((text) => !/status of 422/.test(text)), []);
    } finally {
      await context.close();
      const { code, signal } = await server.stop();
      assert.ok(signal !== "SIGKILL" && code !== null, `carom view ended by itself after Ctrl-C: ${code} ${signal}`);
    }
  };
  const done = (page) => page.locator(".status").getAttribute("data-done");
  /** Does something that starts a run, and waits for its end. */
  const rerun = async (page, action) => {
    const before = await done(page);
    await action();
    await until(async () => (await done(page)) !== before, "the scene runs again");
  };
  const put = (page, path, value) => rerun(page, async () => {
    await page.locator(`[data-field="${path}"]`).evaluate((field) => field.closest("details")?.setAttribute("open", ""));
    await page.locator(`[data-field="${path}"]`).fill(String(value));
    await page.locator(`[data-field="${path}"]`).press("Enter");
  });
  /** The page's numbers against a run of the command line with the same values. */
  const same = async (page, name, sets) => {
    const run = simulate(name, join(folder, `live_${number++}.run`), sets);
    assert.equal(run.status, 0, run.stderr);
    const key = (word) => page.locator(`[data-key=${word}]`).getAttribute("data-exact").then(Number);
    // A loss of −0 is one of 0.
    assert.equal((await key("lost")) + 0, run.summary.energy.lost + 0, "energy lost");
    assert.equal(await key("impacts"), run.summary.counts.impacts, "impacts");
    assert.ok((await page.locator(".below").textContent()).includes(run.summary.result_hash), "result hash");
  };

  suite.test("live: values and law survive a reload", () =>
    withView(scene("double_pendulum"), async (page) => {
      await put(page, "contact.0.restitution", 0.8);
      await until(async () => decodeURIComponent(page.url()).includes("set=contact.0.restitution=0.8"), "the address tells the value");
      await page.reload();
      await drawn(page);
      assert.equal(await page.locator('[data-field="contact.0.restitution"]').inputValue(), "0.8");
      await same(page, "double_pendulum", ["contact.0.restitution=0.8"]);
    }));

  suite.test("live: kept runs survive a reload", () =>
    withView(scene("double_pendulum"), async (page) => {
      const rows = () => page.locator(".compare .kept").allTextContents();
      await put(page, "contact.0.restitution", 0.8);
      await page.getByRole("button", { name: "Keep this run" }).click();
      await rerun(page, () => page.locator("#law").selectOption({ label: "newton" }));
      await page.getByRole("button", { name: "Keep this run" }).click();
      await page.locator(".compare .kept input").nth(1).click();
      await rerun(page, () => page.getByRole("button", { name: "As in the scene" }).click());
      const before = await rows();
      assert.equal(before.length, 2);
      await until(async () => new URLSearchParams(new URL(page.url()).hash.slice(1)).getAll("kept").length === 2, "the address tells the kept runs");
      await page.reload();
      await drawn(page);
      await until(async () => (await rows()).length === 2, "the kept runs come back");
      assert.deepEqual(await rows(), before);
      assert.deepEqual(await page.locator(".compare .kept input").evaluateAll((boxes) => boxes.map((box) => box.checked)), [true, false]);
      await page.getByRole("button", { name: "Remove run 1" }).click();
      await until(async () => new URLSearchParams(new URL(page.url()).hash.slice(1)).getAll("kept").length === 1, "a removed run leaves the address");
    }));

  suite.test("live: a long run tells how far it has come, and can be cancelled", () =>
    withView(scene("pendulum"), async (page) => {
      const [wait, hash] = [page.locator(".wait"), () => page.locator(".below code").allTextContents()];
      const before = await hash();
      assert.ok(await wait.isHidden(), "a short run shows no bar");
      const value = () => page.locator(".wait progress").evaluate((bar) => bar.position);
      await page.locator('[data-field="solver.until"]').evaluate((field) => field.closest("details").setAttribute("open", ""));
      await page.locator('[data-field="solver.until"]').fill("1000000");
      await page.locator('[data-field="solver.until"]').press("Enter");
      await until(() => wait.isVisible(), "the bar shows");
      await until(async () => /^\d+ %: [\d.e]+ of (1000000|1e6) s, \d+ events?; \d+ s so far$/.test(await wait.locator(".note").textContent()), "how far it is");
      const first = await value();
      assert.ok(first >= 0 && first < 1, `${first}`);
      await until(async () => (await value()) > first, "the bar fills");
      await rerun(page, () => page.getByRole("button", { name: "Cancel" }).click());
      assert.ok(await wait.isHidden());
      assert.match(await page.locator(".status").textContent(), /cancelled/i);
      assert.deepEqual(await hash(), before, "the run before is still shown");
      assert.ok(await page.getByRole("button", { name: "Run it" }).isVisible());
      await put(page, "solver.until", 2);
      assert.equal(await page.getByRole("button", { name: "Run it" }).count(), 0);
      await same(page, "pendulum", ["solver.until=2"]);
    }));

  suite.test("live: a failed run reads as a failure, with its hint", async () => {
    // So fast that the steps of time are below its round-off.
    const sets = ["body.rod.velocity=[9e18,0]"];
    const run = simulate("painleve", join(folder, "fails.run"), sets);
    assert.equal(run.status, 2, run.stderr);
    const [, words] = /error: (.*)\nhint: /.exec(run.stderr);
    await withView(scene("painleve"), async (page) => {
      const trouble = page.locator(".trouble");
      assert.match(await page.locator(".status").textContent(), /^failed after/);
      assert.ok((await trouble.textContent()).includes(words), `"${words}" in ${await trouble.textContent()}`);
      // The page has the hint of the fault; the command tries remedies before it offers one.
      const hint = /hint: (.{20,})/.exec(await trouble.textContent())?.[1].trim();
      assert.ok(hint, `a hint in ${await trouble.textContent()}`);
      assert.equal(await trouble.getAttribute("role"), "alert");
      const [text, calm] = await page.evaluate(() => [".trouble .message", ".status"].map((one) => getComputedStyle(document.querySelector(one)).color));
      assert.notEqual(text, calm, "not in the ink of a success");
      assert.match(await page.locator("[data-key=stop]").textContent(), /error/);
      const notice = page.locator(".failed");
      assert.ok((await notice.textContent()).includes(words) && (await notice.textContent()).includes(hint), "above the stage as well");
      assert.equal(await page.locator(".warnings").filter({ hasText: words }).count(), 0, "not as a mere warning");
      const box = await trouble.boundingBox();
      assert.ok(box.y + box.height <= 900, `in sight without scrolling: ${JSON.stringify(box)}`);
    }, sets);
  });

  for (const [name, path, value] of [["double_pendulum", "contact.0.restitution", 0.8], ["superball", "contact.0.friction", 0.1]]) {
    suite.test(`live ${name}: a changed value gives the command line's numbers`, () =>
      withView(scene(name), async (page) => {
        await same(page, name, []);
        await page.keyboard.press("]");
        await put(page, path, value);
        await same(page, name, [`${path}=${value}`]);
        assert.match(await page.locator(".impact h2").textContent(), /Impact 1/, "the chosen event stays chosen");
        await rerun(page, () => page.getByRole("button", { name: "As in the scene" }).click());
        await same(page, name, []);
      }));
  }

  suite.test("live: a scene that is saved runs again, one with a fault is told in place", async () => {
    const path = join(folder, "edited.toml");
    const text = readFileSync(scene("ball"), "utf8");
    writeFileSync(path, text);
    await withView(path, async (page) => {
      const lost = () => page.locator("[data-key=lost]").getAttribute("data-exact").then(Number);
      await put(page, "contact.0.restitution", 0.7);
      const before = await lost();
      // Half the mass loses half the energy; the slider's value stays.
      const mass = /mass = ([\d.]+)/.exec(text);
      await rerun(page, async () => writeFileSync(path, text.replace(mass[0], `mass = ${Number(mass[1]) / 2}`)));
      assert.ok(Math.abs((await lost()) - before / 2) < 1e-9 * before, `${before} ${await lost()}`);
      assert.equal(await page.locator('[data-field="contact.0.restitution"]').inputValue(), "0.7");
      const good = await lost();
      await rerun(page, async () => writeFileSync(path, text.replace(mass[0], "mass = -1")));
      assert.match(await page.locator(".trouble").textContent(), /edited\.toml:\d+:\d+/);
      assert.equal(await lost(), good, "the last good run stays");
      await rerun(page, async () => writeFileSync(path, text));
      assert.ok(Math.abs((await lost()) - before) < 1e-9 * before);
      assert.equal(await page.locator(".trouble").textContent(), "");
    });
  });

  suite.test("live: the command that is copied gives the run that is shown", () =>
    withView(scene("double_pendulum"), async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await put(page, "contact.0.restitution", 0.8);
      await put(page, "gravity.0", 1.5);
      await rerun(page, () => page.locator("#law").selectOption({ label: "newton" }));
      await page.getByRole("button", { name: "Copy as command" }).click();
      await until(async () => /clipboard/.test(await page.locator(".status").textContent()), "it is copied");
      const command = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(command, /^carom run .*double_pendulum\.toml --set solver\.until=3 .*--set .*newton.* --set contact\.0\.restitution=0\.8/);
      // One component of gravity, which the scene does not state at all.
      assert.match(command, / --set 'gravity=.*' .* --set gravity\.0=1\.5/);
      const hash = shell(`${command} --out '${join(folder, "copied.run")}' --quiet --json`).result_hash;
      assert.ok((await page.locator(".below").textContent()).includes(hash));
    }, ["solver.until=3"]));

  suite.test("live: a slider that is dragged runs the scene", () =>
    withView(scene("double_pendulum"), async (page) => {
      const range = page.locator('[data-path="contact.0.restitution"]');
      await rerun(page, () => range.evaluate((input) => {
        for (const value of [0.55, 0.6, 0.7]) {
          input.value = String(value);
          input.dispatchEvent(new Event("input", { bubbles: true }));
        }
      }));
      const value = Number(await page.locator('[data-field="contact.0.restitution"]').inputValue());
      assert.ok(Math.abs(value - 0.7) < 0.02, `${value}`);
      await same(page, "double_pendulum", [`contact.0.restitution=${value}`]);
    }));

  suite.test("live: another law", () =>
    withView(scene("double_pendulum"), async (page) => {
      const labels = await page.locator("#law option").allTextContents();
      const newton = labels.findIndex((label, i) => i > 0 && /newton/i.test(label));
      assert.ok(newton > 0, labels.join("; "));
      await rerun(page, () => page.locator("#law").selectOption({ index: newton }));
      assert.equal(await page.locator(".trouble").textContent(), "");
      await same(page, "double_pendulum", ["law.formulation=newton"]);
    }));

  suite.test("live: a bad value is refused in the command line's words, the last good run stays", () =>
    withView(scene("double_pendulum"), async (page) => {
      const lost = await page.locator("[data-key=lost]").textContent();
      await put(page, "contact.0.restitution", 1.5);
      const run = simulate("double_pendulum", join(folder, "bad.run"), ["contact.0.restitution=1.5"]);
      assert.equal(run.status, 2);
      const words = /error: (.*)/.exec(run.stderr)[1].trim();
      assert.ok((await page.locator(".trouble").textContent()).includes(words), `"${words}" on the page`);
      assert.equal(await page.locator("[data-key=lost]").textContent(), lost);
      await put(page, "contact.0.restitution", 0.4);
      assert.equal(await page.locator(".trouble").textContent(), "");
    }));

  suite.test("live: runs are kept, compared and drawn as ghosts", () =>
    withView(scene("double_pendulum"), async (page) => {
      await page.getByRole("button", { name: "Keep this run" }).click();
      await put(page, "contact.0.restitution", 0.9);
      await page.evaluate(() => globalThis.carom.player.seek(0.9));
      await page.waitForTimeout(200);
      assert.equal(await page.locator(".compare tbody tr").count(), 2);
      const cells = await page.locator(".compare .kept td").allTextContents();
      assert.ok(cells.includes("18") && cells.includes("55.2158"), cells.join(" | "));
      const withGhost = await stage(page);
      await page.getByRole("button", { name: "Side by side" }).click();
      await page.waitForTimeout(200);
      assert.deepEqual(await page.locator(".stage-name").allTextContents(), ["this run · tip: restitution = 0.9", "run 1"]);
      await page.locator(".stage-cell canvas").nth(1).hover();
      await page.keyboard.press("+");
      const looks = await page.evaluate(() => globalThis.carom.stage.views.map((view) => [...view.look()]));
      assert.deepEqual(looks[0], looks[1], "both pictures look the same way");
      await page.getByRole("button", { name: "Overlaid" }).click();
      assert.equal(await page.locator(".stage-cell canvas").count(), 1);
      await page.locator(".compare .kept input").click();
      await page.waitForTimeout(200);
      assert.ok(!withGhost.equals(await stage(page)), "the ghost goes");
      await page.getByRole("button", { name: "Remove run 1" }).click();
      assert.equal(await page.locator(".compare tbody tr").count(), 1);
    }));

  suite.test("live: a run folder opens with its own run", async () => {
    const out = join(folder, "opened.run");
    const run = simulate("ball", out, ["contact.0.restitution=0.7"]);
    await withView(out, async (page) => {
      assert.equal(Number(await page.locator("[data-key=lost]").getAttribute("data-exact")), run.summary.energy.lost);
      await put(page, "contact.0.restitution", 0.6);
      await same(page, "ball", ["contact.0.restitution=0.6"]);
    });
  });

  suite.test("live: a new value gives up the run under way", async () => {
    // Long beside the pauses between two values, also on a busy machine.
    const server = await mockServer(pageText, { delay: 2000 });
    const { page, context } = await watchedPage(browser);
    try {
      await page.goto(server.url);
      await drawn(page);
      const first = server.log.runs.length;
      const range = page.locator('[data-path="contact.0.restitution"]');
      for (const value of [0.3, 0.4, 0.5]) {
        await range.evaluate((input, v) => {
          input.value = String(v);
          input.dispatchEvent(new Event("input", { bubbles: true }));
        }, value);
        await page.waitForTimeout(250);
      }
      const before = await done(page);
      await until(async () => (await done(page)) !== before, "the last value is simulated");
      await page.waitForTimeout(500);
      assert.equal(server.log.runs.length - first, 3, "each value was asked for after a pause");
      assert.equal(server.log.cancelled, 2, "the first two were given up");
      assert.equal(Number(await done(page)), Number(before) + 1, "one result was shown");
      assert.deepEqual(server.log.runs.at(-1), ["contact.0.restitution=0.5"]);
    } finally {
      await context.close();
      await server.close();
    }
  });
}
