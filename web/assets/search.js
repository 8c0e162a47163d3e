// The search of the documentation: <form data-search="URL of the index" hidden>, with
// an input and a place for results. The site's build makes the index
// (web/docs/index.go); the page fetches it when someone first focuses the field, and
// the service worker has it offline.
//
// "/" focuses the field, arrow keys move through the results, Escape closes them, Enter
// in the field opens the first.
"use strict";

addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form[data-search]");
  const field = form.querySelector("input");
  const results = form.querySelector("[data-results]");
  const status = results.querySelector("[role=status]");
  const list = results.querySelector("ol");
  const most = 12;
  form.hidden = false;

  let loading;
  const load = () => loading ??= fetch(form.dataset.search).then((response) => {
    if (!response.ok) throw new Error(response.statusText);
    return response.json();
  }).catch((error) => {
    loading = undefined;
    throw error;
  });

  const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

  // find returns the sections that contain every word, or a word that begins with it;
  // matches in titles come first.
  const find = (index, wanted) => {
    const scores = new Map();
    for (const [at, word] of wanted.entries()) {
      const found = new Map();
      for (const [known, sections] of Object.entries(index.words)) {
        if (!known.startsWith(word)) continue;
        for (const section of sections) found.set(section, Math.max(found.get(section) ?? 0, known === word ? 2 : 1));
      }
      for (const [section, score] of found) {
        const { page, title = "" } = index.sections[section];
        const begins = (text) => wordsOf(text).some((other) => other.startsWith(word));
        const weight = score + (begins(title) ? 8 : 0) + (begins(page) ? 4 : 0);
        if (at === 0 || scores.has(section)) scores.set(section, (scores.get(section) ?? 0) + weight);
      }
      for (const section of scores.keys()) if (!found.has(section)) scores.delete(section);
    }
    return [...scores].sort(([a, x], [b, y]) => y - x || a - b).map(([section]) => index.sections[section]);
  };

  const item = ({ url, page, title, excerpt }) => {
    const link = document.createElement("a");
    link.href = new URL(url, new URL(form.dataset.search, location));
    link.append(title ? `${page}: ${title}` : page);
    const text = document.createElement("span");
    text.append(excerpt);
    const entry = document.createElement("li");
    entry.append(link, text);
    return entry;
  };

  const show = async () => {
    const wanted = wordsOf(field.value);
    const asked = field.value;
    let found = [], said = "";
    if (wanted.length > 0) {
      try {
        found = find(await load(), wanted);
        said = found.length === 0 ? "Nothing found. Try fewer or shorter words." : found.length === 1 ? "1 result" : `${found.length} results`;
        if (found.length > most) said += `, the first ${most} are shown`;
      } catch {
        said = "The index could not be loaded. Try again when you are online.";
      }
    }
    if (asked !== field.value) return; // a newer question is under way
    list.replaceChildren(...found.slice(0, most).map(item));
    status.textContent = said;
    results.hidden = said === "";
  };

  const close = () => {
    results.hidden = true;
    field.focus();
  };

  field.addEventListener("input", show);
  field.addEventListener("focus", () => load().catch(() => {}));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show().then(() => list.querySelector("a")?.click());
  });
  form.addEventListener("keydown", (event) => {
    const stops = [field, ...list.querySelectorAll("a")];
    const at = stops.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && !results.hidden) close();
    else if (step && results.hidden && field.value) show();
    else if (step && !results.hidden) stops[Math.max(0, Math.min(at + step, stops.length - 1))].focus();
    else return;
    event.preventDefault();
  });
  addEventListener("click", (event) => { if (!form.contains(event.target)) results.hidden = true; });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    field.select();
    field.focus();
  });
});
