// Runs before the first paint, ahead of go-app. It leaves:
//
//   globalThis.berth.assets    plain name -> URL with content hash, e.g.
//                              assets["engine-worker.js"], assets["wasm_exec.js"]
//   globalThis.berth.modules   promises of compiled WebAssembly.Module:
//                              .app (the page and the engine), .graphviz, which
//                              may be loaded when it is asked for, and .readers,
//                              which is loaded then: the engine with readers of
//                              all formats
//   globalThis.berth.charts()  promise that d3, Plot and chart*.js are loaded,
//                              in that order; the first call starts loading. Each
//                              call is kept in a task of its own, so that many
//                              charts do not hold up the page
//   globalThis.berth.editor()  promise that editor.js is loaded, as above
//   globalThis.berth.settled   promise that the page is drawn and idle
//   globalThis.berth.take()    what first.js calls when the program has the page
//   globalThis.berth.instantiate(imports, showProgress, size)
//                              what go-app calls to start the page
//   localStorage, sessionStorage
//                              where the browser blocks them, stand-ins that
//                              forget with the page; their "volatile" is true
//   <html data-first>          "arriving" until the result is whole that the page
//                              arrives with, "shown" from then on, "none" where it
//                              is not shown, and then "taken" (first.js)
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
  const root = document.documentElement;
  root.dataset.first = fresh ? "arriving" : "none";
  const painted = new Promise((resolve) => {
    // Half of it is laid out otherwise than the whole.
    const arrivals = new MutationObserver(() => {
      if (!document.getElementById("first")?.nextElementSibling) return;
      arrivals.disconnect();
      root.dataset.first = "shown";
      requestAnimationFrame(() => setTimeout(resolve));
    });
    if (fresh) arrivals.observe(document, { childList: true, subtree: true });
    addEventListener("load", resolve); // a page in the background is not painted
  });

  // A slash leads to the search at once, so that what is typed after it is not taken
  // for other keys: the page's own handlers may come later.
  document.addEventListener("keydown", (event) => {
    const search = document.querySelector("[data-search]");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || !search?.checkVisibility() ||
      event.target.closest("input, textarea, select, [contenteditable], dialog")) return;
    event.preventDefault();
    search.focus();
  }, true);

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

  // What is loaded when it is first asked for; what failed is tried again.
  const loader = (...names) => {
    let loading;
    return () => loading ??= Promise.all(names.map(load)).catch((error) => {
      loading = undefined;
      throw error;
    });
  };

  let settle, take;
  const settled = new Promise((resolve) => { settle = resolve; });
  const taken = new Promise((resolve) => { take = resolve; });
  if (!fresh) take();

  let graphviz; // the first drawing is in the page
  if (!fresh) graphviz = compile("graphviz.wasm");

  // What was loaded is kept for when there is no network; what failed is tried again.
  let readers;
  const loadReaders = () => {
    const module = compile("readers.wasm");
    module.then(async () => {
      const { active } = await navigator.serviceWorker?.ready ?? {};
      active?.postMessage({ type: "berth:keep", path: assets["readers.wasm"] });
    }, () => { readers = undefined; });
    return module;
  };

  const loadCharts = loader(
    "d3.js", "plot.js", "chart.js", "chart-lines.js", "chart-bars.js", "chart-maps.js",
    "chart-canvas.js", "chart-player.js", "chart-timeline.js", "chart-cells.js",
  );
  let turn = Promise.resolve();
  globalThis.berth = {
    assets,
    settled,
    take,
    modules: {
      app: fresh ? painted.then(() => compile("app.wasm", count)) : compile("app.wasm", count),
      get graphviz() { return graphviz ??= compile("graphviz.wasm"); },
      get readers() { return readers ??= loadReaders(); },
    },
    async instantiate(imports, showProgress, size) {
      report = (loaded) => showProgress(Math.round(100 * loaded / size));
      const module = await this.modules.app;
      const instance = await WebAssembly.instantiate(module, imports);
      // go-app runs the instance next; a timer comes after its first drawing.
      setTimeout(() => taken.then(() => (globalThis.requestIdleCallback ?? setTimeout)(settle)));
      return { module, instance };
    },
    charts: () => {
      const loaded = loadCharts();
      return turn = turn.catch(() => {}).then(() => loaded).then(() => new Promise((resolve) => { setTimeout(resolve); }));
    },
    editor: loader("editor.js"),
  };
})();
