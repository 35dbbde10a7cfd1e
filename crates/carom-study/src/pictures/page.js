// A click on a point shows its row; a run that was kept opens.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const picture = document.getElementById("picture");
const aside = document.getElementById("row");
const ring = Object.assign(document.createElement("div"), { id: "chosen", hidden: true });
picture.append(ring);
picture.tabIndex = 0;
let chosen = -1;

/** A word of a shell command. */
const quoted = (word) => (/^[\w./=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The command that repeats the run of a row. */
function command(row) {
  const cells = data.rows[row];
  const sets = data.values.filter((name) => !name.startsWith("$")).map((name) => `${name}=${cells[data.names.indexOf(name)] ?? ""}`);
  return [data.command, ...sets.map((set) => `--set ${quoted(set)}`), `--out row-${row}.html`].join(" ");
}

const element = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text }, more);

function show(k) {
  chosen = k;
  const [x, y, row] = data.points[k];
  const scale = picture.clientWidth / data.width;
  Object.assign(ring.style, { left: `${x * scale}px`, top: `${y * scale}px` });
  ring.hidden = false;
  const table = document.createElement("table");
  data.names.forEach((name, column) => {
    const line = table.insertRow();
    line.append(element("th", name, { scope: "row" }), element("td", data.rows[row][column] ?? "–"));
  });
  const text = command(row);
  const copy = element("button", "Copy", { onclick: () => navigator.clipboard?.writeText(text) });
  const kept = data.kept[row];
  const open = kept ? [element("p", ""), element("p", "Or compute it again:")] : [element("p", "This command makes the page of its run:")];
  if (kept) open[0].append(element("a", "Open its run", { href: kept, target: "_blank", rel: "noopener" }));
  aside.replaceChildren(element("h2", `Row ${row}`), ...open, element("pre", text), copy, table);
  return kept;
}

/** The point nearest to a place, if one is near. */
function nearest(x, y, reach) {
  let best = -1, least = reach * reach;
  data.points.forEach(([px, py], k) => {
    const d = (px - x) ** 2 + (py - y) ** 2;
    if (d < least) [best, least] = [k, d];
  });
  return best;
}

picture.addEventListener("click", (event) => {
  const box = picture.getBoundingClientRect();
  const scale = data.width / box.width;
  const k = nearest((event.clientX - box.left) * scale, (event.clientY - box.top) * scale, 24);
  if (k < 0) return;
  const kept = show(k);
  if (kept) window.open(kept, "_blank", "noopener");
});

picture.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step || !data.points.length) return;
  event.preventDefault();
  show((chosen + step + data.points.length) % data.points.length);
});
addEventListener("resize", () => chosen >= 0 && show(chosen));
