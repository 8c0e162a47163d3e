package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"berth/engine/scenario"
)

// Worker is one engine that answers calls.
type Worker interface {
	Post(Message) // a call, or the wish that the one under way stop
	Terminate()   // at once, whatever it is doing
}

// Spawn starts a worker. Everything it says goes to receive, which does not
// block, but not before Spawn has returned; nothing does after a crash.
type Spawn func(receive func(Message)) Worker

// Pool shares a few workers between the calls of a page. Workers are kept
// warm: they are started when all others are busy, and end only by a crash or
// when they do not let go of a call that is cancelled.
type Pool struct {
	spawn Spawn
	more  Spawn                       // of workers whose program reads more; nil where those of spawn read all there is
	ready func(context.Context) error // has that program loaded
	size  int

	mu      sync.Mutex
	workers []*member
	queue   []turn // calls that wait for a worker, first come first served
	lastID  uint64
}

// member is a worker of the pool.
type member struct {
	Worker
	busy  bool
	less  bool     // there is a program that reads more than its own
	call  *pending // nil while no answer is due
	knows []string // scenarios that it was asked about, the last one last
}

// turn is a call that waits for a worker.
type turn struct {
	given chan *member
	after string // the scenario that its worker is to know; "" for any worker
}

type pending struct {
	id       uint64
	progress chan Message // the pool drops what does not fit
	answer   chan Message // exactly one
}

// NewPool returns a pool of at most size workers, and starts one of them.
func NewPool(size int, spawn Spawn) *Pool {
	p := &Pool{spawn: spawn, size: max(1, size)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.start()
	return p
}

// ReadMore gives the pool workers that read formats which the others only
// recognise: they take the places of all when a call needs them and ready, which
// loads their program, has returned.
func (p *Pool) ReadMore(more Spawn, ready func(context.Context) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.more, p.ready = more, ready
	for _, w := range p.workers {
		w.less = true
	}
}

// Call sends a call, with ID and Kind filled in by the pool, and blocks until it is
// answered. Progress, which may be nil, is called by the same goroutine. When ctx ends,
// the worker is asked to stop: its result so far is a result like any other, marked as
// partial by itself. Otherwise the error is that of ctx, and a worker that does not
// answer in time is terminated and replaced; any other error is an [*Error].
//
// In the browser the goroutine must not be that of an event handler, which would keep
// the answer from coming in.
func (p *Pool) Call(ctx context.Context, call Message, progress func(scenario.Progress)) (Message, error) {
	for {
		w, err := p.acquire(ctx, call.Head)
		if err != nil {
			return Message{}, err
		}
		m, err := p.carry(ctx, w, call, progress)
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != NeedsReaders || !w.less {
			return m, err
		}
		if err := p.ready(ctx); ctx.Err() != nil {
			return Message{}, ctx.Err()
		} else if err != nil {
			return Message{}, &Error{Message: unreachable}
		}
		p.readMore()
	}
}

// unreachable is said where the program that reads more cannot be loaded.
const unreachable = "Berth loads its reader of manifests and networks with the first such file, and cannot reach it now. " +
	"The inputs are kept: run again when you are online. After that the reader works offline, too."

// readMore has workers that read more take the places of all others.
func (p *Pool) readMore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.more == nil {
		return
	}
	p.spawn, p.more = p.more, nil
	for _, w := range slices.Clone(p.workers) {
		if !w.busy {
			p.drop(w)
		}
	}
}

