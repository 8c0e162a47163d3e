package e2e

import "testing"

// BenchmarkFirstResult opens the site with nothing cached. ms/result is the
// time from navigation until the example's drawing is on screen.
func BenchmarkFirstResult(b *testing.B) {
	site := serve(b, dist(b))
	total := 0.0
	for b.Loop() {
		p := openAt(b, site.URL, "/")
		total += eval[float64](p, `new Promise((resolve) => {
			const look = () => document.querySelector('[data-testid="result-graph"] svg')
				? resolve(performance.now()) : requestAnimationFrame(look);
			look();
		})`)
		p.close()
	}
	b.ReportMetric(total/float64(b.N), "ms/result")
}
