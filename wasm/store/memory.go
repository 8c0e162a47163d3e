package store

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
)

// memory keeps records until the user leaves the page.
type memory struct {
	mu     sync.Mutex
	tables map[string]map[string][]byte
}

// Memory returns an empty store that lasts until the user leaves the page.
func Memory() *Store {
	m := &memory{tables: map[string]map[string][]byte{}}
	for _, table := range tables {
		m.tables[table] = map[string][]byte{}
	}
	return &Store{records: m}
}

func (m *memory) list(ctx context.Context, table string) (map[string][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.tables[table]), ctx.Err()
}

func (m *memory) sizes(ctx context.Context, table string) (map[string]int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	sizes := map[string]int{}
	for key, value := range m.tables[table] {
		sizes[key] = len(value)
	}
	return sizes, ctx.Err()
}

func (m *memory) get(ctx context.Context, table, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Clone(m.tables[table][key]), ctx.Err()
}

func (m *memory) write(ctx context.Context, changes []edit) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, c := range changes {
		if c.value == nil {
			delete(m.tables[c.table], c.key)
		} else {
			m.tables[c.table][c.key] = bytes.Clone(c.value)
		}
	}
	return nil
}

func (m *memory) close() {}

// memoryBrowser is a browser with one tab, which lasts as long as its page.
type memoryBrowser struct {
	id, from string
	open     map[string]bool
	items    map[string]string
	full     error // error that set returns
}

func (b *memoryBrowser) tab(context.Context) (id, copied string)  { return cmp.Or(b.id, "tab"), b.from }
func (b *memoryBrowser) openTabs(context.Context) map[string]bool { return b.open }
func (b *memoryBrowser) get(key string) string                    { return b.items[key] }

func (b *memoryBrowser) keys() []string { return slices.Sorted(maps.Keys(b.items)) }

func (b *memoryBrowser) set(key, value string) error {
	if value == "" {
		delete(b.items, key)
		return nil
	}
	if b.full == nil {
		b.items[key] = value
	}
	return b.full
}
