// Boot script of the engine worker. The page
//
//   1. starts it: new Worker(berth.assets["engine-worker.js"], { name }), with a
//      name that no other worker of the site has
//   2. posts once { module, exec }: the compiled engine (a WebAssembly.Module)
//      and the URL of the wasm_exec.js that belongs to it
//   3. posts whatever the engine understands.
//
// The engine (wasm/worker, in the program of the page) sets globalThis.berthOnMessage
// to a function of one argument, the data of a message; it then gets earlier messages
// in order. It answers with globalThis.postMessage. When it stops, the page gets {
// kind: "crash", error } once, and no message after that.
//
// A worker that the browser kills, for example when memory runs out, cannot send
// anything. So each worker holds the lock (navigator.locks) of its name while it lives,
// and sends { kind: "alive" } once it holds it. The page then requests the same lock
// and gets it when the worker is dead.
"use strict";

async function live() {
  await navigator.locks.request(name, () => {
    postMessage({ kind: "alive" });
    return new Promise(() => {});
  });
}

live().catch(() => {}); // the browser has no locks, or denies them where a site may not store anything

const handler = new Promise((resolve) => {
  Object.defineProperty(globalThis, "berthOnMessage", { set: resolve });
});

let crashed = false;
let log = ""; // the end of Go's output, which contains the reason of a panic

function crash(error) {
  if (crashed) return;
  crashed = true;
  const reason = /^(panic|fatal error): .*/m.exec(log)?.[0];
  postMessage({ kind: "crash", error: reason ?? String(error?.message ?? error) });
}

addEventListener("error", (event) => crash(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => crash(event.reason));

// limitMemory ends the engine when it has more bytes of memory than globalThis.berthMemory,
// unless that is 0: the policy that it runs may be anybody's. Go calls the function each
// time its memory has grown, before it uses the new part.
function limitMemory(go) {
  const imports = go.importObject.gojs;
  const grown = imports["runtime.resetMemoryDataView"];
  imports["runtime.resetMemoryDataView"] = (sp) => {
    grown(sp);
    if (!globalThis.berthMemory || go.mem.buffer.byteLength <= globalThis.berthMemory) return;
    crashed = true;
    postMessage({ kind: "crash", error: "too much memory", memory: true });
    throw new Error("too much memory");
  };
}

async function run({ module, exec }) {
  importScripts(exec);
  const { writeSync } = fs;
  const decoder = new TextDecoder();
  fs.writeSync = (fd, bytes) => {
    log = (log + decoder.decode(bytes)).slice(-8192);
    return writeSync(fd, bytes);
  };
  const go = new Go();
  limitMemory(go);
  await go.run(await WebAssembly.instantiate(module, go.importObject));
  crash("the engine stopped");
}

addEventListener("message", ({ data }) => {
  run(data).catch(crash);
  addEventListener("message", ({ data }) => handler.then((handle) => handle(data)).catch(crash));
}, { once: true });
