package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkTyping measures the longest task of the page's thread, the drawing
// of the result included, while letters are typed into a graph of 100 KB.
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
	eval[any](p, `void new PerformanceObserver((list) => {
		for (const task of list.getEntries()) window.longest = Math.max(window.longest ?? 0, task.duration);
	}).observe({ type: "longtask" })`)
	for b.Loop() {
		p.press(" abc")
	}
	p.waitFor(compared)
	b.ReportMetric(eval[float64](p, "window.longest ?? 0"), "ms/longest-task")
}
