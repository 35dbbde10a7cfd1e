// Comparisons of several runs: every number is that of its run, pictures share the time.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { watchedPage } from "./browser_setup.mjs";
import { compare, scene, simulate } from "./carom.mjs";
import { assert, until } from "./harness.mjs";
import { drawn, stage, time } from "./report_tests.mjs";

export function compareTests(suite, browser, folder) {
  const open = async (path, body, options = {}) => {
    const { page, context, errors, requests } = await watchedPage(browser, options);
    try {
      await page.goto(pathToFileURL(path).href);
      await drawn(page);
      await body(page);
      assert.deepEqual(errors, []);
      assert.deepEqual(requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
    } finally {
      await context.close();
    }
  };
  /** Cells of a row of the summary. */
  const row = (page, label) => page.locator(".summary tr").filter({ has: page.locator("th", { hasText: new RegExp(`^${label}`) }) }).first().locator("td").allTextContents();
  const text = (x) => String(Number(x.toPrecision(6))).replace("-", "−");

  suite.test("comparison: summaries and events are those of the runs", async () => {
    const runs = ["0.5", "0.9"].map((e, i) => simulate("ball", join(folder, `compared_${i}.run`), [`contact.0.restitution=${e}`]));
    const path = compare([0, 1].map((i) => join(folder, `compared_${i}.run`)), join(folder, "compared.html"));
    await open(path, async (page) => {
      assert.deepEqual(await row(page, "Impacts"), runs.map(({ summary }) => String(summary.counts.impacts)));
      assert.deepEqual(await row(page, "Energy lost"), runs.map(({ summary }) => text(summary.energy.lost)));
      assert.deepEqual(await row(page, "Changed"), ["contact.0.restitution=0.5", "contact.0.restitution=0.9"]);
      assert.ok(await page.locator(".summary tr.differs", { hasText: "Impacts" }).count() === 1, "what differs stands out");
      // The third impact in both runs, beside each other.
      const third = runs.map(({ events }) => events.filter(({ kind }) => kind === "impact")[2]);
      const cells = await page.locator(".side tbody tr", { hasText: /^impact 3ball/ }).locator("td").allTextContents();
      assert.equal(Number(cells[1]), Number(third[0].t.toFixed(4)));
      assert.equal(Number(cells[4]), Number(third[1].t.toFixed(4)));
      assert.equal(Number(cells[2]), Number(third[0].contacts[0].impulse_normal.toPrecision(4)));
      await page.getByRole("button", { name: "impact 3", exact: true }).click();
      assert.equal(await time(page), third[0].t, "a row leads to its event in the run that is looked at");
      await page.getByLabel("Look at compared_1").check();
      await page.getByRole("button", { name: "impact 3", exact: true }).click();
      assert.equal(await time(page), third[1].t);
      assert.equal(Number(await page.locator("[data-key=lost]").getAttribute("data-exact")), runs[1].summary.energy.lost);
      const missing = page.locator(".side .missing");
      assert.ok(await missing.count() > 0, "the softer ball has fewer impacts");
    });
  });

  suite.test("comparison: pictures side by side at one time, plots over each other", async () => {
    const path = compare([scene("double_pendulum")], join(folder, "laws.html"), ["newton", "poisson"]);
    await open(path, async (page) => {
      assert.deepEqual(await page.locator(".stage-name").allTextContents(), ["newton", "poisson"]);
      assert.deepEqual(await row(page, "Law"), ["newton, together", "poisson, together"]);
      await page.evaluate(() => globalThis.carom.player.seek(1.21));
      await page.waitForTimeout(200);
      const poses = await page.evaluate(() => globalThis.carom.shown.map(({ run }) => {
        const out = new Float64Array(run.bodies * 7);
        run.posesAt(run.placeOf(1.21), out);
        return [...out];
      }));
      assert.ok(poses[0].some((x, i) => Math.abs(x - poses[1][i]) > 1e-3), "the laws differ by then");
      const [end] = await row(page, "shoulder at the end");
      await page.getByRole("button", { name: "Degrees" }).click();
      const [turned] = (await row(page, "shoulder at the end")).map((x) => Number(x.replace("−", "-")));
      assert.ok(Math.abs(turned - (Number(end.replace("−", "-")) * 180) / Math.PI) < 1e-3 * Math.abs(turned), `${end} ${turned}`);
      await page.getByRole("button", { name: "Degrees" }).click();
      const [split, keys] = [await stage(page), await page.locator(".which .key").allTextContents()];
      assert.deepEqual(keys, ["newton", "poisson"], "plots tell which line is which run");
      await page.getByRole("button", { name: "Overlaid" }).click();
      await until(async () => (await page.locator(".stage-cell").count()) === 1, "one picture");
      await page.waitForTimeout(200);
      assert.ok(!split.equals(await stage(page)));
      const plot = page.locator("figure.plot:not(.modes) canvas").first();
      const both = await plot.screenshot();
      await page.getByLabel("Draw poisson").uncheck();
      await page.waitForTimeout(300);
      assert.ok(!both.equals(await plot.screenshot()), "the other run's lines go");
      assert.equal(await page.locator(".which .key").count(), 0);
    });
  });

  suite.test("comparison: one impact under every law, with its path", async () => {
    const path = compare([scene("double_pendulum")], join(folder, "laws_impact.html"), ["newton", "poisson"]);
    await open(path, async (page) => {
      const beside = page.locator(".beside");
      assert.equal(await beside.count(), 0);
      await page.getByRole("button", { name: "impact 3", exact: true }).click();
      assert.deepEqual(await beside.locator(".run-name").allTextContents(), [" newton", " poisson"]);
      assert.deepEqual(await beside.locator("h2").allTextContents(), ["Impact 3", "Impact 3"]);
      const impulses = await page.evaluate(() => globalThis.carom.shown.map(({ run }) => run.events[2].contacts[0].impulse[2]));
      assert.ok(Math.abs(impulses[0] - impulses[1]) > 0.1, `the laws differ: ${impulses}`);
      const told = await beside.evaluateAll((all) => all.map((one) => one.querySelector("tbody tr:nth-child(2) td:last-child").textContent));
      assert.deepEqual(told.map(Number), impulses.map((p) => Number(p.toPrecision(5))));
      // One of more impacts than the other law has.
      const missing = page.locator(".side tbody tr", { has: page.locator(".missing") }).first().locator("button");
      await missing.click();
      assert.equal(await beside.locator(".empty").count(), 1);
    });
  });

  suite.test("comparison on paper: no table is cut, no picture hides the next", async () => {
    const path = compare([scene("double_pendulum")], join(folder, "laws_paper.html"), ["newton", "poisson", "differential"]);
    await open(path, async (page) => {
      // A4 without its margins.
      await page.setViewportSize({ width: 718, height: 1000 });
      await page.emulateMedia({ media: "print" });
      await page.waitForTimeout(300);
      const widths = await page.locator(".sheet").evaluateAll((tables) => tables.map((table) => table.getBoundingClientRect().right));
      assert.ok(widths.every((right) => right <= 718.5), `${widths}`);
      const cells = await page.locator(".stage-cell").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
      const bar = await page.locator(".scrub").boundingBox();
      assert.ok(Math.max(...cells) <= bar.y + 1, `${cells} ${bar.y}`);
    });
  });

  suite.test("comparison at 420 pixels: nothing scrolls sideways, time can be moved", async () => {
    const path = compare([scene("double_pendulum")], join(folder, "laws_3.html"), ["newton", "poisson", "differential"]);
    await open(path, async (page) => {
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
      assert.equal(await page.locator(".stage-cell").count(), 3);
      const [block, bar] = [await page.locator(".stage-block").boundingBox(), await page.locator(".transport").boundingBox()];
      assert.ok(bar.y + bar.height <= block.y + block.height + 1, "the controls are not cut off");
    }, { viewport: { width: 420, height: 900 } });
  });
}
