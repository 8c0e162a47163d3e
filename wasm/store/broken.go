package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
)

// Broken is a record that says nothing of itself that can be read. Lists leave
// it out, and nothing else depends on it; Delete removes it.
type Broken struct {
	ID     string
	Reason string
}

// Broken lists the broken records in the order of their ids.
func (s *Store) Broken(ctx context.Context) ([]Broken, error) {
	all, err := s.records.list(ctx, entries)
	if err != nil {
		return nil, err
	}
	var list []Broken
	for id, about := range all {
		if _, err := readEntry(id, about); err != nil {
			list = append(list, Broken{id, err.Error()})
		}
	}
	slices.SortFunc(list, func(a, b Broken) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}

// raw is a record as it is stored.
type raw struct {
	ID    string          `json:"id"`
	Entry string          `json:"entry"`
	Body  json.RawMessage `json:"body,omitempty"`
	Bytes []byte          `json:"bytes,omitempty"` // base64, of a body that is not JSON
}

// Raw returns a record as it is stored, as JSON, whatever is wrong with it.
func (s *Store) Raw(ctx context.Context, id string) ([]byte, error) {
	about, err := s.find(ctx, entries, id)
	if err != nil {
		return nil, err
	}
	body, err := s.find(ctx, bodies, id)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	r := raw{ID: id, Entry: string(about)}
	if json.Valid(body) {
		r.Body = body
	} else {
		r.Bytes = body
	}
	return json.Marshal(r)
}
