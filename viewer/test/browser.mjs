// Browser tests of reports and of the live viewer, in Debian's Chromium.
// Needs CAROM (the binary); scripts/browser.sh gives it. An argument runs only the tests that contain it.
import { launch, scratch } from "./browser_setup.mjs";
import { Suite } from "./harness.mjs";
import { axeTests } from "./axe_tests.mjs";
import { compareTests } from "./compare_tests.mjs";
import { editTests } from "./edit_tests.mjs";
import { exploreTests } from "./explore_tests.mjs";
import { lessonTests } from "./lesson_tests.mjs";
import { liveTests } from "./live_tests.mjs";
import { lookTests } from "./look_tests.mjs";
import { reportTests } from "./report_tests.mjs";
import { siteTests } from "./site_tests.mjs";
import { sizeTests } from "./size_tests.mjs";
import { studyTests } from "./study_tests.mjs";
import { widgetTests } from "./widget_tests.mjs";

const work = scratch();
const browser = await launch();
let failed = 1;
try {
  const suite = new Suite();
  reportTests(suite, browser, work.folder);
  sizeTests(suite, browser, work.folder);
  lookTests(suite, browser, work.folder);
  exploreTests(suite, browser, work.folder);
  lessonTests(suite, browser, work.folder);
  editTests(suite, browser, work.folder);
  compareTests(suite, browser, work.folder);
  liveTests(suite, browser, work.folder);
  siteTests(suite, browser, work.folder);
  studyTests(suite, browser, work.folder);
  widgetTests(suite, browser, work.folder);
  axeTests(suite, browser, work.folder);
  failed = await suite.run(process.argv[2]);
} finally {
  await browser.close();
  work.remove();
}
process.exit(failed > 0 ? 1 : 0);
