// Screenshots of documents in light and dark, wide and narrow: node test/shots.mjs FOLDER [REPORT.html ...]
// Without reports the made documents are drawn.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, scratch, watchedPage } from "./browser_setup.mjs";
import * as documents from "./documents.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, "out"));
mkdirSync(folder, { recursive: true });
const work = scratch();
let reports = process.argv.slice(3);
if (reports.length === 0) {
  const page = readFileSync(join(here, "../../crates/carom-report/assets/page.html"), "utf8");
  reports = ["planar", "spatial", "many"].map((name) => {
    const path = join(work.folder, `${name}.html`);
    writeFileSync(path, documents.html(page, documents[name]()));
    return path;
  });
}
const browser = await launch();
try {
  for (const report of reports) {
    for (const [width, scheme] of [[1400, "light"], [1400, "dark"], [420, "light"], [420, "dark"]]) {
      const { page, context, errors } = await watchedPage(browser, { viewport: { width, height: 900 }, colorScheme: scheme });
      await page.goto(pathToFileURL(resolve(report)).href);
      await page.waitForSelector(".stage canvas, .failure");
      await page.keyboard.press("]");
      await page.keyboard.press("]");
      await page.waitForTimeout(500);
      const shot = join(folder, `${basename(report, ".html")}_${scheme}_${width}.png`);
      await page.screenshot({ path: shot, fullPage: true });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      console.log(shot, overflow > 0 ? `scrolls sideways by ${overflow}` : "", errors.join(" | "));
      await context.close();
    }
  }
} finally {
  await browser.close();
  work.remove();
}
