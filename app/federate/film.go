package federate

import (
	"fmt"
	"slices"

	"berth/app/chart"
	"berth/app/ui"
	"berth/engine/event"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
)

// film is a playback prepared for the drawing of the data centre.
type film struct {
	chart.Cells
	scheduler string
	masters   bool // the scheduler has GMs with partitions
	cut       bool
	telling   float64 // a moment, in seconds, that shows how the scheduler works
	ran       [][]int // indices of the tasks that ran on each worker, in order

	play   *federatekind.Playback
	shown  []int // index in play of each event of the film
	worded bool  // the events have their texts
}

// word adds the texts of the events, which take longer to make than the rest of the film.
func (f *film) word() {
	if f.worded {
		return
	}
	f.worded = true
	f.Cells.Events = slices.Clone(f.Cells.Events) // a chart still uses the old events
	for k, i := range f.shown {
		f.Cells.Events[k].Text = f.text(i)
	}
}

func (f *film) text(i int) string {
	e := f.play.Event(i)
	if federate.Action(e.What) == federate.Arrived {
		return f.arrival(e.Thing)
	}
	task, _, text := f.play.Describe(i)
	if task != "" {
		text = task + ": " + text
	}
	return text
}

// arrival describes the arrival of the job whose first task is first.
func (f *film) arrival(first int32) string {
	p := f.play
	job, user, n := p.Job[first], p.User[first], 0
	for t := first; int(t) < len(p.Job) && p.Job[t] == job; t++ {
		n++
	}
	text := fmt.Sprintf("job %d arrives with %s of user %d", job+1, ui.Counted(n, "task"), user+1)
	if int(user) < len(p.GMOfUser) {
		text += fmt.Sprintf(", at GM %d", p.GMOfUser[user]+1)
	}
	return text
}

// legend explains the signs of the drawing.
func (f *film) legend() string {
	if !f.masters {
		return f.scheduler + " has no partitions. Each cell is a worker."
	}
	return "Each cell is a worker, each block the workers of one Local Master. The colour shows the Global Master that owns the worker's partition; with each Global Master is the number of tasks that wait there and its copy of the state: full where it takes a worker for full, hatched where its Local Master knows better. An arrow is the message of the step."
}

// stage tracks the state of the workers while newFilm reads a playback.
type stage struct {
	*film
	*federatekind.Playback
	slots   bool
	running []int           // number of tasks on each worker
	pending []int           // number of launches under way to each worker
	asked   map[int32]int32 // worker of each task whose launch is under way
	down    []bool
	state   []chart.CellState // last state in the film
	waiting []int             // number of waiting tasks at each GM
	waits   map[int32]bool    // whether a task waits at its GM
}

const nanosecond = 1e-9

// newFilm converts a playback into changes of cells and the events that caused them.
// With slots, a worker that runs a task is full.
func newFilm(p *federatekind.Playback, slots bool) *film {
	n := len(p.LMOfWorker)
	s := &stage{
		film:     &film{Cells: chart.Cells{XLabel: "time (s)"}, scheduler: p.Scheduler, masters: p.GMs > 0, cut: p.Left > 0, ran: make([][]int, n), play: p},
		Playback: p, slots: slots,
		waiting: make([]int, p.GMs), waits: map[int32]bool{},
		running: make([]int, n), pending: make([]int, n), asked: map[int32]int32{}, down: make([]bool, n), state: make([]chart.CellState, n),
	}
	s.build()
	for i := range p.At {
		s.note(i)
	}
	s.telling = s.moment()
	return s.film
}

// moment returns the time of the first refusal, which shows the effect of Megha's stale copies.
// Without refusals it returns the time when the most tasks wait.
func (s *stage) moment() (at float64) {
	for _, e := range s.Cells.Events {
		if e.Sends.Refused {
			return e.Time
		}
	}
	most := 0
	for _, c := range s.Changes {
		if c.Layer == chart.Queues && c.Value > most {
			most, at = c.Value, c.Time
		}
	}
	return at
}

// build lists the workers with their masters.
func (s *stage) build() {
	s.Blocks, s.Partitions = numbered("LM", s.LMs), numbered("GM", s.GMs)
	if s.GMs == 0 && s.LMs > 0 {
		s.Blocks = numbered("group", s.LMs)
	}
	if s.LMs == 0 {
		s.Blocks = []string{"workers"}
	}
	if s.GMs == 0 {
		s.Partitions = []string{"workers"}
	}
	for w := range s.LMOfWorker {
		s.Items = append(s.Items, chart.Cell{
			Name: fmt.Sprintf("worker %d", w+1), Block: int(max(s.LMOfWorker[w], 0)), Partition: int(max(s.GMOfWorker[w], 0)),
		})
	}
}

