// Chromium for tests: Debian's, headless, without its own errands on the network.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const PATHS = [process.env.CAROM_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function launch() {
  const executablePath = PATHS.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("no Chromium found; scripts/browser.sh installs Debian's, or set CAROM_CHROMIUM");
  return chromium.launch({
    executablePath,
    headless: true,
    timeout: 30_000,
    args: [
      "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
      "--disable-sync", "--disable-gpu", "--enable-unsafe-swiftshader", "--force-color-profile=srgb",
    ],
  });
}

/** A folder that is removed when the tests end. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), "carom-viewer-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A page that notes every console error, every failure and every request to anything but itself. */
export async function watchedPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors = [];
  const requests = [];
  page.on("console", (message) => {
    // Chromium's own remark when it draws WebGL and takes screenshots without a graphics card.
    if (message.text().includes("GPU stall due to ReadPixels")) return;
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  return { page, context, errors, requests };
}
