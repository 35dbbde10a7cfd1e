// The pictures of pages in docs/img: CAROM=… node test/pictures.mjs [NAME]; they are kept with 256 colours. docs/img/make.sh
// draws the figures. ROBOTS names the folder `robots` of example-robot-data; without it the robot is left as it is.
import { copyFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, scratch, watchedPage } from "./browser_setup.mjs";
import { compare, gallery, report, repository, scene, simulate, view } from "./carom.mjs";
import { until } from "./harness.mjs";
import { lesson } from "./lesson_tests.mjs";
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

/** A report that an address leads into. */
async function addressPicture(name, address, picture, look, height, sets = []) {
  simulate(name, join(work.folder, `${name}.run`), sets);
  const file = report(join(work.folder, `${name}.run`), join(work.folder, `${name}.html`));
  const { page, context } = await watchedPage(browser, { viewport: { width: 1400, height }, colorScheme: "light", acceptDownloads: true });
  await page.goto(`${pathToFileURL(file).href}#${address}`);
  await drawn(page);
  await look(page);
  await page.waitForTimeout(600);
  if (picture) await page.screenshot({ path: out(picture) });
  await context.close();
}

const toPlots = (page) => page.locator(".plots-panel").evaluate((panel) => scrollTo(0, panel.getBoundingClientRect().top + scrollY - 8));

async function lensPicture() {
  await addressPicture("double_pendulum", "event=3&lens&plots=coordinates,speeds,phase", "report_lens", toPlots, 700);
}

async function sectionPicture() {
  // Shaken so hard that no bounce is like another.
  await addressPicture("vibrating_table", "section=event:impact&section=0&section=after&section=q.shaker&section=v.height&plots=modes,energy,coordinates,speeds,force,phase", "report_section", toPlots, 820,
    ["contact.0.restitution=0.8", "joint.shaker.initial=0", "joint.shaker.initial_rate=0.5", "solver.until=200"]);
}

/** A figure that the page saved. */
async function exportPicture() {
  await addressPicture("double_pendulum", "event=3", null, async (page) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save Impact as SVG" }).click()]);
    await file.saveAs(join(repository, "docs/img/export_impact.svg"));
  }, 880);
}

/** The text of a scene with a fault, and a body on its way. */
async function editPictures() {
  // As a user names it: pictures tell no folder of a machine.
  const server = await view("scenes/double_pendulum.toml");
  const { page, context } = await watchedPage(browser, { viewport: { width: 1400, height: 1000 }, colorScheme: "light" });
  await page.goto(server.url);
  const done = () => page.locator(".status").getAttribute("data-done");
  await until(done, "the first run");
  await page.getByRole("button", { name: "Drag bodies to set the start" }).click();
  const pixel = (point) => page.evaluate(([x, y]) => {
    const { brush, canvas } = globalThis.carom.stage.views[0];
    const box = canvas.getBoundingClientRect();
    return { x: box.left + brush.px(x), y: box.top + brush.py(y) };
  }, point);
  const [from, to] = [await pixel([1.6, 1.5]), await pixel([1.4, 0.9])];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.waitForTimeout(300);
  await page.screenshot({ path: out("viewer_drag"), clip: { x: 0, y: 0, width: 1400, height: 900 } });
  await page.mouse.up();
  await page.waitForTimeout(1500);
  await page.getByRole("button", { name: "Edit the scene" }).click();
  const before = await done();
  await page.getByLabel("Text of the scene").evaluate((area) => {
    area.value = area.value.replace("friction = 0.57", "fricton = 0.57");
    area.dispatchEvent(new Event("input"));
    area.scrollTop = 1e6;
  });
  await until(async () => (await done()) !== before, "the fault");
  await page.locator(".editor").evaluate((panel) => scrollTo(0, panel.getBoundingClientRect().top + scrollY - 240));
  await page.waitForTimeout(400);
  await page.screenshot({ path: out("viewer_editor") });
  await context.close();
  await server.stop();
}

async function lessonPictures() {
  const file = lesson("ladder", join(work.folder, "ladder.html"));
  await filePicture(file, "lesson_ask", "light", async (page) => {
    await drawn(page);
  }, 820);
  await filePicture(file, "lesson_told", "light", async (page) => {
    await drawn(page);
    await page.locator(".choice input").first().check();
    await page.getByRole("button", { name: "Predict, then run" }).click();
    await page.evaluate(() => {
      globalThis.carom.player.pause();
      globalThis.carom.player.seek(0.36);
    });
  }, 980);
}

/** A robot by its meshes, dropped onto its feet. */
async function robotPicture() {
  const robots = process.env.ROBOTS;
  if (!robots) return;
  const file = join(work.folder, "a1.toml");
  symlinkSync(robots, join(work.folder, "robots"));
  copyFileSync(join(repository, "bench/a1_drops.toml"), file);
  const made = report(file, join(work.folder, "a1.html"), ["--set", "urdf.0.position=[0,0,0.42]", "--set", "solver.until=0.4"]);
  const { page, context } = await watchedPage(browser, { ...size, colorScheme: "light" });
  await page.goto(`${pathToFileURL(made).href}#t=0.2&layers=trails`);
  await drawn(page);
  await page.evaluate(() => globalThis.carom.stage.zoom(1.15));
  await page.waitForTimeout(800);
  await page.locator(".stage-block").screenshot({ path: out("robot_a1") });
  await context.close();
}

const PICTURES = {
  comparison: comparisonPicture, inspector: inspectorPicture, gallery: galleryPicture, lens: lensPicture, section: sectionPicture, export: exportPicture,
  edit: editPictures, lesson: lessonPictures, robot: robotPicture,
  pendulum: () => reportPicture("double_pendulum", 2, "light"), jumper: () => reportPicture("jumper", 0, "dark"),
  viewer: () => viewerPictures("double_pendulum", [["contact.0.restitution", 0.7], ["contact.0.restitution", 0.9]], 0.8),
};

try {
  const asked = process.argv.slice(2);
  for (const [name, make] of Object.entries(PICTURES)) if (asked.length === 0 || asked.includes(name)) await make();
} finally {
  await browser.close();
  work.remove();
}
