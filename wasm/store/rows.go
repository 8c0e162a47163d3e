package store

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Rows are the results of runs by key. A value begins with the name of the engine and
// the time when it was stored.

// Rows returns the results that this version of the engine stored. It deletes the
// results of other versions, which are void.
func (s *Store) Rows(ctx context.Context, engine string) (map[string][]byte, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.readRows(ctx, engine)
}

// Row returns one result that this version of the engine stored, nil if there is none.
func (s *Store) Row(ctx context.Context, engine, key string) ([]byte, error) {
	value, err := s.records.get(ctx, rows, key)
	if fields := bytes.SplitN(value, []byte(" "), 3); len(fields) == 3 && string(fields[0]) == engine {
		return fields[2], err
	}
	return nil, err
}

func (s *Store) readRows(ctx context.Context, engine string) (map[string][]byte, error) {
	all, err := s.records.list(ctx, rows)
	if err != nil {
		return nil, err
	}
	s.aged = map[string]Entry{}
	var void []edit
	for key, value := range all {
		fields := bytes.SplitN(value, []byte(" "), 3)
		at, err := strconv.ParseInt(string(fields[min(1, len(fields)-1)]), 10, 64)
		if err != nil || len(fields) < 3 || string(fields[0]) != engine {
			void = append(void, edit{rows, key, nil})
			delete(all, key)
			continue
		}
		s.aged[key] = Entry{ID: key, Saved: at, Size: len(value)}
		all[key] = fields[2]
	}
	for i := range 4 { // where an earlier version stored rows
		void = append(void, remove([]Entry{{ID: result.id(fmt.Sprintf("runs/%d", i))}})...)
	}
	return all, s.records.write(ctx, void)
}

// KeepRows stores results, and deletes the oldest ones beyond the limits.
func (s *Store) KeepRows(ctx context.Context, engine string, now int64, results map[string][]byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.aged == nil {
		if _, err := s.readRows(ctx, engine); err != nil {
			return err
		}
	}
	var changes []edit
	aged := maps.Clone(s.aged)
	for key, text := range results {
		value := fmt.Appendf(nil, "%s %d %s", engine, now, text)
		changes = append(changes, edit{rows, key, value})
		aged[key] = Entry{ID: key, Saved: now, Size: len(value)}
	}
	dropped, err := trim(row, slices.Collect(maps.Values(aged)))
	if err != nil {
		return err
	}
	for _, e := range dropped {
		changes = append(changes, edit{rows, e.ID, nil})
		delete(aged, e.ID)
	}
	if err := s.records.write(ctx, changes); err != nil {
		return err
	}
	s.aged = aged
	return nil
}

// RowsKept returns the number of stored results of runs, and their size in bytes.
func (s *Store) RowsKept(ctx context.Context) (n, size int, err error) {
	sizes, err := s.records.sizes(ctx, rows)
	for _, bytes := range sizes {
		size += bytes
	}
	return len(sizes), size, err
}

// ClearRows deletes the stored results of all runs of sweeps, but not the reports of scenarios.
func (s *Store) ClearRows(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	sizes, err := s.records.sizes(ctx, rows)
	if err != nil {
		return err
	}
	var changes []edit
	for key := range sizes {
		changes = append(changes, edit{rows, key, nil})
	}
	s.aged = nil
	return s.records.write(ctx, changes)
}
