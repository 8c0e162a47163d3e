package qos

import (
	"encoding/csv"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"berth/engine/cluster"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/sim"
	"berth/engine/stats"
)

// data opens a file of the published experiments.
func data(t testing.TB, name string) *os.File {
	t.Helper()
	folder := os.Getenv("BERTH_DATA")
	if folder == "" {
		t.Skip("BERTH_DATA is not set: the published experiments are not at hand")
	}
	f := must.Get(os.Open(filepath.Join(folder, "qos", name)))(t)
	t.Cleanup(func() { f.Close() })
	return f
}

func rows(t testing.TB, name string) []map[string]string {
	t.Helper()
	all := must.Get(csv.NewReader(data(t, name)).ReadAll())(t)
	var out []map[string]string
	for _, row := range all[1:] {
		m := map[string]string{}
		for i, name := range all[0] {
			m[name] = row[i]
		}
		out = append(out, m)
	}
	return out
}

func number(t testing.TB, text string) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(text, 64))(t)
}

// validation1 returns the inputs of the first validation test.
func validation1(t testing.TB) (hosts []cluster.Host, requests []workload.Request, overheads []sim.Milliseconds) {
	t.Helper()
	hosts, _, err := trace.ReadHosts("hosts", data(t, "hosts_validation.erl.txt"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := trace.OpenRequests("workload", func() (io.Reader, error) { return data(t, "workload_validation1.erl.txt"), nil })
	if err == nil {
		requests, err = workload.ReadAll(source)
	}
	if err != nil {
		t.Fatal(err)
	}
	overheads = must.Get(trace.Overheads("overheads", data(t, "overheads_validation1.csv")))(t)
	return hosts, requests, overheads
}

func logsConfig(policy Policy, overheads []sim.Milliseconds) Config {
	return Config{
		Policy: policy, Classes: GoogleClasses(Logs.Margin), Watchdog: Logs.Watchdog, Alpha: -1,
		HotSet: overheads, ColdSet: overheads, Seed: 1,
	}
}

// The scheduler repeats each logged decision from the logged state. In the logs a request submitted
// at second s appears at tick s + 1.
func TestReplayOfValidation1(t *testing.T) {
	hosts, requests, overheads := validation1(t)
	config := logsConfig(QoSDriven(), overheads)
	config.Literal = true
	s := must.Get(newSystem(Input{Hosts: hosts, Requests: &workload.Slice{}}, config))(t)
	scheduler := s.scheduler.(*literal)
	refs := map[string]Ref{}
	next, tick := 0, sim.Milliseconds(-1)
	for i, row := range rows(t, "decisions_validation1.csv") {
		now := sim.Milliseconds(number(t, row["tick"])) - 1
		if now != tick {
			tick = now
			for _, r := range refs {
				s.instances[r].fresh = false
			}
			s.now = now * sim.Second
			for ; next < len(requests) && requests[next].Submit <= s.now; next++ {
				must.Get(s.admit(&requests[next], 0))(t)
				s.arrivals.count++
				refs[requests[next].ID] = s.freshList[len(s.freshList)-1]
			}
		}
		replay(t, s, scheduler, refs, i+2, row)
		if t.Failed() {
			return
		}
	}
}

func replay(t *testing.T, s *system, l *literal, refs map[string]Ref, line int, row map[string]string) {
	t.Helper()
	j, host := refs[row["request_id"]], int(number(t, row["host"]))-1
	if s.instances[j].host != nowhere {
		t.Fatalf("line %d: request %s runs already", line, row["request_id"])
	}
	got, ok := l.choose(&s.config.Policy, j)
	if want := int(number(t, row["feasible_hosts"])); !ok || got.feasible != want {
		t.Errorf("line %d: %d feasible hosts, want %d", line, got.feasible, want)
		return
	}
	checkVictim(t, s, refs, &got, line, row)
	// The log has one sum too many: the last one covers all victims.
	total := 0.0
	for i, name := range []string{"sum_gold", "sum_silver", "sum_bronze"} {
		want := number(t, row[name])
		total += want
		if len(got.cost) > 0 && math.Abs(got.cost[i]-want) > 0.002 {
			t.Errorf("line %d: %s is %v, want %v", line, name, got.cost[i], want)
		}
	}
	if want := number(t, row["sum_last"]) - total; len(got.cost) > 0 && math.Abs(got.cost[3]-want) > 0.002 {
		t.Errorf("line %d: sum_last is %v, want %v", line, got.cost[3], want)
	}
	force(t, s, refs, j, host, row)
}

func checkVictim(t *testing.T, s *system, refs map[string]Ref, got *choice, line int, row map[string]string) {
	t.Helper()
	if row["victim_id"] == "" {
		if len(got.victims) != 0 {
			t.Errorf("line %d: victims %v, want none", line, got.victims)
		}
		return
	}
	want := refs[row["victim_id"]]
	if len(got.victims) != 1 || s.Q(got.victims[0].Ref) != s.Q(want) {
		t.Errorf("line %d: victims %v, want request %s or one with its Q, %v s", line, got.victims, row["victim_id"], s.Q(want).Seconds())
	}
}

// force repeats an action of the log.
func force(t *testing.T, s *system, refs map[string]Ref, j Ref, host int, row map[string]string) {
	t.Helper()
	if id := row["victim_id"]; id != "" {
		s.displace(refs[id])
	}
	overhead := sim.Milliseconds(number(t, row["overhead_s"])) * sim.Second
	before := s.config.HotSet
	s.config.HotSet, s.config.ColdSet = []sim.Milliseconds{overhead}, []sim.Milliseconds{overhead}
	s.config.ColdSet = s.config.HotSet
	s.place(j, host)
	s.config.HotSet, s.config.ColdSet = before, before
}

// published returns the availabilities of one of the published experiments by
// class, in ascending order.
func published(t *testing.T, kind, policy string) map[string][]float64 {
	t.Helper()
	all := map[string][]float64{}
	for _, row := range rows(t, "availability_validation1.csv") {
		if row["kind"] == kind && row["policy"] == policy {
			all[row["class"]] = append(all[row["class"]], number(t, row["availability"]))
		}
	}
	for _, a := range all {
		parts := make([]uint32, len(a))
		for i := range a {
			parts[i] = uint32(a[i]*AvailabilityUnit + 0.5)
		}
		copy(a, stats.Sorted(parts, AvailabilityUnit))
	}
	return all
}

func runValidation1(t testing.TB, policy Policy, literal bool, seed uint64) *Result {
	t.Helper()
	hosts, requests, overheads := validation1(t)
	config := logsConfig(policy, overheads)
	config.Horizon, config.Seed, config.Literal = 3599*sim.Second, seed, literal
	return must.Get(Run(t.Context(), Input{Hosts: hosts, Requests: &workload.Slice{Requests: requests}}, config))(t)
}

func TestValidation1(t *testing.T) {
	type bound struct{ mean, quantile float64 }
	for _, test := range []struct {
		policy      Policy
		name        string
		simulation  map[string]bound
		measurement bound
	}{
		{QoSDriven(), "slo-driven", map[string]bound{"gold": {0.0012, 0.0035}, "silver": {0.0012, 0.0035}, "bronze": {0.0012, 0.0035}}, bound{0.008, 0.045}},
		{PriorityBased(), "priority-based", map[string]bound{"gold": {0, 0}, "silver": {0, 0}, "bronze": {0.006, 0.03}}, bound{}},
	} {
		simulated, measured := published(t, "simulation", test.name), published(t, "measurement", test.name)
		for seed := uint64(1); seed <= 10; seed++ {
			r := runValidation1(t, test.policy, seed%2 == 0, seed)
			for i, c := range r.Classes {
				got, want := r.Availabilities(i), simulated[c.Class.Name]
				b := test.simulation[c.Class.Name]
				within(t, test.name, c.Class.Name, seed, got, want, b.mean, b.quantile)
				if test.measurement != (bound{}) {
					within(t, test.name+" measured", c.Class.Name, seed, got, measured[c.Class.Name], test.measurement.mean, test.measurement.quantile)
				}
			}
			if test.policy.Watchdog && math.Abs(float64(r.Preemptions)/5600-1) > 0.04 {
				t.Errorf("seed %d: %d preemptions, want 5600 within 4 %%", seed, r.Preemptions)
			}
		}
	}
}

func within(t *testing.T, policy, class string, seed uint64, got, want []float64, mean, quantile float64) {
	t.Helper()
	const rounding = 1e-6 // of the published figures
	if d := math.Abs(stats.Mean(got) - stats.Mean(want)); d > mean+rounding {
		t.Errorf("%s, seed %d: the mean of %s is %v, want %v within %v", policy, seed, class, stats.Mean(got), stats.Mean(want), mean)
	}
	for p := 0.05; p < 0.951; p += 0.05 {
		if a, b := stats.Quantile(got, p), stats.Quantile(want, p); math.Abs(a-b) > quantile+rounding {
			t.Errorf("%s, seed %d: the %.2f-quantile of %s is %v, want %v within %v", policy, seed, p, class, a, b, quantile)
		}
	}
}
