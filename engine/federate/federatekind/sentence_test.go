package federatekind_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/figure"
	"berth/engine/scenario"
	"berth/engine/show"
)

func TestSentence(t *testing.T) {
	trace := func(text string, workers int, schedulers ...string) *federatekind.Document {
		return &federatekind.Document{
			Trace: scenario.Source{Name: "jobs.tr", Text: text}, Workers: workers, GMs: 1, LMs: 1, Schedulers: schedulers, Seed: 1,
		}
	}
	stale := small()
	stale.Schedulers = stale.Schedulers[:1]
	tests := []struct {
		name     string
		document *federatekind.Document
		want     []string
	}{
		{"too few workers", trace("0 3 10 5 10 15\n1 2 1 1 1\n2 4 20 20 20 20 20\n", 6, "sparrow", "ideal"), []string{
			"Sparrow: half of 9 tasks waited up to 1.5\u202fms, the slowest 3\u202fs · Ideal: no task waited\nThe slowest tasks waited mostly at workers under Sparrow.\n",
			"The peak needs 17\u202f% more capacity: tasks ask for 7 slots at once, and the workers have 6.",
		}},
		{"room for all", trace("0 1 10 10\n20 1 10 10\n", 6, "megha"), []string{"Megha: no task waited longer than 1.1\u202fms"}},
		{"refused", stale, []string{
			"Megha: half of 500 tasks waited up to 69.5\u202fs, the slowest 5 at least 4\u202fmin 48\u202fs\nThe slowest tasks waited mostly in queues.\n",
			"LMs refused 75 requests of Megha, because the copies of the GMs were stale.",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := says(run(t, test.document))
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("it says %q, want %q in it", got, want)
				}
			}
		})
	}

	e := prepare(t, slots(), scenario.Env{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, _ := carriedOut(t, ctx, e, nil); says(r) != "" {
		t.Errorf("of nothing that ran it says %q", says(r))
	}
}

// says returns the headline and each detail on its own line.
func says(r *federatekind.Report) string {
	headline, details := r.Sentences()
	return strings.Join(append([]string{headline}, details...), "\n")
}

// The headline about several schedulers names the winner, and says how large its lead is. Workers
// without bounds do not compete.
func TestTheHeadlineNamesTheWinner(t *testing.T) {
	scheduler := func(name string, tasks int, waits ...float64) (s federatekind.SchedulerReport) {
		s.Name, s.Tasks, s.Tail.Tasks, s.Tail.From = name, tasks, 1, slices.Max(waits)
		s.Allocation = figure.QuantilesOf(waits, federate.Percentiles)
		return s
	}
	few := scheduler("megha", 300, 1, 1, 9)
	few.Tail.Tasks = 3
	for want, all := range map[string][]federatekind.SchedulerReport{
		"Sparrow wins: the slowest task waited 3\u202fs, Megha 5\u202fs, Pigeon 9\u202fs":              {scheduler("megha", 300, 1, 1, 5), scheduler("sparrow", 300, 1, 2, 3), scheduler("pigeon", 300, 1, 1, 9), scheduler("ideal", 300, 0)},
		"Megha wins: 300 of 300 tasks ended, Sparrow 299":                                              {scheduler("sparrow", 299, 1, 1, 3), few, scheduler("ideal", 300, 0)},
		"Megha wins: the slowest 3 of 300 tasks waited at least 9\u202fs, Sparrow 10\u202fs":           {few, scheduler("sparrow", 300, 1, 1, 10)},
		"Megha and Sparrow win: no task waited, Pigeon 2\u202fs":                                       {scheduler("pigeon", 300, 1, 1, 2), scheduler("megha", 300, 0), scheduler("sparrow", 300, 0)},
		"Both schedulers tie: no task waited longer than 2\u202fs":                                     {scheduler("pigeon", 300, 2, 2), scheduler("megha", 300, 2)},
		"Megha: half of 300 tasks waited up to 1\u202fs, the slowest 5\u202fs · Ideal: no task waited": {scheduler("megha", 300, 1, 1, 5), scheduler("ideal", 300, 0)},
	} {
		r := &federatekind.Report{Workload: federatekind.Workload{Tasks: 300}, Schedulers: all}
		if headline, _ := r.Sentences(); headline != want {
			t.Errorf("it says %q, want %q", headline, want)
		}
	}
}

// The headline of a stopped run begins by saying so, and still fits.
func TestAStoppedHeadlineFits(t *testing.T) {
	r := run(t, small())
	r.Cancelled = true
	headline, _ := r.Sentences()
	if !strings.HasPrefix(headline, "Stopped early: Megha: the slowest ") || utf8.RuneCountInString(headline) > show.MostHeadline {
		t.Errorf("the headline is %q", headline)
	}
}

// The tail counts each of its tasks under one component.
func TestTailIsCounted(t *testing.T) {
	r := run(t, small())
	for _, s := range r.Schedulers {
		x := s.Tail
		if int(x.Queueing+x.Processing+x.Worker+x.Communication) != x.Tasks || s.Name != "ideal" && x.Tasks != s.Tasks/100 {
			t.Errorf("%s: the tail of %d tasks is %+v", s.Name, s.Tasks, x)
		}
		if s.Name != "ideal" && math.Abs(x.From-s.Slowest[x.Tasks-1].Time) > 1e-9 {
			t.Errorf("%s: the tail begins at %v, the slowest are %v", s.Name, x.From, s.Slowest[:x.Tasks])
		}
	}
}
