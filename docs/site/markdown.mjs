// Markdown to HTML: anchors for headings, wide tables and code in boxes that scroll, links handed to the caller.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(fileURLToPath(new URL("../../viewer/package.json", import.meta.url)));
const MarkdownIt = require("markdown-it");

/** The anchor of a heading, as code forges make it. */
export function slug(text) {
  return text.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}

/** HTML of a text, its title and its anchors; `link` is given each address and returns the one to write. */
export function render(text, link) {
  const markdown = new MarkdownIt({ html: true, linkify: false });
  const { rules } = markdown.renderer;
  const [anchors, headings] = [new Set(), []];
  markdown.core.ruler.push("anchors", ({ tokens }) => {
    tokens.forEach((token, i) => {
      if (token.type !== "heading_open") return;
      const words = tokens[i + 1].children.map((child) => child.content).join("");
      let id = slug(words);
      for (let n = 1; anchors.has(id); n++) id = `${slug(words)}-${n}`;
      anchors.add(id);
      headings.push({ level: Number(token.tag.slice(1)), words, id });
      token.attrSet("id", id);
    });
  });
  rules.link_open = (tokens, i, options, env, self) => {
    tokens[i].attrSet("href", link(tokens[i].attrGet("href"), "link"));
    return self.renderToken(tokens, i, options);
  };
  rules.image = (tokens, i, options, env, self) => {
    const token = tokens[i];
    token.attrSet("src", link(token.attrGet("src"), "image"));
    token.attrSet("alt", self.renderInlineAsText(token.children, options, env));
    token.attrSet("loading", "lazy");
    return self.renderToken(tokens, i, options);
  };
  rules.table_open = () => '<div class="wide" tabindex="0"><table>\n';
  rules.table_close = () => "</table></div>\n";
  const fence = rules.fence;
  rules.fence = (...args) => fence(...args).replace("<pre>", '<pre tabindex="0">');
  // A heading without words is none, whoever reads it.
  const html = markdown.render(text).replace(/<thead>\s*<tr>\s*(<th[^>]*><\/th>\s*)+<\/tr>\s*<\/thead>/g, "").replace(/<th([^>]*)><\/th>/g, "<td$1></td>");
  return { html, anchors, headings };
}

/** The header of a Rust module as Markdown: links of its documentation are code. */
export function header(source, path) {
  const lines = source.split("\n").filter((line) => /^\/\/!/.test(line)).map((line) => line.replace(/^\/\/! ?/, ""));
  const [first, ...rest] = lines;
  const text = rest.join("\n")
    .replace(/\[(`[^`]+`)\]\((?!https?:)[^)]+\)/g, "$1").replace(/\[(`[^`]+`)\](?!\()/g, "$1")
    .replace(/\[([^\]`]+)\]\((?:crate|super|self)[^)]*\)/g, "$1")
    .replace(/^# /gm, "## ").replace(/^```$/gm, "```").replace(/\[`?mod@(\w+)`?\]/g, "`$1`");
  return `# ${first.replace(/\.$/, "")}\n\n*From the header of \`${path}\`, where the tests of its equations are named.*\n${text}\n`;
}
