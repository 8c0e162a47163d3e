package federatekind_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/must"
	"berth/engine/scenario"
)

func TestPlaybackTellsEverything(t *testing.T) {
	d := small()
	e := prepare(t, d, scenario.Env{})
	p := must.Get(e.Playback(t.Context(), federatekind.SchedulerQuery{}))(t)
	if p.Scheduler != "megha" || p.GMs != 3 || p.LMs != 2 || len(p.GMOfWorker) != 30 || !slices.Equal(p.GMOfUser, []int32{0, 1, 1, 2}) {
		t.Errorf("%s: %d GMs, %d LMs, users with %v", p.Scheduler, p.GMs, p.LMs, p.GMOfUser)
	}
	if len(p.Job) != 500 || len(p.User) != 500 || p.User[5] != 1 || !slices.IsSorted(p.At) || p.Left > 0 {
		t.Errorf("%d tasks, the second job is of user %d", len(p.Job), p.User[5])
	}
	counts := map[federate.Action]int{}
	for i, a := range p.What {
		counts[federate.Action(a)]++
		if worker := p.On[i]; federate.Action(a) == federate.Requested && p.GMOfWorker[worker] != p.By[i] {
			t.Fatalf("GM %d asks for worker %d as if it were its own", p.By[i], worker)
		}
		if worker := p.On[i]; federate.Action(a) == federate.Verified && p.LMOfWorker[worker] != p.By[i] {
			t.Fatalf("LM %d verifies worker %d of another", p.By[i], worker)
		}
	}
	r, _ := carriedOut(t, t.Context(), e, nil)
	s := &r.Schedulers[0]
	if counts[federate.Ended] != s.Tasks || counts[federate.Refused] != int(s.Inconsistencies) || counts[federate.Preempted] != int(s.Preemptions) {
		t.Errorf("%v, the report has %d tasks, %d inconsistencies, %d preemptions", counts, s.Tasks, s.Inconsistencies, s.Preemptions)
	}
	var unpacked federatekind.Playback
	must.Do(t, unpacked.Attach(p.Attachment()))
	unpacked.Scheduler, unpacked.GMs, unpacked.LMs, unpacked.Most = p.Scheduler, p.GMs, p.LMs, p.Most
	if !reflect.DeepEqual(&unpacked, p) {
		t.Error("what is unpacked is not what was packed")
	}
}

// A playback has the arrival of every job, and the failures of workers and masters with their ends.
func TestPlaybackHasArrivalsAndFailures(t *testing.T) {
	d := small()
	d.Outages = []federatekind.Outage{{Subject: "worker", Index: 3, At: 0.5, Duration: 1}, {Subject: "gm", Index: 1, At: 1, Duration: 0.25}, {Subject: "lm", Index: 0, At: 2, Duration: 0.5}}
	p := must.Get(prepare(t, d, scenario.Env{}).Playback(t.Context(), federatekind.SchedulerQuery{}))(t)
	var failures []string
	arrived := map[int32]bool{}
	for i, what := range p.What {
		_, _, words := p.Describe(i)
		switch a := federate.Action(what); {
		case a == federate.Arrived:
			arrived[p.Job[p.Thing[i]]] = true
		case a >= federate.WorkerFailed:
			failures = append(failures, fmt.Sprintf("%.2f: %s", float64(p.At[i])/1e9, words))
		}
	}
	want := []string{"0.50: worker 4 fails", "1.00: GM 2 fails", "1.25: GM 2 works again", "1.50: worker 4 works again", "2.00: LM 1 fails", "2.50: LM 1 works again"}
	if !slices.Equal(failures, want) {
		t.Errorf("failures %q, want %q", failures, want)
	}
	if jobs := int(p.Job[len(p.Job)-1]) + 1; len(arrived) != jobs {
		t.Errorf("%d of %d jobs arrive", len(arrived), jobs)
	}
}

