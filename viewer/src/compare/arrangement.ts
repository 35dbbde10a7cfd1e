/** All runs in one picture, or one picture per run. */
import { h } from "../ui/dom";

/** `hint` tells why there is nothing to choose, if that is so. */
export function arrangement(split: boolean, hint: string | null, choose: (split: boolean) => void): HTMLElement {
  const choice = (label: string, own: boolean) => h("button.chip", {
    type: "button", disabled: hint !== null, "aria-pressed": String(split === own), title: hint ?? "", onclick: () => choose(own),
  }, label);
  return h("div.chips", { role: "group", "aria-label": "How runs are compared" }, choice("Overlaid", false), choice("Side by side", true));
}
