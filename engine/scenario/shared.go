package scenario

import (
	"context"
	"maps"
)

// Shared is what the calls of one worker have in common: what was made of inputs,
// by their content, so that nothing is read twice. It is not safe for concurrent
// use.
type Shared struct {
	round   int
	entries map[any]*sharedEntry
}

type sharedEntry struct {
	value any
	used  int // the last round in which it was
}

type sharedKey struct{}

// Share returns a context in which [Once] keeps what it makes.
func Share(ctx context.Context, s *Shared) context.Context {
	return context.WithValue(ctx, sharedKey{}, s)
}

// Next begins another round: what was of no use since the last one began is
// forgotten.
func (s *Shared) Next() {
	s.round++
	maps.DeleteFunc(s.entries, func(_ any, e *sharedEntry) bool { return e.used < s.round-1 })
}

// Once returns what make returned for the same key before, which must not be
// changed; without anything shared it is made anew. What fails is not kept.
func Once[T any](ctx context.Context, key any, make func() (T, error)) (T, error) {
	s, _ := ctx.Value(sharedKey{}).(*Shared)
	if s == nil {
		return make()
	}
	if e, ok := s.entries[key]; ok {
		e.used = s.round
		return e.value.(T), nil
	}
	value, err := make()
	if err == nil {
		if s.entries == nil {
			s.entries = map[any]*sharedEntry{}
		}
		s.entries[key] = &sharedEntry{value, s.round}
	}
	return value, err
}
