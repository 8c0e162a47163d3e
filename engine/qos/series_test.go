package qos

import (
	"math"
	"reflect"
	"testing"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// Bronze runs alone on one CPU in [0, 5), is preempted by gold in [5, 10) and runs to its end at 25
// s. Allocations take no time.
func recorded(t *testing.T) *Result {
	t.Helper()
	requests := []workload.Request{oneCPU("bronze", 0, 20000), oneCPU("gold", 5000, 5000)}
	_, _, r := replicate(t, Config{PointEvery: 4 * sim.Second, FairnessEvery: 10 * sim.Second}, Input{Requests: &workload.Slice{Requests: requests}}, 1)
	return r
}

func TestPoints(t *testing.T) {
	u := cluster.Resources{CPU: cluster.Unit, Memory: cluster.Unit}
	none, waits, runs := Demand{}, Demand{Requested: u}, Demand{u, u}
	point := func(at sim.Milliseconds, queue int, preemptions int64, gold, bronze Demand) Snapshot {
		return Snapshot{at * sim.Second, queue, preemptions, []Demand{gold, none, bronze}}
	}
	want := []Snapshot{
		point(0, 0, 0, none, runs), point(4, 0, 0, none, runs), point(8, 1, 1, runs, waits), point(12, 0, 1, none, runs),
		point(16, 0, 1, none, runs), point(20, 0, 1, none, runs), point(24, 0, 1, none, runs),
	}
	if got := recorded(t).Points; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// At 10 s gold has run all the time, and bronze 5 of 10 s, exactly its SLO. At 20 s bronze has run
// 15 of 20 s.
func TestIntervals(t *testing.T) {
	r := recorded(t)
	nothing := Fairness{Min: math.NaN(), Gini: math.NaN()}
	want := []Interval{
		{10000, []Fairness{{1, 1, 1, 0}, nothing, {1, 1, 0.5, 0}}},
		{20000, []Fairness{nothing, nothing, {1, 1, 0.75, 0}}},
	}
	if len(r.Intervals) != 2 {
		t.Fatalf("%d intervals, want 2", len(r.Intervals))
	}
	for i := range want {
		for c := range want[i].Classes {
			got, w := r.Intervals[i].Classes[c], want[i].Classes[c]
			if got.Requests != w.Requests || got.Fulfilled != w.Fulfilled || math.IsNaN(got.Min) != math.IsNaN(w.Min) || w.Requests > 0 && got != w {
				t.Errorf("interval %d, class %d: got %+v, want %+v", i, c, got, w)
			}
		}
	}
	by := ByLevel(r.Intervals, r.Intervals, GoogleClasses(0))
	if len(by) != 2 || by[0].Level != LowContention.String() || by[1].Min.N != 2 || by[1].Min.Mean != 0.625 {
		t.Errorf("got %+v; want gold and bronze at low contention, bronze with a mean of 0.625", by)
	}
}

// The first 2¹⁴ of 50,000 ms have one interval each; the next 2¹⁴ have one for every two.
func TestIntervalsStayFew(t *testing.T) {
	requests := []workload.Request{oneCPU("gold", 0, 50_000)}
	_, _, r := replicate(t, Config{FairnessEvery: 1}, Input{Requests: &workload.Slice{Requests: requests}}, 1)
	want := sameIntervals + sameIntervals + (50_000-3*sameIntervals)/4
	if got := len(r.Intervals); got != want {
		t.Errorf("%d intervals, want %d", got, want)
	}
	if end := r.Intervals[len(r.Intervals)-1].End; end > 50_000 || end <= 50_000-4 {
		t.Errorf("the last one ends at %d ms", end)
	}
}

// A batch instance has run for 5 s, was preempted for 5 s and lost its work. At 15 s it has run 5 s
// and waited 5 s. The lost work counts as neither, as at the instance's end.
func TestIntervalsLeaveLostWorkOut(t *testing.T) {
	_, _, r := replicate(t, Config{FairnessEvery: 15 * sim.Second}, Input{
		Requests:    &workload.Slice{Requests: []workload.Request{oneCPU("gold", 5000, 5000)}},
		Controllers: []Controller{{Name: "batch", Kind: Job, Template: oneCPU("bronze", 0, 20_000), Replicas: 1}},
	}, 1)
	if got := r.Intervals[0].Classes[bronze]; got.Requests != 1 || got.Min != 0.5 {
		t.Errorf("%+v, want an availability of 0.5", got)
	}
}

func TestContention(t *testing.T) {
	all := GoogleClasses(0)
	met, lowest, missed, empty := Fairness{2, 2, 1, 0}, Fairness{2, 2, 0.9, 0}, Fairness{2, 1, 0.1, 0}, Fairness{}
	for _, test := range []struct {
		classes []Fairness
		want    Level
	}{
		{[]Fairness{met, met, met}, NoContention},
		{[]Fairness{met, empty, empty}, NoContention},
		{[]Fairness{met, lowest, met}, LowContention},
		{[]Fairness{met, lowest, missed}, MediumContention},
		{[]Fairness{met, missed, missed}, HighContention},
		{[]Fairness{met, missed, met}, HighContention},
		{[]Fairness{missed, met, met}, HighContention},
	} {
		if got := Contention(&Interval{Classes: test.classes}, all); got != test.want {
			t.Errorf("%+v: %v, want %v", test.classes, got, test.want)
		}
	}
}

// One request has 0.2 in the first run and 0.8 in the second, with an SLO of 0.5. Another has 1 and
// 1; a third, gold, has 0.9 and 0.95.
func TestCompare(t *testing.T) {
	result := func(a ...float64) *Result {
		r := newResult(&Config{Classes: GoogleClasses(0)})
		r.class = []uint8{bronze, bronze, gold}
		for _, v := range a {
			r.availability = append(r.availability, toParts(v))
		}
		return r
	}
	q, bins := Compare(result(0.2, 1, 0.9), result(0.8, 1, 0.95), -1)
	if third := 1. / 3; q != (Quadrants{Both: third, Second: third, Neither: third}) {
		t.Errorf("quadrants %+v", q)
	}
	if len(bins) != HeatBins || bins[16][4] != 1 || bins[HeatBins-1][HeatBins-1] != 1 || bins[19][18] != 1 {
		t.Errorf("bins %v", bins)
	}
	if q, _ := Compare(result(0.2, 1, 0.9), result(0.8, 1, 0.95), bronze); q != (Quadrants{Both: 0.5, Second: 0.5}) {
		t.Errorf("quadrants of bronze %+v", q)
	}
}
