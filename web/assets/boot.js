// Runs before the first paint, ahead of go-app. It leaves:
//
//   globalThis.berth.assets    plain name -> URL with content hash, e.g.
//                              assets["engine-worker.js"], assets["wasm_exec.js"]
//   globalThis.berth.modules   promises of compiled WebAssembly.Module:
//                              .app (the page and the engine) and .graphviz,
//                              which may be loaded when it is asked for
//   globalThis.berth.charts()  promise that d3, Plot and chart*.js are loaded,
//                              in that order; the first call starts loading
//   globalThis.berth.settled   promise that the page is drawn and idle
//   globalThis.berth.take()    what first.js calls when the program has the page
//   globalThis.berth.instantiate(imports, showProgress, size)
//                              what go-app calls to start the page
//   localStorage, sessionStorage
//                              where the browser blocks them, stand-ins that
//                              forget with the page; their "volatile" is true
//   <html data-first>          "shown" while the result is shown that the page
//                              arrived with, "none" where it is not, and then
//                              "taken" (first.js)
//   <html data-theme>          "light" or "dark" when the visitor chose one
//                              (localStorage "berth.theme"); absent: the system's
"use strict";

(() => {
  const assets = {{.Assets}};

  const volatileStorage = () => {
    const items = new Map();
    return {
      volatile: true,
      get length() { return items.size; },
      key: (i) => [...items.keys()][i] ?? null,
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => { items.set(key, value); },
      removeItem: (key) => { items.delete(key); },
      clear: () => items.clear(),
    };
  };

  // The page and go-app read these without care, and an exception ends the program.
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      globalThis[name].getItem("");
    } catch {
      Object.defineProperty(globalThis, name, { value: volatileStorage() });
    }
  }

  // The page arrives with the result of its first example, for those who neither
  // follow a link nor go on with what they did in this tab.
  const fresh = location.hash === "" && sessionStorage.getItem("berth.tab") === null;
  document.documentElement.dataset.first = fresh ? "shown" : "none";
  const painted = new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    addEventListener("load", resolve); // a page in the background is not painted
  });

  const theme = localStorage.getItem("berth.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

  // What a person changes in a control is theirs from that moment on: see
  // app/ui/held.go. No handler of the page may come first, since any of the
  // page's work may be done before it, between the click on a box and the change.
  for (const type of ["click", "input", "change"]) {
    document.addEventListener(type, ({ target }) => {
      if (type !== "click" || target.type === "checkbox") target.written = true;
    }, true);
  }

  // What is compiled is compiled as it arrives. It is the page that tells of a
  // failure, when it asks for a module.
  const compile = (name, watch = (response) => response) => {
    const module = WebAssembly.compileStreaming(fetch(assets[name]).then(watch));
    module.catch(() => {});
    return module;
  };

  let loaded = 0; // bytes of app.wasm
  let report = () => {};
  const count = (response) => new Response(response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.length;
      report(loaded);
      controller.enqueue(chunk);
    },
  })), response);

  const load = (name) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = assets[name];
    script.async = false; // in the order in which they are added
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${name} could not be loaded`));
    document.head.append(script);
  });

  let settle, take;
  const settled = new Promise((resolve) => { settle = resolve; });
  const taken = new Promise((resolve) => { take = resolve; });
  if (!fresh) take();

  let graphviz; // the first drawing is in the page
  if (!fresh) graphviz = compile("graphviz.wasm");

  let charts;
  globalThis.berth = {
    assets,
    settled,
    take,
    modules: {
      app: fresh ? painted.then(() => compile("app.wasm", count)) : compile("app.wasm", count),
      get graphviz() { return graphviz ??= compile("graphviz.wasm"); },
    },
    async instantiate(imports, showProgress, size) {
      report = (loaded) => showProgress(Math.round(100 * loaded / size));
      const module = await this.modules.app;
      const instance = await WebAssembly.instantiate(module, imports);
      // go-app runs the instance next; a timer comes after its first drawing.
      setTimeout(() => taken.then(() => (globalThis.requestIdleCallback ?? setTimeout)(settle)));
      return { module, instance };
    },
    charts: () => charts ??= Promise.all([
      "d3.js", "plot.js", "chart.js", "chart-lines.js", "chart-bars.js", "chart-maps.js",
      "chart-canvas.js", "chart-player.js", "chart-timeline.js", "chart-cells.js",
    ].map(load)).catch((error) => {
      charts = undefined; // the next call tries again
      throw error;
    }),
  };
})();