func TestPlaybackOfEveryScheduler(t *testing.T) {
	e := prepare(t, slots(), scenario.Env{})
	for name, want := range map[string][2]int{"megha": {2, 2}, "megha-1": {1, 1}, "sparrow": {0, 0}, "pigeon": {0, 1}, "ideal": {0, 0}} {
		p := must.Get(e.Playback(t.Context(), federatekind.SchedulerQuery{Scheduler: name}))(t)
		if got := [2]int{p.GMs, p.LMs}; got != want || p.Scheduler != name || len(p.At) == 0 {
			t.Errorf("%s: masters %v, want %v; %d records of %s", name, got, want, len(p.At), p.Scheduler)
		}
	}
	if _, err := e.Playback(t.Context(), federatekind.SchedulerQuery{Scheduler: "best"}); err == nil {
		t.Error("an unknown scheduler is played back")
	}
}

func TestPlaybackSaysWhatIsTooLarge(t *testing.T) {
	d := small()
	d.Workers = 201
	_, err := prepare(t, d, scenario.Env{}).Playback(t.Context(), federatekind.SchedulerQuery{})
	if err == nil || !strings.Contains(err.Error(), "up to 200 workers and 5000 tasks can be played back; this one has 201 workers and 500 tasks") {
		t.Errorf("the error is %v", err)
	}
}

// The components of each task add up, and its decisions explain its path.
func TestTask(t *testing.T) {
	e := prepare(t, small(), scenario.Env{})
	r, _ := carriedOut(t, t.Context(), e, nil)
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		slow := s.Slowest[0]
		x := must.Get(e.Task(t.Context(), federatekind.TaskQuery{Scheduler: s.Name, Task: slow.Task}))(t)
		c := x.Components
		if sum := float64(c.Queueing + c.Processing + c.Worker + c.Communication); x.Time != slow.Time || math.Abs(sum-x.Time) > 1e-9 {
			t.Errorf("%s: %v s, the components add up to %v s, the report says %v s", s.Name, x.Time, sum, slow.Time)
		}
		last := x.Events[len(x.Events)-1]
		if x.Job != slow.Job || x.User != slow.Job%4 || s.Name == "ideal" && last.Action != "ended" || s.Name != "ideal" && last.Action != "released" {
			t.Errorf("%s: %+v", s.Name, x)
		}
		for _, decision := range x.Events {
			if decision.Text == "" || decision.At < x.Arrival {
				t.Errorf("%s: %+v", s.Name, decision)
			}
		}
	}
	if _, err := e.Task(t.Context(), federatekind.TaskQuery{Task: 500}); err == nil || !strings.Contains(err.Error(), "expected 0 to 499") {
		t.Errorf("the error is %v", err)
	}
}

func TestTaskOfSparrowHasItsReservations(t *testing.T) {
	x := must.Get(prepare(t, slots(), scenario.Env{}).Task(t.Context(), federatekind.TaskQuery{Scheduler: "sparrow", Task: 2}))(t)
	made := 0
	for _, d := range x.Events {
		if d.Action == "reservation-made" {
			made++
		}
	}
	if made != 6 {
		t.Errorf("%d reservations, want two for each of three tasks: %+v", made, x.Events)
	}
}

func TestExport(t *testing.T) {
	d := small()
	e := prepare(t, d, scenario.Env{})
	r, _ := carriedOut(t, t.Context(), e, nil)
	tables := map[string][]byte{}
	for _, table := range federatekind.Tables {
		tables[table.Name] = table.CSV(r)
	}
	tasks := must.Get(e.Tasks(t.Context(), federatekind.SchedulerQuery{}))(t)
	tables["tasks"] = tasks.Data
	rows := map[string]int{"schedulers": 3, "tasks": 500}
	for what, table := range tables {
		lines, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if want := rows[what]; want > 0 && len(lines) != want+1 || len(lines) < 4 {
			t.Errorf("%s has %d lines", what, len(lines))
		}
	}
	if lines := strings.Split(strings.TrimSpace(string(tables["distribution"])), "\n"); !strings.HasSuffix(lines[len(lines)-1], ",1") {
		t.Errorf("the distribution ends with %s", lines[len(lines)-1])
	}
}
