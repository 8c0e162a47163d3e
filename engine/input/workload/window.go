package workload

import (
	"fmt"

	"berth/engine/show"
	"berth/engine/sim"
)

// Window selects a part of a workload. It takes the jobs that arrive within [From, To), then every
// Every-th of them starting with the first, then the first First of the rest. A field that is 0
// selects everything. In a workload of requests, each request counts as a job.
type Window struct {
	First int     `json:"first,omitempty"`
	From  float64 `json:"from,omitempty"` // seconds since the first arrival of the workload
	To    float64 `json:"to,omitempty"`   // seconds since the first arrival of the workload
	Every int     `json:"every,omitempty"`
}

// All reports whether the window includes everything.
func (w Window) All() bool { return w.First == 0 && w.From == 0 && w.To == 0 && w.Every <= 1 }

// Check returns an error that names the first field with an invalid value.
func (w Window) Check() error {
	const most = float64(MaxTime / sim.Second)
	switch {
	case w.First < 0:
		return fmt.Errorf("first: %d is negative: expected a number of jobs", w.First)
	case w.Every < 0:
		return fmt.Errorf("every: %d is negative: expected 2 for every second job", w.Every)
	case !(w.From >= 0 && w.From <= most):
		return fmt.Errorf("from: %v s is out of range: expected 0 to %v s since the first arrival", w.From, most)
	case !(w.To >= 0 && w.To <= most):
		return fmt.Errorf("to: %v s is out of range: expected 0 to %v s since the first arrival", w.To, most)
	case w.To > 0 && w.To <= w.From:
		return fmt.Errorf("to: %v s is not after from, %v s", w.To, w.From)
	}
	return nil
}

// Says describes how much of a workload is within the window.
func (w Window) Says(kept, all int, unit string) string {
	return fmt.Sprintf("%d of %s are within the window", kept, show.Count(all, unit))
}

// SaysCut is [Window.Says] for a workload that was not read to its end.
func (w Window) SaysCut(kept int, unit string) string {
	return fmt.Sprintf("%s %s within the window; Berth reads no further", show.Count(kept, unit), show.Verb(kept, "is", "are"))
}

// passing applies a window to jobs in order of arrival.
type passing struct {
	Window
	seen, kept int  // jobs within [From, To), and how many of these passed
	over       bool // no later job can be within the window
}

// takes reports whether a job that arrives at seconds after the first one is within
// the window.
func (p *passing) takes(at float64) bool {
	if at < p.From || p.To > 0 && at >= p.To {
		p.over = p.over || at >= p.From
		return false
	}
	p.seen++
	if p.Every > 1 && (p.seen-1)%p.Every != 0 || p.First > 0 && p.kept == p.First {
		return false
	}
	p.kept++
	p.over = p.kept == p.First
	return true
}

// Of returns the jobs of a workload within the window. The result shares memory with
// t where possible and drops dependencies on jobs outside.
func (w Window) Of(t *Tasks) *Tasks {
	if w.All() || len(t.Jobs) == 0 {
		return t
	}
	part := *t
	part.Jobs, part.Durations, part.KindOf = nil, nil, nil
	pass, place := passing{Window: w}, make([]int32, len(t.Jobs))
	for j, job := range t.Jobs {
		if place[j] = -1; !pass.takes(Seconds(job.Arrival - t.Jobs[0].Arrival)) {
			continue
		}
		place[j] = int32(len(part.Jobs))
		first, end := job.First, job.First+job.Count
		job.First = int32(len(part.Durations))
		part.Jobs = append(part.Jobs, job)
		part.Durations = append(part.Durations, t.Durations[first:end]...)
		part.KindOf = append(part.KindOf, t.KindOf[first:end]...)
	}
	part.After = t.Kept(place, len(part.Jobs))
	return &part
}

// Requests returns the requests of a stream within the window. Times count from the
// first request that the stream yields, even if the stream is out of order.
func (w Window) Requests(of Stream) *Windowed {
	return &Windowed{Stream: of, pass: passing{Window: w}}
}

// Windowed is the part of a stream within a window.
type Windowed struct {
	Stream
	All   int // requests read from the source
	Kept  int // requests within the window
	pass  passing
	start sim.Milliseconds
}

// Read implements [Stream].
func (w *Windowed) Read(buffer []Request) (int, error) {
	return filtered{w.Stream, w.takes}.Read(buffer)
}

func (w *Windowed) takes(r *Request) bool {
	if w.All == 0 {
		w.start = r.Submit
	}
	w.All++
	within := w.pass.takes(float64(r.Submit-w.start) / float64(sim.Second))
	w.Kept = w.pass.kept
	return within
}
