package policy

import (
	"context"
	"sync/atomic"
)

// Watch looks after the texts that run within a context. The zero Watch does nothing.
type Watch struct {
	// Begins is called when a run of a text begins; ctx ends with the run.
	Begins func(ctx context.Context, t *Text)
	// Pulse is called at the beginning of a run, and between two operations after every
	// thousand steps. Afterwards the text asks whether its context has ended.
	Pulse func()
	// Inside is how many calls of texts are under way. A single operation cannot be
	// stopped: a call that goes on long after its context ended is in one.
	Inside atomic.Int32
}

type watchKey struct{}

// Watched returns a context in which a watch looks after texts.
func Watched(ctx context.Context, w *Watch) context.Context {
	return context.WithValue(ctx, watchKey{}, w)
}

// WatchOf is the watch of a context.
func WatchOf(ctx context.Context) *Watch {
	if w, ok := ctx.Value(watchKey{}).(*Watch); ok {
		return w
	}
	return &Watch{}
}
