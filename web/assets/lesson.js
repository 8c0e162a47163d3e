// The questions of a lesson: <div class="lesson-question" data-of="SELECTOR" …> with an
// <output>. Each is about the stage in the frame before it, and is answered once the
// element there has the number (data-below, data-above, of what data-match takes) or the
// text (data-says). The stage is of this site, so the page may look into it.
"use strict";

addEventListener("DOMContentLoaded", () => {
  const frames = [...document.querySelectorAll(".lesson-stage")];
  const questions = [...document.querySelectorAll(".lesson-question")].map((element) => ({
    element, ...element.dataset, output: element.querySelector("output"), answered: false,
    frame: frames.findLast((frame) => frame.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING),
  }));

  // Spaces between thousands are narrow and do not break.
  const numberIn = (text, match) => {
    const found = match ? text.match(new RegExp(match))?.[1] : text;
    const digits = found?.replace(/[\s\u00a0\u202f]/g, "").match(/-?\d+(\.\d+)?/);
    return digits ? Number(digits[0]) : NaN;
  };

  const look = (q) => {
    const text = q.frame.contentDocument?.querySelector(q.of)?.textContent ?? "";
    if (!text || q.answered) return;
    const number = numberIn(text, q.match);
    const right = q.says ? text.includes(q.says) : q.below ? number < Number(q.below) : number > Number(q.above);
    if (right) {
      q.answered = true;
      q.element.classList.add("answered");
    }
    const said = right ? `Right: ${q.says ? text : number}` : q.says || Number.isNaN(number) ? "Not yet." : `Not yet: it is ${number}.`;
    if (q.output.textContent !== said) q.output.textContent = said;
  };

  for (const frame of frames) {
    const own = questions.filter((q) => q.frame === frame);
    const watch = () => {
      const seen = new MutationObserver(() => own.forEach(look));
      seen.observe(frame.contentDocument, { subtree: true, childList: true, characterData: true, attributes: true });
    };
    frame.addEventListener("load", watch);
    if (frame.contentDocument?.readyState === "complete" && frame.contentDocument.URL !== "about:blank") watch();
  }
});
