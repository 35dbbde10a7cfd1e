// One self-contained file: script, style and the notices of bundled libraries sit in the HTML itself,
// so that a report opens from disk, without a network, for as long as browsers read HTML.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const embedded = resolve(here, "../crates/carom-report/assets/page.html");

/** Puts the one script and the one style sheet into the HTML and drops their files. */
function singleFile() {
  return {
    name: "carom-single-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const parts = Object.values(bundle);
      const html = parts.find((part) => part.fileName.endsWith(".html"));
      const scripts = parts.filter((part) => part.type === "chunk");
      const styles = parts.filter((part) => part.fileName.endsWith(".css"));
      if (!html || scripts.length !== 1 || styles.length !== 1) {
        this.error(`expected one page, one script, one style; got ${parts.map((p) => p.fileName)}`);
      }
      const script = scripts[0].code.replaceAll("</script", "<\\/script");
      const style = String(styles[0].source).replaceAll("</style", "<\\/style");
      let text = String(html.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "");
      // Replacement by function: "$&" and the like in the code must stay as they are.
      text = text.replace("</head>", () => `<style>${style.trim()}</style>\n</head>`);
      text = text.replace("</body>", () => `<script type="module">${script.trim()}</script>\n</body>`);
      const notice = readFileSync(resolve(here, "node_modules/three/LICENSE"), "utf8").trim();
      html.source = text.replace("<!doctype html>", () => `<!doctype html>\n<!-- Contains three.js:\n${notice}\n-->`);
      for (const part of [...scripts, ...styles]) delete bundle[part.fileName];
    },
    writeBundle(options, bundle) {
      const html = Object.values(bundle).find((part) => part.fileName.endsWith(".html"));
      if (!process.env.CAROM_PAGE_ONLY_DIST) writeFileSync(embedded, String(html.source));
    },
  };
}

export default defineConfig({
  root: here,
  base: "./",
  plugins: [singleFile()],
  build: {
    target: "es2020",
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 1_000_000,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
});
