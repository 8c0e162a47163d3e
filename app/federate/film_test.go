package federate

import (
	"slices"
	"strings"
	"testing"

	"berth/app/chart"
	"berth/engine/event"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
)

// played returns a playback of one GM and one LM with two workers. what has the time in seconds,
// the task and the worker of each action.
func played(actions []federate.Action, what ...[3]int) *federatekind.Playback {
	p := &federatekind.Playback{
		Scheduler: "megha", GMs: 1, LMs: 1, GMOfUser: []int32{0}, GMOfWorker: []int32{0, 0}, LMOfWorker: []int32{0, 0},
		Job: []int32{0, 0}, User: []int32{0, 0},
	}
	p.Add(event.Event{What: uint8(federate.Arrived), On: -1, By: -1})
	for i, x := range what {
		p.Add(event.Event{At: int64(x[0]) * 1e9, What: uint8(actions[i]), Thing: int32(x[1]), On: int32(x[2])})
	}
	return p
}

// states lists the states of a worker in order.
func (f *film) states(worker int) string {
	var list []string
	for _, c := range f.Changes {
		if c.Layer == chart.States && c.At == worker {
			list = append(list, chart.CellState(c.Value).String())
		}
	}
	return strings.Join(list, " ")
}

func TestFilm(t *testing.T) {
	for _, c := range []struct {
		name    string
		slots   bool
		actions []federate.Action
		what    [][3]int
		want    [2]string // states of the workers
	}{
		{"a launch", true,
			[]federate.Action{federate.Requested, federate.Verified, federate.Started, federate.Ended, federate.Released},
			[][3]int{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}},
			[2]string{"pending busy free", ""}},
		{"a refusal", true,
			[]federate.Action{federate.Requested, federate.Refused, federate.Repartitioned, federate.Verified, federate.Started},
			[][3]int{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}},
			[2]string{"pending free", "pending busy"}},
		{"two tasks on a large worker", false,
			[]federate.Action{federate.Requested, federate.Started, federate.Requested, federate.Started, federate.Ended, federate.Ended},
			[][3]int{{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {3, 1, 0}, {4, 0, 0}, {5, 1, 0}},
			[2]string{"pending partly used free", ""}},
		{"a preemption under way", true,
			[]federate.Action{federate.Requested, federate.Verified, federate.Preempted},
			[][3]int{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
			[2]string{"pending free", ""}},
		{"a worker that fails and starts its task again", true,
			[]federate.Action{federate.Requested, federate.Started, federate.WorkerFailed, federate.Stopped, federate.WorkerWorks, federate.Started, federate.Ended},
			[][3]int{{0, 0, 0}, {1, 0, 0}, {2, -1, 0}, {2, 0, 0}, {5, -1, 0}, {6, 0, 0}, {7, 0, 0}},
			[2]string{"pending busy down free busy free", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFilm(played(c.actions, c.what...), c.slots)
			f.word()
			for worker, want := range c.want {
				if got := f.states(worker); got != want {
					t.Errorf("worker %d is %q, want %q", worker, got, want)
				}
			}
			for i := 1; i < len(f.Cells.Events); i++ {
				if f.Cells.Events[i].Time < f.Cells.Events[i-1].Time {
					t.Errorf("event %d is before the one in front of it", i)
				}
			}
			if first := f.Cells.Events[0]; !strings.Contains(first.Text, "job 1 arrives with 2 tasks of user 1, at GM 1") {
				t.Errorf("the first event is %q", first.Text)
			}
		})
	}
}

func TestAFilmWithoutMastersHasOneBlock(t *testing.T) {
	p := played(nil)
	p.Scheduler, p.GMs, p.LMs, p.GMOfUser = "sparrow", 0, 0, nil
	p.GMOfWorker, p.LMOfWorker = []int32{-1, -1}, []int32{-1, -1}
	f := newFilm(p, true)
	f.word()
	if len(f.Blocks) != 1 || len(f.Partitions) != 1 || f.Items[1] != (chart.Cell{Name: "worker 2"}) {
		t.Errorf("blocks %v, partitions %v, cells %v", f.Blocks, f.Partitions, f.Items)
	}
}

// A refusal returns to the GM that made the request, and the task is in its queue again.
func TestMessagesAndQueues(t *testing.T) {
	f := newFilm(played(
		[]federate.Action{federate.Requested, federate.Refused, federate.Requested, federate.Verified, federate.Started, federate.Ended},
		[3]int{1, 0, 0}, [3]int{2, 0, 0}, [3]int{3, 0, 1}, [3]int{4, 0, 1}, [3]int{5, 0, 1}, [3]int{6, 0, 1},
	), true)
	gm, lm, cell := chart.MasterPlace(0), chart.BlockPlace(0), chart.CellPlace(1)
	want := []chart.Message{{}, {From: gm, To: lm}, {From: lm, To: gm, Refused: true}, {From: gm, To: lm}, {From: lm, To: cell}, {From: lm, To: cell}, {From: cell, To: lm}}
	for i, e := range f.Cells.Events {
		if e.Sends != want[i] {
			t.Errorf("%s sends %+v, want %+v", e.Text, e.Sends, want[i])
		}
	}
	var lengths []int
	for _, c := range f.Changes {
		if c.Layer == chart.Queues {
			lengths = append(lengths, c.Value)
		}
	}
	if f.telling != 2 {
		t.Errorf("the film begins at %g s, want the refusal at 2 s", f.telling)
	}
	if want := []int{1, 2, 1, 2, 1}; !slices.Equal(lengths, want) {
		t.Errorf("the queue has %v tasks, want %v: two arrive, one is asked for, refused, asked for again", lengths, want)
	}
}

// The film draws the worker's state according to a GM's copy and to the LM's books. A heartbeat is
// a message.
func TestBeliefs(t *testing.T) {
	p := played([]federate.Action{federate.Filled, federate.Opened, federate.Adopted}, [3]int{1, -1, 1}, [3]int{2, -1, 1}, [3]int{3, -1, 0})
	p.By[2] = -1
	f := newFilm(p, true)
	f.word()
	beliefs := slices.DeleteFunc(f.Changes, func(c chart.Change) bool { return c.Layer < chart.Books })
	if want := []chart.Change{{Time: 1, Layer: chart.Copies, At: 1, Value: 1}, {Time: 2, Layer: chart.Books, At: 1}}; !slices.Equal(beliefs, want) {
		t.Errorf("beliefs %+v, want %+v", beliefs, want)
	}
	if last := f.Cells.Events[len(f.Cells.Events)-1]; last.Text != "GM 1 adopts a heartbeat of LM 1" || last.Sends != (chart.Message{From: chart.BlockPlace(0), To: chart.MasterPlace(0)}) {
		t.Errorf("the last event is %+v", last)
	}
}

// An action that a scheduler declares is a step of the film, with its words.
func TestANewActionIsAStep(t *testing.T) {
	before := federate.Actions
	t.Cleanup(func() { federate.Actions = before })
	federate.Actions = append(slices.Clone(before), event.Kind{Name: "scratched", Words: "GM %[1]d scratches its head over %[2]s"})
	f := newFilm(played([]federate.Action{federate.Action(len(before))}, [3]int{1, 0, 1}), true)
	f.word()
	if last := f.Cells.Events[len(f.Cells.Events)-1]; last.Text != "task 1: GM 1 scratches its head over worker 2" || last.At != 1 || last.Time != 1 {
		t.Errorf("the last step is %+v", last)
	}
}
