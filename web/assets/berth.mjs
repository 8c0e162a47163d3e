/**
 * Berth's engine for notebooks, pages and Node.js, with the bytes of the command line:
 *
 *     const berth = await load();
 *     const report = await berth.run(scenario);
 *
 * The engine is the program of the page. It runs in workers, which speak the messages of
 * wasm/bridge.
 *
 * A scenario is a document as an object, as text or as a file that may be compressed with
 * gzip, or a link. A report has the bytes that `berth run` prints as its text, the hashes
 * of inputs and results, and its results in the field that its kind names.
 *
 * @typedef {object | string | URL | Blob | Uint8Array} Scenario
 * @typedef {{ text: string, kind: string, engine: string, scenario: string, results: string,
 *   headline?: string, warnings: string[] }} Report
 * @typedef {{ phase: string, fraction: number, done: number, total: number, unit: string }} Progress
 * @typedef {{ file: string, line: number, column: number, severity: string, message: string }} Diagnostic
 */

/** The error of a run, unless the run was cancelled. */
export class BerthError extends Error {
  name = "BerthError";

  /**
   * @param {{ message: string, kind?: string, diagnostics?: Diagnostic[] }} error whose
   *   kind is "" if the inputs are wrong, "fault" or "crash" if the engine failed
   */
  constructor({ message, kind = "", diagnostics = [] }) {
    super(message);
    Object.assign(this, { kind, diagnostics });
  }
}

/**
 * Loads the engine.
 *
 * @param {string | URL} [from] address of a site with Berth or, in Node.js, the folder of
 *   an unpacked release; by default the folder of this module
 * @param {{ workers?: number }} [options] how many runs may work at a time; by default
 *   one for each processor, at most eight
 * @returns {Promise<Berth>}
 */
export async function load(from = new URL(".", import.meta.url), { workers } = {}) {
  const { folder, processors, script, start } = inNode ? await nodeHost() : browserHost();
  const base = folder(from);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  const files = await (await get(new URL("berth.json", base))).json();
  const url = (name) => new URL(files[name], base);
  const [module, boot, exec] = await Promise.all([
    get(url("app.wasm")).then(WebAssembly.compileStreaming), script(url("engine-worker.js")), script(url("wasm_exec.js")),
  ]);
  return new Berth(() => new Engine((name) => start(boot, name), { module, exec }), workers || Math.min(8, processors));
}

/** The loaded engine. */
class Berth {
  #start;
  #free; // workers that may still run
  #waiting = [];
  #idle = [];

  /** @param {() => Engine} start @param {number} workers */
  constructor(start, workers) {
    this.#start = start;
    this.#free = workers;
  }

