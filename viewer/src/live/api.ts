/** The live viewer's server: scene, runs, errors. */
import type { RunDocument } from "../model/format";
import type { LooksDocument } from "../model/looks";
import type { Grip } from "../stage/drag";

export interface Parameter {
  path: string;
  label: string;
  value: number;
  unit: string;
  min: number;
  max: number;
  step: number;
  group: string;
  /** How it is changed by moving a body of the picture. */
  grip?: { body: string; way: Grip["way"]; gain: number } | null;
}

export interface LawChoice { label: string; set: string[] }

export interface SceneInfo {
  name: string;
  /** The file as the command line knows it. */
  path?: string;
  title: string;
  text: string;
  parameters: Parameter[];
  laws: LawChoice[];
  /** Which law the scene has. */
  law?: number | null;
}

/** What a run under way is at. */
export interface Progress { stage: "none" | "waiting" | "simulating" | "drawing"; wall?: number; start?: number; t?: number; end?: number; events?: number }

/** Where in a file. */
export interface Spot { file: string; line: number; column: number }

/** The server's refusal, in the words of the command line. */
export class Refusal extends Error {
  /** `report` is the whole text that the command line would print. */
  constructor(message: string, readonly hint: string | null, readonly place: string | null, readonly report: string | null, readonly at: Spot | null = null) {
    super(message);
  }
}

export class Api {
  constructor(private readonly token: string) {}

  scene(): Promise<SceneInfo> {
    return this.ask<SceneInfo>("/api/scene");
  }

  /** What another text of the scene would offer. */
  sceneOf(text: string, signal: AbortSignal): Promise<SceneInfo> {
    return this.post<SceneInfo>("/api/scene", { text }, signal);
  }

  looks(): Promise<LooksDocument> {
    return this.ask<LooksDocument>("/api/looks");
  }

  document(index: number): Promise<RunDocument> {
    return this.ask<RunDocument>(`/api/document/${index}`);
  }

  /** Simulates with overrides; aborting lets the server drop the run. The name is what its progress is asked by. */
  run(set: string[], name: string, signal: AbortSignal, text: string | null = null): Promise<RunDocument> {
    return this.post<RunDocument>("/api/run", { set, name, ...(text === null ? {} : { text }) }, signal);
  }

  private post<T>(path: string, body: unknown, signal: AbortSignal): Promise<T> {
    return this.ask<T>(path, { method: "POST", body: JSON.stringify(body), signal, headers: { "Content-Type": "application/json" } });
  }

  /** Another one whenever a file of the scene was changed. */
  stamp(): Promise<string> {
    return this.ask<{ stamp: string }>("/api/stamp").then(({ stamp }) => stamp);
  }

  progress(name: string): Promise<Progress> {
    return this.ask<Progress>(`/api/progress/${name}`);
  }

  private async ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(path, { ...init, cache: "no-store", headers: { ...init.headers, "X-Carom-Token": this.token } });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as T;
    throw refusal(response.status, text);
  }
}

function refusal(status: number, text: string): Refusal {
  try {
    const { error } = JSON.parse(text) as { error: { message: string; hint?: string | null; place?: string | null; report?: string | null; at?: Spot | null } };
    return new Refusal(error.message, error.hint ?? null, error.place ?? null, error.report ?? null, error.at ?? null);
  } catch {
    return new Refusal(`the server answered ${status}${text ? `: ${text.slice(0, 200)}` : ""}`, null, null, null);
  }
}
