// What the page does by itself: the values of controls (app/ui/held.go), announcements,
// dialogs, menus, tabs, separators (separator.go), and files that are dropped or pasted (file.go).
//
//   event.dropped               of a drop or a paste: a promise of its files, each with
//                               name, size and, if it cannot be read, a problem
//   berth.announce(text)        shows and says it for a while
//   berth.copy(what)            promise that a text or a Blob is on the clipboard
//   berth.selectLine(area, line) selects a line, from 1, of a text area
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

  // The page takes a value of a dial in a task of its own: in the task of a frame, its work would
  // come before the frame's layout and paint.
  for (const type of ["input", "change"]) {
    document.addEventListener(type, (event) => {
      const { target } = event;
      if (event.again || !target.closest(".dial")) return;
      event.stopImmediatePropagation();
      setTimeout(() => target.dispatchEvent(Object.assign(new Event(type, { bubbles: true }), { again: true })));
    }, true);
  }

  document.addEventListener("toggle", ({ target }) => {
    for (const use of target.querySelectorAll("use[data-thumbnail]:not([href])")) {
      use.setAttribute("href", `${berth.assets["thumbnails.svg"]}#${use.dataset.thumbnail}`);
    }
  }, true);

  // An announcement stays for six seconds. One that is repeated gets an element of its own,
  // so that screen readers say it again.
  berth.announce = (text) => {
    const toasts = document.querySelector(".toasts"), toast = document.createElement("div");
    Object.assign(toast, { className: "toast", textContent: text });
    for (const old of [...toasts.children]) if (old.textContent === text) old.remove();
    toasts.append(toast);
    setTimeout(() => toast.remove(), 6000);
  };

  berth.copy = async (what) => what instanceof Blob
    ? navigator.clipboard.write([new ClipboardItem({ [what.type]: what })]) : navigator.clipboard.writeText(what);

  const lineHeight = 20; // of a text area, as berth.css has it
  berth.selectLine = (area, line) => {
    const lines = area.value.split("\n"), start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    area.scrollTop = Math.max(0, (line - 3) * lineHeight);
  };

  // A dialog opens and closes when data-shown changes, and with its close button or a click
  // beside it, which is on the dialog itself. Its first control gets the focus as soon as
  // there is one; Chromium would focus a scrollable element before a button.
  const firstControl = "article > :not(header) :is(input, select, textarea, button, a[href]):not(:disabled)";
  const showDialogs = () => {
    for (const dialog of document.querySelectorAll("dialog[data-shown]")) {
      const shown = dialog.dataset.shown === "true";
      if (shown && !dialog.wasShown) {
        dialog.showModal();
        dialog.awaits = true;
        dialog.querySelector("article > header button")?.focus();
      }
      if (!shown && dialog.wasShown) dialog.close();
      dialog.wasShown = shown;
      const first = shown && dialog.awaits && dialog.querySelector(firstControl);
      if (!first) continue;
      first.focus();
      dialog.awaits = false;
    }
  };
  new MutationObserver(showDialogs).observe(document.documentElement, { subtree: true, childList: true, attributeFilter: ["data-shown"] });
  // A dialog that is still modal would keep the focus, and its end would take it back.
  berth.focus = (element) => {
    showDialogs();
    element.focus();
  };
  document.addEventListener("click", ({ target }) => {
    const dialog = target.closest("dialog[data-shown]");
    if (dialog && (target === dialog || target.closest("article > header button"))) dialog.close();
  });

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

  // On the stage, a pane that opens beside the picture or over it takes the focus, and gives
  // it back when it closes.
  const refocus = (bench) => {
    const at = document.activeElement, pane = bench.querySelector(`.pane-${bench.dataset.tab}`);
    if (pane.querySelector(".pane-close")?.checkVisibility()) {
      if (!at.closest(".pane:not(.pane-result)")) bench.opener = at;
      pane.focus();
      return;
    }
    const back = bench.opener;
    bench.opener = undefined;
    if (!back || at !== document.body && at.checkVisibility()) return;
    const opener = back.isConnected ? back : document.getElementById(back.id); // it may have been drawn anew
    (bench.dataset.tab === "result" && opener || pane).focus();
  };
  new MutationObserver((changes) => {
    for (const { target } of changes) if (target.dataset.mode === "stage") refocus(target);
  }).observe(document.documentElement, { subtree: true, attributeFilter: ["data-tab"] });
  document.addEventListener("keydown", ({ key, target, defaultPrevented }) => {
    if (key !== "Escape" || defaultPrevented || target.closest("dialog, details.menu, details.term, .tour, .editor")) return;
    [...document.querySelectorAll(".pane-close")].find((button) => button.checkVisibility())?.click();
  });

  // Arrows, Home and End choose another tab of a list, which goes round.
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches('[role="tab"]')) return;
    const tabs = [...event.target.parentElement.children], i = tabs.indexOf(event.target);
    const to = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = tabs.at(to % tabs.length);
    tab.focus();
    tab.click();
  });

  // A separator is dragged, or moved by keys. The browser keeps the height of editors, and
  // of the panes of a workbench the sizes and which are collapsed: "input=320 compare=300-
  // why=260". An editor that is toggled gets its usual height.
  const separatorOf = (target) => target.closest('[role="separator"]');
  const attribute = (separator, name) => Number(separator.getAttribute(`aria-value${name}`));
  const nameOf = (separator) => separator.dataset.property.slice(2); // "input" of --input
  const paneOf = (separator) => document.getElementById(separator.getAttribute("aria-controls"));
  const benchOf = ({ parentElement: of }) => of.matches(".bench") ? of : null;
  const isCollapsed = (separator) => benchOf(separator).hasAttribute(`data-collapsed-${nameOf(separator)}`);
  const collapse = (separator, on) => {
    const pane = paneOf(separator), button = pane.querySelector(".pane-collapse"), label = `${on ? "Open" : "Collapse"} ${pane.getAttribute("aria-label")}`;
    if (on) benchOf(separator).setAttribute(`data-collapsed-${nameOf(separator)}`, "yes");
    else benchOf(separator).removeAttribute(`data-collapsed-${nameOf(separator)}`);
    for (const [name, value] of [["aria-expanded", !on], ["aria-label", label], ["title", label]]) button.setAttribute(name, value);
  };
  const keyOf = (separator) => benchOf(separator) ? `berth.panes.${benchOf(separator).id}` : "berth.editor";
  const keep = (separator) => localStorage.setItem(keyOf(separator), !benchOf(separator) ? attribute(separator, "now") :
    [...benchOf(separator).querySelectorAll(":scope > .separator")].map((one) => `${nameOf(one)}=${attribute(one, "now")}${isCollapsed(one) ? "-" : ""}`).join(" "));
  const size = (separator, pixels) => (benchOf(separator) ?? paneOf(separator)).style.setProperty(separator.dataset.property, `${pixels}px`);
  const restore = (separator) => {
    const kept = localStorage.getItem(keyOf(separator)) ?? "", name = benchOf(separator) ? `${nameOf(separator)}=` : "";
    const [, pixels, dash] = kept.match(new RegExp(`(?:^| )${name}(\\d+)(-?)(?: |$)`)) ?? []; // it may hold anything
    separator.usual = attribute(separator, "now");
    if (!(pixels >= attribute(separator, "min") && pixels <= attribute(separator, "max"))) return;
    size(separator, pixels);
    separator.setAttribute("aria-valuenow", pixels);
    if (benchOf(separator)) collapse(separator, dash === "-");
  };
  new MutationObserver(() => {
    for (const separator of document.querySelectorAll('[role="separator"]')) if (!separator.usual) restore(separator);
  }).observe(document.documentElement, { subtree: true, childList: true });
  const move = (separator, wanted, settled) => {
    const pixels = Math.max(attribute(separator, "min"), Math.min(Math.round(wanted), attribute(separator, "max")));
    size(separator, pixels);
    if (!settled) return;
    separator.setAttribute("aria-valuenow", pixels); // the next key may come before the page draws
    if (benchOf(separator)) collapse(separator, false);
    keep(separator);
  };
  const toggle = (separator) => {
    if (!benchOf(separator)) return move(separator, separator.usual, true);
    collapse(separator, !isCollapsed(separator));
    keep(separator);
  };
  const upright = (separator) => separator.getAttribute("aria-orientation") === "vertical";
  const growth = (separator) => separator.dataset.reverse === "true" ? -1 : 1;
  let drag = null;
  document.addEventListener("pointerdown", (event) => {
    const separator = separatorOf(event.target);
    if (!separator) return;
    event.preventDefault();
    separator.setPointerCapture(event.pointerId);
    separator.focus();
    drag = { separator, from: upright(separator) ? event.clientX : event.clientY, size: attribute(separator, "now") };
  });
  const dragTo = (event, settled) => {
    const by = (upright(drag.separator) ? event.clientX : event.clientY) - drag.from;
    if (by || !settled) move(drag.separator, drag.size + by * growth(drag.separator), settled);
  };
  document.addEventListener("pointermove", (event) => { if (drag) dragTo(event, false); });
  for (const type of ["pointerup", "pointercancel"]) {
    document.addEventListener(type, (event) => {
      if (drag) dragTo(event, true);
      drag = null;
    });
  }
  document.addEventListener("dblclick", ({ target }) => { if (separatorOf(target)) toggle(separatorOf(target)); });
  document.addEventListener("click", ({ target }) => {
    const button = target.closest(".pane-collapse");
    if (button) toggle(document.querySelector(`.separator[aria-controls="${button.getAttribute("aria-controls")}"]`));
  });
  document.addEventListener("keydown", (event) => {
    const separator = separatorOf(event.target);
    if (!separator) return;
    if (event.key === "Enter") return toggle(separator);
    const by = { [upright(separator) ? "ArrowRight" : "ArrowDown"]: 16, [upright(separator) ? "ArrowLeft" : "ArrowUp"]: -16 }[event.key];
    const to = by ? attribute(separator, "now") + by * growth(separator) : { Home: attribute(separator, "min"), End: attribute(separator, "max") }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(separator, to, true);
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
  const hover = (zone) => {
    for (const one of document.querySelectorAll(".dropzone")) one.classList.toggle("dropzone-over", one === zone);
  };
  addEventListener("dragover", (event) => {
    event.preventDefault();
    hover(event.target.closest?.(".dropzone"));
  }, true);
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) hover(null); }, true); // out of the window
  addEventListener("drop", (event) => {
    event.preventDefault();
    hover(null);
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
