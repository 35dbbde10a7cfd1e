/** The live viewer's server: scene, runs, errors. */
import type { RunDocument } from "../model/format";

export interface Parameter {
  path: string;
  label: string;
  value: number;
  unit: string;
  min: number;
  max: number;
  step: number;
  group: string;
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

/** The server's refusal, in the words of the command line. */
export class Refusal extends Error {
  /** `report` is the whole text that the command line would print. */
  constructor(message: string, readonly hint: string | null, readonly place: string | null, readonly report: string | null) {
    super(message);
  }
}

export class Api {
  constructor(private readonly token: string) {}

  scene(): Promise<SceneInfo> {
    return this.ask<SceneInfo>("/api/scene");
  }

  document(index: number): Promise<RunDocument> {
    return this.ask<RunDocument>(`/api/document/${index}`);
  }

  /** Simulates with overrides; aborting lets the server drop the run. The name is what its progress is asked by. */
  run(set: string[], name: string, signal: AbortSignal): Promise<RunDocument> {
    return this.ask<RunDocument>("/api/run", { method: "POST", body: JSON.stringify({ set, name }), signal, headers: { "Content-Type": "application/json" } });
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
    const { error } = JSON.parse(text) as { error: { message: string; hint?: string | null; place?: string | null; report?: string | null } };
    return new Refusal(error.message, error.hint ?? null, error.place ?? null, error.report ?? null);
  } catch {
    return new Refusal(`the server answered ${status}${text ? `: ${text.slice(0, 200)}` : ""}`, null, null, null);
  }
}
