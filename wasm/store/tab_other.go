//go:build !js

package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// thisBrowser returns an empty memoryBrowser: this program runs outside a browser.
func thisBrowser() browser { return &memoryBrowser{items: map[string]string{}} }

// memoryBrowser simulates a browser.
type memoryBrowser struct {
	id, from string
	open     map[string]bool
	items    map[string]string
	full     error // error of set
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
