//go:build !js

package gallery_test

import (
	"maps"
	"slices"
	"testing"

	"berth/engine/gallery"
	"berth/engine/scenario"
)

// The availability of a request comes from its pods. They wait until they start, or until they end
// without a start, and run for the seconds in the termination log.
func TestAvailabilityFromLogs(t *testing.T) {
	files := gallery.AuthorFiles{}
	for log, text := range map[string]string{
		"waiting":     "100,a1,prod-a\n100,b1,free-b\n160,b2,free-b\n300,b3,free-b\n100,c1,free-c\nnot a line\n",
		"starting":    "100,a1,prod-a,n,0.0\n110,b1,free-b,n,9.0\n320,b3,free-b,n,20.0\n",
		"termination": "400,a1,prod-a,300.0\n160,b1,free-b,50.0\n300,b2,free-b,0.0\n400,b3,free-b,80.0\n",
	} {
		files["v-"+log] = scenario.Source{Text: text}
	}
	// b runs for 130 s and waits for 10, 140 and 20 s; c has not ended.
	got := gallery.Logged(files, "v-")
	if want := map[string][]float64{"gold": {1}, "bronze": {130.0 / 300}}; !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := gallery.Logged(gallery.AuthorFiles{}, "v-"); len(got) > 0 {
		t.Errorf("%v without logs", got)
	}
}

// The requests of a replication arrive in the order of its log, each once, with the priority of
// its class.
func TestReplicationsAreRead(t *testing.T) {
	files := gallery.AuthorFiles{}
	files["validation1-replication2-slo-driven-waiting"] = scenario.Source{Text: "100,b1,batch-b-1\n101,a1,prod-a-1\n160,b2,batch-b-1\n170,c,free-c-1\n"}
	const want = "{0,1,1,7200,0.375,0.375,7,0,[]}.\n{1,2,2,7200,0.375,0.375,11,0,[]}.\n{70,3,3,7200,0.375,0.375,1,0,[]}.\n"
	if got := gallery.Find(files, "validation1-replication2-workload"); got.Text != want {
		t.Errorf("%q, want %q", got.Text, want)
	}
	if got := gallery.Find(files, "validation1-replication3-workload"); got != (scenario.Source{}) {
		t.Errorf("%q without a log", got.Text)
	}
}
