// The carom binary, as the tests use it: runs, reports and the live server.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const scene = (name) => join(repository, "scenes", `${name}.toml`);

const binary = process.env.CAROM;
if (!binary) throw new Error("CAROM must name the carom binary; scripts/browser.sh builds it");
const options = { encoding: "utf8", timeout: 60_000 };

/** Simulates into a folder; what it wrote, and the last line on stderr. */
export function simulate(name, folder, sets = []) {
  const done = spawnSync(binary, ["run", scene(name), "--csv", "--out", folder, ...sets.flatMap((set) => ["--set", set])], options);
  const line = done.stderr.trim().split("\n").at(-1) ?? "";
  if (done.status !== 0) return { status: done.status, stderr: done.stderr, line };
  const lines = (file) => readFileSync(join(folder, file), "utf8").trim().split("\n");
  const [head, ...rows] = lines("trajectory.csv").map((row) => row.split(","));
  const trajectory = rows.map((row) => Object.fromEntries(head.map((key, i) => [key, row[i]])));
  return {
    status: 0, line, trajectory,
    summary: JSON.parse(readFileSync(join(folder, "summary.json"), "utf8")),
    events: lines("events.jsonl").filter(Boolean).map((row) => JSON.parse(row)),
  };
}

export function report(run, out, more = []) {
  execFileSync(binary, ["report", run, "--out", out, ...more], { ...options, stdio: "pipe" });
  return out;
}

/** Several runs, or laws of a scene, on one page. */
export function compare(targets, out, laws = []) {
  execFileSync(binary, ["report", ...targets, "--out", out, ...laws.flatMap((law) => ["--law", law])], { ...options, stdio: "pipe" });
  return out;
}

/** A command of a shell that begins with `carom` and prints JSON. */
export function shell(command) {
  return JSON.parse(execFileSync("sh", ["-c", command.replace(/^carom/, '"$CAROM"')], options));
}

/** A page of scenes; the page itself. */
export function gallery(targets, out) {
  // All scenes are simulated and filmed.
  execFileSync(binary, ["gallery", ...targets, "--out", out], { ...options, timeout: 300_000, stdio: "pipe" });
  return join(out, "index.html");
}

/** A study of a scene, and the page of a picture of it. */
export function study(name, out, asked, picture) {
  execFileSync(binary, ["study", scene(name), "--out", out, "--quiet", ...asked], { ...options, stdio: "pipe" });
  execFileSync(binary, ["study", "plot", out, "--page", "--format", "svg", ...picture], { ...options, stdio: "pipe" });
  return join(out, "pictures", `${picture[picture.indexOf("--kind") + 1]}.html`);
}

/** A published experiment, computed again; its page. */
export function reproduce(name, out) {
  execFileSync(binary, ["reproduce", name, "--fast", "--quiet", "--out", out], { ...options, stdio: "pipe" });
  return join(out, "index.html");
}

/** `carom view`, ready to be asked. `stop` interrupts it as Ctrl-C does and tells how it ended. */
export async function view(target, sets = []) {
  const child = spawn(binary, ["view", target, ...sets.flatMap((set) => ["--set", set])], { cwd: repository, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  const ended = new Promise((done) => child.on("exit", (code, signal) => done({ code, signal })));
  const url = await new Promise((found, fail) => {
    const timer = setTimeout(() => fail(new Error(`carom view printed no address: ${text}`)), 20_000);
    child.stderr.on("data", (part) => {
      text += part;
      const address = /http:\/\/127\.0\.0\.1:\d+\/?\S*/.exec(text);
      if (address) {
        clearTimeout(timer);
        found(address[0]);
      }
    });
    child.on("exit", () => fail(new Error(`carom view ended: ${text}`)));
  });
  const stop = async () => {
    child.kill("SIGINT");
    const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
    const how = await ended;
    clearTimeout(timer);
    return how;
  };
  return { url, stop, pid: child.pid };
}
