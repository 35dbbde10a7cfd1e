/**
 * The text of the scene beside its picture: what is written runs at once, and what is wrong is told at its line. The file
 * itself is not written; an editor of the reader's own may do that, and is watched.
 */
import { h } from "../ui/dom";
import { save } from "../ui/figure";
import type { Spot } from "./api";

/** A change waits this long for the next one, ms. */
const PAUSE = 350;

export class Editor {
  readonly element: HTMLElement;
  private readonly area = h<HTMLTextAreaElement>("textarea", { "aria-label": "Text of the scene", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", rows: 24 });
  private readonly numbers = h("pre.numbers-of-lines", { "aria-hidden": "true" });
  private readonly line = h("div.fault-line", { hidden: true });
  private readonly words = h("span.fault-words");
  private readonly note = h("span.note");
  private readonly take = h<HTMLButtonElement>("button.small", { type: "button", disabled: true, title: "The text as it is in the file" }, "As in the file");
  private file = "";
  private name = "scene.toml";
  private timer = 0;
  private spot: Spot | null = null;

  /** `changed` is called a moment after the text was changed. */
  constructor(private readonly changed: () => void) {
    this.line.append(this.words);
    const copy = h("button.small", { type: "button", title: "Download the text", onclick: () => save(this.name, new Blob([this.area.value], { type: "text/plain" })) }, "Save a copy");
    const close = h("button.small", { type: "button", onclick: () => this.open(false) }, "Close");
    this.element = h("section.panel.editor", { "aria-label": "Scene text", hidden: true },
      h("header.row", {}, h("h2", {}, "Scene text"), this.note, h("div.row", {}, this.take, copy, close)),
      h("div.sheet", {}, this.numbers, h("div.page", {}, this.line, this.area)));
    this.area.addEventListener("input", () => this.edited());
    this.area.addEventListener("scroll", () => this.align());
    this.area.addEventListener("keydown", (event) => this.key(event));
    this.take.addEventListener("click", () => {
      this.area.value = this.file;
      this.edited(0);
    });
  }

  /** The text, if it is not that of the file. */
  get text(): string | null {
    return this.area.value === this.file ? null : this.area.value;
  }

  open(on = true): void {
    this.element.hidden = !on;
    if (!on) return;
    this.count();
    this.align();
    this.area.focus();
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** The file as it is now. What the reader has written stays, and is kept over a reload of the page. */
  setFile(text: string, name: string): void {
    const own = this.text;
    const first = this.file === "";
    this.file = text;
    this.name = name.split(/[\\/]/).pop() || name;
    const kept = first ? this.kept() : own;
    this.area.value = kept ?? text;
    this.note.textContent = kept !== null && !first && own !== null ? "The file has changed on disk; your text is shown." : "";
    this.count();
    this.tell();
  }

  /** What is wrong, and where; nothing takes it away. */
  fault(message: string | null, spot: Spot | null = null): void {
    this.spot = message === null ? null : spot;
    this.words.textContent = message ?? "";
    this.line.hidden = this.spot === null;
    this.area.setAttribute("aria-invalid", String(message !== null));
    this.align();
  }

  private edited(pause = PAUSE): void {
    this.note.textContent = "";
    this.count();
    this.tell();
    this.keep();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(this.changed, pause);
  }

  private tell(): void {
    this.take.disabled = this.text === null;
  }

  /** Line numbers. */
  private count(): void {
    const lines = this.area.value.split("\n").length;
    this.numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
  }

  /** Numbers and the mark of a fault go along with the text. */
  private align(): void {
    this.numbers.scrollTop = this.area.scrollTop;
    if (!this.spot) return;
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    this.line.style.top = `${(this.spot.line - 1) * height - this.area.scrollTop + 6}px`;
    // Behind the end of the line.
    const text = this.area.value.split("\n")[this.spot.line - 1] ?? "";
    this.words.style.marginLeft = `calc(${[...text.replaceAll("\t", "    ")].length + 3}ch - ${this.area.scrollLeft}px)`;
  }

  /** Tab indents; Escape leaves, so that the keyboard is not caught. */
  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") this.area.blur();
    if (event.key !== "Tab" || event.shiftKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    this.area.setRangeText("  ", this.area.selectionStart, this.area.selectionEnd, "end");
    this.edited();
  }

  private get shelf(): string { return `carom-text:${this.name}`; }

  private keep(): void {
    try {
      if (this.text === null) sessionStorage.removeItem(this.shelf);
      else sessionStorage.setItem(this.shelf, this.text);
    } catch {
      // Without storage a reload takes the text away.
    }
  }

  private kept(): string | null {
    try {
      return sessionStorage.getItem(this.shelf);
    } catch {
      return null;
    }
  }
}
