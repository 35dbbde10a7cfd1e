// Accessibility by axe-core: no finding on reports and on the live page, light and dark, wide and narrow.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { watchedPage } from "./browser_setup.mjs";
import { report, scene, simulate, view } from "./carom.mjs";
import { assert } from "./harness.mjs";
import { drawn } from "./report_tests.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Findings of a page, one line each. */
async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 90)).join(" | ")}`);
}

export function axeTests(suite, browser, folder) {
  for (const name of ["double_pendulum", "box_drop"]) {
    suite.test(`axe finds nothing on the report of ${name}`, async () => {
      const out = join(folder, `axe_${name}.run`);
      simulate(name, out);
      const url = pathToFileURL(report(out, join(folder, `axe_${name}.html`))).href;
      const found = [];
      for (const colorScheme of ["light", "dark"]) {
        for (const width of [1400, 420]) {
          const { page, context } = await watchedPage(browser, { colorScheme, viewport: { width, height: 900 } });
          await page.goto(url);
          await drawn(page);
          await page.keyboard.press("]");
          await page.waitForTimeout(200);
          found.push(...(await findings(page)).map((text) => `${colorScheme} ${width}: ${text}`));
          await context.close();
        }
      }
      assert.deepEqual(found, []);
    });
  }

  suite.test("axe finds nothing on the live page", async () => {
    const server = await view(scene("double_pendulum"));
    try {
      const found = [];
      for (const width of [1400, 420]) {
        const { page, context } = await watchedPage(browser, { viewport: { width, height: 900 } });
        await page.goto(server.url);
        await drawn(page);
        await page.getByRole("button", { name: /keep/i }).first().click();
        await page.waitForTimeout(300);
        found.push(...(await findings(page)).map((text) => `${width}: ${text}`));
        await context.close();
      }
      assert.deepEqual(found, []);
    } finally {
      await server.stop();
    }
  });
}
