package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"slices"
)

// Broken is a damaged record, whose description is invalid or does not match its
// body. No other record depends on it; Delete removes it.
type Broken struct {
	ID     string
	Reason string
}

// Broken lists the broken records, ordered by id.
func (s *Store) Broken(ctx context.Context) ([]Broken, error) { return s.broken(ctx, mostRead) }

// Unread counts the broken records that can be detected without reading a body.
func (s *Store) Unread(ctx context.Context) (int, error) {
	list, err := s.broken(ctx, 0)
	return len(list), err
}

func (s *Store) broken(ctx context.Context, most int) ([]Broken, error) {
	all, err := s.records.list(ctx, entries)
	if err != nil {
		return nil, err
	}
	sizes, err := s.records.sizes(ctx, bodies)
	if err != nil {
		return nil, err
	}
	var list []Broken
	read := 0
	for id, about := range all {
		e, err := readEntry(id, about)
		if err == nil {
			err = checkBody(e, sizes)
		}
		if err == nil && isScenario(id) && read+e.Size <= most {
			read += e.Size
			err = s.checkJSON(ctx, id)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			list = append(list, Broken{id, err.Error()})
		}
	}
	for id := range sizes {
		if all[id] == nil {
			list = append(list, Broken{id, "its name and date are missing"})
		}
	}
	slices.SortFunc(list, func(a, b Broken) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}

// mostRead limits the bytes of scenarios that are checked for damage. Checking more would slow down
// the library. Damage of other scenarios appears when the visitor opens them.
const mostRead = 8 << 20

func isScenario(id string) bool { return saved.has(id) || history.has(id) }

// checkBody checks a record against the size of its body.
func checkBody(e Entry, sizes map[string]int) error {
	size, there := sizes[e.ID]
	known := isScenario(e.ID) || result.has(e.ID) || draft.has(e.ID)
	switch {
	case !known:
		return errors.New("it is no saved scenario, history entry, result or draft")
	case !there:
		return errors.New("its body is missing")
	case size != e.Size:
		return fmt.Errorf("its body has %d bytes, not %d as recorded", size, e.Size)
	}
	return nil
}

func (s *Store) checkJSON(ctx context.Context, id string) error {
	body, err := s.find(ctx, bodies, id)
	if err == nil && !json.Valid(body) {
		err = errors.New("its scenario is not JSON")
	}
	return err
}

// raw is a record as it is stored.
type raw struct {
	ID    string          `json:"id"`
	Entry string          `json:"entry"`
	Body  json.RawMessage `json:"body,omitempty"`
	Bytes []byte          `json:"bytes,omitempty"` // base64; a body that is not JSON
}

// Raw encodes a record as it is stored, in JSON, regardless of the damage.
func (s *Store) Raw(ctx context.Context, id string) ([]byte, error) {
	about, err := s.records.get(ctx, entries, id)
	if err != nil {
		return nil, err
	}
	body, err := s.records.get(ctx, bodies, id)
	if err != nil {
		return nil, err
	}
	if about == nil && body == nil {
		return nil, fmt.Errorf("%q: %w", id, ErrNotFound)
	}
	r := raw{ID: id, Entry: string(about)}
	if json.Valid(body) {
		r.Body = body
	} else {
		r.Bytes = body
	}
	return json.Marshal(r)
}
