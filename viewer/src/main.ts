/** Entry: a report carries its run, or several, in the page; the live viewer asks its server. */
import "./style.css";
import { App } from "./app";
import { startComparison } from "./compare/page";
import { startLive } from "./live/session";
import { startLesson } from "./lesson/page";
import type { RunDocument } from "./model/format";
import { Looks, type LooksDocument } from "./model/looks";
import { Run } from "./model/run";
import { h } from "./ui/dom";

function start(): void {
  const root = document.getElementById("app")!;
  try {
    const live = document.getElementById("carom-live");
    if (live) {
      startLive(root, JSON.parse(live.textContent ?? "{}"));
      return;
    }
    const compared = document.getElementById("carom-runs");
    if (compared) {
      startComparison(root, JSON.parse(compared.textContent ?? "{}"));
      return;
    }
    const lesson = document.getElementById("carom-lesson");
    if (lesson) {
      startLesson(root, JSON.parse(lesson.textContent ?? "{}"));
      return;
    }
    const data = document.getElementById("carom-run");
    if (!data) throw new Error("this page holds no run; `carom report RUN` makes one that does");
    const app = new App(root, "report");
    const looks = document.getElementById("carom-looks");
    if (looks) app.setLooks(new Looks(JSON.parse(looks.textContent ?? "{}") as LooksDocument));
    // For the tests and the benchmark.
    (globalThis as Record<string, unknown>).carom = app;
    app.show([{ run: new Run(JSON.parse(data.textContent ?? "") as RunDocument), colour: "" }], true);
  } catch (error) {
    root.replaceChildren(h("p.failure", { role: "alert" }, `The run cannot be drawn: ${error instanceof Error ? error.message : String(error)}`));
    throw error;
  }
}

// The data stands before this script, but a page may be slow to arrive: wait for all of it.
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
