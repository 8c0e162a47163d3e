package store

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"
)

// largestLocal is the size in bytes of the largest scenario that KeepNow accepts: a
// browser's localStorage holds about 5 MB for a whole site.
const largestLocal = 1 << 20

// browser is the part of the browser that a tab uses.
type browser interface {
	// tab returns the id of this tab, which survives a reload, and the id of the tab from which it
	// was duplicated, or "".
	tab(ctx context.Context) (id, copied string)
	// openTabs returns the known ids of open tabs.
	openTabs(ctx context.Context) map[string]bool
	// keys, get and set access the localStorage; "" means no value. set fails if the
	// browser did not store the value.
	keys() []string
	get(key string) string
	set(key, value string) error
}

// A Tab stores its drafts, the work in each view, so that a reload restores them: in
// the store, or in the localStorage if the store fails or the page is about to close.
type Tab struct {
	open    func(context.Context) (*Store, error)
	browser browser

	identify   sync.Once
	id, copied string

	mu  sync.Mutex
	now map[string]int64 // by view: time of the draft in the localStorage
}

// NewTab returns the Tab of this browser tab. If open fails, the Tab has no store.
func NewTab(open func(context.Context) (*Store, error)) *Tab {
	return newTab(open, thisBrowser())
}

func newTab(open func(context.Context) (*Store, error), b browser) *Tab {
	return &Tab{open: open, browser: b, now: map[string]int64{}}
}

// NewFrame is the Tab of a page in a frame of another page. It stores drafts in
// memory, so that it neither restores nor changes the drafts of the browser's tabs.
func NewFrame() *Tab {
	kept := Memory()
	return newTab(func(context.Context) (*Store, error) { return kept, nil }, &memoryBrowser{items: map[string]string{}})
}

// localDraft is a draft in the localStorage. Earlier versions stored one draft there
// for all tabs, and only the hash in the history for a large one.
type localDraft struct {
	Name     string          `json:"name,omitempty"`
	Saved    int64           `json:"saved"`
	Unsaved  bool            `json:"unsaved"`
	Scenario json.RawMessage `json:"scenario,omitempty"`
	History  string          `json:"history,omitempty"`
}

func (d localDraft) entry() Entry {
	return Entry{Name: d.Name, Saved: d.Saved, Unsaved: d.Unsaved, Scenario: d.Scenario}
}

func sharedKey(view string) string     { return "berth." + view + ".draft" }
func localKey(view, tab string) string { return sharedKey(view) + "." + tab }

// local returns a draft from the localStorage.
func (t *Tab) local(key string) (localDraft, bool) {
	var d localDraft
	err := json.Unmarshal([]byte(t.browser.get(key)), &d)
	return d, err == nil && (d.Scenario != nil || d.History != "")
}

// Begin returns the draft that the tab continues in a view, or nil, and the unsaved
// drafts of closed tabs, newest first, without their scenarios.
func (t *Tab) Begin(ctx context.Context, view string) (own *Entry, others []Entry) {
	t.identify.Do(func() { t.id, t.copied = t.browser.tab(ctx) })
	s, err := t.open(ctx)
	if err != nil {
		s = Memory()
	} else {
		t.collect(ctx, s, view)
	}
	drafts, _ := s.Drafts(ctx, view, time.Now().UnixMilli()) // on an error the list is empty
	for _, id := range []string{t.id, t.copied} {
		if own == nil && id != "" {
			own = t.latest(ctx, s, view, id, drafts)
		}
	}
	if own == nil {
		own = t.shared(ctx, s, view)
	}
	open := t.browser.openTabs(ctx)
	for id, e := range drafts {
		if e.Unsaved && id != t.id && id != t.copied && !open[id] {
			others = append(others, e)
		}
	}
	sortEntries(others)
	return own, others
}

// collect moves drafts that closed tabs left in the localStorage into the store.
func (t *Tab) collect(ctx context.Context, s *Store, view string) {
	open := t.browser.openTabs(ctx)
	for _, key := range t.browser.keys() {
		id, ok := strings.CutPrefix(key, localKey(view, ""))
		if !ok || id == t.id || id == t.copied || open[id] {
			continue
		}
		if d, ok := t.local(key); ok {
			stored, err := s.Draft(ctx, id, view)
			if (err != nil || stored.Saved < d.Saved) && s.PutDraft(ctx, id, view, d.entry()) != nil {
				continue // the store is full
			}
		}
		t.browser.set(key, "") // removing cannot fail
	}
}

// latest returns the newer draft of a tab, from store or localStorage.
func (t *Tab) latest(ctx context.Context, s *Store, view, id string, drafts map[string]Entry) *Entry {
	stored, isStored := drafts[id]
	if d, ok := t.local(localKey(view, id)); ok && (!isStored || stored.Saved <= d.Saved) {
		e := d.entry()
		return &e
	}
	if !isStored {
		return nil
	}
	e, err := s.Load(ctx, stored.ID)
	if err != nil {
		return nil
	}
	return &e
}

// shared takes over the draft of an earlier version of Berth.
func (t *Tab) shared(ctx context.Context, s *Store, view string) *Entry {
	d, ok := t.local(sharedKey(view))
	if !ok {
		return nil
	}
	e := d.entry()
	e.Saved = time.Now().UnixMilli()
	if d.History != "" {
		kept, err := s.Load(ctx, history.id(d.History))
		if err != nil {
			return nil
		}
		e.Name, e.Scenario = kept.Name, kept.Scenario
	}
	if t.Keep(ctx, view, e) == nil {
		t.browser.set(sharedKey(view), "")
	}
	return &e
}

// Keep stores the draft of a view and replaces the previous one. The scenario need not be complete.
// An error means that a reload would lose the draft.
func (t *Tab) Keep(ctx context.Context, view string, e Entry) error {
	s, err := t.open(ctx)
	if err == nil {
		err = s.PutDraft(ctx, t.id, view, e)
	}
	if err != nil {
		if t.KeepNow(view, e) == nil {
			return nil
		}
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now[view] <= e.Saved {
		t.browser.set(localKey(view, t.id), "")
	}
	return nil
}

// KeepNow is Keep for a page that is about to close: it does not wait, and accepts
// only small drafts.
func (t *Tab) KeepNow(view string, e Entry) error {
	switch {
	case t.id == "":
		return errors.New("this tab has no id yet to keep a draft under")
	case len(e.Scenario) > largestLocal:
		return errors.New("the draft is too large to keep while the page closes")
	}
	text, err := json.Marshal(localDraft{Name: e.Name, Saved: e.Saved, Unsaved: e.Unsaved, Scenario: e.Scenario})
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now[view] = e.Saved
	return t.browser.set(localKey(view, t.id), string(text))
}

// Adopt moves the draft of a closed tab to this tab and returns it.
func (t *Tab) Adopt(ctx context.Context, view string, other Entry) (Entry, error) {
	s, err := t.open(ctx)
	if err != nil {
		return Entry{}, err
	}
	return s.Adopt(ctx, t.id, view, other)
}

// Discard deletes the draft of a closed tab.
func (t *Tab) Discard(ctx context.Context, other Entry) error {
	s, err := t.open(ctx)
	if err != nil {
		return err
	}
	return s.Delete(ctx, other.ID)
}
