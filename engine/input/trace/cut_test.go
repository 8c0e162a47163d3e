package trace_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// A reader of jobs in order of arrival stops after the last job of the window, so it does not reach
// the error after it.
func TestReadingEndsWithTheWindow(t *testing.T) {
	const jobs = 20_000
	for _, f := range []struct{ name, header, line string }{
		{"tr", "", "%[1]d 2 5 4 6\n"},
		{"tasks", "arrival,duration\n", "%[1]d,5\n"},
		{"tasks of jobs", "arrival,job,duration\n", "%[1]d,j%[1]d,5\n%[1]d,j%[1]d,6\n"},
		{"swf", "", "%[2]d %[1]d -1 5 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n"},
		{"batsim", "jobID,submission_time,requested_number_of_resources,execution_time,requested_time\n", "%[2]d,%[1]d,2,5,9\n"},
	} {
		var b strings.Builder
		b.WriteString(f.header)
		for k := range jobs {
			fmt.Fprintf(&b, f.line, k, k+1)
		}
		text := b.String()
		wrong := errors.New("too far")
		for _, w := range []workload.Window{{First: 1000}, {From: 100, To: 1000}, {First: 300, Every: 3}} {
			open := func(end io.Reader) func() (io.Reader, error) {
				return func() (io.Reader, error) { return io.MultiReader(strings.NewReader(text), end), nil }
			}
			part, err := trace.OpenTasks("f", w, open(iotest.ErrReader(wrong)))
			if err != nil {
				t.Fatalf("%s, %+v: %v", f.name, w, err)
			}
			whole := must.Get(trace.OpenTasks("f", workload.Window{}, open(strings.NewReader(""))))(t)
			if !part.Cut || whole.Cut {
				t.Errorf("%s, %+v: Cut is %t, and %t of the whole file", f.name, w, part.Cut, whole.Cut)
			}
			got, want := w.Of(part), w.Of(whole)
			if !slices.Equal(got.Jobs, want.Jobs) || !slices.Equal(got.Durations, want.Durations) {
				t.Errorf("%s, %+v: %d jobs with %d tasks, want %d with %d", f.name, w, len(got.Jobs), len(got.Durations), len(want.Jobs), len(want.Durations))
			}
			if _, err := trace.OpenTasks("f", workload.Window{}, open(iotest.ErrReader(wrong))); !errors.Is(err, wrong) {
				t.Errorf("%s: the error is %v without a window", f.name, err)
			}
		}
	}
}

// If jobs turn out to be in another order, the reader searches the whole file for the first ones by
// arrival.
func TestReadingGoesOnWhereJobsAreNotInOrder(t *testing.T) {
	text := "5 1 1 1\n4 1 1 1\n6 1 1 1\n7 1 1 1\n1 1 1 1\n"
	load := must.Get(trace.OpenTasks("f", workload.Window{First: 2}, func() (io.Reader, error) { return strings.NewReader(text), nil }))(t)
	if load.Cut || len(load.Jobs) != 5 || load.Jobs[0].Arrival != workload.Nanoseconds(1) {
		t.Errorf("Cut is %t, and the jobs are %v", load.Cut, load.Jobs)
	}
}
