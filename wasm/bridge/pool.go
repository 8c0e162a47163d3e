package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"berth/engine/scenario"
)

// Worker is the pool's view of a web worker that runs the engine. It executes one call at a time.
type Worker interface {
	Post(Message) // a call, or a request to stop the current one
	Terminate()   // at once, even in the middle of a call
}

// Spawn starts a worker. The worker's messages go to receive, which does not block;
// no message arrives before Spawn has returned or after a crash.
type Spawn func(receive func(Message)) Worker

// WorkerPool shares a few workers between the calls of a page. It starts a worker when all
// others are busy, and keeps it. A worker ends only if it crashes, exceeds a limit,
// or does not stop a cancelled call.
type WorkerPool struct {
	spawn Spawn
	size  int

	mu      sync.Mutex
	workers []*member
	queue   []turn // calls that wait for a worker, in order of arrival
	lastID  uint64
}

// member is a worker of the pool with its state.
type member struct {
	Worker
	busy  bool
	call  *pending // nil while no answer is outstanding
	knows []string // hashes of the scenarios that it keeps, latest last
}

// turn is a call that waits for a worker.
type turn struct {
	given chan *member
	after string // hash of the scenario that the worker should keep; "" for any worker
	apart string // hash of the scenario whose workers are left to other calls, if possible
}

type pending struct {
	id       uint64
	progress chan Message // the pool drops messages that do not fit
	answer   chan Message // exactly one

	text    RunningText
	since   time.Time     // start of the running policy if the user has not agreed to it; zero for other policies
	spent   time.Duration // time used by earlier policies of this kind
	overdue *time.Timer   // terminates the worker when these policies have used CarefulTime
}

// NewPool returns a pool of at most size workers, and starts one of them.
func NewPool(size int, spawn Spawn) *WorkerPool {
	p := &WorkerPool{spawn: spawn, size: max(1, size)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.start()
	return p
}

// Call sends a call, whose ID and Kind the pool sets, and blocks until it is
// answered. It calls progress, which may be nil, on the same goroutine. When ctx
// ends, the pool asks the worker to stop; the result so far is then an ordinary
// result, marked as partial. If the worker does not answer in time, the pool
// terminates and replaces it, and Call returns the error of ctx. Every other error is
// an [*Error].
//
// In the browser an event handler must not call it directly: a blocked handler would
// keep the answer from arriving.
func (p *WorkerPool) Call(ctx context.Context, call Message, progress func(scenario.Progress)) (Message, error) {
	w, err := p.acquire(ctx, call.Head)
	if err != nil {
		return Message{}, err
	}
	c := p.post(w, call)
	for {
		select {
		case m := <-c.progress:
			report(m, progress)
		case m := <-c.answer:
			p.release(w, m.Scenario)
			return m, failure(m)
		case <-ctx.Done():
			return p.stop(w, c, ctx.Err())
		}
	}
}

// patience is how long a worker may stay silent after it was asked to stop. Its first
// message shows that it has received the request. From then on it has the time conclusion to
// combine its results, which takes a while for a million requests.
const (
	patience   = time.Second
	conclusion = 10 * time.Second
)

const (
	// CarefulTime limits the total running time, per call, of policies that the user
	// has neither written nor agreed to run.
	CarefulTime = time.Second
	// textPatience is [patience] for a worker that runs a policy: it checks for a
	// stop after every thousand operations, and a single operation cannot be stopped.
	textPatience = 200 * time.Millisecond
)

// stop asks a worker to stop its call, and waits for the result so far.
func (p *WorkerPool) stop(w *member, c *pending, why error) (Message, error) {
	select {
	case <-c.progress: // discard progress from before the request to stop
	default:
	}
	w.Post(Message{Head: Head{ID: c.id, Kind: KindStop}})
	late := time.NewTimer(p.patienceWith(c))
	defer late.Stop()
	for heard := false; ; {
		select {
		case <-c.progress:
			if !heard {
				late.Reset(conclusion)
			}
			heard = true
		case m := <-c.answer:
			p.release(w, m.Scenario)
			if m.Kind == KindResult {
				return m, nil
			}
			return Message{}, why
		case <-late.C:
			p.replace(w)
			return Message{}, why
		}
	}
}

func report(m Message, progress func(scenario.Progress)) {
	var at scenario.Progress
	if progress != nil && m.Kind == KindProgress && m.DecodeBody(&at) == nil {
		progress(at)
	}
}

// patienceWith is patience or textPatience, depending on the work of the call.
func (p *WorkerPool) patienceWith(c *pending) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.text.Policy != "" {
		return textPatience
	}
	return patience
}

// failure returns the error in an answer; nil for a result.
func failure(m Message) error {
	if m.Kind == KindResult {
		return nil
	}
	e := &Error{}
	if err := m.DecodeBody(e); err != nil {
		return &Error{Kind: Crashed, Message: err.Error()}
	}
	return e
}

// crash is the message of a worker that died.
func crash(reason string) Message { return lost(Crashed, reason) }

func lost(kind ErrorKind, reason string) Message {
	body, _ := json.Marshal(Error{Kind: kind, Message: reason})
	return Message{Head: Head{Kind: KindCrash}, Body: body}
}

// acquire returns a free worker, preferably one that keeps the scenario. A call that Waits queues
// for that worker even if others are free, because reading its inputs again would cost more.
func (p *WorkerPool) acquire(ctx context.Context, call Head) (*member, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	mine := turn{given: make(chan *member, 1), apart: call.Apart}
	if call.Waits {
		mine.after = call.Scenario
	}
	if w := p.idle(call.Scenario, mine); w != nil {
		w.busy = true
		p.mu.Unlock()
		return w, nil
	}
	p.queue = append(p.queue, mine)
	p.mu.Unlock()
	select {
	case w := <-mine.given:
		return w, nil
	case <-ctx.Done():
		p.leave(mine)
		return nil, ctx.Err()
	}
}

