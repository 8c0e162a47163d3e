package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"berth/engine/must"
)

func TestMemory(t *testing.T) {
	stores := map[string]*Store{}
	conform(t, func(_ *testing.T, name string) *Store {
		if stores[name] == nil {
			stores[name] = Memory()
		}
		return stores[name]
	})
}

func endsWithContext(t *testing.T, s *Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Save(ctx, entry("a", 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("saving: %v", err)
	}
	if _, err := s.Load(ctx, saved.id("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("loading: %v", err)
	}
	wantSaved(t, s, "")
}

func worksInParallel(t *testing.T, s *Store) {
	var writers sync.WaitGroup
	for i := range int64(20) {
		writers.Go(func() {
			if err := s.Record(t.Context(), entry(fmt.Sprint(i), i)); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	list := must.Get(s.History(t.Context()))(t)
	if len(list) != 20 {
		t.Errorf("%d of 20 are in the history", len(list))
	}
}

func TestSavedIsBounded(t *testing.T) {
	s := Memory()
	for i := range 3 {
		big := entry(fmt.Sprint(i), int64(i))
		big.Scenario = json.RawMessage(`"` + strings.Repeat("x", MaxBody-2) + `"`)
		must.Do(t, s.Save(t.Context(), big))
	}
	if err := s.Save(t.Context(), entry("one more", 9)); !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want %v", err, ErrFull)
	}
	wantSaved(t, s, "#2@2 #1@1 #0@0")
}

// Every export can be imported, even the largest library.
func TestLargestArchive(t *testing.T) {
	size := 0
	for _, k := range kinds {
		b := bounds[k]
		if k == result {
			b.bytes = b.bytes * 4 / 3
		}
		size += b.bytes + b.count*(6*MaxName+1000)
	}
	if size > MaxArchive {
		t.Errorf("up to %d bytes are exported and %d imported", size, MaxArchive)
	}
}

func TestImportRefuses(t *testing.T) {
	const head = `{"format":"berth-library","version":1`
	tests := []struct{ name, document, want string }{
		{"empty", "", "library file:1:1: not JSON: the text ends too early"},
		{"binary", "\x00\xff", "library file:1:1: not JSON: it begins with"},
		{"cut off", head + `,"saved":[`, "the text ends too early"},
		{"another file", `{"name":"x"}`, `format is "": want "berth-library"`},
		{"newer", `{"format":"berth-library","version":2,"new":1}`, "version 2 is newer"},
		{"no version", `{"format":"berth-library"}`, "version is 0"},
		{"unknown field", head + `,"colour":1}`, `unknown field "colour"`},
		{"wrong type of the head", "{\n\"format\":1}", "library file:2:10: format: found a JSON number, expected a string"},
		{"wrong type", head + `,"saved":1}`, "saved: found a JSON number, expected an array"},
		{"more text", head + `} x`, "'x' is out of place"},
		{"no name", head + `,"saved":[{"name":"a","hash":"#","scenario":{}},{"hash":"#","scenario":{}}]}`, "saved[1]: no name"},
		{"no hash", head + `,"history":[{"scenario":{}}]}`, "history[0]: the scenario without a name has no hash"},
		{"no scenario", head + `,"history":[{"hash":"#"}]}`, "history[0]: want a scenario without a report"},
		{"scenario for a report", head + `,"results":[{"hash":"#","scenario":{}}]}`, "result[0]: want a report, not a scenario"},
		{"long name", head + `,"saved":[{"name":"` + strings.Repeat("n", 201) + `","hash":"#","scenario":{}}]}`, "at most 200"},
		{"setting", head + `,"settings":{"":"x"}}`, "a key and a value"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ReadArchive([]byte(test.document))
			if err == nil || !strings.HasPrefix(err.Error(), "library file:") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if _, err := ReadArchive(make([]byte, MaxArchive+1)); err == nil || !strings.Contains(err.Error(), "at most 167772160") {
		t.Errorf("a large document: %v", err)
	}
}

// An archive is sent in two parts, which together are complete again.
func TestArchivesAreDetached(t *testing.T) {
	s := Memory()
	filled(t, s)
	document := export(t, s)
	doc := must.Get(ReadArchive(document))(t)
	want := must.Get(ReadArchive(document))(t)
	all, sizes := doc.Detach()
	if bare, err := json.Marshal(doc); err != nil || bytes.Contains(bare, []byte("title")) {
		t.Errorf("a scenario was left in %s (%v)", bare, err)
	}
	must.Do(t, doc.Attach(all, sizes))
	if !reflect.DeepEqual(doc, want) {
		t.Errorf("got %+v, want %+v", doc, want)
	}
	for _, wrong := range [][]int{nil, {-1}, {len(all) + 1}, sizes[1:]} {
		if doc.Attach(all, wrong) == nil {
			t.Errorf("sizes %v were taken", wrong)
		}
	}
}

func TestImportedNamesStayShort(t *testing.T) {
	ctx := t.Context()
	s, other := Memory(), Memory()
	name := strings.Repeat("ä", MaxName/2)
	must.Do(t, s.Save(ctx, entry(name, 1)))
	different := entry(name, 1)
	different.Hash = "#other"
	must.Do(t, other.Save(ctx, different))
	document := export(t, other)
	added := must.Get(importDocument(t, s, document))(t)
	if want := strings.Repeat("ä", MaxName/2-2) + " (2)"; len(added.Renamed) != 1 || added.Renamed[0] != want {
		t.Errorf("renamed %q, want %q", added.Renamed, want)
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"format":"berth-library","version":1,"saved":[{"name":"a","hash":"#","saved":1,"scenario":{}}],"settings":{"a":"b"}}`))
	f.Add([]byte(`{"format":"berth-library","version":1,"results":[{"hash":"#","report":"AAE="}],"history":[{"hash":"#","scenario":null}]}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		s := Memory()
		if _, err := importDocument(t, s, document); err != nil {
			return
		}
		exported := export(t, s)
		added, err := importDocument(t, Memory(), exported)
		if err != nil || added.Known+len(added.Renamed) > 0 {
			t.Errorf("%+v, %v after exporting %s", added, err, exported)
		}
	})
}
