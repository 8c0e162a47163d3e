// Runs before the first paint, ahead of go-app. It provides:
//
//   globalThis.berth.assets    plain name -> URL with content hash, e.g.
//                              assets["engine-worker.js"], assets["wasm_exec.js"]
//   globalThis.berth.modules   promises of compiled WebAssembly.Module: .app (the
//                              page and the engine) and .graphviz, which loads
//                              when it is first read
//   globalThis.berth.charts()  promise that d3, Plot and chart*.js are loaded,
//                              in that order; the first call starts loading. Each
//                              promise resolves in a task of its own, so that many
//                              charts do not block the page
//   globalThis.berth.editor()  promise that editor.js is loaded, as above
//   globalThis.berth.narrow    MediaQueryList: the window is as narrow as a phone; when
//                              that changes comes the event "berth:narrow" on window
//   globalThis.berth.settled   promise that the page is drawn and idle
//   globalThis.berth.take()    first.js calls it once the program controls the page
//   globalThis.berth.instantiate(go, showProgress, size)
//                              go-app calls it to start the page; if its program ever
//                              ends, a dialog (data-testid "ended") says why
//   localStorage, sessionStorage
//                              where the browser blocks them: stand-ins that last
//                              as long as the page; their "volatile" is true
//   <html data-first>          state of the first result, which comes with the page:
//                              "arriving", "shown" once all of it is there, "taken"
//                              once the program has replaced it (first.js); "none"
//                              where the page does not show it
//   <html data-update="gone">  the server no longer has a file of this version; with
//                              it comes the event "berth:update-available" on window
//                              (see offline.js)
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

  // The page and go-app do not expect these to throw: an exception would end the
  // program.
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      globalThis[name].getItem("");
    } catch {
      Object.defineProperty(globalThis, name, { value: volatileStorage() });
    }
  }

  // The page comes with the result of its first example. It shows that to people who
  // neither follow a link nor continue their work in this tab. A page for frames has no
  // result.
  const fresh = location.hash === "" && sessionStorage.getItem("berth.tab") === null && !location.pathname.includes("/embed/");
  const root = document.documentElement;
  root.dataset.first = fresh ? "arriving" : "none";
  const painted = new Promise((resolve) => {
    // Half of the result would have another layout than the whole.
    const arrivals = new MutationObserver(() => {
      if (!document.getElementById("first")?.nextElementSibling) return;
      arrivals.disconnect();
      // It comes with its stage; this browser may remember that the workbench is wanted.
      const bench = document.querySelector("#first .bench");
      if (bench && localStorage.getItem(`berth.stage.${bench.id}`) === "workbench") bench.dataset.mode = "workbench";
      root.dataset.first = "shown";
      requestAnimationFrame(() => setTimeout(resolve));
    });
    if (fresh) arrivals.observe(document, { childList: true, subtree: true });
    addEventListener("load", resolve); // browsers do not paint a page in the background
  });

  // A slash focuses the search at once, before the page's own handlers are there: what
  // is typed next must not count as other shortcuts.
  document.addEventListener("keydown", (event) => {
    const search = document.querySelector("[data-search]");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || !search?.checkVisibility() ||
      event.target.closest("input, textarea, select, [contenteditable], dialog")) return;
    event.preventDefault();
    search.focus();
  }, true);

  // Says what only a reload mends, where no program can: one that ended cannot draw, and
  // one that was not found never did.
  const tell = (testid, title, text, label, press) => {
    const dialog = document.createElement("dialog");
    dialog.className = "dialog";
    dialog.dataset.testid = testid;
    const article = dialog.appendChild(document.createElement("article"));
    const add = (tag, text) => article.appendChild(Object.assign(document.createElement(tag), { textContent: text, id: `${testid}-${tag}` }));
    add("h2", title);
    for (const line of text) add("p", line);
    Object.assign(add("button", label), { type: "button", className: "button primary", onclick: press });
    dialog.setAttribute("aria-labelledby", `${testid}-h2`);
    document.body.append(dialog);
    dialog.showModal();
  };

  let program; // of the page, once it runs
  const watchEnd = (go) => {
    program = go;
    let said = ""; // why, as Go writes it
    const { writeSync } = globalThis.fs;
    globalThis.fs.writeSync = (file, bytes) => {
      said += new TextDecoder().decode(bytes);
      const at = said.search(/^(panic|fatal error): /m);
      said = at < 0 ? said.slice(-200) : said.slice(at, at + 1000);
      return writeSync(file, bytes);
    };
    go.exit = (code) => tell("ended", "Berth has stopped",
      ["Its program ended: " + (/^(panic|fatal error): .*?(?= \[recovered|$)/m.exec(said)?.[0] ?? `exit code ${code}`),
        "Your inputs are kept as they were a moment ago. Reload brings them back; Esc shows what is on screen."],
      "Reload", () => location.reload());
  };

  // Tells of a file that the server no longer has: a newer version took its place.
  const found = (response) => {
    if (response.status !== 404) return response;
    const gone = "A file of this version of Berth is gone: there is a newer one";
    root.dataset.update = "gone";
    if (program) dispatchEvent(new Event("berth:update-available"));
    else tell("update-notice", "Berth has a new version", [gone + ". Your inputs are kept."], "Update", () => dispatchEvent(new Event("berth:update-apply")));
    throw Object.assign(new Error(gone), { name: "Gone" });
  };

  // Compiles a program while it downloads. The page reports a failure when it asks for
  // the module.
  const compile = (name, watch = (response) => response) => {
    const module = WebAssembly.compileStreaming(fetch(assets[name]).then(found).then(watch));
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
    script.onerror = () => {
      reject(new Error(`${name} could not be loaded`));
      fetch(assets[name]).then(found).catch(() => {});
    };
    document.head.append(script);
  });

  // Loads scripts at the first call; a call after a failure tries again.
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

  let graphviz;

  const loadCharts = loader(
    "d3.js", "plot.js", "chart.js", "chart-lines.js", "chart-bars.js", "chart-maps.js",
    "chart-canvas.js", "chart-player.js", "chart-timeline.js", "chart-lives.js", "chart-cells.js",
  );
  let turn = Promise.resolve();
  const narrow = matchMedia("(max-width: 599.98px)");
  narrow.addEventListener("change", () => dispatchEvent(new Event("berth:narrow")));
  globalThis.berth = {
    assets,
    settled,
    narrow,
    take,
    modules: {
      // Counting takes every byte through a script: only a page that shows the progress does.
      app: fresh ? painted.then(() => compile("app.wasm")) : compile("app.wasm", count),
      get graphviz() { return graphviz ??= compile("graphviz.wasm"); },
    },
    async instantiate(go, showProgress, size) {
      report = (loaded) => showProgress(Math.round(100 * loaded / size));
      const module = await this.modules.app;
      const instance = await WebAssembly.instantiate(module, go.importObject);
      watchEnd(go);
      // go-app runs the instance next; the timer fires after its first drawing.
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
