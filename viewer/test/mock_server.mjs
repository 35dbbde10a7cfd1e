// The live viewer's server with closed forms instead of simulations: for the page's own behaviour
// (waiting, cancelling, refusals, ghosts) and for screenshots, without the carom binary.
import { createServer } from "node:http";
import { planar, spatial } from "./documents.mjs";

export async function mockServer(pageText, { space = "planar", delay = 0 } = {}) {
  const token = "made-up";
  const log = { runs: [], cancelled: 0 };
  const parameters = [
    { path: "contact.0.restitution", label: "disk – floor: restitution", value: 0.8, unit: "", min: 0, max: 1, step: 0.01, group: "contact" },
    { path: "contact.0.friction", label: "disk – floor: friction", value: 0.3, unit: "", min: 0, max: 2, step: 0.01, group: "contact" },
    { path: "gravity.1", label: "gravity y", value: -9.81, unit: "m/s²", min: -20, max: 0, step: 0.01, group: "gravity" },
    { path: "body.disk.position.1", label: "disk: height at the start", value: 1, unit: "m", min: 0.1, max: 3, step: 0.01, group: "initial" },
  ];
  const laws = [
    { label: "differential, energetic", set: ["law.formulation=differential", "law.restitution=energetic"] },
    { label: "newton", set: ["law.formulation=newton"] },
  ];
  const simulate = (set) => {
    const value = (path, otherwise) => Number(set.find((s) => s.startsWith(`${path}=`))?.split("=")[1] ?? otherwise);
    const e = value("contact.0.restitution", 0.8);
    if (e < 0 || e > 1) throw { message: `restitution of contact 0 is ${e}: allowed is 0 to 1`, hint: "e = 1 loses nothing", place: "made.toml:12:15" };
    const height = value("body.disk.position.1", 1);
    return (space === "planar" ? planar : spatial)({ e, height });
  };
  const server = createServer((request, response) => {
    const answer = (status, body, type = "application/json") => response.writeHead(status, { "Content-Type": type }).end(body);
    if (request.url === "/") {
      const live = JSON.stringify({ token, runs: [] });
      return answer(200, pageText.replace("<!--carom:data-->", () => `<script id="carom-live" type="application/json">${live}</script>`), "text/html; charset=utf-8");
    }
    if (request.headers["x-carom-token"] !== token) return answer(403, "{}");
    if (request.url === "/api/scene") return answer(200, JSON.stringify({ name: "made.toml", title: "made", text: "", parameters, laws, law: 0 }));
    if (request.url === "/api/stamp") return answer(200, JSON.stringify({ stamp: "made" }));
    if (request.url.startsWith("/api/progress/")) return answer(200, JSON.stringify({ stage: "simulating", start: 0, t: 1, end: 4, events: 7, wall: 61 }));
    if (request.url !== "/api/run" || request.method !== "POST") return answer(404, "{}");
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      const { set } = JSON.parse(body);
      log.runs.push(set);
      const timer = setTimeout(() => {
        try {
          answer(200, JSON.stringify(simulate(set)));
        } catch (error) {
          answer(422, JSON.stringify({ error }));
        }
      }, delay);
      response.on("close", () => {
        if (!response.writableEnded) {
          log.cancelled++;
          clearTimeout(timer);
        }
      });
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, log, close: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }) };
}
