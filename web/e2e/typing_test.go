package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// BenchmarkTyping types into a graph of 100 KB and runs it. ms/slowest-key is the
// longest time from a key to the next frame; ms/longest-task is the longest that
// the page's thread was busy, 0 if never above 50 ms.
func BenchmarkTyping(b *testing.B) {
	p := openExample(b)
	var text strings.Builder
	text.WriteString("graph {\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "\tjob%d [request=1, limit=2, label=\"the job number %d\"]\n", i, i)
	}
	text.WriteString("}\n//")
	p.upload(testID("file-deployment"), writeFile(b, "jobs.dot", text.String()))
	p.waitFor(fmt.Sprintf("document.querySelectorAll(%q).length == 1000", testID("placement-table")+" tbody tr"))
	p.waitFor(compared)
	p.pressNamed("jobs.dot$")
	p.wait(".pane-input textarea")
	eval[any](p, `document.querySelector(".pane-input textarea").focus()`)
	eval[any](p, `void ["longtask", "event"].forEach((type) => new PerformanceObserver((list) => {
		for (const { duration } of list.getEntries()) window[type] = Math.max(window[type] ?? 0, duration);
	}).observe({ type, durationThreshold: 16 }))`)
	for b.Loop() {
		before := p.attribute(status, "data-scenario")
		p.press(" abc")
		p.press(kb.Enter, kb.ModifierCtrl)
		p.waitFor(fmt.Sprintf("document.querySelector(%q)?.dataset.scenario != %q", done, before))
	}
	p.waitFor(compared)
	b.ReportMetric(eval[float64](p, "window.event ?? 0"), "ms/slowest-key")
	b.ReportMetric(eval[float64](p, "window.longtask ?? 0"), "ms/longest-task")
}
