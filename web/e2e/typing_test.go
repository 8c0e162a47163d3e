package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// BenchmarkTyping types into a graph of 100 KB, and into one of 10,000 lines, and runs
// it. ms/slowest-key is the longest time from a key to the next frame. ms/longest-task
// is the longest task of the page's thread, 0 if none exceeds 50 ms: while keys come,
// and from then on until the result is compared.
func BenchmarkTyping(b *testing.B) {
	var remarks strings.Builder
	remarks.WriteString("graph {\n")
	for i := range 2000 {
		fmt.Fprintf(&remarks, "\tjob%d [request=1, limit=2, label=\"the job number %d\"]\n", i, i)
	}
	remarks.WriteString("}\n//")
	for name, text := range map[string]string{"100KB": remarks.String(), "10000-lines": manyJobs(10_000) + "//"} {
		b.Run(name, func(b *testing.B) { benchmarkTyping(b, text) })
	}
}

func benchmarkTyping(b *testing.B, text string) {
	p := openExample(b)
	p.upload(testID("file-deployment"), writeFile(b, "jobs.dot", text))
	p.waitFor(fmt.Sprintf("document.querySelectorAll(%q).length == 1000", testID("placement-table")+" tbody tr"))
	p.waitFor(compared)
	p.pressNamed("jobs.dot$")
	p.wait(content)
	eval[any](p, fmt.Sprintf(`document.querySelector(%q).focus()`, content))
	p.press(kb.End, kb.ModifierCtrl)
	eval[any](p, `void ["longtask", "event"].forEach((type) => new PerformanceObserver((list) => {
		for (const { duration } of list.getEntries()) window[type] = Math.max(window[type] ?? 0, duration);
	}).observe({ type, durationThreshold: 16 }))`)
	var keys float64
	for b.Loop() {
		before := p.attribute(status, "data-scenario")
		eval[any](p, "window.longtask = 0")
		p.press(" abc")
		keys = max(keys, eval[float64](p, "window.longtask"))
		p.press(kb.Enter, kb.ModifierCtrl)
		p.waitFor(fmt.Sprintf("document.querySelector(%q)?.dataset.scenario != %q", done, before))
	}
	p.waitFor(compared)
	b.ReportMetric(eval[float64](p, "window.event ?? 0"), "ms/slowest-key")
	b.ReportMetric(keys, "ms/longest-task-at-a-key")
	b.ReportMetric(eval[float64](p, "window.longtask ?? 0"), "ms/longest-task")
}
