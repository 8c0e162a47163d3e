package megha

import (
	"context"
	"fmt"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
)

// watcher checks the invariants of a federation after every event that reaches it.
type watcher struct {
	*federation
	err   error
	truth []cluster.Amount   // by worker: free resources according to the logs
	read  []uint32           // by LM: last position that was replayed
	seen  [][]cluster.Amount // by GM and worker: free resources according to the log positions that the GM has seen
	upTo  [][]uint32
}

// RunWatched runs Megha and checks its invariants after every event. The LMs' books agree with
// their running tasks and with their logs. The copy of a GM with users never has more free than was
// true at the positions that it has seen. The resources lent between partitions are the resources
// of the tasks that run there. The yields in a GM's copy are the resources of its listed tasks. At
// the end every resource is free again.
func RunWatched(c federate.Config, load *workload.Tasks) (*federate.Counters, error) {
	var w *watcher
	r, err := runAs(c, load, func(f *federation) federate.Scheduler {
		w = &watcher{federation: f, truth: slices.Clone(f.free), read: make([]uint32, len(f.lms))}
		for range f.gms {
			w.seen = append(w.seen, slices.Clone(f.free))
			w.upTo = append(w.upTo, make([]uint32, len(f.lms)))
		}
		return w
	})
	switch {
	case err != nil:
		return nil, err
	case w.err != nil:
		return nil, w.err
	case r.Tasks != w.count():
		return nil, fmt.Errorf("%d of %d tasks have ended", r.Tasks, w.count())
	}
	return &r.Counters, w.checkEnd()
}

// runAs runs Megha inside another scheduler.
func runAs(c federate.Config, load *workload.Tasks, as func(*federation) federate.Scheduler) (*federate.Result, error) {
	plugin := Plugin
	plugin.New = func(m *federate.Model) federate.Scheduler { return as(newFederation(m).(*federation)) }
	c.Written = []federate.Plugin{plugin}
	return federate.Run(context.Background(), plugin.Name, c, load, federate.Options{})
}

func (w *watcher) Submit(job int32) {
	w.federation.Submit(job)
	w.note()
}

func (w *watcher) Handle(e federate.Event) {
	w.federation.Handle(e)
	w.note()
}

func (w *watcher) Ended(task, worker int32) {
	w.federation.Ended(task, worker)
	w.note()
}

func (w *watcher) Outage(o federate.Outage, over bool) {
	w.federation.Outage(o, over)
	w.note()
}

func (w *watcher) note() {
	if err := w.check(); err != nil && w.err == nil {
		w.err = fmt.Errorf("at %d ns: %w", w.Now(), err)
	}
}

func (w *watcher) replay(lm int, from, to uint32, free []cluster.Amount) {
	l := &w.lms[lm]
	for ; from < to; from++ {
		e := l.log[from-l.base]
		sign := cluster.Amount(1)
		if e.taken {
			sign = -1
		}
		cluster.Add(cluster.Row(free, e.worker, w.Center.Resources), w.request(e.task), sign)
	}
}

func (w *watcher) check() error {
	for l := range w.lms {
		w.replay(l, w.read[l], w.lms[l].position(), w.truth)
		w.read[l] = w.lms[l].position()
		for g := range w.gms {
			seen := w.gms[g].seen[l]
			w.replay(l, w.upTo[g][l], seen, w.seen[g])
			w.upTo[g][l] = seen
		}
	}
	if !slices.Equal(w.truth, w.free) {
		return fmt.Errorf("the books %v are not what the logs say: %v", w.free, w.truth)
	}
	for g := range w.gms {
		if len(w.gms[g].queues) == 0 {
			continue
		}
		for i, amount := range w.gms[g].free {
			if amount > w.seen[g][i] {
				return fmt.Errorf("GM %d has %d at %d, but the LM had %d at that position", g, amount, i, w.seen[g][i])
			}
		}
	}
	if err := w.checkYields(); err != nil {
		return err
	}
	return w.checkBooks()
}

