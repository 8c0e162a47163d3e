package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/page"
)

// countsCanvases counts, on window, in how many frames a canvas of the picture was drawn.
const countsCanvases = `
	window.canvasDraws = 0;
	const clear = CanvasRenderingContext2D.prototype.clearRect;
	CanvasRenderingContext2D.prototype.clearRect = function (...args) {
		if (this.canvas.closest("[data-testid=stage-picture]")) window.canvasDraws++;
		return clear.apply(this, args);
	};`

// BenchmarkPage drags the first dial of a stage for three seconds, with an event in each frame. It
// reports how many pictures people see meanwhile (the number of frames in which the picture
// changed), the longest task of the page's thread, and the largest distance that a cluster of a
// placement moved between two pictures.
func BenchmarkPage(b *testing.B) {
	for _, name := range []string{"shop", "validation-1", "three-masters", "hard"} {
		b.Run(name, func(b *testing.B) {
			p := open(b, linkTo(b, example(b, name))+"&at=stage", onStage, command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: countsCanvases}))
			const settled = `.view:not([hidden]) .result-status[data-state="done"]`
			p.wait(settled)
			p.wait(testID("dial"))
			eval[any](p, "berth.settled")
			for b.Loop() {
				m := eval[struct{ Pictures, Longest, Moved float64 }](p, `new Promise((resolve) => {
					const view = document.querySelector(".view:not([hidden])"), dial = view.querySelector("[data-testid=dial] input");
					const picture = view.querySelector("[data-testid=stage-picture]"), tasks = [];
					new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask" });
					let changed = false, pictures = 0, moved = 0, canvases = window.canvasDraws, frame = 0;
					const seen = new MutationObserver(() => { changed = true; });
					seen.observe(picture, { childList: true, subtree: true, attributes: true });
					const places = () => new Map([...picture.querySelectorAll(".cluster")].map((c) => [c.id || c.querySelector("title")?.textContent, c.getBoundingClientRect()]));
					let before = places();
					dial.focus();
					const begun = performance.now();
					const step = (now) => {
						if (changed || window.canvasDraws !== canvases) {
							pictures++;
							const after = places();
							for (const [id, r] of after) if (before.has(id)) moved = Math.max(moved, Math.hypot(r.x - before.get(id).x, r.y - before.get(id).y));
							before = after;
						}
						changed = false;
						canvases = window.canvasDraws;
						if (now - begun > 3000) {
							dial.dispatchEvent(new Event("change", { bubbles: true }));
							return resolve({ Pictures: pictures, Longest: Math.max(0, ...tasks.map((e) => e.duration)), Moved: moved });
						}
						dial.value = 50 + 40 * Math.sin(frame++ / 20);
						dial.dispatchEvent(new Event("input", { bubbles: true }));
						requestAnimationFrame(step);
					};
					requestAnimationFrame(step);
				})`)
				b.ReportMetric(m.Pictures, "pictures/drag")
				b.ReportMetric(m.Longest, "ms-longest-task")
				b.ReportMetric(m.Moved, "px-moved")
				p.wait(settled)
			}
		})
	}
}
