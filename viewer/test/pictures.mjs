// The pictures of pages in docs/img: CAROM=… node test/pictures.mjs; they are kept with 256 colours. docs/img/make.sh
// draws the figures.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, scratch, watchedPage } from "./browser_setup.mjs";
import { report, repository, scene, simulate, view } from "./carom.mjs";
import { until } from "./harness.mjs";
import { drawn } from "./report_tests.mjs";

const out = (name) => join(repository, "docs/img", `${name}.png`);
const size = { viewport: { width: 1400, height: 880 } };
const work = scratch();
const browser = await launch();

/** A report at an event, the first being 0. */
async function reportPicture(name, event, colorScheme) {
  simulate(name, join(work.folder, `${name}.run`));
  const file = report(join(work.folder, `${name}.run`), join(work.folder, `${name}.html`));
  const { page, context } = await watchedPage(browser, { ...size, colorScheme });
  await page.goto(pathToFileURL(file).href);
  await drawn(page);
  await page.evaluate((index) => globalThis.carom.jump(index), event);
  await page.waitForTimeout(500);
  await page.screenshot({ path: out(`report_${name}`) });
  await context.close();
}

/** The live page with kept runs, each with other values; then all of them side by side. */
async function viewerPictures(name, changes, t) {
  const server = await view(scene(name));
  const { page, context } = await watchedPage(browser, { ...size, colorScheme: "light" });
  await page.goto(server.url);
  const done = () => page.locator(".status").getAttribute("data-done");
  await until(done, "the first run");
  for (const [path, value] of changes) {
    await page.getByRole("button", { name: "Keep this run" }).click();
    const before = await done();
    await page.locator(`[data-field="${path}"]`).fill(String(value));
    await page.locator(`[data-field="${path}"]`).press("Enter");
    await until(async () => (await done()) !== before, "another run");
  }
  await page.evaluate((at) => globalThis.carom.player.seek(at), t);
  await page.locator("h1").click();
  await page.waitForTimeout(400);
  await page.screenshot({ path: out(`viewer_${name}`) });
  await page.getByRole("button", { name: "Side by side" }).click();
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(400);
  await page.screenshot({ path: out("viewer_side_by_side") });
  await context.close();
  await server.stop();
}

try {
  await reportPicture("double_pendulum", 2, "light");
  await reportPicture("jumper", 0, "dark");
  await viewerPictures("double_pendulum", [["contact.0.restitution", 0.7], ["contact.0.restitution", 0.9]], 0.8);
} finally {
  await browser.close();
  work.remove();
}
