package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
)

// Shared is the cache of one worker: values made of inputs, by their content, so that a worker
// reads every input only once. It is not safe for concurrent use.
type Shared struct {
	round   int
	made    int
	entries map[any]*sharedEntry
}

// Made returns the number of values that were not in the cache.
func (s *Shared) Made() int { return s.made }

type sharedEntry struct {
	value any
	used  int // last round that used it
}

type sharedKey struct{}

// Share returns a context in which [Once] uses the cache.
func Share(ctx context.Context, s *Shared) context.Context {
	return context.WithValue(ctx, sharedKey{}, s)
}

// Next begins another round, and drops the values that the previous round did not use.
func (s *Shared) Next() {
	s.round++
	maps.DeleteFunc(s.entries, func(_ any, e *sharedEntry) bool { return e.used < s.round-1 })
}

// Once returns the cached value for key, which must not be changed, or calls make. Without a cache
// it always calls make. It does not cache errors.
func Once[T any](ctx context.Context, key any, make func() (T, error)) (T, error) {
	return OnceIf(ctx, key, func(T) bool { return true }, make)
}

// OnceIf is [Once] for values that may become invalid: it uses a cached value only if
// holds returns true.
func OnceIf[T any](ctx context.Context, key any, holds func(T) bool, make func() (T, error)) (T, error) {
	s, _ := ctx.Value(sharedKey{}).(*Shared)
	if s == nil {
		return make()
	}
	if e, ok := s.entries[key]; ok && holds(e.value.(T)) {
		e.used = s.round
		return e.value.(T), nil
	}
	value, err := make()
	s.made++
	if err == nil {
		if s.entries == nil {
			s.entries = map[any]*sharedEntry{}
		}
		s.entries[key] = &sharedEntry{value, s.round}
	}
	return value, err
}

// Content returns everything on which reading the sources of a document depends, except files next
// to it; see [Env.Unchanged].
func Content(d Document) string {
	c := d.Clone()
	var texts strings.Builder
	for _, s := range c.Slots() {
		fmt.Fprintf(&texts, " %d ", len(s.Source.Text))
		texts.WriteString(s.Source.Text)
		s.Source.Text = ""
	}
	line, _ := json.Marshal(c) // cannot fail: the document was decoded from JSON
	return string(line) + texts.String()
}

// Unchanged reports whether the file of a source still has this digest. Computing a
// digest takes much less time than parsing the file.
func (e *Env) Unchanged(ctx context.Context, slot string, s *Source, digest string) bool {
	if !s.Beside() {
		return true
	}
	text, err := e.Open(slot, s)
	if err != nil {
		return false
	}
	reading := newReading(ctx, text, e)
	_, err = io.Copy(io.Discard, reading)
	now, _ := reading.Digest()
	return err == nil && now == digest
}
