//go:build !js

package lab

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/must"
	"berth/engine/placement/placementkind"
)

// seedDial is a dial for the seed of toys from 0 to 50; a seed above 40 is refused.
func seedDial(id string) Dial[*toy] {
	d := DialOf(id, "seed", true, func(in *toy) string { return strconv.Itoa(in.seed) }, func(in *toy, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n > 40 {
			return errors.Join(err, errors.New("at most 40"))
		}
		in.seed = n
		return nil
	})
	d.High = 50
	return d
}

// During a drag the result follows if runs are short, otherwise it is computed at the
// end. The whole drag is one undo step.
func TestDragADial(t *testing.T) {
	for _, test := range []struct {
		name  string
		took  time.Duration
		while int // runs before the dial is released
	}{{"short runs", 0, 2}, {"long runs", followBelow, 0}} {
		t.Run(test.name, func(t *testing.T) {
			b, engine := mount(t, placementkind.Kind)
			d, began, was := seedDial("seed"), b.runs, b.Inputs.seed
			for _, position := range []float64{11.6, 23.2, 49} {
				b.took = test.took
				b.Dials.turn(d, d.text(position))
				engine.ConsumeAll()
			}
			if got := b.runs - began; got != test.while || b.Inputs.seed != 23 {
				t.Errorf("%d runs during the drag, want %d; the seed is %d, want 23: 49 is refused", got, test.while, b.Inputs.seed)
			}
			b.Dials.released()
			engine.ConsumeAll()
			if b.Phase != Done || b.Shown.Inputs.seed != 23 {
				t.Errorf("after the drag: phase %q, the result is of seed %d, want done and 23", b.Phase, b.Shown.Inputs.seed)
			}
			b.GoBack()
			if b.Inputs.seed != was {
				t.Errorf("one step back the seed is %d, want %d as before the drag", b.Inputs.seed, was)
			}
		})
	}
}

// A drag that begins during a run ends at the release, or after it when the run ends.
func TestDragBeginsDuringARun(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	d := seedDial("seed")
	b.Change("seed", func(in *toy) { in.seed = 2 })
	b.Runs.Run()
	b.Dials.turn(d, "9")
	b.Dials.released()
	engine.ConsumeAll()
	if b.Phase != Done || b.Shown.Inputs.seed != 9 || b.Dials.Following() {
		t.Errorf("phase %q, the result is of seed %d, want 9; still dragged: %v", b.Phase, b.Shown.Inputs.seed, b.Dials.Following())
	}
}

// A drag during a run does not replace the run. The page shows its result, and then the result at
// the last value of the dial. The headline does not mention runs meanwhile.
func TestDragDuringARun(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	d, began, was := seedDial("seed"), b.runs, b.Inputs.seed
	b.Dials.turn(d, "3")
	b.Runs.Run()
	for _, text := range []string{"5", "7"} {
		b.Dials.turn(d, text)
	}
	if b.Inputs.seed != 3 || b.Runs.Pending("Running") != "" {
		t.Errorf("during the run the seed is %d, want 3; the headline is %q", b.Inputs.seed, b.Runs.Pending("Running"))
	}
	b.Dials.released()
	engine.ConsumeAll()
	if got := b.runs - began; got != 2 || b.Phase != Done || b.Shown.Inputs.seed != 7 || b.Dials.Following() {
		t.Errorf("%d runs, want 2; phase %q, the result is of seed %d, want 7; still dragged: %v", got, b.Phase, b.Shown.Inputs.seed, b.Dials.Following())
	}
	b.GoBack()
	if b.Inputs.seed != was {
		t.Errorf("one step back the seed is %d, want %d as before the drag", b.Inputs.seed, was)
	}
}

// The history gets only the last result of a drag.
func TestADragIsRecordedOnce(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	recorded := func() int {
		s, _ := b.Shelf.Store(t.Context())
		history := must.Get(s.History(t.Context()))(t)
		return len(history)
	}
	before, d := recorded(), seedDial("seed")
	for _, text := range []string{"3", "5", "7"} {
		b.Dials.turn(d, text)
		engine.ConsumeAll()
		if !b.Dials.Following() || !b.Dials.Current() || recorded() != before {
			t.Errorf("at %s the drag goes on: %v; %d records, before it %d", text, b.Dials.Following(), recorded(), before)
		}
		if link := b.Runs.shown.Document.Link; link != "" {
			t.Errorf("at %s, during the drag, the run wrote the link %q", text, link)
		}
	}
	b.Dials.released()
	engine.ConsumeAll()
	if b.Dials.Following() || b.Runs.shown.light || b.Runs.shown.Report.Results == "" {
		t.Errorf("after the drag it goes on: %v; no run completed the last result: %v", b.Dials.Following(), b.Runs.shown.light)
	}
	if recorded() != before+1 || b.Runs.shown.Inputs.seed != 7 {
		t.Errorf("%d records, want %d; the result is of seed %d, want 7", recorded(), before+1, b.Runs.shown.Inputs.seed)
	}
}

// During a drag only the leading part runs, and the history gets nothing. The other parts run after
// the drag, and do not delay the page.
func TestADragRunsTheLeadingPart(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	b.Edit("both", func(in *toy) { in.both = true })
	engine.ConsumeAll()
	history := func() int {
		s, _ := b.Shelf.Store(t.Context())
		all := must.Get(s.History(t.Context()))(t)
		return len(all)
	}
	followed := false // true after the leading part of the last run was shown
	b.system.Runs.Shown = func(shown *Batch[*toy]) {
		if !shown.light && !shown.Over {
			followed = followed || b.Dials.Following()
		}
	}
	before, d := history(), seedDial("seed")
	b.Dials.turn(d, "3")
	engine.ConsumeAll()
	if n := b.Runs.shown.count((*BatchRun).there); n != 1 || history() != before || !b.Runs.shown.Over {
		t.Errorf("during the drag %d parts ran, and the history has %d entries, before it %d", n, history(), before)
	}
	b.Dials.released()
	engine.ConsumeAll()
	if n := b.Runs.shown.count((*BatchRun).there); n != 2 || b.Phase != Done || b.Dials.Following() || followed || history() != before+1 {
		t.Errorf("after the drag %d parts ran, phase %q, the drag goes on: %v, %v; the history has %d entries, before it %d",
			n, b.Phase, b.Dials.Following(), followed, history(), before)
	}
}

