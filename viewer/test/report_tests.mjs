// Reports opened from disk: what they show, and how they are moved through.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { watchedPage } from "./browser_setup.mjs";
import { report, simulate } from "./carom.mjs";
import { assert, until } from "./harness.mjs";

/** Six digits as the command line prints them, with a true minus sign. */
export const six = (x) => String(Number(x.toPrecision(6))).replaceAll("-", "−");

export function reportTests(suite, browser, folder) {
  const made = new Map();
  /** A run of a scene and its report, made once. */
  const reportOf = (name) => {
    if (!made.has(name)) {
      const out = join(folder, `${name}.run`);
      const run = simulate(name, out);
      assert.equal(run.status, 0, run.stderr);
      made.set(name, { ...run, url: pathToFileURL(report(out, join(folder, `${name}.html`))).href });
    }
    return made.get(name);
  };
  /** Opens a report; afterwards there must be no complaint and no request but for the file itself. */
  const open = async (name, body, options) => {
    const run = reportOf(name);
    const { page, context, errors, requests } = await watchedPage(browser, options);
    try {
      await page.goto(run.url);
      await drawn(page);
      await body(page, run);
      assert.deepEqual(errors, [], "console errors");
      assert.deepEqual(requests.filter((url) => url.split("#")[0] !== run.url && !url.startsWith("data:") && !url.startsWith("blob:")), [], "requests");
    } finally {
      await context.close();
    }
  };

  for (const name of ["double_pendulum", "box_drop"]) {
    suite.test(`report of ${name}: opens from disk, with the command line's numbers`, () =>
      open(name, async (page, { summary, line }) => {
        assert.equal(await page.locator("h1").textContent(), summary.scene.title);
        assert.equal(await page.locator("[data-key=impacts]").getAttribute("data-exact"), String(summary.counts.impacts));
        assert.equal(Number(await page.locator("[data-key=lost]").getAttribute("data-exact")), summary.energy.lost);
        const lost = (await page.locator("[data-key=lost]").textContent()).replace("−", "-");
        assert.ok(line.includes(`${lost} lost`), `"${lost} lost" in "${line}"`);
        assert.ok((await page.locator(".below").textContent()).includes(summary.result_hash), "result hash");
        assert.ok((await page.locator(".below").textContent()).includes(summary.scene.hash), "scene hash");
        assert.ok(await colours(page) > 20, "the stage is drawn");
      }));

    suite.test(`report of ${name}: play moves the mechanism, pause stops it`, () =>
      open(name, async (page) => {
        const before = await stage(page);
        await page.getByLabel("Speed", { exact: true }).selectOption("0.25");
        await page.getByRole("button", { name: "Play", exact: true }).click();
        await until(async () => (await time(page)) > 0.05, "time goes on");
        await page.getByRole("button", { name: "Pause", exact: true }).click();
        const [t, after] = [await time(page), await stage(page)];
        assert.ok(!before.equals(after), "the picture changed");
        await page.waitForTimeout(250);
        assert.equal(await time(page), t, "paused");
      }));

    suite.test(`report of ${name}: event-jump lands on the event, with its numbers`, () =>
      open(name, async (page, { events }) => {
        for (const index of [2, 0, 4]) {
          await page.locator(`.tr[data-index="${index}"]`).click();
          assert.equal(await time(page), events[index].t);
          const impact = page.locator(".impact");
          const contact = events[index].contacts.find((one) => one.impulse_normal > 0);
          const text = (await impact.textContent()).replaceAll("−", "-");
          if (contact) assert.ok(text.includes(String(Number(contact.impulse_normal.toPrecision(5)))), `${contact.impulse_normal} in ${text}`);
        }
        await page.locator(`.tr[data-index="0"]`).click();
        await page.locator(".impact canvas.path").first().waitFor();
        assert.equal(await page.locator(".impact canvas.path").count(), name === "box_drop" ? 3 : 2);
      }));
  }

  suite.test("scrubbing lands on the right time and state", () =>
    open("double_pendulum", async (page, { trajectory }) => {
      for (const at of [0.03, 0.06, 0.11]) {
        const row = trajectory[Math.floor(trajectory.length * at)];
        await page.locator(".scrub input").evaluate((input, t) => {
          input.value = String(t);
          input.dispatchEvent(new Event("input", { bubbles: true }));
        }, Number(row.t));
        assert.equal(await time(page), Number(row.t));
        const shown = await shownValue(page, "q.elbow");
        assert.equal(shown, Number(Number(row["q.elbow"]).toPrecision(4)));
      }
      // A click into a plot moves the same clock. Plots show the motion, and the rest behind it on demand.
      const rest = Number(trajectory.find((row) => Number(row.t) > 1 && Number(row["v.shoulder"]) === 0 && Number(row["v.elbow"]) === 0).t);
      const middle = async () => {
        await page.locator(".timeframe").first().scrollIntoViewIfNeeded();
        const box = await page.locator(".timeframe").first().boundingBox();
        await page.mouse.click(box.x + 58 + (box.width - 70) / 2, box.y + box.height / 2);
        return time(page);
      };
      assert.ok((await page.locator(".rest").textContent()).includes(`at rest from ${rest.toFixed(4)} s`));
      assert.ok(Math.abs(await middle() - 0.56 * rest) < 0.005, `${await time(page)} is the middle of 1.12 × ${rest} s`);
      await page.getByRole("button", { name: "All", exact: true }).click();
      assert.ok(Math.abs(await middle() - 5) < 0.02, `${await time(page)} is the middle of 10 s`);
    }));

  suite.test("two fingers zoom a planar stage about the point between them", () =>
    open("double_pendulum", async (page) => {
      const look = () => page.evaluate(() => [...globalThis.carom.stage.views[0].look()]);
      const before = await look();
      const box = await page.locator(".stage canvas").boundingBox();
      const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
      const touch = await page.context().newCDPSession(page);
      const fingers = (apart) => [{ x: cx - apart, y: cy, id: 1 }, { x: cx + apart, y: cy, id: 2 }];
      await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(50) });
      for (const apart of [60, 75, 100]) await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(apart) });
      await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      const after = await look();
      assert.ok(Math.abs(after[2] / before[2] - 2) < 0.02, `${after[2] / before[2]} times larger`);
      assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) * before[2] < 1.5, "the middle stays");
    }, { hasTouch: true }));

  suite.test("contacts that act have plots of their own, what never moves has none", () =>
    open("jumper", async (page) => {
      const titles = await page.locator(".plot figcaption").allTextContents();
      for (const contact of ["foot", "knee", "belly"]) assert.ok(titles.includes(`Contact forces: ${contact} / N`), titles.join(" | "));
      assert.ok(!titles.some((title) => title.includes("hip")), "the hip touches nothing");
      assert.equal(await page.locator('button.key[title="q.body.z"]').count(), 0, "the leg stays in its plane");
      assert.equal(await page.locator('button.key[title="q.femur"]').count(), 1);
    }));

  suite.test("the picture at any time is the motion", () =>
    open("double_pendulum", async (page, { trajectory }) => {
      const rows = trajectory.filter((row, i) => i % 7 === 3 && row.t !== trajectory[i - 1].t && row.t !== trajectory[i + 1]?.t);
      const names = ["q.shoulder", "q.elbow", "v.shoulder", "v.elbow", "energy.kinetic", "energy.gravity"];
      const shown = await page.evaluate(([times, wanted]) => {
        const { run } = globalThis.carom;
        const all = wanted.map((name) => run.series.find((one) => one.name === name));
        return times.map((t) => all.map((series) => run.valueAt(series, run.placeOf(t))));
      }, [rows.map((row) => Number(row.t)), names]);
      rows.forEach((row, i) => names.forEach((name, k) => {
        const scale = Math.max(...trajectory.map((one) => Math.abs(Number(one[name]))));
        assert.ok(Math.abs(shown[i][k] - Number(row[name])) < (name.startsWith("q") ? 1e-6 : 1e-5) * scale, `${name} at ${row.t}: ${shown[i][k]} for ${row[name]}`);
      }));
    }));

  suite.test("stepping through events leaves stage and controls where they are", () =>
    open("box_drop", async (page, { events }) => {
      const places = new Set();
      for (let k = 0; k < Math.min(8, events.length); k++) {
        await page.keyboard.press("]");
        await page.waitForTimeout(60);
        const box = await page.locator(".transport").boundingBox();
        const holder = await page.locator(".stage-holder").boundingBox();
        places.add(`${Math.round(box.y)} ${Math.round(holder.height)}`);
      }
      assert.equal(places.size, 1, [...places].join(", "));
    }, { viewport: { width: 1400, height: 900 } }));

  suite.test("the bar is for the motion: rest takes little of it, and play ends there", () =>
    open("double_pendulum", async (page, run) => {
      const [rest, end] = await page.evaluate(() => [globalThis.carom.run.rest, globalThis.carom.run.end]);
      assert.ok(rest < 0.2 * end, "the run rests for long");
      const most = Number(await page.getByRole("slider", { name: "Time" }).getAttribute("max"));
      assert.ok(most >= rest && most < 1.2 * rest, `${rest} ${most}`);
      await page.evaluate((t) => globalThis.carom.player.seek(t), rest - 0.05);
      await page.getByRole("button", { name: "Play" }).click();
      await until(() => page.evaluate(() => !globalThis.carom.player.playing), "play ends");
      assert.ok(Math.abs((await time(page)) - most) < 1e-9, `${await time(page)}`);
      await page.keyboard.press("End");
      assert.equal(await time(page), run.summary.stop.t, "the rest can be looked at all the same");
    }));

  suite.test("of several events at one instant, the chosen row is the row of now", () =>
    open("jumper", async (page, run) => {
      const first = run.events[0].t;
      assert.ok(run.events.filter(({ t }) => t === first).length >= 3);
      for (let k = 0; k < 3; k++) {
        await page.keyboard.press("]");
        await page.waitForTimeout(100);
        const rows = await page.locator(".tr").evaluateAll((all) => all.map((row) => [row.dataset.index, row.getAttribute("aria-selected"), row.classList.contains("current")]));
        assert.deepEqual(rows.filter(([, chosen, now]) => chosen === "true" || now), [[String(k), "true", true]]);
      }
    }));

  suite.test("friction that gives energy is marked", () =>
    open("jumper", async (page, run) => {
      const gains = run.events.findIndex(({ contacts }) => contacts.some(({ friction_work }) => friction_work > 1e-6));
      const loses = run.events.findIndex(({ kind, contacts }) => kind === "impact" && contacts.every(({ friction_work }) => friction_work < -1e-9));
      await page.evaluate((index) => globalThis.carom.jump(index), gains);
      assert.match(await page.locator(".impact").textContent(), /friction gives energy/);
      if (loses >= 0) {
        await page.evaluate((index) => globalThis.carom.jump(index), loses);
        assert.doesNotMatch(await page.locator(".impact").textContent(), /friction gives energy/);
      }
    }));

  suite.test("following a planar mechanism never zooms out", () =>
    open("double_pendulum", async (page) => {
      const scale = () => page.evaluate(() => globalThis.carom.stage.views[0].pixelsPerMetre());
      const before = await scale();
      await page.getByLabel("What is drawn").first().click();
      await page.getByLabel("Follow").check();
      await page.waitForTimeout(200);
      assert.ok(await scale() >= 0.99 * before, `${await scale()} for ${before}`);
    }));

  suite.test("plots of contacts have impulses, and figures can be taken away", () =>
    open("double_pendulum", async (page, { events }) => {
      const card = page.locator("figure.plot", { hasText: "Contact forces: tip" });
      assert.ok((await card.locator(".legend").textContent()).includes("impulse"));
      for (const [format, check] of [["SVG", (text) => text.includes("<svg") && (text.match(/<path/g) ?? []).length > events.length], ["CSV", (text) => text.startsWith("t / s,force.tip.")], ["PNG", (text) => text.startsWith("\u2030PNG") || text.includes("PNG")]]) {
        const [download] = await Promise.all([page.waitForEvent("download"), card.getByRole("button", { name: format }).click()]);
        const { readFileSync } = await import("node:fs");
        const path = await download.path();
        assert.ok(check(readFileSync(path, "latin1")), format);
      }
      await page.getByRole("button", { name: "Phase portraits" }).click();
      assert.equal(await page.locator("canvas.phase").count(), 2);
    }));

  suite.test("the impact lens gives impacts room and plays through them", () =>
    open("double_pendulum", async (page, { events }) => {
      await page.getByRole("button", { name: "Impact lens" }).click();
      const widths = await page.evaluate(() => globalThis.carom.plots.window.lens.slots.map(({ from, to }) => to - from));
      assert.equal(widths.length, new Set(events.filter((event) => ["impact", "jam", "close"].includes(event.kind)).map((event) => event.t)).size);
      assert.ok(Math.min(...widths) > 0.02, `${Math.min(...widths)}`);
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await until(() => page.evaluate(() => globalThis.carom.player.inSlot !== null), "time stands still in an impact");
      assert.ok(Math.abs(await time(page) - events[0].t) < 1e-12);
      await until(async () => (await time(page)) > events[0].t, "it goes on");
    }));

  suite.test("the address keeps the moment", () =>
    open("double_pendulum", async (page, { events, url }) => {
      await page.keyboard.press("]");
      await page.keyboard.press("]");
      await until(async () => page.url().endsWith("#event=2"), "the address tells the event");
      await page.reload();
      await drawn(page);
      assert.equal(await time(page), events[1].t);
      assert.ok((await page.locator(".impact h2").textContent()).includes("2"));
      await page.goto(`${url}#t=0.75`);
      await page.reload();
      await drawn(page);
      assert.equal(await time(page), 0.75);
    }));

  suite.test("paper is light and complete", () =>
    open("box_drop", async (page, { events }) => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      const state = await page.evaluate(() => ({
        text: getComputedStyle(document.body).color, paper: getComputedStyle(document.body).backgroundColor,
        rows: document.querySelectorAll(".tr").length, shot: document.querySelector(".print-shot")?.src.length ?? 0,
        ratios: [...document.querySelectorAll(".timeframe canvas")].map((one) => (one.clientWidth / one.clientHeight) / (one.width / one.height)),
        cut: [...document.querySelectorAll("pre, .rows, .impact")].filter((one) => one.scrollHeight > one.clientHeight + 2).length,
      }));
      assert.deepEqual([state.text, state.paper], ["rgb(29, 34, 41)", "rgb(255, 255, 255)"]);
      assert.equal(state.rows, events.length);
      assert.ok(state.shot > 10_000, "the 3D picture is an image");
      assert.ok(state.ratios.every((ratio) => Math.abs(ratio - 1) < 0.02), `${state.ratios}`);
      assert.equal(state.cut, 0);
    }, { colorScheme: "dark" }));

  suite.test("nothing is mixed across an event", () =>
    open("double_pendulum", async (page, { events }) => {
      const event = events[0];
      const speed = (t) => page.evaluate((at) => {
        const { run } = globalThis.carom;
        const series = run.series.find((one) => one.name === "v.elbow");
        return run.valueAt(series, run.placeOf(at));
      }, t);
      assert.ok(Math.abs(await speed(event.t) - event.velocity_after[1]) < 1e-5, "after");
      assert.ok(Math.abs(await speed(event.t - 1e-9) - event.velocity_before[1]) < 1e-5, "before");
    }));

  suite.test("keyboard", () =>
    open("double_pendulum", async (page, { events, trajectory }) => {
      const press = (key) => page.keyboard.press(key);
      await press("]");
      assert.equal(await time(page), events[0].t);
      await press("]");
      assert.equal(await time(page), events[1].t);
      await press("[");
      assert.equal(await time(page), events[0].t);
      await press("End");
      assert.equal(await time(page), 10);
      await press("Home");
      assert.equal(await time(page), 0);
      await press(".");
      assert.equal(await time(page), await page.evaluate(() => globalThis.carom.run.t[1]));
      await press(",");
      assert.equal(await time(page), 0);
      await press("ArrowRight");
      assert.ok(Math.abs(await time(page) - 0.1) < 1e-12);
      await press("ArrowLeft");
      assert.ok(Math.abs(await time(page)) < 1e-12);
      await press("<");
      assert.equal(await page.getByLabel("Speed", { exact: true }).inputValue(), "0.5");
      await press(">");
      await press(" ");
      await until(async () => (await time(page)) > 0.05, "space plays");
      await press(" ");
      const t = await time(page);
      await page.waitForTimeout(200);
      assert.equal(await time(page), t, "space pauses");
      await press("?");
      assert.ok(await page.locator("dialog[open]").isVisible(), "? shows the keys");
      await press("Escape");
      assert.equal(await page.locator("dialog[open]").count(), 0);
      // The table takes the arrows while it has the focus.
      await page.locator(".rows").focus();
      await press("ArrowDown");
      await press("ArrowDown");
      assert.ok(events.some((event) => event.t > 0) && events.map((event) => event.t).includes(await time(page)));
    }));

  suite.test("focus is visible and everything that can be pressed has a name", () =>
    open("double_pendulum", async (page) => {
      await page.keyboard.press("Tab");
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
      assert.notEqual(outline, "none");
      const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input, summary, [role=img]")]
        .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.closest("label")?.textContent.trim()))
        .map((one) => one.outerHTML.slice(0, 120)));
      assert.deepEqual(nameless, []);
    }));

  suite.test("speed and loop", () =>
    open("double_pendulum", async (page) => {
      await page.getByLabel("Speed", { exact: true }).selectOption("4");
      await page.getByRole("button", { name: "Loop" }).click();
      await page.evaluate(() => globalThis.carom.player.seek(9.9));
      await page.keyboard.press("k");
      await until(async () => { const t = await time(page); return t > 0.05 && t < 9; }, "it starts again");
    }));

  suite.test("light and dark", () =>
    open("double_pendulum", async (page) => {
      const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await paper();
      await page.getByRole("button", { name: "Light or dark" }).click();
      const light = await paper();
      const level = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, x) => sum + Number(x), 0);
      assert.ok(level(dark) < 150 && level(light) > 600, `${dark} ${light}`);
    }, { colorScheme: "dark" }));

  for (const name of ["double_pendulum", "box_drop", "leg"]) {
    suite.test(`${name} at 420 pixels: nothing scrolls sideways`, () =>
      open(name, async (page) => {
        await page.keyboard.press("]");
        await page.waitForTimeout(100);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 420);
      }, { viewport: { width: 420, height: 800 } }));
  }

  suite.test("layers: friction cones change the picture", () =>
    open("box_drop", async (page) => {
      await page.keyboard.press("End");
      await page.waitForTimeout(300);
      const before = await stage(page);
      await page.getByLabel("What is drawn").first().click();
      await page.getByLabel("Friction cones").check();
      await page.keyboard.press("Escape");
      await page.mouse.click(5, 5);
      await page.waitForTimeout(300);
      assert.ok(!before.equals(await stage(page)));
    }));

  suite.test("a report of 10 s weighs under 3 MB and opens in under a second", () =>
    open("double_pendulum", async (page, { url }) => {
      const times = [];
      for (let i = 0; i < 3; i++) {
        await page.goto(url);
        times.push(await drawn(page));
      }
      const bytes = await page.evaluate(() => document.documentElement.outerHTML.length);
      console.log(`      drawn after ${times.map((t) => Math.round(t)).join(", ")} ms, ${(bytes / 1e6).toFixed(2)} MB`);
      assert.ok(Math.min(...times) < 1000, `${times}`);
      assert.ok(bytes < 3e6);
    }));
}

/** Waits for the first picture; ms since the page was asked for. */
export async function drawn(page) {
  await until(() => page.evaluate(() => performance.getEntriesByName("carom-drawn").length > 0), "the stage is drawn", 15_000);
  return page.evaluate(() => performance.getEntriesByName("carom-drawn")[0].startTime);
}

export const time = async (page) => Number(await page.locator(".clock").getAttribute("data-t"));
export const stage = (page) => page.locator(".stage-holder").screenshot();

/** The number beside a series in a legend. */
async function shownValue(page, name) {
  const text = await page.locator(`button.key[title="${name}"] output`).textContent();
  return Number(text.replace("−", "-"));
}

/** How many colours the stage shows. */
async function colours(page) {
  const png = (await stage(page)).toString("base64");
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const ctx = canvas.getContext("2d");
    ctx.drawImage(image, 0, 0);
    const { data: pixels } = ctx.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let i = 0; i < pixels.length; i += 4) seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    return seen.size;
  }, png);
}
