// Builds the documentation: `node docs/site/build.mjs [--quick] [FOLDER]` with CAROM naming the program; scripts/site.sh gives it.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chapters, CONTENTS, LESSONS } from "./contents.mjs";
import { broken } from "./links.mjs";
import { header, render } from "./markdown.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const words = process.argv.slice(2);
const quick = words.includes("--quick");
const out = resolve(root, words.find((word) => !word.startsWith("--")) ?? "target/site");
const site = join(root, "docs/site");

/** Files of the repository that texts point at, by their names in the site. */
const copied = new Map();
const all = chapters();
const byFile = new Map(all.filter(({ file }) => file).map((chapter) => [chapter.file, chapter]));

/** The address of the site for one of the repository. */
function linked(address, from) {
  if (/^[a-z]+:/i.test(address) || address.startsWith("#")) return address;
  const [path, anchor] = address.split("#");
  const file = normalize(join(dirname(from), path)).replace(/\/$/, "");
  const end = anchor ? `#${anchor}` : "";
  if (byFile.has(file)) return `${byFile.get(file).out}${end}`;
  if (file === "docs") return "index.html";
  if (existsSync(join(root, file)) && statSync(join(root, file)).isFile()) {
    const name = `files/${file}`;
    copied.set(file, name);
    return `${name}${end}`;
  }
  // What is made elsewhere, or not at all, is for the check of links to tell.
  return existsSync(join(root, file)) ? "index.html" : `${file}${end}`;
}

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** The menu, with the chapter that is shown. */
function menu(shown) {
  return CONTENTS.map(({ part, chapters: list }) => `<p id="part-${part.toLowerCase().replaceAll(" ", "-")}">${escape(part)}</p><ul>${list.map(({ out: href, title }) =>
    `<li><a href="${href}"${href === shown ? ' aria-current="page"' : ""}>${escape(title)}</a></li>`).join("")}</ul>`).join("\n");
}

function page(chapter, { html, headings }, index) {
  const template = readFileSync(join(site, "page.html"), "utf8");
  const own = headings.filter(({ level }) => level === 2);
  const near = (other, word) => (other ? `<a class="${word}" href="${other.out}">${word === "next" ? "" : "← "}${escape(other.title)}${word === "next" ? " →" : ""}</a>` : "<span></span>");
  const fill = {
    title: escape(chapter.out === "index.html" ? "carom" : `${chapter.title} · carom`), menu: menu(chapter.out), content: html, style: readFileSync(join(site, "site.css"), "utf8"),
    sections: own.length > 2 ? `<nav class="sections" aria-label="On this page"><p>On this page</p><ul>${own.map(({ id, words: text }) => `<li><a href="#${id}">${escape(text.replaceAll("`", ""))}</a></li>`).join("")}</ul></nav>` : "",
    around: near(all[index - 1], "before") + near(all[index + 1], "next"), script: readFileSync(join(site, "search.js"), "utf8"),
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_, key) => fill[key]);
}

/** What the search looks through: headings and the text below them. */
function entries(chapter, { html }) {
  return html.split(/(?=<h[123] id=)/).map((part) => {
    const id = /^<h[123] id="([^"]*)"/.exec(part)?.[1];
    const text = part.replace(/<[^>]+>/g, " ").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&").replace(/&quot;/g, '"').replace(/\s+/g, " ").trim();
    const heading = /^<h[23][^>]*>([\s\S]*?)<\/h/.exec(part)?.[1].replace(/<[^>]+>/g, "");
    return { title: heading ? `${chapter.title}: ${heading}` : chapter.title, href: id ? `${chapter.out}#${id}` : chapter.out, text };
  }).filter(({ text }) => text.length > 0);
}

function make(command) {
  const program = process.env.CAROM;
  if (!program) throw new Error("CAROM must name the carom program; scripts/site.sh builds it");
  execFileSync(program, command, { cwd: root, stdio: ["ignore", "inherit", "pipe"] });
}

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "lessons"), { recursive: true });
const index = [];
all.forEach((chapter, i) => {
  if (chapter.kind === "made") return;
  const source = readFileSync(join(root, chapter.file), "utf8");
  const text = chapter.kind === "header" ? header(source, chapter.file) : source;
  const rendered = render(text, (address) => linked(address, chapter.file));
  index.push(...entries(chapter, rendered));
  writeFileSync(join(out, chapter.out), page(chapter, rendered, i));
});
writeFileSync(join(out, "search.json.js"), `window.caromSearch(${JSON.stringify(index)});\n`);
for (const [file, name] of copied) {
  mkdirSync(dirname(join(out, name)), { recursive: true });
  cpSync(join(root, file), join(out, name));
}
make(["gallery", "scenes", "--out", join(out, "gallery"), ...(quick ? ["--still"] : [])]);
for (const name of LESSONS) make(["lesson", join("lessons", `${name}.toml`), "--out", join(out, "lessons", `${name}.html`)]);

const faults = broken(out, all.map(({ out: name }) => name));
for (const fault of faults) console.error(fault);
console.log(`${all.length} chapters in ${relative(process.cwd(), out) || out}, ${faults.length} links lead nowhere`);
process.exit(faults.length > 0 ? 1 : 0);
