// How long a slider takes to the new picture: CAROM=… node bench/slider.mjs [COUNT]. From the input to the frame in which
// the new run is drawn, with the pause that waits for the slider to rest. ROBOTS names the folder `robots` of
// example-robot-data; with it the quadruped A1 under PD control is measured as well.
import { copyFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { launch, scratch, watchedPage } from "../test/browser_setup.mjs";
import { repository, scene, view } from "../test/carom.mjs";
import { until } from "../test/harness.mjs";

const count = Number(process.argv[2] ?? 15);
const work = scratch();
const browser = await launch();

/** Times of `count` changes of a value, ms. */
async function times(file, path, values) {
  const server = await view(file);
  const { page, context } = await watchedPage(browser);
  await page.goto(server.url);
  await until(() => page.locator(".status").getAttribute("data-done"), "the first run", 60_000);
  await page.waitForTimeout(1500);
  const list = await page.evaluate(async ([name, all]) => {
    const status = document.querySelector(".status");
    const field = document.querySelector(`[data-field="${name}"]`);
    const found = [];
    for (const value of all) {
      const before = status.dataset.done;
      const begin = performance.now();
      field.value = String(value);
      field.dispatchEvent(new Event("change"));
      while (status.dataset.done === before) await new Promise((done) => setTimeout(done, 2));
      // Drawn in the next frame; the one after it begins when that is done.
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      found.push(performance.now() - begin);
    }
    return found;
  }, [path, values]);
  await context.close();
  await server.stop();
  return list.sort((a, b) => a - b);
}

const told = (name, list, bound) => console.log(`${name}: median ${Math.round(list[Math.floor(list.length / 2)])} ms, least ${Math.round(list[0])} ms, most ${Math.round(list.at(-1))} ms (${bound} ms wanted)`);
const spread = (low, high) => Array.from({ length: count }, (_, i) => low + ((high - low) * (i + 0.5)) / count);

try {
  told("double pendulum", await times(scene("double_pendulum"), "contact.0.restitution", spread(0.2, 0.8)), 250);
  if (process.env.ROBOTS) {
    symlinkSync(process.env.ROBOTS, join(work.folder, "robots"));
    copyFileSync(join(repository, "bench/a1_pd.toml"), join(work.folder, "a1_pd.toml"));
    told("A1 with PD", await times(join(work.folder, "a1_pd.toml"), "contact.0.friction", spread(0.3, 0.9)), 500);
  }
} finally {
  await browser.close();
  work.remove();
}
