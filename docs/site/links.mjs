// Links of a built site: every file and every anchor that a page names must be there.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const anchors = new Map();

function anchorsOf(file) {
  if (!anchors.has(file)) anchors.set(file, new Set([...readFileSync(file, "utf8").matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id)));
  return anchors.get(file);
}

/** One line for each link that leads nowhere. */
export function broken(folder, pages) {
  return pages.flatMap((page) => {
    const file = join(folder, page);
    if (!existsSync(file)) return [`${page}: the page was not made`];
    // What a page shows of a run is its own matter: only links of texts are looked at.
    const html = readFileSync(file, "utf8").replace(/<script[\s\S]*?<\/script>/g, "");
    const links = [...html.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, address]) => address.replaceAll("&amp;", "&"));
    return links.flatMap((address) => fault(file, address).map((what) => `${page}: ${address}: ${what}`));
  });
}

function fault(file, address) {
  if (/^(https?:|mailto:|data:)/.test(address)) return [];
  if (/^[a-z]+:/i.test(address) || address.startsWith("/")) return ["leaves the site"];
  const [path, anchor] = address.split("#");
  const target = path ? normalize(join(dirname(file), decodeURIComponent(path))) : file;
  if (!existsSync(target) || !statSync(target).isFile()) return ["no such file"];
  if (anchor && target.endsWith(".html") && !anchorsOf(target).has(decodeURIComponent(anchor))) return ["no such place in it"];
  return [];
}
