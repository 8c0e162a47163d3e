// Tells the page what its service worker does.
//
//   <html data-offline="ready">      everything is cached; with it comes the
//                                    event "berth:offline-ready" on window
//   <html data-update="available">   a newer version waits; with it comes the
//                                    event "berth:update-available" on window
//   event "berth:update-apply"       sent to window by the page: switches to
//                                    the newer version and reloads
"use strict";

(async () => {
  const workers = navigator.serviceWorker;
  if (!workers) return; // an insecure origin or a private window

  const tell = (key, value, event) => {
    document.documentElement.dataset[key] = value;
    window.dispatchEvent(new Event(event));
  };
  const tellUpdate = () => tell("update", "available", "berth:update-available");

  workers.addEventListener("message", ({ data }) => {
    if (data?.type === "berth:cached") tell("offline", "ready", "berth:offline-ready");
  });
  workers.startMessages();

  const registration = await workers.ready;
  registration.active.postMessage({ type: "berth:status" });

  const watch = (worker) => worker.addEventListener("statechange", () => {
    if (worker.state === "installed") tellUpdate();
  });
  if (registration.waiting) tellUpdate();
  if (registration.installing) watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));

  window.addEventListener("berth:update-apply", () => {
    if (!registration.waiting) return location.reload(); // another tab has switched already
    workers.addEventListener("controllerchange", () => location.reload(), { once: true });
    registration.waiting.postMessage({ type: "berth:activate" });
  });
})();
