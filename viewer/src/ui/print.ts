/** Paper is light, shows all rows and cannot be scrolled: what canvases hold is drawn for it before the page is printed. */
import type { EventTable } from "./events";
import type { Theme } from "./theme";

export function listenToPrint(theme: Theme, events: EventTable, draw: () => void): void {
  const prepare = (printing: boolean) => {
    theme.onPaper(printing);
    events.onPaper(printing);
    draw();
  };
  addEventListener("beforeprint", () => prepare(true));
  addEventListener("afterprint", () => prepare(false));
}
