// Controls that change a value; see app/ui/held.go.
//
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
