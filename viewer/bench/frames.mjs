// Frame time while playing: how long drawing takes, and how far apart the frames are.
// Spatial scenes are drawn by the processor here (no graphics card in headless Chromium).
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, scratch, watchedPage } from "../test/browser_setup.mjs";
import * as documents from "../test/documents.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const pageText = readFileSync(resolve(here, "../../crates/carom-report/assets/page.html"), "utf8");
const work = scratch();
const browser = await launch();

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

async function measure(name, url) {
  const { page, context } = await watchedPage(browser);
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName("carom-drawn").length > 0);
  const opened = await page.evaluate(() => performance.getEntriesByName("carom-drawn")[0].startTime);
  const { apart, cost } = await page.evaluate(async () => {
    const { carom } = globalThis;
    carom.stage.cost.length = 0;
    carom.player.setLoop(true);
    carom.player.play();
    const apart = [];
    let last = performance.now();
    const end = last + 4000;
    while (last < end) {
      const now = await new Promise((frame) => requestAnimationFrame(frame));
      apart.push(now - last);
      last = now;
    }
    carom.player.pause();
    return { apart: apart.slice(1), cost: [...carom.stage.cost] };
  });
  const ms = (x) => x.toFixed(1).padStart(7);
  console.log(`${name.padEnd(26)}${ms(opened)}${ms(quantile(cost, 0.5))}${ms(quantile(cost, 0.95))}${ms(quantile(apart, 0.5))}${ms(quantile(apart, 0.95))}`);
  await context.close();
}

try {
  console.log("ms                          opens   draw    p95  frame    p95");
  const reports = process.argv.slice(2).map((path) => [path.split("/").at(-1), resolve(path)]);
  const made = ["planar", "many", "minutes", "spatial"].map((name) => {
    const path = join(work.folder, `${name}.html`);
    writeFileSync(path, documents.html(pageText, documents[name]()));
    return [`made: ${name}`, path];
  });
  for (const [name, path] of [...made, ...reports]) await measure(name, pathToFileURL(path).href);
} finally {
  await browser.close();
  work.remove();
}
