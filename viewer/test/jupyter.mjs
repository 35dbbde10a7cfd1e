// A notebook in JupyterLab: the page of a run inline, a plot, the live widget with its kernel. scripts/jupyter.sh starts it.
// JUPYTER: program; CAROM_SHOTS: a folder for pictures, if wanted.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, scratch, watchedPage } from "./browser_setup.mjs";
import { until } from "./harness.mjs";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const TOKEN = "carom";
const shots = process.env.CAROM_SHOTS;

const CELLS = [
  'import carom\nscene = carom.load("ball.toml")\nrun = scene.run(until=5.0)\nrun',
  'run.plot("ball.z", "energy");',
  'live = carom.widget(scene, {"contact.0.restitution": (0, 1), "body.ball.mass": (0.01, 1)}, until=5.0)\nlive',
  'carom.view(run)',
  'if "before" in globals():\n    live.values = {**live.values, "contact.0.restitution": 0.25}\nbefore = live.run',
];

/** A notebook of these cells. */
const notebook = (cells) => JSON.stringify({
  cells: cells.map((source, k) => ({ cell_type: "code", id: `cell-${k}`, metadata: {}, execution_count: null, outputs: [], source })),
  metadata: { kernelspec: { display_name: "Python 3", language: "python", name: "python3" }, language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
});

/** JupyterLab on a free port of this machine, with its address. */
async function lab(folder) {
  const words = [
    "lab", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root", `--IdentityProvider.token=${TOKEN}`, `--ServerApp.root_dir=${folder}`,
  ];
  // It does not ask whether it may fetch news.
  const settings = join(folder, ".jupyter/lab/user-settings/@jupyterlab/apputils-extension");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "notification.jupyterlab-settings"), '{ "checkForUpdates": false, "fetchNews": "false" }');
  const home = { HOME: folder, JUPYTER_CONFIG_DIR: join(folder, ".jupyter"), JUPYTER_DATA_DIR: join(folder, ".data"), IPYTHONDIR: join(folder, ".ipython") };
  const server = spawn(process.env.JUPYTER, words, { env: { ...process.env, ...home }, stdio: ["ignore", "ignore", "pipe"], detached: true });
  let told = "";
  const url = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`JupyterLab did not start:\n${told}`)), 90_000);
    server.stderr.on("data", (text) => {
      told += text;
      const found = told.match(/http:\/\/127\.0\.0\.1:(\d+)\/lab/);
      if (found) {
        clearTimeout(late);
        resolve(`http://127.0.0.1:${found[1]}`);
      }
    });
    server.on("exit", (code) => reject(new Error(`JupyterLab ended with ${code}:\n${told}`)));
  });
  // Its kernels go with it: they are of the same group.
  return { url, stop: () => { try { process.kill(-server.pid, "SIGKILL"); } catch { /* it is gone */ } } };
}

async function shot(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

const work = scratch();
const browser = await launch();
let server = null;
try {
  copyFileSync(join(repository, "scenes/ball.toml"), join(work.folder, "ball.toml"));
  writeFileSync(join(work.folder, "ball.ipynb"), notebook(CELLS));
  server = await lab(work.folder);
  const { page, requests } = await watchedPage(browser, { viewport: { width: 1300, height: 1000 } });
  page.setDefaultTimeout(90_000);
  await page.goto(`${server.url}/lab/tree/ball.ipynb?token=${TOKEN}`);
  await page.locator(".jp-Notebook .jp-Cell").first().waitFor();
  await page.getByText("Python 3").first().waitFor();
  await page.getByRole("menuitem", { name: "Run", exact: true }).click();
  await page.getByRole("menuitem", { name: "Run All Cells", exact: true }).click();
  const cell = (k) => page.locator(".jp-Notebook .jp-Cell").nth(k);
  const impacts = (frame) => frame.locator("[data-key=impacts]").getAttribute("data-exact");

  // The page of the run, drawn by its own scripts, without a network.
  await cell(0).scrollIntoViewIfNeeded();
  const own = cell(0).frameLocator(".jp-OutputArea-output iframe");
  const before = await impacts(own);
  assert.ok(Number(before) > 10, `impacts of the page inline: ${before}`);
  await own.locator("canvas").first().waitFor();
  await page.waitForTimeout(1500);
  await shot(page, "inline");

  await cell(1).locator("img").first().scrollIntoViewIfNeeded();
  assert.ok(await cell(1).locator("img").first().evaluate((image) => image.naturalWidth) > 300, "the plot");
  await shot(page, "plot");

  // The widget: a slider tells the kernel, which runs the scene and answers with another page.
  const slider = cell(2).getByLabel("contact.0.restitution");
  await slider.scrollIntoViewIfNeeded();
  assert.equal(await slider.inputValue(), "0.5");
  const live = cell(2).frameLocator(".jp-OutputArea-output iframe");
  assert.equal(await cell(2).locator("output").nth(1).textContent(), "0.1000", "the mass of the scene, not the nearest notch");
  const at = await impacts(live);
  assert.equal(at, before, "the slider stands where the scene does");
  await shot(page, "widget");
  await slider.fill("0.8");
  await slider.dispatchEvent("change");
  await until(async () => (await impacts(live)) !== at, "the page of the widget follows its slider", 30_000);
  const more = await impacts(live);
  assert.ok(Number(more) > Number(at), "more impacts at a larger restitution");
  await page.waitForTimeout(1500);
  await shot(page, "widget_moved");

  // And back: values that the notebook sets move the sliders.
  await page.evaluate(() => document.activeElement?.blur());
  await cell(4).locator(".cm-content").click();
  await page.keyboard.press("Control+Enter");
  await until(async () => (await slider.inputValue()) === "0.25", "the slider follows the notebook", 30_000);
  await slider.scrollIntoViewIfNeeded();
  await shot(page, "widget_set");

  const shown = cell(3).frameLocator(".jp-OutputArea-output iframe");
  await cell(3).scrollIntoViewIfNeeded();
  assert.equal(await impacts(shown), before, "carom.view shows the same page");

  const outside = requests.filter((url) => !url.startsWith(server.url) && !/^(data|blob|about):/.test(url));
  assert.deepEqual(outside, [], "requests to others");
  console.log(`JupyterLab: page inline, plot, widget (${at} impacts, then ${more}), view: as they should be`);
} finally {
  server?.stop();
  await browser.close();
  work.remove();
}
