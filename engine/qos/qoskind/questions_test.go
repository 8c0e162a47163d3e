package qoskind_test

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// In any scenario no host ever holds more than its capacity, no request is in two places, and stays
// follow from decisions.
func TestTimeline(t *testing.T) {
	for _, d := range []*qoskind.Document{small(), validation(qoskind.PolicyRun{Name: "qos"}, qoskind.PolicyRun{Name: "priority"})} {
		e, r := run(t, d)
		for policy := range d.Policies {
			line := must.Get(e.Timeline(t.Context(), qoskind.PolicyQuery{Policy: policy}))(t)
			repeated, err := prepare(t, d, scenario.Env{}).Timeline(t.Context(), qoskind.PolicyQuery{Policy: policy})
			if err != nil || !reflect.DeepEqual(line, repeated) {
				t.Errorf("the run of policy %d left another timeline than a repeated one (%v)", policy, err)
			}
			got := &r.Policies[policy].Run
			stays := line.Stays()
			if len(stays) != int(got.Decisions) || len(line.Requests) != got.Requests || line.End != got.End || line.Left > 0 {
				t.Errorf("%d decisions of %d requests until %v; the run has %d, %d, %v", len(stays), len(line.Requests), line.End, got.Decisions, got.Requests, got.End)
			}
			wantStays(t, line)
			ends := map[uint8]int{}
			for _, s := range stays {
				if s.Ended >= 0 {
					ends[line.What[s.Ended]]++
				}
			}
			if ends[qos.Preempted] != int(got.Preemptions) {
				t.Errorf("%d preempted, the run has %d", ends[qos.Preempted], got.Preemptions)
			}
			if d.HostEventSource != nil && (ends[qos.Completed] == 0 || ends[qos.HostLost] == 0) {
				t.Errorf("stays end by %v", ends)
			}
		}
	}
}

func wantStays(t *testing.T, line *qoskind.Timeline) {
	t.Helper()
	stays := line.Stays()
	for i, s := range stays {
		from, to := s.From, s.To
		if ready := line.Ready(s); from > to || ready < from || ready > to || line.Since(from) < 0 || line.Since(to) > line.End-line.Start {
			t.Fatalf("stay %d: from %v, ready %v, to %v", i, from, ready, to)
		}
		var cpu float64
		for k, other := range stays {
			if other.From <= from && from < other.To && from < to {
				if other.On == s.On {
					cpu += line.Requests[other.Thing].CPU
					if k != i && other.Lane == s.Lane {
						t.Fatalf("stays %d and %d share a lane at %v", i, k, from)
					}
				}
				if k != i && other.Thing == s.Thing {
					t.Fatalf("request %d is in two places at %v", s.Thing, from)
				}
			}
		}
		if most := line.Hosts[s.On].CPU; cpu > most+1e-9 {
			t.Fatalf("at %v %v CPU on a host of %v", from, cpu, most)
		}
	}
}

func TestTimelineRefusesWhatCannotBeLookedAt(t *testing.T) {
	d := validation(qoskind.PolicyRun{Name: "qos"})
	d.Workload.Recipe.Preset, d.Workload.Recipe.Parameters = qoskind.GoogleLike, map[string]float64{"requests": 2001}
	e := prepare(t, d, scenario.Env{})
	if _, err := e.Timeline(t.Context(), qoskind.PolicyQuery{}); err == nil || !strings.Contains(err.Error(), "2001 requests; a timeline shows up to 2000") {
		t.Errorf("got %v", err)
	}
	if _, err := e.Timeline(t.Context(), qoskind.PolicyQuery{Policy: 1}); err == nil || !strings.Contains(err.Error(), "there is no policy 1: the scenario has 1") {
		t.Errorf("got %v", err)
	}
}

