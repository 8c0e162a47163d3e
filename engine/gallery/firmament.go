package gallery

import (
	"fmt"

	"berth/engine/federate/federatekind"
	"berth/engine/study"
)

func firmamentEntries() []Entry {
	return []Entry{{
		ID: "firmament-14", Paper: "firmament", Figure: "14", Title: "How long Quincy and Firmament take to place a task", Generated: true, Along: "load",
		Shows: "With the same flow network Firmament places tasks about 20 times as fast as Quincy, most of them in less than a second.",
		Setup: "Generated jobs on 5,000 workers of one slot, which keep about 40, 60 and 80 % of them in use; the paper replays the Google trace on 12,500 machines, and 90 % of them are in use. " +
			"The time of a round comes from a model, 2 and 40 µs for each arc, and not from a solver. That Firmament is faster is put in, and what this means for tasks comes out; where nearly all workers are in use, tails are the wait for one under both.",
		document: placementLatency,
	}}
}

// placementLatency is the time until tasks start under both, by load.
func placementLatency(full bool) study.Document {
	const source = "section 7, on figure 14"
	d := masters(full, "yahoo", map[string]float64{"burst": 1}, federatekind.Document{Workers: 5000, GMs: 1, LMs: 1, Schedulers: []string{"quincy", "firmament"}},
		study.Factor{Name: "load", Path: "/federate/load", Levels: study.Values(0.6, 0.9, 1.2)})
	d.Metrics = []string{"allocation.p50", "allocation.p90", "allocation.p99", "processing"}
	for _, load := range []float64{0.6, 0.9, 1.2} {
		quincy, firmament := at{"load": load, "scheduler": "quincy"}, at{"load": load, "scheduler": "firmament"}
		d.Criteria = append(d.Criteria,
			larger(fmt.Sprint("median-", load), source, fmt.Sprintf("Quincy's median is larger at a load of %v", load), "allocation.p50", quincy, than("", firmament)),
			atMost(fmt.Sprint("second-", load), source, fmt.Sprintf("Firmament's median is less than a second at a load of %v", load), "allocation.p50", firmament, 1))
	}
	low := func(scheduler string) at { return at{"load": 0.6, "scheduler": scheduler} }
	d.Criteria = append(d.Criteria, larger("tail", source, "where workers are free Quincy's 90th percentile is larger", "allocation.p90", low("quincy"), than("", low("firmament"))))
	return d
}
