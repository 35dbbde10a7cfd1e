/** Keys, and the sheet that tells them. */
import { h } from "./dom";

export interface Command { keys: string[]; shown: string; label: string; run: (key: string) => void }

/** Listens on the whole page; fields that take text, sliders and open dialogs keep their keys. */
export function listen(commands: Command[]): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (document.querySelector("dialog[open]")) return;
    if (target.matches("input:not([type=checkbox]), textarea, select") && event.key !== "Escape") {
      // The time slider is moved by the page's own keys, all other sliders by theirs.
      if (!target.closest(".scrub")) return;
    }
    // A focused button takes the space bar itself.
    if (event.key === " " && target.matches("button, summary, a, input")) if (!target.closest(".scrub")) return;
    const command = commands.find(({ keys }) => keys.includes(event.key));
    if (!command) return;
    event.preventDefault();
    command.run(event.key);
  });
}

export function helpSheet(commands: Command[]): HTMLDialogElement {
  const dialog = h<HTMLDialogElement>("dialog.help", { "aria-label": "Keys" },
    h("header.row", {}, h("h2", {}, "Keys"), h("button.small", { type: "button", onclick: () => dialog.close() }, "Close")),
    h("dl.facts", {}, ...commands.flatMap(({ shown, label }) => [h("dt", {}, ...shown.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, label)])),
    h("p.note", {}, "Drag on a plot to move through time, Ctrl and wheel to zoom, double click to see all. On the stage: drag to turn or move (in space, arrow keys as well), wheel after a click, or two fingers, to zoom; a click inspects a body."));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