func TestWhyFollowsTheTimeline(t *testing.T) {
	e, r := run(t, small())
	for policy := range r.Policies {
		line := must.Get(e.Timeline(t.Context(), qoskind.PolicyQuery{Policy: policy}))(t)
		for i, s := range line.Stays() {
			from := line.Start + line.Since(s.From)
			w := must.Get(e.Why(t.Context(), qoskind.WhyQuery{Policy: policy, Request: int(s.Thing), Time: from}))(t)
			chosen := w.Candidates[w.Chosen]
			if math.Abs(w.Time-from) > 1e-9 || chosen.Host != line.Hosts[s.On].Name || !chosen.Feasible {
				t.Errorf("decision %d: %+v", i, w)
			}
			var victims []int32
			for _, v := range chosen.Victims {
				victims = append(victims, int32(v.Index))
			}
			if !slices.Equal(victims, line.Victims(s)) {
				t.Errorf("decision %d: victims %v, of the timeline %v", i, victims, line.Victims(s))
			}
			if len(chosen.Cost) > 0 && len(w.Terms) != len(chosen.Cost) {
				t.Errorf("terms %q of cost %v", w.Terms, chosen.Cost)
			}
		}
	}
	// The second silver request needs a separate host, and there is none.
	w, err := e.Why(t.Context(), qoskind.WhyQuery{Policy: 1, Request: 4, Time: 30})
	if err != nil || w.Chosen != -1 || w.Request.ID != "e" || w.Candidates[0].Reason == "" || w.Candidates[0].Feasible {
		t.Errorf("why not: %+v, %v", w, err)
	}
	for _, q := range []qoskind.WhyQuery{{Request: 5}, {Request: -1}, {Policy: 2}, {Time: math.NaN()}} {
		if _, err := e.Why(t.Context(), q); err == nil {
			t.Errorf("%+v was answered", q)
		}
	}
}

// made returns the array of a run without intervals.
func made(class []uint8, availability ...float64) []byte {
	array := binary.LittleEndian.AppendUint32(nil, uint32(len(class)))
	for _, a := range availability {
		array = binary.LittleEndian.AppendUint32(array, uint32(a*qos.AvailabilityUnit))
	}
	return append(array, class...)
}

var twoClasses = []qos.Class{{Name: "silver", SLO: 0.9, Importance: 1}, {Name: "bronze", SLO: 0.5, Importance: 2}}

func TestCompareByHand(t *testing.T) {
	class := []uint8{0, 0, 1, 1}
	p := must.Get(qoskind.Compare(made(class, 0.95, 0.2, 0.6, 0.1), made(class, 1, 0.9, 0.3, 0), qoskind.PairQuery{Classes: twoClasses}))(t)
	if want := (qos.Quadrants{Both: 0.25, First: 0.25, Second: 0.25, Neither: 0.25}); p.All.Quadrants != want || p.Requests != 4 {
		t.Errorf("all: %+v", p.All)
	}
	if want := (qos.Quadrants{Both: 0.5, Second: 0.5}); p.Classes[0].Quadrants != want {
		t.Errorf("silver: %+v", p.Classes[0].Quadrants)
	}
	// The row is given by the second run, the column by the first.
	if b := p.All.Bins; len(b) != qos.HeatBins || b[qos.HeatBins-1][19] != 1 || b[18][4] != 1 || b[6][12] != 1 || b[0][2] != 1 {
		t.Errorf("bins %v", p.All.Bins)
	}
	// silver: means 0.575 and 0.95, s² 0.28125 and 0.005, t = −0.375/√0.143125.
	if got := float64(p.Classes[0].Test.T); math.Abs(got+0.991223) > 1e-5 || p.Classes[0].Test.Differ {
		t.Errorf("t = %v", p.Classes[0].Test)
	}
}

func TestCompareWithThePriorityRun(t *testing.T) {
	e, r := run(t, validation(qoskind.PolicyRun{Name: "qos"}, qoskind.PolicyRun{Name: "priority"}))
	arrays := e.Arrays()
	p := must.Get(qoskind.Compare(arrays[qoskind.OutcomeArray(0)], arrays[qoskind.OutcomeArray(1)], qoskind.PairQuery{Classes: r.Classes, Priority: 2}))(t)
	intervals := 0
	for _, level := range p.Levels {
		intervals += level.Intervals
	}
	if intervals != r.Policies[1].Run.Intervals || intervals == 0 || len(p.Fairness[0]) == 0 || len(p.Fairness[0]) != len(p.Fairness[1]) {
		t.Errorf("%d intervals, fairness %v", intervals, p.Fairness)
	}
	for _, f := range p.Fairness[1] {
		if f.Class == "gold" && f.Min.Mean != 1 {
			t.Errorf("gold under priority: %+v", f)
		}
	}
	// With QoS no bronze request keeps its SLO, with priority the first 40 or so.
	if q := p.Classes[2].Quadrants; q.Both != 0 || q.First != 0 || q.Second < 0.3 || q.Second > 0.6 {
		t.Errorf("bronze: %+v", q)
	}
}

