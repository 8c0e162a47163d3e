package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
)

// Shared is what the calls of one worker have in common: what was made of inputs,
// by their content, so that nothing is read twice. It is not safe for concurrent
// use.
type Shared struct {
	round   int
	made    int
	entries map[any]*sharedEntry
}

// Made is how many values were made, and not found among those of before.
func (s *Shared) Made() int { return s.made }

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

// Once returns what make returned for the same key before, which must not be changed;
// without anything shared it is made each time. What fails is not kept.
func Once[T any](ctx context.Context, key any, make func() (T, error)) (T, error) {
	return OnceIf(ctx, key, func(T) bool { return true }, make)
}

// OnceIf is [Once] of what is kept only as long as it still holds.
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

// Content is all that reading the sources of a document may depend on, except for the
// files that it refers to; see [Env.Unchanged].
func Content(d Document) string {
	c := d.Clone()
	var texts strings.Builder
	for _, s := range c.Slots() {
		fmt.Fprintf(&texts, " %d ", len(s.Source.Text))
		texts.WriteString(s.Source.Text)
		s.Source.Text = ""
	}
	line, _ := json.Marshal(c) // which could be read before
	return string(line) + texts.String()
}

// Unchanged reports whether the file of a source still has a digest. That takes much
// less time than to read what it says.
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
