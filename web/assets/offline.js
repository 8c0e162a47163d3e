// Tells the page what its service worker does.
//
//   <html data-offline="ready">      everything is cached; with it comes the
//                                    event "berth:offline-ready" on window
//   <html data-offline="partial" data-offline-missing="/docs/ /qos/">
//                                    these files could not be fetched; with it comes
//                                    the event "berth:offline-partial" on window. The
//                                    worker tries again at growing intervals and when
//                                    the network returns
//   <html data-update="available">   a newer version waits; with it comes the
//                                    event "berth:update-available" on window
//   event "berth:update-apply"       sent to window by the page: switches to
//                                    the newer version, which may have to be
//                                    fetched first, and reloads
"use strict";

(async () => {
  const workers = navigator.serviceWorker;
  window.addEventListener("berth:update-apply", async () => {
    const reload = () => location.reload();
    const registration = await workers?.getRegistration();
    if (!registration?.waiting) await registration?.update().catch(() => {});
    const newer = registration?.waiting ?? registration?.installing;
    if (!newer) return reload(); // another tab has switched already
    workers.addEventListener("controllerchange", reload, { once: true });
    const goOn = () => {
      if (newer.state === "installed") newer.postMessage({ type: "berth:activate" });
      else if (newer.state === "redundant") reload();
    };
    newer.addEventListener("statechange", goOn);
    goOn();
  });
  if (!workers) return; // an insecure origin or a private window

  const { dataset } = document.documentElement;
  const tell = (key, value, event) => {
    dataset[key] = value;
    window.dispatchEvent(new Event(event));
  };
  const tellUpdate = () => tell("update", dataset.update ?? "available", "berth:update-available");

  const longest = 300_000; // ms
  let interval = 2_000, again;
  const ask = async () => {
    clearTimeout(again);
    const { active } = await workers.ready;
    active.postMessage({ type: "berth:status" });
  };
  workers.addEventListener("message", ({ data }) => {
    if (data?.type !== "berth:cached") return;
    if (data.missing.length === 0) {
      delete dataset.offlineMissing;
      return tell("offline", "ready", "berth:offline-ready");
    }
    dataset.offlineMissing = data.missing.join(" ");
    tell("offline", "partial", "berth:offline-partial");
    again = setTimeout(ask, interval);
    interval = Math.min(2 * interval, longest);
  });
  workers.startMessages();
  window.addEventListener("online", () => { if (dataset.offline !== "ready") ask(); });

  const registration = await workers.ready;
  ask();

  const watch = (worker) => worker.addEventListener("statechange", () => {
    if (worker.state === "installed") tellUpdate();
  });
  if (registration.waiting) tellUpdate();
  if (registration.installing) watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
})();
