package study_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/runs"
	"berth/engine/scenario"
	"berth/engine/study"
)

// fake executes jobs and records them. It begins with the last ones, as a pool may, and stops after
// a number of jobs.
type fake struct {
	jobs []string // names of the scenarios that were run
	most int
	err  error // error after that; nil stops ctx
	stop func()
}

func (f *fake) Execute(ctx context.Context, next func() (study.Job, bool), done func(study.Job, *study.Result) error) error {
	var jobs []study.Job
	for job, ok := next(); ok; job, ok = next() {
		jobs = append(jobs, job)
	}
	for _, job := range slices.Backward(jobs) {
		if len(f.jobs) == f.most {
			if f.err == nil {
				f.stop()
			}
			return f.err
		}
		f.jobs = append(f.jobs, job.Scenario.Name)
		r, err := study.Execute(ctx, job.Scenario, scenario.Env{})
		if err == nil {
			err = done(job, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// planOf plans a toy with four cells, two of them equal, and three seeds, one of which fails.
func planOf(t testing.TB, toy string) *study.Plan {
	t.Helper()
	s := must.Get(scenario.Decode([]byte(document(toy, `"factors": [{"name": "a", "path": "/toy/plus", "levels": [1, 2]}, {"name": "b", "levels": [
		{"label": "same", "patch": {"toy": {"noise": 1}}}, {"label": "five", "patch": {"toy": {"plus": 5}}}]}], "seeds": 3`))))(t)
	return must.Get(study.NewPlan(study.Of(s)))(t)
}

// Equal runs are executed once, and the table is the same as after running one by one.
func TestEachKeyIsExecutedOnce(t *testing.T) {
	plan, ctx := planOf(t, both+`, "break": 9`), t.Context()
	alone, sheet := plan.NewSheet(), plan.NewSheet()
	inOrder := runs.InOrder(func(ctx context.Context, j study.Job) (*study.Result, error) {
		return study.Execute(ctx, j.Scenario, scenario.Env{})
	})
	known := 0
	f, memory := &fake{most: 100}, &study.Memory{}
	must.Do(t, errors.Join(alone.Carry(ctx, nil, inOrder, nil), sheet.Carry(ctx, memory, f.Execute, func(was bool) {
		if was {
			known++
		}
	})))
	if jobs, err := sheet.Jobs(ctx); len(f.jobs) != 9 || len(jobs) != 9 || err != nil || known != 0 {
		t.Errorf("%d runs of %d jobs were executed, and %d known (%v)", len(f.jobs), len(jobs), known, err)
	}
	want, got := alone.Report(), sheet.Report()
	if string(got.CSV()) != string(want.CSV()) || got.Runs != (study.Count{All: 12, Done: 12, Failed: 4}) {
		t.Errorf("%+v\n%s\nwant\n%s", got.Runs, got.CSV(), want.CSV())
	}
	if c := got.Cells[0]; len(c.Failed) != 1 || c.Failed[0].Message != "seed 9 is broken" || c.Failed[0].Scenario != plan.Run(8).Scenario.Hash() {
		t.Errorf("the first cell has %+v", c)
	}
	// Another study takes everything from the store, including failures.
	again := plan.NewSheet()
	if err := again.Carry(ctx, memory, (&fake{}).Execute, func(was bool) { known++ }); err != nil || known != 9 || string(again.Report().CSV()) != string(want.CSV()) {
		t.Errorf("%v: %d results were known, and give\n%s", err, known, again.Report().CSV())
	}
}

// A study that is stopped keeps the finished runs, and the next call executes the rest.
func TestACarriedSheetResumes(t *testing.T) {
	for _, broken := range []error{nil, errors.New("the worker is gone")} {
		plan := planOf(t, both)
		sheet := plan.NewSheet()
		ctx, stop := context.WithCancel(t.Context())
		f := &fake{most: 4, err: broken, stop: stop}
		if err := sheet.Carry(ctx, nil, f.Execute, nil); err == nil || broken != nil && !errors.Is(err, broken) {
			t.Errorf("stopped: %v", err)
		}
		first := slices.Clone(f.jobs)
		if done, failed := sheet.Done(); done != 4+1 || failed != 0 { // one of them belongs to two cells
			t.Errorf("%d are done, %d failed", done, failed)
		}
		if states := sheet.States(); slices.Contains(states, study.Running) || states[0] != study.Waiting || states[11] != study.Ended {
			t.Errorf("the states are %v", states)
		}
		f.most = 100
		if err := sheet.Carry(t.Context(), nil, f.Execute, nil); err != nil {
			t.Error(err)
		}
		slices.Sort(f.jobs)
		if len(f.jobs) != 9 || len(slices.Compact(f.jobs)) != 9 || sheet.Report().Partial() {
			t.Errorf("first %q, then all of %q", first, f.jobs)
		}
	}
}

// A level that gives no valid scenario fails only its own runs.
func TestARunThatCannotBeMadeFailsAlone(t *testing.T) {
	s := must.Get(scenario.Decode([]byte(document(both, `"factors": [{"name": "a", "path": "/toy/plus", "levels": [1, 2]}], "seeds": 2`))))(t)
	study.Of(s).Factors[0].Levels = study.Values(1, 5000)
	plan := must.Get(study.NewPlan(study.Of(s)))(t)
	sheet, f := plan.NewSheet(), &fake{most: 100}
	if err := sheet.Carry(t.Context(), &study.Memory{}, f.Execute, nil); err != nil || len(f.jobs) != 2 {
		t.Errorf("%v: %q", err, f.jobs)
	}
	r := sheet.Report()
	if message := fmt.Sprint(r.Cells[len(r.Cells)-1].Failed); r.Runs.Failed != 2 || !strings.Contains(message, "found 5000, expected a number from -1000 to 1000") {
		t.Errorf("%+v: %s", r.Runs, message)
	}
}

// Shares are disjoint and together have all runs.
func TestSharesMakeTheWhole(t *testing.T) {
	plan, memory := planOf(t, both), &study.Memory{}
	var jobs []string
	for i := range 2 {
		sheet, f := plan.NewSheet(), &fake{most: 100}
		sheet.Share(i, 2)
		must.Do(t, sheet.Carry(t.Context(), memory, f.Execute, nil))
		if all, _ := sheet.Jobs(t.Context()); len(all) != len(f.jobs) || sheet.Report().Partial() != true {
			t.Errorf("%d jobs, and %q were run", len(all), f.jobs)
		}
		jobs = append(jobs, f.jobs...)
		if err := sheet.Find(t.Context(), memory); err != nil || sheet.Report().Partial() != (i == 0) {
			t.Errorf("share %d: %v, %+v", i, err, sheet.Report().Runs)
		}
	}
	slices.Sort(jobs)
	if len(jobs) != 9 || len(slices.Compact(jobs)) != 9 {
		t.Errorf("%q", jobs)
	}
}

// failing is a store without room.
type failing struct{ study.Memory }

var errNoRoom = errors.New("no room")

func (*failing) Put(context.Context, string, *study.Result) error { return errNoRoom }

func TestAStoreThatFailsStopsTheStudy(t *testing.T) {
	sheet, f := planOf(t, both).NewSheet(), &fake{most: 100}
	if err := sheet.Carry(t.Context(), &failing{}, f.Execute, nil); !errors.Is(err, errNoRoom) || len(f.jobs) != 1 {
		t.Errorf("%v after %q", err, f.jobs)
	}
}
