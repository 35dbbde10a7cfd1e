/** Light or dark: the system's wish, until the reader chooses. */
import { readInk, type Ink } from "./palette";

export class Theme {
  ink: Ink;
  private readonly listeners: ((ink: Ink) => void)[] = [];
  private screen: string | null = null;
  private readonly system = matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    const kept = remember("carom-theme");
    this.apply(kept === "dark" || kept === "light" ? kept : null);
    this.ink = readInk();
    this.system.addEventListener("change", () => this.changed());
  }

  onChange(listener: (ink: Ink) => void): void {
    this.listeners.push(listener);
  }

  toggle(): void {
    const next = this.ink.dark ? "light" : "dark";
    this.apply(next);
    remember("carom-theme", next);
    this.changed();
  }

  /** Light inks while the page is printed, whatever the reader has chosen for the screen. */
  onPaper(printing: boolean): void {
    if (printing) {
      this.screen = document.documentElement.dataset.theme ?? null;
      this.apply("light");
    } else this.apply(this.screen === "dark" || this.screen === "light" ? this.screen : null);
    this.changed();
  }

  private apply(choice: "dark" | "light" | null): void {
    if (choice) document.documentElement.dataset.theme = choice;
    else delete document.documentElement.dataset.theme;
  }

  private changed(): void {
    this.ink = readInk();
    for (const listener of this.listeners) listener(this.ink);
  }
}

/** Storage is refused to some pages that are opened from disk: then nothing is remembered. */
export function remember(key: string, value?: string): string | null {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