// A key press moves a slider by a hundredth of its range. A pinned number is a dial
// from 0 to twice its value, before the dials that the view chooses.
func TestPinADial(t *testing.T) {
	b, _ := mount(t, placementkind.Kind)
	b.system.Screen = func() Screen[*toy] {
		return Screen[*toy]{Dials: []Dial[*toy]{seedDial("a"), seedDial("b"), seedDial("c"), seedDial("d")}}
	}
	listed := func() string {
		var ids []string
		for _, d := range b.Dials.dials() {
			ids = append(ids, fmt.Sprintf("%s %g-%g", d.ID, d.Low, d.High))
		}
		return strings.Join(ids, ", ")
	}
	if got, want := listed(), "a 0-50, b 0-50, c 0-50"; got != want {
		t.Errorf("dials %s, want %s", got, want)
	}
	b.Inputs.seed = 12
	pinned := seedDial("b")
	pinned.High = math.Inf(1)
	b.Dials.toDial(pinned)
	if got, want := listed(), "b 0-24, a 0-50, c 0-50"; got != want {
		t.Errorf("with b pinned %s, want %s", got, want)
	}
	if row := app.HTMLString(b.Dials.row()); !strings.Contains(row, `data-dial="b"`) || !strings.Contains(row, `data-value="50"`) || !strings.Contains(row, `max="100"`) || !strings.Contains(row, "Remove the dial Seed") {
		t.Errorf("the pinned dial is not in the middle of a hundred steps: %s", row)
	}
	for _, id := range []string{"p", "q", "r", "s", "t"} {
		b.Dials.toDial(seedDial(id))
	}
	if got, want := listed(), "p 0-24, q 0-24, r 0-24, s 0-24, t 0-24"; got != want {
		t.Errorf("with more than there is room for: %s, want %s", got, want)
	}
	b.Dials.unpin("r")
	if got := listed(); strings.Contains(got, "r ") {
		t.Errorf("the dial that was removed is there: %s", got)
	}
}

// jobRows returns the jobs of a toy as a table with a column of numbers.
func jobRows() *Rows[*toy, string] {
	c := TextColumn("jobs", "jobs", "", "", func(r *string) *string { return r })
	c.Number, c.Whole = true, true
	return &Rows[*toy, string]{Lead: "job-", Thing: "job", Columns: []Column[string]{c}, Of: func(in *toy) []string { return in.jobs },
		Put: func(in *toy, all []string, _ int) error {
			in.jobs = all
			return nil
		}}
}

// A dial for a number in a table is removed with its row and restored by Undo. It is dropped when
// the removal of an earlier row changes the row's index.
func TestDialInARow(t *testing.T) {
	b, _ := mount(t, placementkind.Kind)
	b.Inputs.jobs = []string{"3", "5"}
	rows := jobRows()
	set := rows.Setter(1, &rows.Columns[0])
	b.Dials.toDial(rows.dial(b.Inputs.jobs, 1, &rows.Columns[0], "job 1"))
	if all := b.Dials.dials(); len(all) != 1 || all[0].Value(b.Inputs) != 5 || all[0].High != 10 {
		t.Fatalf("dials %v, want one of value 5, up to 10", all)
	}
	if err := set(b.Inputs, "7"); err != nil || b.Inputs.jobs[1] != "7" {
		t.Errorf("set to 7: %v, jobs %v", err, b.Inputs.jobs)
	}
	b.Inputs.jobs = b.Inputs.jobs[:1]
	if all := b.Dials.dials(); len(all) != 0 || set(b.Inputs, "9") == nil {
		t.Errorf("the row is gone, and its dial is there or could be set: %v", all)
	}
	b.Inputs.jobs = append(b.Inputs.jobs, "6")
	if all := b.Dials.dials(); len(all) != 1 || all[0].Value(b.Inputs) != 6 {
		t.Errorf("the row is back, its dial is not: %v", all)
	}
	if b.Dials.Renumber("job-"); len(b.Dials.dials()) != 0 {
		t.Error("the rows have other numbers, and the dial stays")
	}
}

// A message reports a dial whose row was removed by new files, and Undo restores both.
func TestDialOfWhatIsGone(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	b.Inputs.jobs = []string{"3", "5"}
	for i := range 2 {
		rows := jobRows()
		b.Dials.toDial(rows.dial(b.Inputs.jobs, i, &rows.Columns[0], fmt.Sprint("job ", i)))
	}
	b.Files.ChangeAndTell("drop files", func(in *toy) { in.jobs = in.jobs[:1] })
	engine.ConsumeAll()
	if want := "Dropped with what it was about: the dial “Job 1”."; b.Intake.intakeText() != want || len(b.Dials.dials()) != 1 {
		t.Errorf("it says %q, want %q; %d dials", b.Intake.intakeText(), want, len(b.Dials.dials()))
	}
	b.GoBack()
	engine.ConsumeAll()
	if b.Intake.intakeText() != "" || len(b.Dials.dials()) != 2 {
		t.Errorf("after an undo it says %q with %d dials", b.Intake.intakeText(), len(b.Dials.dials()))
	}
}
