// Controls that change a value, menus, and files that are dropped or pasted; see
// app/ui/held.go and file.go.
//
//   event.dropped               of a drop or a paste: a promise of its files, each with
//                               name, size and, if it cannot be read, a problem
//   berth.walk(entries)         a promise of the files in dropped folders
//   element.written             the user changed it after the page last set its value
//   element.put                 the value that the page last set or received
//   <use data-thumbnail="name"> gets its picture of thumbnails.svg when its menu opens
//   berth.fillControls(all)     writes the page's values into the controls that the
//                               user has not changed, except the one with the caret;
//                               with all, into that one too
"use strict";

(() => {
  // What a person changes is theirs from that moment on. No handler of the page may
  // come first, since any of the page's work may be done before it, between the click
  // on a box and the change.
  for (const type of ["click", "input", "change"]) {
    document.addEventListener(type, ({ target }) => {
      if (type !== "click" || target.type === "checkbox") target.written = true;
    }, true);
  }

  document.addEventListener("toggle", ({ target }) => {
    for (const use of target.querySelectorAll("use[data-thumbnail]:not([href])")) {
      use.setAttribute("href", `${berth.assets["thumbnails.svg"]}#${use.dataset.thumbnail}`);
    }
  }, true);

  // Esc closes a menu or a definition; a choice in a menu, or leaving it, closes the menu.
  const close = (details) => {
    details.querySelector("summary").focus();
    details.open = false;
  };
  document.addEventListener("keydown", ({ key, target }) => {
    const details = key === "Escape" && target.closest("details.menu, details.term");
    if (details) close(details);
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest("details.menu li button")) close(target.closest("details.menu"));
  }, true); // before the page does what was chosen, which may move the focus
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    const menu = target.closest("details.menu");
    if (menu && !menu.contains(relatedTarget)) menu.open = false;
  });

  const mostFiles = 1000;
  const asked = (of, method) => new Promise((done, failed) => of[method](done, failed));
  // Files are called by their paths. Like in zip files, hidden ones are skipped.
  const walk = async (entries, found) => {
    for (const entry of entries) {
      const name = entry.fullPath.replace(/^\//, "");
      if (entry.name.startsWith(".") || found.length > mostFiles) continue;
      try {
        if (entry.isDirectory) {
          const reader = entry.createReader(); // gives some at a time
          for (let some; (some = await asked(reader, "readEntries")).length;) await walk(some, found);
        } else {
          found.push(Object.defineProperty(await asked(entry, "file"), "name", { value: name }));
        }
      } catch (reason) {
        found.push({ name, size: 0, problem: `could not be read: ${reason}` });
      }
    }
    return found;
  };
  berth.walk = async (entries) => {
    const found = await walk(entries, []);
    return found.length ? found.sort((a, b) => a.name < b.name ? -1 : 1) : [{ name: entries[0].name, size: 0, problem: "has no files" }];
  };
  const dropped = async ({ items, files }) => {
    const entries = [...items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    return entries.some((entry) => entry.isDirectory) ? berth.walk(entries) : [...files];
  };
  const pasted = async (clipboard) => {
    const text = clipboard.getData("text/plain");
    return clipboard.files.length || !text.trim() ? [...clipboard.files] : [new File([text], "pasted text", { type: "text/plain" })];
  };
  // The browser ignores a drop, or opens the files in place of the page, unless this is
  // prevented at once; later the event has its files no longer.
  addEventListener("dragover", (event) => event.preventDefault(), true);
  addEventListener("drop", (event) => {
    event.preventDefault();
    event.dropped = dropped(event.dataTransfer);
  }, true);
  addEventListener("paste", (event) => { if (event.clipboardData) event.dropped = pasted(event.clipboardData); }, true);

  const isBox = (control) => control.type === "checkbox";
  const hasCaret = (control) => control === document.activeElement && control.matches("textarea, input:not([type=checkbox], [type=range])");

  // Whether a control is not to be changed, or shows the value already.
  const stays = (control, value, now, all) => {
    if (control.put === undefined) return control.written; // they were quicker than the page
    return now === value || (!all && hasCaret(control)) || (control.written && now !== control.put);
  };

  berth.fillControls = (all) => {
    for (const control of document.querySelectorAll("[data-control]")) {
      const value = control.dataset.value ?? ""; // go-app leaves out the empty one
      const now = isBox(control) ? String(control.checked) : control.value;
      if (stays(control, value, now, all)) continue;
      if (isBox(control)) control.checked = value === "true";
      else if (now !== value) control.value = value;
      control.put = value;
      control.written = false;
    }
  };
})();
