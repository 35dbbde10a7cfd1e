/** A lesson: each question shows the start, takes a prediction, and only then the motion. */
import { App } from "../app";
import type { RunDocument } from "../model/format";
import { Run } from "../model/run";
import { h } from "../ui/dom";
import { significant } from "../ui/numbers";

export interface Question {
  ask: string;
  unit: string;
  /** A number is right if it is this part of the answer off, at most. */
  tolerance: number;
  /** Empty where a number is asked for. */
  choices: string[];
  /** The number, or which choice from 0. */
  answer: number;
  explain: string;
  set: string[];
}

export interface LessonPage { head: { title: string; intro: string }; questions: { question: Question; document: RunDocument }[] }

export function startLesson(root: HTMLElement, page: LessonPage): void {
  const [panel, place] = [h("section.panel.question", { "aria-label": "Question" }), h("div#motion")];
  root.classList.add("lesson-page");
  root.replaceChildren(h("header.top", {}, h("div.title", {}, h("h1", {}, page.head.title), ...paragraphs(page.head.intro))), panel, place);
  const app = new App(place, "lesson");
  // For the tests.
  (globalThis as Record<string, unknown>).carom = app;
  new Lesson(app, panel, page.questions);
}

/** Whether a prediction is right: within a part of the answer; zero is met only by zero. */
export function isRight({ choices, answer, tolerance }: Question, prediction: number): boolean {
  return choices.length > 0 ? prediction === answer : Math.abs(prediction - answer) <= tolerance * Math.abs(answer);
}

class Lesson {
  private at = 0;
  private readonly right: boolean[] = [];

  constructor(private readonly app: App, private readonly panel: HTMLElement, private readonly questions: LessonPage["questions"]) {
    this.ask();
  }

  private get question(): Question {
    return this.questions[this.at]!.question;
  }

  /** The start alone; what happens then is for the reader to predict. */
  private ask(): void {
    this.app.show([{ run: new Run(this.questions[this.at]!.document), colour: "" }], true);
    this.app.setLocked(true);
    const { ask, choices, unit } = this.question;
    const field = h<HTMLInputElement>("input", { type: "number", step: "any", required: true, "aria-label": `Your prediction${unit ? `, ${unit}` : ""}` });
    const answers = choices.map((text, i) => h("label.choice", {}, h("input", { type: "radio", name: "choice", value: i, required: true }), text));
    const form = h<HTMLFormElement>("form", {},
      choices.length > 0 ? h("fieldset", {}, h("legend", {}, "Your prediction"), ...answers) : h("label.row", {}, "Your prediction", field, h("span.unit", {}, unit)),
      h("button", { type: "submit" }, "Predict, then run"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = form.querySelector<HTMLInputElement>("input[name=choice]:checked")?.value ?? field.value;
      if (chosen !== "" && Number.isFinite(Number(chosen))) this.reveal(Number(chosen));
    });
    this.panel.replaceChildren(h("p.note", {}, `Question ${this.at + 1} of ${this.questions.length}`), ...paragraphs(ask, "p.ask"), this.changes(), form);
    (choices.length > 0 ? form.querySelector<HTMLInputElement>("input") : field)?.focus({ preventScroll: true });
  }

  /** In what the run differs from the scene. */
  private changes(): HTMLElement {
    const { set } = this.question;
    return h("p.note", { hidden: set.length === 0 }, `Here ${set.map((one) => one.replace("=", " = ")).join(", ")}.`);
  }

  private reveal(prediction: number): void {
    const { question } = this;
    const right = isRight(question, prediction);
    this.right[this.at] = right;
    const told = question.choices.length > 0 ? [`“${question.choices[prediction]}”`, `“${question.choices[question.answer]}”`]
      : [prediction, question.answer].map((x) => `${significant(x, 4)}${question.unit ? ` ${question.unit}` : ""}`);
    const off = question.choices.length > 0 || question.answer === 0 ? "" : `, ${significant((100 * Math.abs(prediction - question.answer)) / Math.abs(question.answer), 2)} % off`;
    const last = this.at === this.questions.length - 1;
    this.panel.replaceChildren(h("p.note", {}, `Question ${this.at + 1} of ${this.questions.length}`), ...paragraphs(question.ask, "p.ask"), this.changes(),
      h(`p.verdict.${right ? "right" : "wrong"}`, { role: "status" }, right ? `Right: ${told[1]}${off}.` : `You predicted ${told[0]}; it is ${told[1]}${off}.`),
      ...paragraphs(question.explain),
      h("div.row", {}, h("button.small", { type: "button", onclick: () => this.again() }, "Play again"),
        last ? h("p.note.score", {}, `${this.right.filter(Boolean).length} of ${this.questions.length} right.`) : h("button", { type: "button", onclick: () => this.next() }, "Next question")));
    this.app.setLocked(false);
    this.again();
  }

  private again(): void {
    this.app.player.pause();
    this.app.player.seek(this.app.player.start);
    this.app.player.play();
  }

  private next(): void {
    this.app.player.pause();
    this.at++;
    this.ask();
  }
}

function paragraphs(text: string, selector = "p"): HTMLElement[] {
  return text.split(/\n\s*\n/).filter((part) => part.trim()).map((part) => h(selector, {}, part.trim().replace(/\s*\n\s*/g, " ")));
}
