// Shows the first result, which comes with the page (<div id="first">), until the
// program shows the same, and removes it then. People can read it but not operate it:
// their last click is repeated on the program's page.
"use strict";

(() => {
  const screen = document.getElementById("first");
  const root = document.documentElement;
  if (root.dataset.first !== "shown") {
    screen.remove();
    return;
  }
  screen.inert = true;
  // While both exist, looking up an element must find the program's, not the first
  // result's.
  for (const element of screen.querySelectorAll("[data-testid]")) element.removeAttribute("data-testid");

  let click;
  const remember = ({ clientX, clientY }) => { click = { clientX, clientY }; };
  addEventListener("click", remember, true);

  // A view without a result is ready at once; a view with one is ready when it shows
  // the result or an error, and of the same scenario the best placement, too.
  const status = (frame) => frame.querySelector(".view:not([hidden]) [data-state]")?.dataset;
  const isThere = () => {
    const page = document.body.firstElementChild;
    if (!page.matches(".frame")) return false;
    const first = status(screen), now = status(page);
    if (now?.best === "sought" && now.scenario === first?.scenario) return false;
    return [first?.state, "done", "error"].includes(now?.state);
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

  // In the same task, so that no one ever sees two copies of the page.
  const changes = new MutationObserver(take);
  changes.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
})();
