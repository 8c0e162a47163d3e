package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/network"
)

// slow4G is Lighthouse's simulated network: 1.6 Mbit/s, 150 ms per round trip.
var slow4G option = command(network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
	MatchedNetworkConditions: []*network.Conditions{{Latency: 150, DownloadThroughput: 1.6e6 / 8, UploadThroughput: 0.75e6 / 8}},
})

// BenchmarkFirstResult opens each view with nothing cached. It reports, in milliseconds from
// navigation, when the first content and the largest part of the first result are painted and when
// the program takes over; the longest task until one second later; and the sum of the layout
// shifts.
func BenchmarkFirstResult(b *testing.B) {
	site := serve(b, dist(b))
	for name, net := range map[string]option{"local": nil, "slow4G": slow4G} {
		for _, path := range []string{"/", "/qos", "/federate", "/gallery", "/library"} {
			b.Run(name+path, func(b *testing.B) {
				var first, paint, taken, longest, shift float64
				for b.Loop() {
					options := []option{keepsSite}
					if net != nil {
						options = append(options, net)
					}
					p := openAt(b, site.URL, path, options...)
					m := eval[struct{ First, Paint, Taken, Longest, Shift float64 }](p, firstMeasures)
					first, paint, taken, longest, shift = first+m.First, paint+m.Paint, taken+m.Taken, max(longest, m.Longest), max(shift, m.Shift)
					p.close()
				}
				b.ReportMetric(first/float64(b.N), "ms/first-paint")
				b.ReportMetric(paint/float64(b.N), "ms/paint")
				b.ReportMetric(taken/float64(b.N), "ms/interactive")
				b.ReportMetric(longest, "ms-longest-task")
				b.ReportMetric(shift, "shift")
			})
		}
	}
}

// firstMeasures waits until the program takes over, and another second.
const firstMeasures = `new Promise((resolve) => {
	const entries = (type) => {
		const list = [];
		new PerformanceObserver((found) => list.push(...found.getEntries())).observe({ type, buffered: true });
		return list;
	};
	const paints = entries("largest-contentful-paint"), tasks = entries("longtask"), shifts = entries("layout-shift"), marks = entries("mark");
	const look = () => marks.some((e) => e.name === "taken") ? setTimeout(() => resolve({
		First: performance.getEntriesByName("first-contentful-paint")[0].startTime, Paint: paints.at(-1).startTime, Taken: marks.find((e) => e.name === "taken").startTime,
		Longest: Math.max(0, ...tasks.map((e) => e.duration)), Shift: shifts.reduce((sum, e) => sum + e.value, 0),
	}), 1000) : requestAnimationFrame(look);
	look();
})`

// BenchmarkDial moves a dial of 200 jobs on 500 clusters and reports the time from the last
// movement to the result.
func BenchmarkDial(b *testing.B) {
	p := openHardest(b)
	p.wait(testID("dial"))
	to := 0
	for b.Loop() {
		to = 40 + (to+7)%50
		b.ReportMetric(eval[float64](p, fmt.Sprintf(`new Promise((resolve) => {
			const status = document.querySelector(".view:not([hidden]) [data-testid=result-status]"), before = status.dataset.scenario;
			const dial = document.querySelector(".view:not([hidden]) [data-testid=dial] input");
			for (const step of [1, 2, 3]) { dial.value = %d + step; dial.dispatchEvent(new Event("input", { bubbles: true })); }
			const moved = performance.now();
			dial.dispatchEvent(new Event("change", { bubbles: true }));
			const look = () => status.dataset.state === "done" && status.dataset.scenario !== before ? resolve(performance.now() - moved) : requestAnimationFrame(look);
			look();
		})`, to)), "ms/result")
	}
}

// openHardest opens 200 jobs on 500 clusters on the stage, and waits for their drawing.
func openHardest(b *testing.B) *tab {
	b.Helper()
	p := open(b, linkTo(b, example(b, "hard"))+"&at=stage", onStage)
	p.wait(done)
	p.wait(".view:not([hidden]) [data-testid=stage-picture] svg .node")
	return p
}
