// The widget of the Python package: its module in a page, with a model that stands for the kernel of a notebook.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { watchedPage } from "./browser_setup.mjs";
import { report, repository, simulate } from "./carom.mjs";
import { assert, until } from "./harness.mjs";

/** The module as the package hands it to notebooks. */
const esm = () => readFileSync(join(repository, "python/carom/_widget.py"), "utf8").match(/^_ESM = """\n(.*?)^"""/ms)[1];

export function widgetTests(suite, browser, folder) {
  suite.test("widget: sliders tell their values, and the page of the run follows", async () => {
    const html = ["0.3", "0.8"].map((e) => {
      const run = join(folder, `widget-${e}.run`);
      assert.equal(simulate("ball", run, [`contact.0.restitution=${e}`]).status, 0);
      return readFileSync(report(run, join(folder, `widget-${e}.html`)), "utf8");
    });
    const { page, context, errors } = await watchedPage(browser);
    try {
      await page.setContent("<!doctype html><title>notebook</title><div id=cell></div>");
      await page.evaluate(async ({ source, first }) => {
        const { default: widget } = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
        const state = { ranges: { "contact.0.restitution": [0, 1] }, values: { "contact.0.restitution": 0.3 }, page: first, fault: "" };
        const heard = {};
        window.model = {
          saved: 0,
          get: (key) => state[key],
          set: (key, value) => { state[key] = value; heard[`change:${key}`]?.(); },
          on: (name, call) => { heard[name] = call; },
          save_changes: () => { window.model.saved += 1; },
        };
        widget.render({ model: window.model, el: document.getElementById("cell") });
      }, { source: esm(), first: html[0] });
      const inside = page.frameLocator("iframe");
      const impacts = async () => inside.locator("[data-key=impacts]").getAttribute("data-exact");
      const before = await impacts();
      const slider = page.getByLabel("contact.0.restitution");
      assert.equal(await slider.inputValue(), "0.3");
      await slider.fill("0.8");
      await slider.dispatchEvent("change");
      const told = await page.evaluate(() => [window.model.saved, window.model.get("values")]);
      assert.deepEqual(told, [told[0], { "contact.0.restitution": 0.8 }]);
      assert.ok(told[0] >= 1, "the kernel is told");
      // The kernel answers with another page, or with a fault.
      await page.evaluate((next) => window.model.set("page", next), html[1]);
      await until(async () => (await impacts()) !== before, "the page follows");
      assert.equal(await page.locator("#cell > pre").isVisible(), false);
      await page.evaluate(() => window.model.set("fault", "restitution is 7"));
      assert.equal(await page.locator("#cell > pre").textContent(), "restitution is 7");
      assert.deepEqual(errors, [], "console errors");
    } finally {
      await context.close();
    }
  });
}
