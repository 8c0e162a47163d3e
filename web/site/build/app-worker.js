// The service worker. Invariants:
//   - It is installed only when everything the site needs is in its cache; of what
//     few visits need, what an earlier version had there, or else from when a page
//     has used it ("berth:keep").
//   - It never takes over by itself from an older version: it waits until no
//     page is left or the user asked for it ("berth:activate").
//   - A page always gets files of one version: its own cache comes first, then
//     the one before (a second tab may still run that version), then the network.
"use strict";

const prefix = "berth-";
const cacheName = prefix + "{{.Version}}";
const resources = {{.ResourcesToCache}};
const later = [{{.ResourcesForLater}}]; // few visits need them: kept from the first use on

self.addEventListener("install", (event) => {
  event.waitUntil(fillCache());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldCaches().then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  switch (event.data?.type) {
    case "berth:activate":
      self.skipWaiting();
      break;
    case "berth:keep":
      event.waitUntil(keep(event.data.path));
      break;
    case "berth:status":
      event.waitUntil(fillCache().then(
        () => event.source.postMessage({ type: "berth:cached", version: "{{.Version}}" })));
      break;
  }
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === self.location.origin) {
    event.respondWith(respond(request));
  }
});

// fillCache fetches what is not in the cache yet: all of it at first, and
// nothing later unless the browser or the user removed something.
async function fillCache() {
  const used = new Set();
  for (const name of await caches.keys()) {
    if (name.startsWith(prefix)) for (const path of await paths(await caches.open(name))) used.add(plain(path));
  }
  const cache = await caches.open(cacheName);
  const held = new Set(await paths(cache));
  const wanted = [...resources, ...later.filter((path) => used.has(plain(path)))];
  await cache.addAll(wanted.filter((path) => !held.has(new URL(path, self.location).pathname)));
}

const paths = async (cache) => (await cache.keys()).map(({ url }) => new URL(url).pathname);

// plain is the path of a file without the hash of its content.
const plain = (path) => path.replace(/\.[0-9a-f]+(?=\.\w+$)/, "");

async function keep(path) {
  const cache = await caches.open(cacheName);
  if (later.includes(path) && !await cache.match(path)) await cache.add(path);
}

async function dropOldCaches() {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
}

async function respond(request) {
  const page = request.mode === "navigate";
  const options = { ignoreSearch: page, ignoreVary: true };
  const cache = await caches.open(cacheName);
  return (await cache.match(request, options)) ?? (await caches.match(request, options)) ?? fetch(request);
}
