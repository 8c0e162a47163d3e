package kinds

import (
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

func TestTextsAreRecognised(t *testing.T) {
	all := scenario.Kinds()
	for _, test := range []struct {
		text, what string
		want       *scenario.Kind
	}{
		{"// a comment\nStrict graph { a [request=1, limit=2, x=1, y=2, z=3] }", "a graph in DOT", placementkind.Kind},
		{"digraph{}", "a graph in DOT", placementkind.Kind},
		{"\ufeffid,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\n", "a workload of requests", qoskind.Kind},
		{"name,cpu,memory,attributes\nh,1,1,\n", "a list of hosts", qoskind.Kind},
		{"overhead_s\n1\n", "a list of overheads", qoskind.Kind},
		{"time_s,host,event,cpu,memory\n", "a list of host events", qoskind.Kind},
		{"\n0 2 5 4 6\n1 1 5 5\n", "a trace of jobs", federatekind.Kind},
		{"arrival,job,user,duration,cpu,memory,constraints\n", "a trace of tasks", federatekind.Kind},
		{"Dear reader, this is a letter.", "", nil},
		{"graphic novels", "", nil},
		{"1 2", "", nil},
		{"", "", nil},
	} {
		for _, own := range append(all, nil) {
			if kind, what := scenario.Recognise(test.text, own); kind != test.want || what != test.what {
				t.Errorf("%q is taken for %q of %v, want %q", test.text, what, kind, test.what)
			}
		}
	}
}
