// Lessons: nothing is shown before a prediction, and what is told afterwards is what the run says.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { watchedPage } from "./browser_setup.mjs";
import { repository } from "./carom.mjs";
import { assert, until } from "./harness.mjs";
import { drawn } from "./report_tests.mjs";

export function lesson(name, out) {
  execFileSync(process.env.CAROM, ["lesson", join(repository, "lessons", `${name}.toml`), "--out", out], { stdio: "pipe", timeout: 60_000 });
  return out;
}

export function lessonTests(suite, browser, folder) {
  const open = async (name, body) => {
    const file = lesson(name, join(folder, `lesson_${name}.html`));
    const { page, context, errors, requests } = await watchedPage(browser);
    try {
      await page.goto(pathToFileURL(file).href);
      await drawn(page);
      await body(page);
      assert.deepEqual(errors, []);
      assert.equal(requests.filter((url) => url.startsWith("http")).length, 0);
    } finally {
      await context.close();
    }
  };
  const t = (page) => page.evaluate(() => globalThis.carom.player.t);

  suite.test("lesson: before the prediction there is the start and nothing else", () =>
    open("ball", async (page) => {
      assert.equal(await page.locator("h1").first().textContent(), "A ball that bounces");
      for (const part of [".plots-panel", ".events-panel", ".transport", ".key-holder", ".below"]) assert.ok(!(await page.locator(part).first().isVisible()), part);
      await page.locator("h1").first().click();
      for (const key of [" ", "]", "End", "ArrowRight"]) await page.keyboard.press(key);
      await page.waitForTimeout(150);
      assert.equal(await t(page), 0, "no key starts it");
      await page.getByRole("button", { name: "Predict, then run" }).click();
      assert.equal(await page.locator(".verdict").count(), 0, "an empty prediction is none");
    }));

  suite.test("lesson: numbers are judged by the run, and the motion plays", () =>
    open("ball", async (page) => {
      await page.getByLabel("Your prediction, m").fill("0.5");
      await page.getByRole("button", { name: "Predict, then run" }).click();
      assert.match(await page.locator(".verdict.wrong").textContent(), /You predicted 0\.5 m; it is 0\.25 m, 100 % off/);
      await until(async () => (await t(page)) > 0.05, "it plays");
      assert.ok(await page.locator(".plots-panel").isVisible());
      await page.getByRole("button", { name: "Next question" }).click();
      await page.getByLabel(/and then it rests/).check();
      await page.getByRole("button", { name: "Predict, then run" }).click();
      assert.match(await page.locator(".verdict.right").textContent(), /Right/);
      await page.getByRole("button", { name: "Next question" }).click();
      assert.match(await page.locator(".question").textContent(), /contact\.0\.restitution = 0\.8/);
      // t = √(2h/g) (1 + e)/(1 − e)
      await page.getByLabel("Your prediction, s").fill(String(Math.sqrt(2 / 9.81) * 9));
      await page.getByRole("button", { name: "Predict, then run" }).click();
      assert.match(await page.locator(".verdict.right").textContent(), /Right: 4\.06/);
      assert.match(await page.locator(".score").textContent(), /2 of 3 right/);
    }));

  for (const name of ["cradle", "ladder", "rocking_block", "superball"]) {
    suite.test(`lesson: ${name} can be gone through`, () =>
      open(name, async (page) => {
        const total = Number(/of (\d+)/.exec(await page.locator(".question .note").first().textContent())[1]);
        for (let k = 1; k <= total; k++) {
          const choices = page.locator(".choice input");
          if ((await choices.count()) > 0) await choices.first().check();
          else await page.locator(".question input[type=number]").fill("1");
          await page.getByRole("button", { name: "Predict, then run" }).click();
          assert.equal(await page.locator(".verdict").count(), 1);
          if (k < total) await page.getByRole("button", { name: "Next question" }).click();
        }
        assert.match(await page.locator(".score").textContent(), new RegExp(`of ${total} right`));
      }));
  }
}
