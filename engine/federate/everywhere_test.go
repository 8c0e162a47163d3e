package federate_test

import (
	"fmt"
	"hash/fnv"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatetest"
)

// The digests were made natively; this test also runs in the browser.
func TestRunsAreTheSameEverywhere(t *testing.T) {
	want := map[string]string{
		"megha": "8e9c57e1f35e3e9b", "centralised": "23a304a3d3138f19", "sparrow": "5b91bb8ab16fac7a",
		"pigeon": "9f29e2824285e83b", "ideal": "745adf0931b489f0",
	}
	for _, name := range federate.Names() {
		digest := fnv.New64a()
		plugin, _ := federate.Lookup(name)
		for _, c := range federatetest.Cases(t, 1) {
			if plugin.Slots && !c.Slots {
				continue
			}
			r, err := federate.Run(t.Context(), name, c.Config, c.Load, federate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(digest, r.Counters, r.Waits, r.Parts, r.Allocation, r.JobDelay, r.JobCompletion, r.Components, r.Histogram, r.Series, r.Jain)
		}
		if got := fmt.Sprintf("%x", digest.Sum64()); got != want[name] {
			t.Errorf("%s: the digest is %s, want %s", name, got, want[name])
		}
	}
}
