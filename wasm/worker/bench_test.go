//go:build !js

package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

// thesis returns a scenario of one deployment on one federation.
func thesis(jobs, dependencies, clusters float64) scenario.Scenario {
	s := generated(clusters, 1)
	placementkind.Of(s).Strategies = placementkind.Of(s).Strategies[:1]
	placementkind.Of(s).Budget = 0
	placementkind.Of(s).Deployments = placementkind.Of(s).Deployments[:1]
	placementkind.Of(s).Deployments[0].Recipe.Parameters = map[string]float64{"n_nodes": jobs, "n_edges": dependencies}
	return s
}

// mesh returns the DOT text of a generated federation with every derived link
// given.
func mesh(b *testing.B, r workload.Recipe) []byte {
	b.Helper()
	star := must.Get(graphs.Federation(r))(b)
	clusters, full := star.Clusters(), graph.NewFederation()
	for j := range clusters.Len() {
		full.AddCluster(clusters.ID(j))
		for _, t := range graph.Labels(graph.Cluster) {
			if values := clusters.Values(t, j); values != nil {
				full.Clusters().SetLabel(t, j, values)
			}
		}
	}
	latency := graph.Lookup(graph.Link, "latency")
	for i := range clusters.Len() {
		for j := range i {
			value, _ := star.Figure(latency, latency.Field("value"), i, j)
			cost, _ := star.Figure(latency, latency.Field("cost"), i, j)
			full.AddLink(i, j, graph.Label{Type: latency, Values: []float64{value, cost}})
		}
	}
	var text bytes.Buffer
	must.Do(b, dot.WriteFederation(&text, full, dot.Thesis))
	return text.Bytes()
}

// report measures the worker's own timings of a run in a fresh worker and of runs in a warm one.
func report(b *testing.B, tab context.Context, run string) {
	b.Helper()
	var reading, placing, total float64
	evaluate[int](b, tab, "blocked = 0")
	fresh := mustRun(b, tab, run)
	memory := fresh.Memory
	for b.Loop() {
		r := mustRun(b, tab, run)
		reading += r.Timings.Reading
		placing += r.Timings.Placing[0][0]
		total += r.Timings.Total
		memory = max(memory, r.Memory)
	}
	n := float64(b.N)
	b.ReportMetric(fresh.Timings.Placing[0][0], "fresh-placing-ms")
	b.ReportMetric(fresh.Timings.Total, "fresh-total-ms")
	b.ReportMetric(reading/n, "reading-ms/op")
	b.ReportMetric(placing/n, "placing-ms/op")
	b.ReportMetric(total/n, "total-ms/op")
	b.ReportMetric(float64(memory)/(1<<20), "MiB")
	b.ReportMetric(evaluate[float64](b, tab, "blocked"), "page-blocked-ms")
}

func mustRun(b *testing.B, tab context.Context, run string) result {
	b.Helper()
	r := ask(b, tab, run)
	if r.Error != nil {
		b.Fatal(r.Error)
	}
	return r
}

// This is the thesis's hardest case: 200 jobs on a full mesh of 500 clusters, with the federation's
// text as a file or as a string.
func BenchmarkWorkerThesis(b *testing.B) {
	s := thesis(200, 380, 500)
	text := mesh(b, *placementkind.Of(s).Federation.Recipe)
	placementkind.Of(s).Federation.Recipe = nil
	body := must.Get(json.Marshal(s))(b)
	for _, form := range []string{"blob", "text"} {
		b.Run(form, func(b *testing.B) {
			tab := openPage(b, map[string][]byte{"mesh.dot": text})
			ask(b, tab, "fetch('mesh.dot').then(r => r."+form+"()).then(t => { federation = t; return '{}' })")
			report(b, tab, fmt.Sprintf("runWith('mesh', %q, federation)", body))
			b.ReportMetric(float64(len(text))/1e6, "MB")
		})
	}
}

// This places 10,000 jobs on a star of 5,000 clusters.
func BenchmarkWorkerStar(b *testing.B) {
	tab := openPage(b, nil)
	report(b, tab, runScenario("star", thesis(10_000, 20_000, 5_000)))
}
