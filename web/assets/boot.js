// Runs before the first paint, ahead of go-app. It leaves:
//
//   globalThis.berth.assets    plain name -> URL with content hash, e.g.
//                              assets["engine-worker.js"], assets["wasm_exec.js"]
//   globalThis.berth.modules   promises of compiled WebAssembly.Module:
//                              .app (the page and the engine) and .graphviz
//   globalThis.berth.charts()  promise that d3, Plot and chart.js are loaded,
//                              in that order; the first call starts loading
//   <html data-theme>          "light" or "dark" when the visitor chose one
//                              (localStorage "berth.theme"); absent: the system's
"use strict";

(() => {
  const assets = {{.Assets}};

  try {
    const theme = localStorage.getItem("berth.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is blocked: the system's theme it is.
  }

  // go-app compiles the page and keeps the module to itself. The engine workers
  // run the same one, so it is taken here on its way.
  const app = new Promise((resolve) => {
    const { instantiateStreaming } = WebAssembly;
    WebAssembly.instantiateStreaming = async (source, imports) => {
      WebAssembly.instantiateStreaming = instantiateStreaming;
      const result = await instantiateStreaming(source, imports);
      resolve(result.module);
      return result;
    };
  });

  // The page asks for it only seconds later, so compiling starts here; it is
  // also the page that tells of a failure.
  const compile = (name) => {
    const module = WebAssembly.compileStreaming(fetch(assets[name]));
    module.catch(() => {});
    return module;
  };

  const load = (name) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = assets[name];
    script.async = false; // in the order in which they are added
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${name} could not be loaded`));
    document.head.append(script);
  });

  let charts;
  globalThis.berth = {
    assets,
    modules: { app, graphviz: compile("graphviz.wasm") },
    charts: () => charts ??= Promise.all(["d3.js", "plot.js", "chart.js"].map(load)),
  };
})();
