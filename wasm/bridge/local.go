package bridge

import (
	"context"
	"sync"
)

// Server answers the calls of one worker, one at a time. It sends any number of progress messages
// and then exactly one result or error, even after a panic. When the context of a call ends, it
// soon stops with the result so far.
type Server interface {
	Serve(ctx context.Context, call Message, send func(Message))
}

// Current is the current call of a worker, so that it can be stopped.
type Current struct {
	mu   sync.Mutex
	id   uint64
	stop context.CancelFunc
}

// Begin makes a call the current one and returns the call's context. The caller must
// call end after the call.
func (c *Current) Begin(ctx context.Context, id uint64) (_ context.Context, end func()) {
	ctx, stop := context.WithCancel(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.id, c.stop = id, stop
	return ctx, stop
}

// Stop ends the context of the call with this id, if it is the current one.
func (c *Current) Stop(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.id == id && c.stop != nil {
		c.stop()
	}
}

// Local returns workers in this process, each with its own server, for tests of
// components outside a browser. Terminating a worker ends the context of its call.
func Local(newServer func() Server) Spawn {
	return func(receive func(Message)) Worker {
		ctx, stop := context.WithCancel(context.Background())
		return &local{server: newServer(), ctx: ctx, stop: stop, receive: receive}
	}
}

type local struct {
	server  Server
	ctx     context.Context
	stop    context.CancelFunc
	receive func(Message)
	current Current
}

func (l *local) Post(m Message) {
	if m.Kind == KindStop {
		l.current.Stop(m.ID)
		return
	}
	ctx, end := l.current.Begin(l.ctx, m.ID)
	go func() {
		defer end()
		l.server.Serve(ctx, m, l.receive)
	}()
}

func (l *local) Terminate() { l.stop() }
