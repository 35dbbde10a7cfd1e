// The documentation as a site: it is built, links lead somewhere, it can be searched and read by everybody.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { broken } from "../../docs/site/links.mjs";
import { header, render } from "../../docs/site/markdown.mjs";
import { everywhere } from "./axe_tests.mjs";
import { watchedPage } from "./browser_setup.mjs";
import { repository } from "./carom.mjs";
import { assert, until } from "./harness.mjs";

export function siteTests(suite, browser, folder) {
  let built = null;
  const site = () => {
    if (!built) {
      built = join(folder, "site");
      execFileSync("node", [join(repository, "docs/site/build.mjs"), "--quick", built], { stdio: "pipe", timeout: 85_000 });
    }
    return (page) => pathToFileURL(join(built, page)).href;
  };

  suite.test("site: every link leads somewhere, and one that does not is told", () => {
    site();
    const dir = join(folder, "site_faults");
    mkdirSync(dir);
    writeFileSync(join(dir, "a.html"), '<h1 id="top">A</h1><a href="b.html#there">b</a><a href="a.html#top">a</a><img src="no.png"><a href="/x">x</a><a href="https://example.org">e</a>');
    writeFileSync(join(dir, "b.html"), '<p id="here">B</p>');
    assert.deepEqual(broken(dir, ["a.html", "b.html", "c.html"]), [
      "a.html: b.html#there: no such place in it", "a.html: no.png: no such file", "a.html: /x: leaves the site", "c.html: the page was not made",
    ]);
  });

  suite.test("site: headers of modules become chapters", () => {
    const { html, headings } = render(header("//! The law.\n//!\n//! # Law\n//! ```text\n//! a < b   (1)\n//! ```\n//! As [`newton`](super::newton) says, see [`TIE`].\nuse x;\n", "a.rs"), (address) => address);
    assert.deepEqual(headings.map(({ words, id }) => [words, id]), [["The law", "the-law"], ["Law", "law"]]);
    assert.match(html, /a &lt; b {3}\(1\)/);
    assert.match(html, /As <code>newton<\/code> says, see <code>TIE<\/code>/);
    assert.ok(!html.includes("use x"));
  });

  suite.test("site: what is searched for is found, from disk", async () => {
    const { page, context, errors } = await watchedPage(browser);
    try {
      await page.goto(site()("index.html"));
      await page.getByRole("searchbox").fill("remaining time geometric");
      await until(async () => (await page.locator("#found a").count()) > 0, "something is found");
      await page.locator("#found a", { hasText: "Accumulating impacts" }).first().click();
      assert.match(page.url(), /theory_hybrid_accumulation\.html/);
      assert.deepEqual(errors, []);
    } finally {
      await context.close();
    }
  });

  suite.test("site: a page that is lost is an error of the build", () => {
    const run = spawnSync("node", [join(repository, "docs/site/build.mjs"), "--quick", join(folder, "site_lost")], { env: { ...process.env, CAROM: "true" }, encoding: "utf8", timeout: 60_000 });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /gallery\/index\.html: the page was not made/);
  });

  for (const name of ["index", "theory", "scenes"]) {
    suite.test(`axe finds nothing on the site: ${name}`, async () => {
      assert.deepEqual(await everywhere(browser, site()(`${name}.html`), async () => {}), []);
    });
  }
}