// carry has a worker carry a call out.
func (p *Pool) carry(ctx context.Context, w *member, call Message, progress func(scenario.Progress)) (Message, error) {
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

// patience is how long a worker that is to stop may be silent. Once it was
// heard of it is known to listen, and has the time of conclusion to put its
// result together: that of a million requests takes a while.
const (
	patience   = time.Second
	conclusion = 10 * time.Second
)

// stop ends a call.
func (p *Pool) stop(w *member, c *pending, why error) (Message, error) {
	select {
	case <-c.progress: // of before
	default:
	}
	w.Post(Message{Head: Head{ID: c.id, Kind: KindStop}})
	late := time.NewTimer(patience)
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
	if progress != nil && m.DecodeBody(&at) == nil {
		progress(at)
	}
}

// failure returns the error that an answer stands for.
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
func crash(reason string) Message {
	body, _ := json.Marshal(Error{Kind: Crashed, Message: reason})
	return Message{Head: Head{Kind: KindCrash}, Body: body}
}

// acquire returns a free worker, if possible one that knows the scenario. A run waits
// for that one even if others are free: the inputs that it has read are worth more.
func (p *Pool) acquire(ctx context.Context, call Head) (*member, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	mine := turn{given: make(chan *member, 1)}
	if call.Method == MethodRun {
		mine.after = call.Scenario
	}
	if w := p.idle(call.Scenario); w != nil && p.suits(w, mine) {
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

// suits reports whether a worker is one that a call waits for: if none knows the
// scenario any more, all are.
func (p *Pool) suits(w *member, t turn) bool {
	knows := func(w *member) bool { return slices.Contains(w.knows, t.after) }
	return t.after == "" || knows(w) || !slices.ContainsFunc(p.workers, knows)
}

// idle returns a free worker or nil. One that was asked about other scenarios
// only is taken last, so that questions about what is on screen find it free.
func (p *Pool) idle(scenario string) *member {
	var free *member
	for _, w := range p.workers {
		switch {
		case w.busy:
		case slices.Contains(w.knows, scenario):
			return w
		case free == nil || len(w.knows) < len(free.knows):
			free = w
		}
	}
	if free == nil && len(p.workers) < p.size {
		free = p.start()
	}
	return free
}

// start adds a worker.
func (p *Pool) start() *member {
	w := &member{less: p.more != nil}
	w.Worker = p.spawn(func(m Message) { p.receive(w, m) })
	p.workers = append(p.workers, w)
	return w
}

// leave gives up a place in the queue.
func (p *Pool) leave(left turn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = slices.DeleteFunc(p.queue, func(t turn) bool { return t == left })
	select {
	case w := <-left.given:
		p.free(w)
	default:
	}
}

func (p *Pool) post(w *member, call Message) *pending {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastID++
	call.ID, call.Kind = p.lastID, KindCall
	w.call = &pending{id: call.ID, progress: make(chan Message, 1), answer: make(chan Message, 1)}
	if w.less { // which may refuse it
		call.Files = kept(call.Files)
	}
	w.Post(call)
	return w.call
}

// kept returns files that can be sent again.
func kept(files map[string]Blob) map[string]Blob {
	files = maps.Clone(files)
	for name, file := range files {
		files[name] = file.Kept()
	}
	return files
}

// receive takes in what a worker says.
func (p *Pool) receive(w *member, m Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m.Kind == KindCrash {
		p.drop(w)
	} else if w.call == nil || m.ID != w.call.id {
		return
	}
	switch {
	case w.call == nil:
	case m.Kind == KindProgress:
		select {
		case w.call.progress <- m:
		default:
		}
	default:
		w.call.answer <- m
		w.call = nil
	}
}

// remembered is how many scenarios a worker keeps.
const remembered = 2

// release makes a worker free after it answered about a scenario.
func (p *Pool) release(w *member, scenario string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if scenario != "" {
		w.knows = append(slices.DeleteFunc(w.knows, func(s string) bool { return s == scenario }), scenario)
		w.knows = w.knows[max(0, len(w.knows)-remembered):]
	}
	p.free(w)
}

// free hands a worker to the first who waits. A worker that crashed while it
// was idle or answering is no longer of the pool and gets a successor, and so does
// one that reads less than those that come now.
func (p *Pool) free(w *member) {
	w.busy = false
	if w.less && p.more == nil {
		p.drop(w)
	}
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
func (p *Pool) replace(w *member) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.call = nil
	p.drop(w)
	p.free(p.start())
}

func (p *Pool) drop(w *member) {
	w.Terminate()
	p.workers = slices.DeleteFunc(p.workers, func(other *member) bool { return other == w })
}
