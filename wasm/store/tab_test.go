//go:build !js

package store

import (
	"context"
	"errors"
	"strings"
	"testing"

	"berth/engine/must"
)

const view = "qos"

// profile has what tabs share: a store and the localStorage.
type profile struct {
	store   *Store
	refused error // reason why the store refuses everything
	items   map[string]string
	full    error
}

func newProfile() *profile { return &profile{store: Memory(), items: map[string]string{}} }

// tab opens a tab while the tabs named in open are open.
func (p *profile) tab(id, from string, open ...string) *Tab {
	opened := map[string]bool{}
	for _, id := range open {
		opened[id] = true
	}
	return newTab(func(context.Context) (*Store, error) { return p.store, p.refused },
		&memoryBrowser{id: id, from: from, open: opened, items: p.items, full: p.full})
}

func draftOf(text string, at int64) Entry {
	return Entry{Name: text, Saved: at, Unsaved: true, Scenario: []byte(`"` + text + `"`)}
}

// wantBegin compares what Begin returns: the scenario of the tab's draft, and the names
// of the drafts that it offers.
func wantBegin(t *testing.T, tab *Tab, draft, others string) {
	t.Helper()
	own, offered := tab.Begin(t.Context(), view)
	got := ""
	if own != nil {
		got = strings.Trim(string(own.Scenario), `"`)
	}
	var names []string
	for _, e := range offered {
		names = append(names, e.Name)
	}
	if got != draft || strings.Join(names, " ") != others {
		t.Errorf("begins with %q and offers %q; want %q and %q", got, names, draft, others)
	}
}

// recently returns a time at which no draft is too old.
func recently(t *testing.T) int64 {
	t.Helper()
	p := newProfile()
	p.items[sharedKey(view)] = `{"unsaved":true,"scenario":1}`
	own, _ := p.tab("a", "").Begin(t.Context(), view)
	return own.Saved
}

func TestEveryTabHasItsOwnDraft(t *testing.T) {
	now := recently(t)
	p := newProfile()
	a, b := p.tab("a", ""), p.tab("b", "", "a")
	wantBegin(t, a, "", "")
	wantBegin(t, b, "", "")
	must.Do(t, a.Keep(t.Context(), view, draftOf("one", now)))
	must.Do(t, b.Keep(t.Context(), view, draftOf("two", now+1)))
	wantBegin(t, p.tab("a", "", "b"), "one", "")
	wantBegin(t, p.tab("b", "", "a"), "two", "")
	wantBegin(t, p.tab("copy", "a", "a", "b"), "one", "")

	c := p.tab("c", "")
	wantBegin(t, c, "", "two one")
	_, others := c.Begin(t.Context(), view)
	if e, err := c.Adopt(t.Context(), view, others[0]); err != nil || e.Name != "two" {
		t.Errorf("adopted %v (%v)", e.Name, err)
	}
	must.Do(t, c.Discard(t.Context(), others[1]))
	wantBegin(t, p.tab("c", ""), "two", "")
}

// A draft that a page keeps at the last moment counts if it is the newest, even after its tab was
// closed.
func TestDraftsOfTheLastMoment(t *testing.T) {
	now := recently(t)
	p := newProfile()
	a := p.tab("a", "")
	wantBegin(t, a, "", "")
	must.Do(t, a.Keep(t.Context(), view, draftOf("one", now)))
	must.Do(t, a.KeepNow(view, draftOf("last", now+1)))
	must.Do(t, a.Keep(t.Context(), view, draftOf("late", now))) // was under way
	wantBegin(t, p.tab("a", ""), "last", "")
	wantBegin(t, p.tab("b", ""), "", "last")
	if len(p.items) > 0 {
		t.Errorf("the localStorage still has %v", p.items)
	}
	wantBegin(t, p.tab("a", ""), "last", "")
}

func TestDraftsOfEarlierVersions(t *testing.T) {
	p := newProfile()
	p.items[sharedKey(view)] = `{"unsaved":true,"scenario":"small"}`
	wantBegin(t, p.tab("a", ""), "small", "")
	if len(p.items) > 0 {
		t.Errorf("the localStorage still has %v", p.items)
	}
	wantBegin(t, p.tab("a", ""), "small", "")

	p = newProfile()
	must.Do(t, p.store.Record(t.Context(), entry("large", 1)))
	p.items[sharedKey(view)] = `{"unsaved":false,"history":"#large"}`
	wantBegin(t, p.tab("a", ""), `{"title":"large"}`, "")

	for _, wrong := range []string{"{", "null", "7", `{"history":"#gone"}`, `{"unsaved":true}`} {
		p = newProfile()
		p.items[sharedKey(view)] = wrong
		wantBegin(t, p.tab("a", ""), "", "")
	}
}

// If the store fails, small drafts go to the localStorage. Only if that fails too, work is lost,
// and Keep reports it.
func TestDraftsWithoutAStore(t *testing.T) {
	now := recently(t)
	p := newProfile()
	p.refused = errors.New("no store")
	a := p.tab("a", "")
	wantBegin(t, a, "", "")
	must.Do(t, a.Keep(t.Context(), view, draftOf("one", now)))
	wantBegin(t, p.tab("a", ""), "one", "")
	large := draftOf(strings.Repeat("x", largestLocal), now)
	if err := a.Keep(t.Context(), view, large); !errors.Is(err, p.refused) {
		t.Errorf("a large draft: %v, want %v", err, p.refused)
	}
	p.full = errors.New("full")
	a = p.tab("a", "")
	wantBegin(t, a, "one", "")
	if err := a.Keep(t.Context(), view, draftOf("two", now)); !errors.Is(err, p.refused) {
		t.Errorf("got %v, want %v", err, p.refused)
	}
}