func numbered(name string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%s %d", name, i+1)
	}
	return list
}

// queue records that a task starts or stops waiting at its GM.
func (s *stage) queue(task int32, waits bool, at float64) {
	user := int(s.User[task])
	if user >= len(s.GMOfUser) || s.GMs == 0 || s.waits[task] == waits {
		return
	}
	s.waits[task] = waits
	gm := int(s.GMOfUser[user])
	if waits {
		s.waiting[gm]++
	} else {
		s.waiting[gm]--
	}
	s.change(at, chart.Queues, gm, s.waiting[gm])
}

// arrive queues the tasks of an arriving job whose first task is first.
func (s *stage) arrive(first int32, at float64) {
	for t := first; int(t) < len(s.Job) && s.Job[t] == s.Job[first]; t++ {
		s.queue(t, true, at)
	}
}

// note adds event i of the playback to the film.
func (s *stage) note(i int) {
	e := s.Event(i)
	at, action := float64(e.At)*nanosecond, federate.Action(e.What)
	switch action {
	case federate.Filled, federate.Opened:
		full := 0
		if action == federate.Filled {
			full = 1
		}
		s.change(at, chart.Copies+int(e.By), int(e.On), full) // layer Copies−1 is Books: without a GM, By is −1 and the LM's books change
		return
	case federate.Released: // changes only the books of an LM
		return
	}
	s.act(action, e.Thing, e.On)
	switch action {
	case federate.Requested, federate.Repartitioned, federate.PreemptAsked:
		s.queue(e.Thing, false, at)
	case federate.Refused, federate.Preempted:
		s.queue(e.Thing, true, at)
	}
	if e.On >= 0 {
		s.show(e.On, at)
	}
	if action == federate.Arrived {
		s.arrive(e.Thing, at)
	}
	s.film.shown = append(s.film.shown, i)
	s.Cells.Events = append(s.Cells.Events, chart.Event{ID: int(e.Thing), Time: at, At: int(e.On), Sends: s.message(action, e)})
}

// message returns the message of an event: from a GM to a worker's LM, from the LM to
// the worker, or back.
func (s *stage) message(action federate.Action, e event.Event) (m chart.Message) {
	if s.GMs == 0 || e.On < 0 {
		return m
	}
	lm, cell := chart.BlockPlace(int(max(0, s.LMOfWorker[e.On]))), chart.CellPlace(int(e.On))
	switch action {
	case federate.Requested, federate.Repartitioned, federate.PreemptAsked:
		return chart.Message{From: chart.MasterPlace(int(e.By)), To: lm}
	case federate.Refused:
		if user := int(s.User[e.Thing]); user < len(s.GMOfUser) {
			return chart.Message{From: lm, To: chart.MasterPlace(int(s.GMOfUser[user])), Refused: true}
		}
	case federate.Adopted:
		return chart.Message{From: lm, To: chart.MasterPlace(int(e.By))}
	case federate.Verified, federate.Started, federate.Preempted:
		return chart.Message{From: lm, To: cell}
	case federate.Ended, federate.Stopped:
		return chart.Message{From: cell, To: lm}
	}
	return m
}

// act updates the running and launching tasks of workers, and the failed workers.
func (s *stage) act(action federate.Action, task, worker int32) {
	switch action {
	case federate.Requested, federate.Repartitioned, federate.PreemptAsked:
		s.settle(task)
		s.asked[task] = worker
		s.pending[worker]++
	case federate.Refused, federate.Preempted:
		s.settle(task)
	case federate.WorkerFailed, federate.WorkerWorks:
		s.down[worker] = action == federate.WorkerFailed
	case federate.Started:
		s.settle(task)
		if worker >= 0 {
			s.running[worker]++
			s.ran[worker] = append(s.ran[worker], int(task))
		}
	case federate.Stopped, federate.Ended:
		if worker >= 0 {
			s.running[worker]--
		}
	}
}

// settle ends the pending launch of a task, if it has one.
func (s *stage) settle(task int32) {
	if worker, ok := s.asked[task]; ok {
		s.pending[worker]--
		delete(s.asked, task)
	}
}

// show adds the state of a worker to the film if it has changed.
func (s *stage) show(worker int32, at float64) {
	now := chart.Free
	switch {
	case s.down[worker]:
		now = chart.Down
	case s.running[worker] > 0 && s.slots:
		now = chart.Busy
	case s.running[worker] > 0:
		now = chart.Partly
	case s.pending[worker] > 0:
		now = chart.Pending
	}
	if now != s.state[worker] {
		s.state[worker] = now
		s.change(at, chart.States, int(worker), int(now))
	}
}

func (s *stage) change(at float64, layer, index, value int) {
	s.Changes = append(s.Changes, chart.Change{Time: at, Layer: layer, At: index, Value: value})
}
