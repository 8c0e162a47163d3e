// Makes each group one tab stop: buttons, links and menus, the headings of groups of
// fields, and the boxes and choices of a list. Inside an element with data-rove the
// arrow keys, Home and End move between them, as in a toolbar. Tabs, fields and
// elements with data-stop are stops of their own. In a table, up and down move to
// another row. Tab enters at the element with data-first. A button that collapses a
// pane is no stop, since the separator beside the pane does the same.
"use strict";

(() => {
  const items = "button:not(.pane-collapse), a[href], summary.button, .more > summary, figure summary, .term > summary, .row > .dropzone > input, .checks input[type=checkbox], .checks select";
  const own = "[role=tab], [data-stop], .primary, dialog *, svg *";
  const group = (item) => item.closest("[data-rove]");
  const inGroup = (container) => [...container.querySelectorAll(items)].filter((e) => group(e) === container && !e.matches(own));
  const usable = (e) => !e.disabled && e.getAttribute("aria-disabled") !== "true" && e.checkVisibility({ visibilityProperty: true });
  const current = new WeakMap();

  const settle = (container, item) => {
    const all = inGroup(container);
    const before = current.get(container);
    const now = item ?? (before && all.includes(before) && usable(before) ? before : all.find((e) => e.dataset.first && usable(e)) ?? all.find(usable));
    for (const e of all) {
      const stop = e === now ? "0" : "-1";
      if (e.getAttribute("tabindex") !== stop) e.setAttribute("tabindex", stop);
    }
    current.set(container, now);
  };

  // Settles the containers within changed elements and around them.
  const places = new Set();
  const later = (place) => {
    if (places.size === 0) requestAnimationFrame(() => {
      for (const container of document.querySelectorAll("[data-rove]")) {
        if ([...places].some((place) => place.contains(container) || container.contains(place)) && container.checkVisibility()) settle(container);
      }
      places.clear();
    });
    places.add(place);
  };
  // Other texts and drawings make no other stops.
  const changed = ({ type, addedNodes, removedNodes }) => type === "attributes" || [...addedNodes, ...removedNodes].some((node) => node instanceof HTMLElement);
  new MutationObserver((records) => { for (const record of records) if (changed(record)) later(record.target); }).observe(document.documentElement, {
    subtree: true, childList: true, attributeFilter: ["disabled", "aria-disabled", "hidden", "open", "data-tab", "data-collapsed-input", "data-collapsed-compare", "data-collapsed-why"],
  });
  addEventListener("resize", () => later(document));

  addEventListener("focusin", ({ target }) => {
    const container = target.matches?.(items) && !target.matches(own) && group(target);
    if (container) settle(container, target);
  });

  // Returns the element that a key moves to from the item at i.
  const next = (all, i, key) => {
    const row = all[i].closest("tr");
    switch (key) {
      case "ArrowRight": return all[i + 1];
      case "ArrowLeft": return all[i - 1];
      case "ArrowDown": return all.slice(i + 1).find((e) => !row || e.closest("tr") !== row);
      case "ArrowUp": {
        const above = all.slice(0, i).findLast((e) => !row || e.closest("tr") !== row);
        return row && above ? all.find((e) => e.closest("tr") === above.closest("tr")) : above;
      }
      case "Home": return all[0];
      case "End": return all.at(-1);
    }
  };

  addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !target.matches?.(items) || target.matches(own)) return;
    if (target.matches("select") && key !== "ArrowLeft" && key !== "ArrowRight") return; // up and down choose
    const container = group(target);
    if (!container) return;
    const all = inGroup(container).filter(usable);
    const to = next(all, all.indexOf(target), key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  });
})();
