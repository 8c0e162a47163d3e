//go:build !js

package gallery_test

import (
	"slices"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/gallery"
	"berth/engine/must"
	"berth/engine/study"
)

// All entries on Megha run on the declared model and on the declared loads of their sample.
func TestMeghaHasOneModel(t *testing.T) {
	loads := map[string][]float64{"alibaba": {5e-6, 5e-5, 5e-4}, "cloudera": {0.1}, "google": {0.1}}
	for _, e := range gallery.List() {
		if e.Paper != "megha" {
			continue
		}
		if p := e.PaperOf(); !strings.Contains(p.Model, "state=full") || p.Loads == "" {
			t.Errorf("the paper declares %q and %q", p.Model, p.Loads)
		}
		for _, full := range []bool{false, true} {
			d := study.Of(e.Scenario(full))
			body := d.Base.Body.(*federatekind.Document)
			if body.State != federatekind.FullState {
				t.Errorf("%s runs on state %q", e.ID, body.State)
			}
			recipe := body.Trace.Recipe
			var got []float64
			for _, f := range d.Factors {
				if f.Name == "interarrival" {
					for _, l := range f.Levels {
						x := must.Get(l.Value.(interface{ Float64() (float64, error) }).Float64())(t)
						got = append(got, x)
					}
				}
			}
			if got == nil && recipe.Parameters["interarrival"] == 0 {
				got = []float64{0.1} // of both presets
			}
			if !slices.Equal(got, loads[recipe.Preset]) {
				t.Errorf("%s runs on jobs like %s that come %v s apart, want %v", e.ID, recipe.Preset, got, loads[recipe.Preset])
			}
		}
	}
}
