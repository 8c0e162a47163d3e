package policy

import (
	"context"
	"sync/atomic"
)

// Watch supervises the texts that run within a context. The zero Watch does nothing.
type Watch struct {
	// Begins, if not nil, is called when a run of a text begins; ctx is cancelled at the end of the
	// run.
	Begins func(ctx context.Context, t *Text)
	// Pulse, if not nil, is called when a run begins and then about every thousand steps, between
	// two operations. The run then checks whether its context was cancelled.
	Pulse func()
	// Inside is the number of calls in progress. A single operation cannot be interrupted: if a
	// call continues long after its context was cancelled, an operation takes too long.
	Inside atomic.Int32
}

type watchKey struct{}

// Watched returns a context in which w supervises texts.
func Watched(ctx context.Context, w *Watch) context.Context {
	return context.WithValue(ctx, watchKey{}, w)
}

// WatchOf returns the watch of a context, or one that does nothing.
func WatchOf(ctx context.Context) *Watch {
	if w, ok := ctx.Value(watchKey{}).(*Watch); ok {
		return w
	}
	return &Watch{}
}
