// Accessibility by axe-core: no finding on any page, light and dark, wide and narrow.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { watchedPage } from "./browser_setup.mjs";
import { compare, gallery, report, reproduce, scene, simulate, study, view } from "./carom.mjs";
import { assert } from "./harness.mjs";
import { lesson } from "./lesson_tests.mjs";
import { drawn } from "./report_tests.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Findings of a page, one line each. */
async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 90)).join(" | ")}`);
}

/** Every theme and width, with what is found in each. */
export async function everywhere(browser, url, ready, widths = [1400, 420]) {
  const found = [];
  for (const colorScheme of ["light", "dark"]) {
    for (const width of widths) {
      const { page, context } = await watchedPage(browser, { colorScheme, viewport: { width, height: 900 } });
      await page.goto(url);
      await ready(page);
      found.push(...(await findings(page)).map((text) => `${colorScheme} ${width}: ${text}`));
      await context.close();
    }
  }
  return found;
}

export function axeTests(suite, browser, folder) {
  const href = (path) => pathToFileURL(path).href;
  const chosen = async (page) => {
    await drawn(page);
    await page.keyboard.press("]");
    await page.waitForTimeout(200);
  };

  for (const name of ["double_pendulum", "box_drop"]) {
    suite.test(`axe finds nothing on the report of ${name}`, async () => {
      const out = join(folder, `axe_${name}.run`);
      simulate(name, out);
      assert.deepEqual(await everywhere(browser, href(report(out, join(folder, `axe_${name}.html`))), chosen), []);
    });
  }

  suite.test("axe finds nothing on a comparison", async () => {
    const path = compare([scene("double_pendulum")], join(folder, "axe_laws.html"), ["newton", "poisson"]);
    const compared = async (page) => {
      await chosen(page);
      await page.getByRole("button", { name: "impact 2", exact: true }).click();
      await page.waitForTimeout(200);
    };
    assert.deepEqual(await everywhere(browser, href(path), compared), []);
  });

  suite.test("axe finds nothing on the page of a study, with a row shown", async () => {
    const file = study("ball", join(folder, "axe.study"),
      ["--vary", "contact.0.restitution=0.1:0.9:5", "--result", "impacts=count(impact)", "--set", "solver.until=1"],
      ["--kind", "scatter", "--x", "contact.0.restitution", "--y", "impacts"]);
    const found = await everywhere(browser, href(file), async (page) => {
      await page.locator("#picture").focus();
      await page.keyboard.press("ArrowRight");
      await page.locator("#row h2").waitFor();
    });
    assert.deepEqual(found, []);
  });

  suite.test("axe finds nothing on a gallery", async () => {
    const path = gallery([scene("ball"), scene("pendulum")], join(folder, "axe_gallery"));
    const playing = async (page) => {
      // The button covers nothing: neither the picture nor the title and the words below it.
      const box = (locator) => locator.evaluate((element) => element.getBoundingClientRect().toJSON());
      const card = page.getByRole("article").filter({ has: page.getByRole("button", { name: "Play Pendulum" }) });
      const button = await box(card.getByRole("button"));
      for (const other of [card.getByRole("img"), card.getByRole("heading"), card.getByRole("paragraph").nth(0), card.getByRole("paragraph").nth(1)]) {
        const { left, right, top, bottom } = await box(other);
        assert.ok(left >= button.right || right <= button.left || top >= button.bottom || bottom <= button.top, "the button covers something");
      }
      await page.getByRole("button", { name: "Play Pendulum" }).click();
      assert.match(await page.getByRole("img", { name: "Pendulum" }).getAttribute("src"), /pendulum\.gif$/);
      assert.ok(await page.getByRole("img", { name: "Pendulum" }).evaluate(async (image) => (await image.decode(), image.naturalWidth)) === 480);
      await page.getByRole("button", { name: "Stop Pendulum" }).click();
      assert.match(await page.getByRole("img", { name: "Pendulum" }).getAttribute("src"), /pendulum\.png$/);
    };
    assert.deepEqual(await everywhere(browser, href(path), playing), []);
  });

  suite.test("axe finds nothing on a lesson, before and after a prediction", async () => {
    const path = href(lesson("ladder", join(folder, "axe_ladder.html")));
    assert.deepEqual(await everywhere(browser, path, drawn), []);
    const told = async (page) => {
      await drawn(page);
      await page.locator(".choice input").first().check();
      await page.getByRole("button", { name: "Predict, then run" }).click();
      await page.evaluate(() => globalThis.carom.player.pause());
    };
    assert.deepEqual(await everywhere(browser, path, told), []);
  });

  suite.test("axe finds nothing on a section, an x–y plot and the inspector", async () => {
    const out = join(folder, "axe_ball.run");
    simulate("ball", out);
    const path = `${href(report(out, join(folder, "axe_ball.html")))}#section=event:impact&xy=t&xy=q.ball.z&body=ball&event=1`;
    assert.deepEqual(await everywhere(browser, path, drawn), []);
  });

  suite.test("axe finds nothing on the text of a scene with a fault", async () => {
    const server = await view(scene("ball"));
    const faulty = async (page) => {
      await drawn(page);
      await page.getByRole("button", { name: "Edit the scene" }).click();
      await page.getByLabel("Text of the scene").evaluate((area) => {
        area.value = area.value.replace("restitution = 0.5", "restitution = 5");
        area.dispatchEvent(new Event("input"));
      });
      await page.locator(".fault-line").waitFor();
    };
    try {
      assert.deepEqual(await everywhere(browser, server.url, faulty), []);
    } finally {
      await server.stop();
    }
  });

  suite.test("axe finds nothing on the reproduction page", async () => {
    const path = reproduce("morgan-paths", join(folder, "axe_reproduction"));
    assert.deepEqual(await everywhere(browser, href(path), async (page) => page.waitForTimeout(200)), []);
  });

  for (const [name, sets] of [["double_pendulum", []], ["painleve", ["body.rod.velocity=[9e18,0]"]]]) {
    suite.test(`axe finds nothing on the live page of ${name}${sets.length > 0 ? ", whose run fails" : ""}`, async () => {
      const server = await view(scene(name), sets);
      try {
        const kept = async (page) => {
          await drawn(page);
          await page.getByRole("button", { name: /keep/i }).first().click();
          await page.waitForTimeout(300);
        };
        assert.deepEqual(await everywhere(browser, server.url, kept), []);
      } finally {
        await server.stop();
      }
    });
  }
}
