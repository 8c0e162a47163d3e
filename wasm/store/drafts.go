package store

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// How long the drafts of closed tabs are kept: unsaved work, and work that is saved
// elsewhere.
const (
	unsavedTime = 30 * 24 * time.Hour
	otherTime   = 24 * time.Hour
)

func draftKey(tab, view string) string { return view + "/" + tab }

// PutDraft stores the scenario that a tab works on in a view, and replaces the previous draft. The
// scenario need not be complete. The store keeps the newest drafts.
func (s *Store) PutDraft(ctx context.Context, tab, view string, e Entry) error {
	if len(e.Scenario) > MaxBody {
		return fmt.Errorf("the inputs have %d bytes: at most %d can be kept", len(e.Scenario), MaxBody)
	}
	return s.put(ctx, draft, draftKey(tab, view), e, e.Scenario)
}

// Draft returns the draft of a tab with its scenario.
func (s *Store) Draft(ctx context.Context, tab, view string) (Entry, error) {
	return s.Load(ctx, draft.id(draftKey(tab, view)))
}

// Drafts returns the drafts of a view by tab, and deletes expired ones. now is in
// milliseconds since 1970.
func (s *Store) Drafts(ctx context.Context, view string, now int64) (map[string]Entry, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	all, err := s.entries(ctx, draft)
	if err != nil {
		return nil, err
	}
	list := map[string]Entry{}
	var old []Entry
	for _, e := range all {
		tab, ofView := strings.CutPrefix(e.ID, draft.id(draftKey("", view)))
		switch {
		case expired(e, now):
			old = append(old, e)
		case ofView:
			list[tab] = e
		}
	}
	return list, s.records.write(ctx, remove(old))
}

func expired(e Entry, now int64) bool {
	age := time.Duration(now-e.Saved) * time.Millisecond
	return age > unsavedTime || age > otherTime && !e.Unsaved
}

// Adopt moves the draft of another tab to this tab and returns it.
func (s *Store) Adopt(ctx context.Context, tab, view string, other Entry) (Entry, error) {
	e, err := s.Load(ctx, other.ID)
	if err != nil {
		return e, err
	}
	if err := s.PutDraft(ctx, tab, view, e); err != nil {
		return e, err
	}
	return e, s.Delete(ctx, other.ID)
}
