// Shows what the page arrived with (<div id="first">) until the program shows the
// same, and takes it away then. It can be read, but does nothing: the last click
// waits for the program.
"use strict";

(() => {
  const screen = document.getElementById("first");
  const root = document.documentElement;
  if (root.dataset.first !== "shown") {
    screen.remove();
    return;
  }
  screen.inert = true;
  // A search for an element of the page means that of the program.
  for (const element of screen.querySelectorAll("[data-testid]")) element.removeAttribute("data-testid");

  let click;
  const remember = ({ clientX, clientY }) => { click = { clientX, clientY }; };
  addEventListener("click", remember, true);

  // A view without a result is there at once, one with a result when it has one or
  // says why not.
  const state = (frame) => frame.querySelector(".view:not([hidden]) [data-state]")?.dataset.state;
  const isThere = () => {
    const page = document.body.firstElementChild;
    return page.matches(".frame") && [state(screen), "done", "error"].includes(state(page));
  };
  const take = () => {
    if (!isThere()) return;
    changes.disconnect();
    removeEventListener("click", remember, true);
    screen.remove();
    root.dataset.first = "taken";
    performance.mark("taken");
    berth.take();
    if (!click) return;
    const target = document.elementFromPoint(click.clientX, click.clientY);
    target?.closest("button, a, input, select, textarea, summary, [tabindex]")?.focus();
    target?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...click }));
  };

  // At once, before anybody else can look: the page is never there twice.
  const changes = new MutationObserver(take);
  changes.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
})();
