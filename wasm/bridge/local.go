package bridge

import "context"

// Server answers the calls of one worker, one at a time. It sends any number of
// progress messages and then exactly one result or error, also after a panic.
type Server interface {
	Serve(ctx context.Context, call Message, send func(Message))
}

// Local returns workers that live in this process, each with a server of its
// own: components are tested natively with them. Terminating one ends the
// context of its call.
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
}

func (l *local) Post(call Message) { go l.server.Serve(l.ctx, call, l.receive) }

func (l *local) Terminate() { l.stop() }
