//go:build !js

package gallery_test

import (
	"slices"
	"testing"

	"berth/engine/gallery"
	"berth/engine/scenario"
)

// The availability of a request comes from its pods: they wait until they start, or end
// without having started, and run for the seconds that the log of the end has.
func TestAvailabilityFromLogs(t *testing.T) {
	files := gallery.AuthorFiles{}
	for log, text := range map[string]string{
		"waiting":     "100,a1,a\n100,b1,b\n160,b2,b\n300,b3,b\n100,c1,c\nnot a line\n",
		"starting":    "100,a1,a,n,0.0\n110,b1,b,n,9.0\n320,b3,b,n,20.0\n",
		"termination": "400,a1,a,300.0\n160,b1,b,50.0\n300,b2,b,0.0\n400,b3,b,80.0\n",
	} {
		files["v-"+log] = scenario.Source{Text: text}
	}
	// b runs for 130 s and waits for 10, 140 and 20; c has not ended
	if got, want := gallery.Logged(files, "v-"), []float64{130.0 / 300, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := gallery.Logged(gallery.AuthorFiles{}, "v-"); got != nil {
		t.Errorf("%v without logs", got)
	}
}
