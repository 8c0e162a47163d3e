package federate_test

import (
	"fmt"
	"hash/fnv"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatetest"
	"berth/engine/figure"
	"berth/engine/must"
)

// The digests were made by a native run; this test also runs in the browser.
func TestRunsAreTheSameEverywhere(t *testing.T) {
	want := map[string]string{
		"megha": "78e116c45f93b367", "megha-1": "ac2e5b604f719234", "sparrow": "de581c650d6f8795",
		"pigeon": "513939637ac4c07f", "ideal": "a347e53dbeed55e3",
		"fcfs": "6d7a7f97d0a5f0c0", "sjf": "c2ba0770f454fd24", "srpt": "9e6f9623110f8d04", "easy": "7cfa1491a753f516", "conservative": "6748afc88c221b82", "fair": "ec69f726546782ce", "least-loaded": "945e260ea406f3eb",
		"hawk": "b780f0674e618551", "eagle": "f2282380d900b6c2", "omega": "1da9a2f6b1070b9e", "mesos": "df5934b856d140c7", "kubernetes": "b41095e8d001113a", "mercury": "ea8e0a763f553126", "hydra": "3c195af02830d0f3",
		"quincy": "19127c55702e6aa9", "firmament": "5b43600bf09643d9",
	}
	for _, name := range federate.Names() {
		digest := fnv.New64a()
		plugin, _ := federate.Lookup(name)
		for _, c := range federatetest.Cases(t, 1) {
			if plugin.Facts.Slots && !c.Slots {
				continue
			}
			r := must.Get(federate.Run(t.Context(), name, c.Config, c.Load, federate.Options{}))(t)
			series := struct {
				Width              federate.Time
				Utilisation, Share [][]float64
			}{federate.Span(r.Series.Width), r.Series.Utilisation, r.Series.Share}
			c := &r.Components
			components := [federate.Parts]float64{float64(c.Queueing), float64(c.Processing), float64(c.Worker), float64(c.Communication)}
			n := &r.Counters
			counters := struct{ events, messages, inconsistencies, repartitions, attempts, preemptions int64 }{n.Events, n.Messages, n.Inconsistencies, n.Repartitions, n.PreemptionAttempts, n.Preemptions}
			fmt.Fprintln(digest, counters, r.Waits, r.Parts, digested(r.Allocation), digested(r.JobDelay), digested(r.JobCompletion), components, r.Distribution, series, r.Series.Jain)
		}
		if got := fmt.Sprintf("%x", digest.Sum64()); got != want[name] {
			t.Errorf("%s: the digest is %s, want %s", name, got, want[name])
		}
	}
}

// digested returns a distribution in a form for the digest that does not change when percentiles
// are added.
func digested(q figure.Quantiles) any {
	at := func(name string) float64 { return float64(q.At(name)) }
	return struct{ Mean, P50, P90, P99, P999, P9999, Max float64 }{
		float64(q.Mean), at("p50"), at("p90"), at("p99"), at("p999"), at("p9999"), at("max"),
	}
}
