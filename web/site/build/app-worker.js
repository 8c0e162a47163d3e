// The service worker. Invariants:
//   - Its cache holds every file of the site. If a fetch fails, the worker leaves the
//     file out and reports it to the page that asks ("berth:status"), which asks again
//     later. It refuses to install a newer version only if the network fails, because
//     the older version is complete.
//   - It never replaces an older version by itself: it waits until all pages are
//     closed or the user asks for the update ("berth:activate").
//   - A page always gets files of one version: its own cache comes first; then, for
//     files with a content hash in their names, the previous cache (a second tab may
//     still run that version); then the network.
//   - /qos and /qos/ are the same page.
"use strict";

const prefix = "berth{{.Base}}-"; // another site on the same host has another prefix
const cacheName = prefix + "{{.Version}}";
const resources = {{.ResourcesToCache}};

self.addEventListener("install", (event) => {
  event.waitUntil(fillCache().then((missing) => {
    if (registration.active && missing.some(({ status }) => !status)) throw new Error("the network failed");
  }));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldCaches().then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  switch (event.data?.type) {
    case "berth:activate":
      self.skipWaiting();
      break;
    case "berth:status":
      event.waitUntil(fillCache().then(
        (missing) => event.source.postMessage({ type: "berth:cached", version: "{{.Version}}", missing: missing.map(({ path }) => path) })));
      break;
  }
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === self.location.origin) {
    event.respondWith(respond(request));
  }
});

// fillCache fetches what the cache lacks: at first everything, later what failed before
// or what the browser or the user removed. It returns what is still missing.
async function fillCache() {
  const cache = await caches.open(cacheName);
  const held = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  const fetched = await Promise.all(resources.filter((path) => !held.has(path)).map((path) => put(cache, path)));
  return fetched.filter(({ ok }) => !ok);
}

// put fetches a file into the cache. For files without a hash in their names it asks
// the server, because the browser's own cache may be older.
async function put(cache, path) {
  try {
    const response = await fetch(path, { cache: hashed(path) ? "default" : "no-cache" });
    // A redirected response may not answer a navigation; a copy of it may.
    if (response.ok) await cache.put(path, response.redirected ? new Response(response.body, response) : response);
    return { path, ok: response.ok, status: response.status };
  } catch {
    return { path, ok: false }; // no network, or no space
  }
}

const hashed = (path) => path.startsWith("{{.Base}}/web/");

async function dropOldCaches() {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
}

async function respond(request) {
  const cache = await caches.open(cacheName);
  const options = { ignoreVary: true };
  const url = new URL(request.url);
  if (request.mode === "navigate") {
    options.ignoreSearch = true;
    if (!await cache.match(url, options)) url.pathname += "/";
  }
  const earlier = () => hashed(url.pathname) ? caches.match(url, options) : undefined;
  return (await cache.match(url, options)) ?? (await earlier()) ?? fetch(request);
}
