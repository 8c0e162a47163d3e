package federatekind_test

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/input/csv"
	"berth/engine/must"
	"berth/engine/scenario"
)

// While a rack has failed, its machines run nothing, however their rack is given.
func TestARackFails(t *testing.T) {
	const jobs = "0 1 1 1\n10 4 5 5 5 5 5\n" // four tasks while the rack is down
	for name, machines := range map[string]string{
		"a column":     "name,cpu,memory,rack\na,1,1,r1\nb,1,1,r2\nc,1,1,r2\nd,1,1,\n",
		"an attribute": "name,cpu,memory,attributes\na,1,1,rack=r1\nb,1,1,rack=r2\nc,1,1,topology.kubernetes.io/zone=r2\nd,1,1,\n",
		"machine_meta": "a,0,9,r1,1,1,USING\nb,0,9,r2,1,1,USING\nc,0,9,r2,1,1,USING\nd,0,r2,r3,1,1,USING\n",
	} {
		for _, scheduler := range []string{"fcfs", "megha", "sparrow"} {
			d := onMachines(jobs, machines, scheduler)
			d.Outages = []federatekind.Outage{{Subject: "rack", Rack: "r2", At: 5, Duration: 60}, {Subject: "worker", Index: 3, At: 500, Duration: 1}}
			var b strings.Builder
			prepared := prepare(t, d, scenario.Env{})
			w := csv.NewWriter(&b)
			prepared.Audit = &federatekind.Audit{Tasks: w}
			carriedOut(t, t.Context(), prepared, nil)
			must.Do(t, w.Flush())
			during := 0
			for line := range strings.Lines(b.String()) {
				var job, task, worker, attempts int
				var submit, start, end float64
				if _, err := fmt.Sscanf(strings.ReplaceAll(line, ",", " "), "%d %d %f %f %f %d %d", &job, &task, &submit, &start, &end, &worker, &attempts); err != nil {
					continue
				}
				if job == 1 {
					during++
				}
				if (worker == 1 || worker == 2) && start < 65 && end > 5 {
					t.Errorf("%s, %s: %s", name, scheduler, line)
				}
			}
			if during != 4 {
				t.Errorf("%s, %s: %d tasks: %s", name, scheduler, during, b.String())
			}
		}
	}
	d := onMachines(jobs, "name,cpu,memory,rack\na,1,1,r1\n", "fcfs")
	d.Outages = []federatekind.Outage{{Subject: "rack", Rack: "r9", At: 5, Duration: 60}}
	if _, err := federatekind.Prepare(t.Context(), d, scenario.Env{}); err == nil || !strings.Contains(err.Error(), "federate.outages[0].rack: no machine is in the rack") {
		t.Errorf("a rack that is not there: %v", err)
	}
}
