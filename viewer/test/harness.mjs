// A small test runner: named tests one after the other, each with a time limit, one line at the end.
import { strict as assert } from "node:assert";

/** A test that takes longer hangs; axe looks at four pages in one, on machines that may be busy. */
const LIMIT = 180_000;

export { assert };

export class Suite {
  #tests = [];

  test(name, body) {
    this.#tests.push({ name, body });
  }

  /** Runs all tests whose names contain `filter`; returns how many failed. */
  async run(filter = "") {
    let [passed, failed] = [0, 0];
    for (const { name, body } of this.#tests.filter((test) => test.name.includes(filter))) {
      const begin = performance.now();
      try {
        await bounded(body(), name);
        passed++;
        console.log(`ok    ${name} (${Math.round(performance.now() - begin)} ms)`);
      } catch (error) {
        failed++;
        console.log(`FAIL  ${name}\n      ${String(error?.stack ?? error).split("\n").slice(0, 12).join("\n      ")}`);
      }
    }
    console.log(`${passed} passed, ${failed} failed`);
    return failed;
  }
}

function bounded(promise, name) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} took longer than ${LIMIT / 1000} s`)), LIMIT);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

/** Waits until `condition` holds; throws with `what` if it never does. */
export async function until(condition, what, limit = 20_000) {
  const end = performance.now() + limit;
  while (performance.now() < end) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error(`never: ${what}`);
}
