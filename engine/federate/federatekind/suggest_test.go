package federatekind_test

import (
	"slices"
	"testing"

	"berth/engine/federate/federatekind"
	_ "berth/engine/federate/schedulers"
)

// A log of rigid jobs gets the machine of its header, and schedulers that start such jobs.
func TestSuggestionsSuitTheTrace(t *testing.T) {
	const job = "1 0 5 100 2 -1 -1 2 200 -1 1 7 1 -1 1 -1 -1 -1\n"
	for _, test := range []struct {
		head    string
		workers int
		first   string
	}{
		{"; MaxNodes: 120\n; MaxProcs: 240\n" + job, 240, "fcfs"},
		{"; MaxNodes: 120\n" + job, 120, "fcfs"},
		{job, 0, "fcfs"},
		{`{"nb_res": 16, "jobs": [], "profiles": {}}`, 16, "fcfs"},
		{"name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time\n", 0, "fcfs"},
		{"0.0 3 10 9 10 11\n", 0, ""},
		{"name,cpu,memory\n", 0, ""},
	} {
		s := federatekind.Suggest(test.head)
		if s.Workers != test.workers || (test.first == "") != (len(s.Schedulers) == 0) || test.first != "" && s.Schedulers[0] != test.first {
			t.Errorf("%.40q: %+v", test.head, s)
		}
	}
	if s := federatekind.Suggest(job); !slices.Equal(s.Schedulers, []string{"fcfs", "easy", "fair"}) {
		t.Errorf("an HPC log suggests %v", s.Schedulers)
	}
}