  /**
   * Runs a scenario as `berth run` does. A sweep runs as an experiment.
   *
   * @param {Scenario} scenario
   * @param {{ signal?: AbortSignal, onProgress?: (progress: Progress) => void }} [options]
   *   the signal cancels the run, which then rejects with its reason
   * @returns {Promise<Report>}
   */
  async run(scenario, { signal, onProgress } = {}) {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await new Promise((turn) => this.#waiting.push(turn));
    let engine;
    try {
      signal?.throwIfAborted();
      engine = this.#idle.pop() ?? this.#start();
      const text = await engine.run(scenario, signal, onProgress);
      return Object.defineProperty(JSON.parse(text), "text", { value: text });
    } finally {
      if (engine && !engine.ended) this.#idle.push(engine);
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  /** Ends the workers that are idle. A later run starts others. */
  close() {
    for (const engine of this.#idle.splice(0)) engine.end();
  }
}

const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);

/** A worker with the engine, for one run at a time. */
class Engine {
  ended = false;
  #name = crypto.getRandomValues(new Uint32Array(4)).join("-");
  #worker;
  #call;

  constructor(start, program) {
    this.#worker = start(this.#name);
    this.#worker.addEventListener("message", ({ data }) => this.#receive(data));
    this.#worker.addEventListener("messageerror", () => this.end("it sent an unreadable message"));
    this.#worker.addEventListener("error", ({ message }) => this.end(message ?? "its script could not be loaded"));
    this.#worker.postMessage(program);
  }

  /** Resolves with the text of the report. */
  run(scenario, signal, onProgress) {
    return new Promise((resolve, reject) => {
      const cancel = () => {
        reject(signal.reason);
        this.end("the run was cancelled");
      };
      const settle = (by) => (value) => {
        signal?.removeEventListener("abort", cancel);
        this.#worker.unref?.(); // an idle engine does not keep Node.js running
        by(value);
      };
      this.#call = { resolve: settle(resolve), reject: settle(reject), onProgress };
      signal?.addEventListener("abort", cancel);
      this.#worker.ref?.();
      this.#worker.postMessage(callOf(scenario));
    });
  }

  #receive(data) {
    if (data.kind === "alive") return this.#watch();
    if (data.kind === "crash") return this.end(data.error);
    const { kind } = JSON.parse(data.head);
    if (kind === "result") this.#call.resolve(decode(data.files.report));
    if (kind === "error") this.#call.reject(new BerthError(JSON.parse(decode(data.body))));
    if (kind === "progress") this.#call.onProgress?.(JSON.parse(decode(data.body)));
  }

  // The engine holds the lock of its name while it lives. A browser that ends it, for
  // example when memory runs out, does not say so.
  #watch() {
    navigator.locks.request(this.#name, { signal: leaving.signal }, () => this.end("the browser ended it")).catch(() => {});
  }

  end(reason) {
    if (this.ended) return;
    this.ended = true;
    this.#worker.terminate();
    this.#call?.reject(new BerthError({ kind: "crash", message: `the engine stopped: ${reason}` }));
  }
}

// In Chromium the next page may hang if a page is left that waits for a lock.
const leaving = new AbortController();
globalThis.addEventListener?.("pagehide", () => leaving.abort());

/** @param {Scenario} scenario */
function callOf(scenario) {
  const head = JSON.stringify({ id: 1, kind: "call", method: "run" });
  const call = (open, files = {}) => ({ head, body: encode(JSON.stringify({ query: { open } })), files });
  if (scenario instanceof Blob || scenario instanceof Uint8Array) return call({}, { document: scenario });
  if (scenario instanceof URL) return call({ link: scenario.href });
  if (typeof scenario !== "string") return call({}, { document: encode(JSON.stringify(scenario)) });
  return scenario.includes("{") ? call({}, { document: encode(scenario) }) : call({ link: scenario });
}

// Node.js has workers of another kind.
const inNode = typeof Worker === "undefined";

const browserHost = () => ({
  processors: navigator.hardwareConcurrency,
  folder: (from) => new URL(from, location.href),

  // A page can start a worker only from a script of its own site.
  async script(url) {
    return url.origin === location.origin ? url.href : URL.createObjectURL(await (await get(url)).blob());
  },

  start: (script, name) => new Worker(script, { name }),
});

async function nodeHost() {
  const [{ Worker }, { availableParallelism }, { pathToFileURL }] = await Promise.all(
    ["node:worker_threads", "node:os", "node:url"].map((name) => import(name)));
  // The functions of a browser's worker that the scripts of the engine call.
  const scope = `
    const { parentPort, workerData } = require("node:worker_threads");
    const { runInThisContext } = require("node:vm");
    Object.assign(globalThis, {
      name: workerData.name,
      postMessage: (message, transfer) => parentPort.postMessage(message, transfer),
      addEventListener: (type, listener, options) => {
        if (type === "message") parentPort.addEventListener(type, listener, options);
      },
      importScripts: (text) => runInThisContext(text),
    });
    importScripts(workerData.script);`;
  return {
    processors: availableParallelism(),
    folder: (from) => /^[a-z][a-z+.-]+:/i.test(from) ? new URL(from) : pathToFileURL(from),
    script: async (url) => (await get(url)).text(),
    start(script, name) {
      const worker = new Worker(scope, { eval: true, execArgv: [], workerData: { script, name } });
      worker.addEventListener = (type, listener) =>
        worker.on(type, (value) => listener(type === "message" ? { data: value } : value));
      return worker;
    },
  };
}

/** @param {URL} url */
async function get(url) {
  if (inNode && url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return new Response(await readFile(url), { headers: { "Content-Type": "application/wasm" } });
  }
  const response = await fetch(url);
  if (response.ok) return response;
  throw new Error(`${url} answers ${response.status}. Give load() the address of a site with Berth.`);
}
