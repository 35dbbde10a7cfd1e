/** Elements in one line. */

type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;
export type Child = Node | string | number | null | undefined | false;

/** `h("p.note#id", { title: "…", onclick: f }, …children)`. */
export function h<T extends HTMLElement = HTMLElement>(selector: string, attributes: Attributes = {}, ...children: Child[]): T {
  const [, tag = "div", rest = ""] = /^([a-z0-9]*)(.*)$/.exec(selector) ?? [];
  const element = document.createElement(tag || "div");
  for (const part of rest.match(/[.#][^.#]+/g) ?? []) {
    if (part[0] === ".") element.classList.add(part.slice(1));
    else element.id = part.slice(1);
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element as T;
}

export function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** A button with a drawing instead of a word; `path` is on a 16 × 16 grid. */
export function iconButton(path: string, label: string, press: () => void, key?: string): HTMLButtonElement {
  const button = h<HTMLButtonElement>("button.icon", { type: "button", "aria-label": label, title: key ? `${label} (${key})` : label, onclick: press });
  button.append(icon(path));
  return button;
}

export function icon(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(space, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}
