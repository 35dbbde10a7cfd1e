// The page of a study's picture: from a point to its row, and to its run.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { watchedPage } from "./browser_setup.mjs";
import { study } from "./carom.mjs";
import { assert } from "./harness.mjs";

export function studyTests(suite, browser, folder) {
  suite.test("study: a click on a point shows its row, and opens its run if it was kept", async () => {
    const file = study(
      "ball",
      join(folder, "ball.study"),
      ["--vary", "contact.0.restitution=0.1:0.9:9", "--result", "impacts=count(impact)", "--set", "solver.until=1.5", "--keep", "impacts > 9"],
      ["--kind", "scatter", "--x", "contact.0.restitution", "--y", "impacts"],
    );
    const { page, context, errors } = await watchedPage(browser);
    try {
      await page.goto(pathToFileURL(file).href);
      const data = JSON.parse(await page.locator("#data").textContent());
      assert.equal(data.points.length, 9);
      const [kept] = Object.keys(data.kept).map(Number);
      const click = async (row) => {
        const [x, y] = data.points.find((point) => point[2] === row);
        const box = await page.locator("#picture").boundingBox();
        await page.mouse.click(box.x + (x * box.width) / data.width, box.y + (y * box.width) / data.width);
      };
      const plain = data.points.map((point) => point[2]).find((row) => !(row in data.kept));
      await click(plain);
      assert.equal(await page.locator("#row h2").textContent(), `Row ${plain}`);
      assert.equal(await page.locator("#row a").count(), 0);
      // The command makes the page of the run.
      const command = await page.locator("#row pre").textContent();
      execFileSync("sh", ["-c", command.replace(/^carom/, '"$CAROM"')], { cwd: folder, timeout: 60_000, stdio: "pipe" });
      assert.ok(existsSync(join(folder, `row-${plain}.html`)));
      const [opened] = await Promise.all([context.waitForEvent("page"), click(kept)]);
      await opened.waitForLoadState();
      assert.ok((await opened.locator("h1").textContent()).length > 0, "the report of the run");
      assert.ok(opened.url().includes(`row-${String(kept).padStart(12, "0")}.run/report.html`), opened.url());
      // By the keyboard as well.
      await page.locator("#picture").focus();
      const before = await page.locator("#row h2").textContent();
      await page.keyboard.press("ArrowRight");
      assert.notEqual(await page.locator("#row h2").textContent(), before);
      assert.deepEqual(errors, [], "console errors");
    } finally {
      await context.close();
    }
  });
}