// checkYields compares the yields with the sum over the tasks that each GM lists.
func (w *watcher) checkYields() error {
	if w.fair == nil {
		return nil
	}
	y := w.fair.gain
	held := make([]cluster.Amount, len(y.held))
	for g := range w.gms {
		for t := range w.count() {
			if n := w.fair.node(&w.gms[g], int32(t)); n.state == listed {
				at := (g*w.Center.Workers()+int(n.worker))*w.Users() + int(w.User(int32(t)))
				cluster.Add(held[at*w.Center.Resources:], w.Kind(int32(t)).Request, 1)
			}
		}
	}
	if !slices.Equal(held, y.held) {
		return fmt.Errorf("the listed tasks have %v, the GMs think %v", held, y.held)
	}
	for g := range w.gms {
		for worker, bit := range w.layout.bitOf {
			for user := range int32(w.Users()) {
				with := y.with(&w.gms[g], user, int32(worker))
				if bound := y.boundOf(&w.gms[g], user, bit/wordSize); slices.Max(y.heldBy(&w.gms[g], user, int32(worker))) > 0 && !cluster.Covers(bound, with) {
					return fmt.Errorf("GM %d thinks that worker %d and others with it have %v at most without user %d, but it has %v", g, worker, bound, user, with)
				}
			}
		}
	}
	return nil
}

// SetMaxHeld lets a test disable yields; it returns a function that restores them.
func SetMaxHeld(amounts int) (undo func()) {
	old := maxHeld
	maxHeld = amounts
	return func() { maxHeld = old }
}

// checkBooks compares the books with the sum over the running tasks.
func (w *watcher) checkBooks() error {
	left := make([]cluster.Amount, 0, len(w.free))
	for range w.Center.Workers() {
		left = append(left, w.Center.Capacity...)
	}
	lent := make([]cluster.Amount, len(w.lent))
	for t := range w.launches {
		x := &w.launches[t]
		if worker := w.Worker(int32(t)); worker >= 0 && !w.Finished(int32(t)) && (!x.booked || x.worker != worker) {
			return fmt.Errorf("task %d runs on worker %d, which the books do not say", t, worker)
		}
		if !x.booked {
			continue
		}
		request := w.Kind(int32(t)).Request
		cluster.Add(cluster.Row(left, x.worker, len(request)), request, -1)
		if w.layout.gmOf(x.worker) != w.gmOf(int32(t)) {
			cluster.Add(cluster.Row(lent, w.layout.partitionOf[x.worker], len(request)), request, 1)
		}
	}
	for worker := range int32(w.Center.Workers()) {
		if w.Down(worker) {
			clear(cluster.Row(left, worker, w.Center.Resources))
		}
	}
	if !slices.Equal(left, w.free) {
		return fmt.Errorf("the running tasks leave %v, the books have %v", left, w.free)
	}
	if !slices.Equal(lent, w.lent) {
		return fmt.Errorf("the running tasks of other GMs have %v of the partitions, the books say %v", lent, w.lent)
	}
	return nil
}

func (w *watcher) checkEnd() error {
	if slices.ContainsFunc(w.lent, func(a cluster.Amount) bool { return a != 0 }) {
		return fmt.Errorf("partitions have not got everything back: %v", w.lent)
	}
	for g := range w.gms {
		if len(w.gms[g].queues) > 0 && !slices.Equal(w.gms[g].free, w.free) {
			return fmt.Errorf("GM %d believes %v at the end, the truth is %v", g, w.gms[g].free, w.free)
		}
	}
	return nil
}

// counter counts the allocations in the second half of a run.
type counter struct {
	*federation
	allocations   func() uint64
	ended         int
	events        int64
	before, after uint64
}

func (x *counter) Ended(task, worker int32) {
	switch x.ended++; x.ended {
	case x.count() / 2:
		x.events, x.before = x.Counters.Events, x.allocations()
	case x.count():
		x.events, x.after = x.Counters.Events-x.events, x.allocations()
	}
	x.federation.Ended(task, worker)
}

// AllocationsPerEvent returns the mean number of allocations per event in the second half of a run.
func AllocationsPerEvent(c federate.Config, load *workload.Tasks, allocations func() uint64) (float64, error) {
	x := &counter{allocations: allocations}
	_, err := runAs(c, load, func(f *federation) federate.Scheduler {
		x.federation = f
		return x
	})
	return float64(x.after-x.before) / float64(x.events), err
}