// suits reports whether a call may go to a worker. Invariants: if no worker keeps the scenario of a
// call any more, the call may go to any worker. The same holds if every worker of a full pool keeps
// the scenario that the call should leave alone.
func (p *WorkerPool) suits(w *member, t turn) bool {
	after := func(w *member) bool { return slices.Contains(w.knows, t.after) }
	other := func(w *member) bool { return !slices.Contains(w.knows, t.apart) }
	return (t.after == "" || after(w) || !slices.ContainsFunc(p.workers, after)) &&
		(other(w) || len(p.workers) == p.size && !slices.ContainsFunc(p.workers, other))
}

// idle returns a free worker that suits a call, or nil. It prefers workers with few
// scenarios, so that workers that keep the scenario on screen stay free for
// questions.
func (p *WorkerPool) idle(scenario string, t turn) *member {
	var free *member
	for _, w := range p.workers {
		switch {
		case w.busy || !p.suits(w, t):
		case slices.Contains(w.knows, scenario):
			return w
		case free == nil || len(w.knows) < len(free.knows):
			free = w
		}
	}
	if free == nil && len(p.workers) < p.size && p.suits(&member{}, t) {
		free = p.start()
	}
	return free
}

func (p *WorkerPool) start() *member {
	w := &member{}
	w.Worker = p.spawn(func(m Message) { p.receive(w, m) })
	p.workers = append(p.workers, w)
	return w
}

// leave removes a call from the queue. If the call has been given a worker meanwhile, leave frees
// the worker.
func (p *WorkerPool) leave(left turn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = slices.DeleteFunc(p.queue, func(t turn) bool { return t == left })
	select {
	case w := <-left.given:
		p.free(w)
	default:
	}
}

func (p *WorkerPool) post(w *member, call Message) *pending {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastID++
	call.ID, call.Kind = p.lastID, KindCall
	w.call = &pending{id: call.ID, progress: make(chan Message, 1), answer: make(chan Message, 1)}
	w.Post(call)
	return w.call
}

// receive handles a message of a worker. It drops messages about calls that have already ended.
func (p *WorkerPool) receive(w *member, m Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m.Kind == KindCrash {
		p.drop(w)
		m = tooMuchMemory(w, m)
	} else if w.call == nil || m.ID != w.call.id {
		return
	}
	switch {
	case w.call == nil:
	case m.Kind == KindProgress, m.Kind == KindText:
		if m.Kind == KindText {
			p.watch(w, m)
		}
		select {
		case w.call.progress <- m:
		default:
		}
	default:
		p.answer(w, m)
	}
}

func (p *WorkerPool) answer(w *member, m Message) {
	w.call.pause()
	w.call.answer <- m
	w.call = nil
}

// pause stops the clock of policies that the user has not agreed to run.
func (c *pending) pause() {
	if !c.since.IsZero() {
		c.overdue.Stop()
		c.spent += time.Since(c.since)
		c.since = time.Time{}
	}
}

// watch records which policy a worker runs. Policies that the user has not agreed to run share
// CarefulTime in a call; then the worker is terminated in the middle of its work.
func (p *WorkerPool) watch(w *member, m Message) {
	c := w.call
	c.pause()
	c.text = RunningText{}
	if m.DecodeBody(&c.text) == nil && c.text.Careful {
		c.since = time.Now()
		c.overdue = time.AfterFunc(CarefulTime-c.spent, func() { p.end(w, c) })
	}
}

// end terminates a worker whose policies have used up their time, unless the call c has ended
// meanwhile.
func (p *WorkerPool) end(w *member, c *pending) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.call == c {
		p.drop(w)
		p.answer(w, lost(TooMuch, fmt.Sprintf("The policy %s takes longer than a second.", c.text.Policy)))
	}
}

// tooMuchMemory adds the name of the policy to the crash message of a worker that exceeded its
// memory limit.
func tooMuchMemory(w *member, m Message) Message {
	if e, ok := errors.AsType[*Error](failure(m)); !ok || e.Kind != TooMuch || w.call == nil {
		return m
	}
	text := w.call.text
	return lost(TooMuch, fmt.Sprintf("The policy %s takes more than %d MiB of memory.", text.Policy, text.Memory()>>20))
}

// Remembered is the number of scenarios that a worker keeps.
const Remembered = 2

// release frees a worker after its answer about a scenario.
func (p *WorkerPool) release(w *member, scenario string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if scenario != "" {
		w.knows = append(slices.DeleteFunc(w.knows, func(s string) bool { return s == scenario }), scenario)
		w.knows = w.knows[max(0, len(w.knows)-Remembered):]
	}
	p.free(w)
}

// free gives a worker to the first call in the queue that it can take. A worker that has left the
// pool, because it crashed, is replaced.
func (p *WorkerPool) free(w *member) {
	w.busy = false
	i := slices.IndexFunc(p.queue, func(t turn) bool { return p.suits(w, t) })
	if i < 0 {
		return
	}
	if !slices.Contains(p.workers, w) {
		w = p.start()
	}
	w.busy = true
	p.queue[i].given <- w
	p.queue = slices.Delete(p.queue, i, i+1)
}

// replace terminates a busy worker and starts another in its place.
func (p *WorkerPool) replace(w *member) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.call = nil
	p.drop(w)
	p.free(p.start())
}

func (p *WorkerPool) drop(w *member) {
	w.Terminate()
	p.workers = slices.DeleteFunc(p.workers, func(other *member) bool { return other == w })
}