func TestCompareRefusesWhatDoesNotFit(t *testing.T) {
	good := made([]uint8{0}, 1)
	for _, test := range []struct {
		first []byte
		q     qoskind.PairQuery
		want  string
	}{
		{nil, qoskind.PairQuery{Classes: twoClasses}, "incomplete"},
		{good[:len(good)-1], qoskind.PairQuery{Classes: twoClasses}, "incomplete"},
		{made([]uint8{7}, 1), qoskind.PairQuery{Classes: twoClasses}, "a class that the report has not"},
		{good, qoskind.PairQuery{}, "classes: found 0"},
		{good, qoskind.PairQuery{Classes: twoClasses, Priority: 3}, "priority"},
	} {
		if _, err := qoskind.Compare(test.first, good, test.q); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

func TestShapesOfDeficits(t *testing.T) {
	e, _ := run(t, validation(qoskind.PolicyRun{Name: "priority"}))
	spreads := must.Get(e.Spread(t.Context(), qoskind.PolicyQuery{}))(t)
	// Only bronze requests are late, so bronze has the same figures as all classes.
	if len(spreads) != 4 || spreads[0].Shape != nil || spreads[1].Shape != nil || spreads[2].Name != "bronze" || !slices.Equal(spreads[2].Shape, spreads[3].Shape) {
		t.Fatalf("got %+v", spreads)
	}
	density := spreads[2].Shape
	if len(density) != qoskind.ShapePoints || slices.Max(density) != 1 || slices.Min(density) < 0 {
		t.Errorf("the density is %v", density)
	}
	// Most of them get almost nothing, so most deficits are close to the SLO.
	if !(density[qoskind.ShapePoints-1] > density[0]) {
		t.Errorf("the density is %v", density)
	}
}

func TestListOfRequests(t *testing.T) {
	e, r := run(t, small())
	list := must.Get(e.List(t.Context(), qoskind.PolicyQuery{Policy: 1}))(t)
	lines := must.Get(csv.NewReader(bytes.NewReader(list.Data)).ReadAll())(t)
	columns := len(qoskind.RequestsHeader)
	if len(lines) != 6 || !slices.Equal(lines[0][:columns], qoskind.RequestsHeader) || lines[0][columns] != "penalty_cpu_h" || lines[3][0] != "priority" || lines[3][1] != "c" || lines[3][2] != "gold" {
		t.Errorf("got %q", lines)
	}
	sum := 0.0
	for _, line := range lines[1:] {
		penalty := must.Get(strconv.ParseFloat(line[columns], 64))(t)
		sum += penalty
	}
	if want := float64(r.Policies[1].Run.All.Penalty); math.Abs(sum-want) > 1e-12 || sum == 0 {
		t.Errorf("the penalties come to %v, in the report to %v", sum, want)
	}
	// d ran 100 s of 151 s, less than 85.56 % of them, with 1 CPU:
	// (0.9 − 100/151) · 100/3600 · 1 · (1 + 1) = 0.0132 CPU-hours.
	if got := lines[4]; got[1] != "d" || !strings.HasPrefix(got[columns], "0.01320824") {
		t.Errorf("got %q", got)
	}
	golden.Check(t, "testdata/figures.csv.txt", string(qoskind.FiguresTable.CSV(r)))
}

func TestRole(t *testing.T) {
	for text, want := range map[string]string{
		requestsCSV: qoskind.WorkloadSlot, hostsCSV: qoskind.HostsSlot, overheadsCSV: qoskind.OverheadsSlot, eventsCSV: qoskind.HostEventsSlot,
		`{1,"Host_1",3.75,3.75,[]}.`:                     qoskind.HostsSlot,
		"{0,251,251,7200,0.375,0.375,1,0,[]}.":           qoskind.WorkloadSlot,
		"0,251,251,any,0,1,7200,-1,0.375,0.375,free,0.5": qoskind.WorkloadSlot,
		"graph {}": "",
		"{":        "", `{"berth":1,"kind":"federate"}`: "", // a scenario
	} {
		if got := qoskind.Role(text); got != want {
			t.Errorf("%.20q: got %q, want %q", text, got, want)
		}
	}
}

func TestArraysAreOfTheFirstSeed(t *testing.T) {
	d := small()
	d.Seeds = 2
	e, r := run(t, d)
	arrays := e.Arrays()
	outcomes, err := qoskind.ReadOutcomes(r.Classes, arrays[qoskind.OutcomeArray(0)])
	if err != nil || outcomes.Requests != 5 || len(outcomes.Intervals) != r.Policies[0].Run.Intervals || len(arrays) != 2 {
		t.Errorf("%+v in %d arrays of two policies: %v", outcomes, len(arrays), err)
	}
}
