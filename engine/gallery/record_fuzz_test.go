package gallery_test

import (
	"os"
	"testing"

	"berth/engine/gallery"
	"berth/engine/must"
)

// A record can be added to any records that can be read.
func FuzzRecords(f *testing.F) {
	whole := must.Get(os.ReadFile("recorded.json"))(f)
	f.Add(whole[:min(len(whole), 4000)])
	f.Add([]byte(`[{"figure": "megha-3", "experiment": "0", "engine": "0.1.0", "date": "2026-01-31", "command": "c", "carried": 1, "seconds": 2,
		"runs": {"all": 1, "done": 1, "failed": 0}, "verdict": "agrees", "criteria": [{"id": "a", "verdict": "agrees", "ours": "1"}]}]`))
	f.Add([]byte(`[{"figure": "megha-3"}, {"figure": "megha-3", "seconds": "NaN"}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := gallery.DecodeRecords(text)
		if err != nil || len(all) == 0 {
			return
		}
		for i := range all {
			all[i].Of("a")
			all[i].How()
		}
	})
}
