// The pictures of pages in docs/img: CAROM=… node test/pictures.mjs; they are kept with 256 colours. docs/img/make.sh
// draws the figures.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, scratch, watchedPage } from "./browser_setup.mjs";
import { compare, gallery, report, repository, scene, simulate, view } from "./carom.mjs";
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

/** A file as it is after `prepare`. */
async function filePicture(file, name, colorScheme, prepare, height = size.viewport.height) {
  const { page, context } = await watchedPage(browser, { viewport: { width: 1400, height }, colorScheme });
  await page.goto(pathToFileURL(file).href);
  await prepare(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: out(name) });
  await context.close();
}

/** Three laws at one time. */
async function comparisonPicture() {
  const file = compare([scene("double_pendulum")], join(work.folder, "laws.html"), ["differential", "newton", "poisson"]);
  await filePicture(file, "compare_laws", "light", async (page) => {
    await drawn(page);
    await page.evaluate(() => globalThis.carom.player.seek(1.18));
  }, 1180);
}

/** A body with its numbers and velocities. */
async function inspectorPicture() {
  simulate("box_drop", join(work.folder, "box_drop.run"));
  const file = report(join(work.folder, "box_drop.run"), join(work.folder, "box_drop.html"));
  await filePicture(file, "inspector_box_drop", "light", async (page) => {
    await drawn(page);
    await page.evaluate(() => globalThis.carom.player.seek(0.3));
    await page.getByRole("button", { name: "Inspect a body" }).click();
    await page.getByLabel("What is drawn").first().click();
    await page.getByLabel("Velocities").check();
    await page.locator("h1").click();
  });
}

async function galleryPicture() {
  const file = gallery([join(repository, "scenes")], join(work.folder, "gallery"));
  await filePicture(file, "gallery", "light", async (page) => page.waitForLoadState("load"), 1000);
}

try {
  await comparisonPicture();
  await inspectorPicture();
  await galleryPicture();
  await reportPicture("double_pendulum", 2, "light");
  await reportPicture("jumper", 0, "dark");
  await viewerPictures("double_pendulum", [["contact.0.restitution", 0.7], ["contact.0.restitution", 0.9]], 0.8);
} finally {
  await browser.close();
  work.remove();
}
