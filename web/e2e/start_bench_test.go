package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"

	"berth/engine/must"
	"berth/web/browser"
)

// BenchmarkStart opens the page with nothing cached and reports the processor time of its process
// until it is idle: milliseconds by Chromium's names of the work, on the page's thread ("main") and
// on all others. Nested work counts separately.
func BenchmarkStart(b *testing.B) {
	site := serve(b, dist(b))
	sum := map[string]float64{}
	for b.Loop() {
		ctx, stop, err := browser.Start(context.Background())
		must.Do(b, err)
		for name, ms := range traced(b, ctx, func() {
			p := openIn(ctx, b, site.URL, "/", onStage)
			p.waitFor(taken)
			p.wait(done)
			eval[any](p, "berth.settled")
			p.close()
		}) {
			sum[name] += ms
		}
		stop()
	}
	most := slices.SortedFunc(maps.Keys(sum), func(a, c string) int { return cmp.Compare(sum[c], sum[a]) })
	for _, name := range most[:min(24, len(most))] {
		b.Logf("%8.1f ms  %s", sum[name]/float64(b.N), name)
	}
}

// traced calls do in a browser and returns the processor time of the browser's threads by kind of
// work, in milliseconds.
func traced(b *testing.B, ctx context.Context, do func()) map[string]float64 {
	b.Helper()
	var events []traceEvent
	complete := make(chan bool)
	err := chromedp.ListenBrowser(ctx, func(event any) {
		switch event := event.(type) {
		case *tracing.EventDataCollected:
			data, _ := json.Marshal(event.Value)
			var some []traceEvent
			if err := json.Unmarshal(data, &some); err == nil {
				events = append(events, some...)
			}
		case *tracing.EventTracingComplete:
			close(complete)
		}
	})
	if err == nil {
		_, err = chromedp.CallBrowser(ctx, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
			IncludedCategories: []string{"toplevel", "v8", "v8.wasm", "disabled-by-default-v8.wasm.detailed", "disabled-by-default-v8.wasm.turbofan", "devtools.timeline", "blink", "loading", "net", "ThreadPool", "base", "__metadata"},
		}})
	}
	must.Do(b, err)
	do()
	must.Get(chromedp.CallBrowser(ctx, tracing.End, cdp.Empty{}))(b)
	<-complete
	return selfTimes(events)
}

// A traceEvent is an event of Chromium's trace. Times are in microseconds.
type traceEvent struct {
	Name, Ph           string
	PID, TID           int
	TS, Dur, TTS, TDur float64
	Args               struct{ Name string }
}

// selfTimes sums the processor time of each kind of work in renderers, without the
// time of nested work.
func selfTimes(events []traceEvent) map[string]float64 {
	type thread struct{ pid, tid int }
	names, renderers := map[thread]string{}, map[int]bool{}
	of := map[thread][]traceEvent{}
	for _, e := range events {
		t := thread{e.PID, e.TID}
		switch {
		case e.Name == "thread_name":
			names[t] = e.Args.Name
		case e.Name == "process_name":
			renderers[e.PID] = e.Args.Name == "Renderer"
		case e.Ph == "X" && e.TDur > 0:
			of[t] = append(of[t], e)
		}
	}
	sum := map[string]float64{}
	for t, all := range of {
		if !renderers[t.pid] {
			continue
		}
		where := "others"
		if names[t] == "CrRendererMain" {
			where = "main"
		}
		slices.SortFunc(all, func(a, b traceEvent) int { return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(b.Dur, a.Dur)) })
		var open []traceEvent
		for _, e := range all {
			for len(open) > 0 && open[len(open)-1].TS+open[len(open)-1].Dur <= e.TS {
				open = open[:len(open)-1]
			}
			if len(open) > 0 {
				sum[fmt.Sprint(where, ": ", open[len(open)-1].Name)] -= e.TDur / 1e3
			}
			sum[fmt.Sprint(where, ": ", e.Name)] += e.TDur / 1e3
			sum["in all, "+where] += 0
			open = append(open, e)
			if len(open) == 1 {
				sum["in all, "+where] += e.TDur / 1e3
			}
		}
	}
	return sum
}
