//go:build !js

package store

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"berth/engine/input/packed"
	"berth/engine/must"
	"berth/engine/scenario"
)

// unpacked reads a file that an earlier build wrote; see package kept.
func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	file := must.Get(os.ReadFile("../../engine/kept/testdata/" + name))(t)
	return must.Get(packed.Unpack(file, packed.MaxText))(t)
}

// A browser's store and a library from an earlier build have their scenarios, reports, drafts and
// settings. Results of runs are from another engine, so they are void.
func TestEarlierStoresOpen(t *testing.T) {
	tables := map[string]map[string][]byte{}
	must.Do(t, json.Unmarshal(unpacked(t, "store.json.gz"), &tables))
	browser, imported := &Store{records: &memory{tables: tables}}, Memory()
	library := must.Get(ReadArchive(unpacked(t, "library.json.gz")))(t)
	must.Get(imported.Import(t.Context(), library))(t)
	holdsEarlier(t, browser)
	holdsEarlier(t, imported)
	for _, kind := range []string{"placement", "qos", "federate"} {
		if d, err := browser.Draft(t.Context(), "tab", kind); err != nil || len(d.Scenario) == 0 {
			t.Errorf("the draft of %s: %v", kind, err)
		}
	}
	if rows, err := browser.Rows(t.Context(), scenario.Engine); len(rows) != 0 || err != nil {
		t.Errorf("%d results of the engine, %v", len(rows), err)
	}
	if damaged, err := browser.Broken(t.Context()); len(damaged) != 0 || err != nil {
		t.Errorf("damaged: %v, %v", damaged, err)
	}
}

// holdsEarlier checks the three scenarios that the earlier build saved.
func holdsEarlier(t *testing.T, s *Store) {
	t.Helper()
	for _, list := range []func() ([]Entry, error){
		func() ([]Entry, error) { return s.Saved(t.Context()) }, func() ([]Entry, error) { return s.History(t.Context()) },
	} {
		entries, err := list()
		if err != nil || len(entries) != 3 {
			t.Fatalf("%d entries, %v", len(entries), err)
		}
		for _, e := range entries {
			e = must.Get(s.Load(t.Context(), e.ID))(t)
			report, err := s.Result(t.Context(), e.Hash)
			if err != nil || !bytes.Contains(report, []byte(e.Hash)) || !json.Valid(e.Scenario) {
				t.Errorf("%s: %v", e.Name, err)
			}
		}
	}
	if settings, err := s.Settings(t.Context()); err != nil || settings["theme"] != "dark" {
		t.Errorf("settings %v, %v", settings, err)
	}
}
