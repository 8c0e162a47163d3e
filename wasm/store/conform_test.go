package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
)

// conform tests the common behaviour of all stores. open returns the store with a name. When called
// again it returns the same store, as after a reload.
func conform(t *testing.T, open func(t *testing.T, name string) *Store) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, *Store)
	}{
		{"save", saves},
		{"history", keepsHistory},
		{"history bytes", boundsHistory},
		{"results", keepsResults},
		{"settings", keepsSettings},
		{"refusals", refuses},
		{"export and import", exportsAndImports},
		{"merge", merges},
		{"import is all or nothing", importsAllOrNothing},
		{"broken records", skipsBrokenRecords},
		{"drafts", keepsDrafts},
		{"rows", keepsRows},
		{"cancelled", endsWithContext},
		{"parallel", worksInParallel},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := open(t, t.Name())
			defer s.Close()
			test.run(t, s)
		})
	}
	t.Run("reload", func(t *testing.T) { survivesReload(t, open) })
}

// entry returns an entry whose hash is its name.
func entry(name string, at int64) Entry {
	return Entry{Name: name, Hash: "#" + name, Saved: at, Scenario: json.RawMessage(fmt.Sprintf(`{"title":%q}`, name))}
}

// export returns all of s as one document.
func export(t *testing.T, s *Store) []byte {
	t.Helper()
	document, _, err := s.Export(t.Context())
	must.Do(t, err)
	return document
}

// wantList compares a list of entries, each as hash@time.
func wantList(t *testing.T, name, want string, list []Entry) {
	t.Helper()
	var parts []string
	for _, e := range list {
		if e.Scenario != nil {
			t.Errorf("%s: the list carries the scenario", e.ID)
		}
		parts = append(parts, fmt.Sprintf("%s@%d", e.Hash, e.Saved))
	}
	if got := strings.Join(parts, " "); got != want {
		t.Errorf("%s %q, want %q", name, got, want)
	}
}

func wantSaved(t *testing.T, s *Store, want string) {
	t.Helper()
	wantList(t, "library", want, must.Get(s.Saved(t.Context()))(t))
}

func wantHistory(t *testing.T, s *Store, want string) {
	t.Helper()
	wantList(t, "history", want, must.Get(s.History(t.Context()))(t))
}

func saves(t *testing.T, s *Store) {
	ctx := t.Context()
	wantSaved(t, s, "")
	must.Do(t, s.Save(ctx, entry("é/1 ☃", 1)))
	must.Do(t, s.Save(ctx, entry("b", 3)))
	must.Do(t, s.Save(ctx, entry("c", 2)))
	wantSaved(t, s, "#b@3 #c@2 #é/1 ☃@1")
	wantHistory(t, s, "")

	list := must.Get(s.Saved(ctx))(t)
	got := must.Get(s.Load(ctx, list[2].ID))(t)
	want := entry("é/1 ☃", 1)
	want.ID, want.Size = list[2].ID, len(want.Scenario)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("loaded %+v, want %+v", got, want)
	}

	replaced := entry("b", 4)
	replaced.Hash, replaced.Scenario = "#new", json.RawMessage("[]")
	must.Do(t, s.Save(ctx, replaced))
	wantSaved(t, s, "#new@4 #c@2 #é/1 ☃@1")

	must.Do(t, s.Delete(ctx, list[0].ID, list[1].ID, "saved/none"))
	wantSaved(t, s, "#é/1 ☃@1")
	if _, err := s.Load(ctx, list[0].ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("loading what is deleted: %v", err)
	}
}

// rowsOf formats the rows of a version on one line.
func rowsOf(t *testing.T, s *Store, engine string) string {
	t.Helper()
	var parts []string
	for key, text := range must.Get(s.Rows(t.Context(), engine))(t) {
		parts = append(parts, key+string(text))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// The number and the size of rows are limited, the oldest are removed first, and another version of
// the engine invalidates them.
func keepsRows(t *testing.T, s *Store) {
	ctx, before := t.Context(), bounds[row]
	defer func() { bounds[row] = before }()
	bound := before
	bound.count, bound.bytes = 3, 36
	bounds[row] = bound
	must.Do(t, s.Save(ctx, entry("saved", 1)))
	for i, key := range []string{"b", "a", "c", "d"} {
		must.Do(t, s.KeepRows(ctx, "1", int64(i), map[string][]byte{key: []byte("{}")}))
	}
	if got := rowsOf(t, s, "1"); got != "a{} c{} d{}" {
		t.Errorf("of four rows %q are kept", got)
	}
	must.Do(t, s.KeepRows(ctx, "1", 9, map[string][]byte{"a": []byte("{}")})) // again
	must.Do(t, s.KeepRows(ctx, "1", 10, map[string][]byte{"e": []byte(`"a long text"`), "f": []byte(`{"x": 1}`)}))
	if got := rowsOf(t, s, "1"); got != `e"a long text" f{"x": 1}` {
		t.Errorf("of long rows %q are kept", got)
	}
	if n, size, err := s.RowsKept(ctx); n != 2 || size != 13+8+2*len("1 10 ") || err != nil {
		t.Errorf("%d rows of %d bytes are kept, %v", n, size, err)
	}
	for key, want := range map[string]string{"1 f": `{"x": 1}`, "2 f": "", "1 a": ""} {
		if got, err := s.Row(ctx, key[:1], key[2:]); string(got) != want || err != nil {
			t.Errorf("engine and row %s: %q, %v, want %q", key, got, err, want)
		}
	}
	must.Do(t, s.records.write(ctx, []edit{{rows, "damaged", []byte("?")}}))
	if got, err := s.Row(ctx, "2", "damaged"); got != nil || err != nil {
		t.Errorf("a damaged row is %q, %v", got, err)
	}
	if got := rowsOf(t, s, "2"); got != "" {
		t.Errorf("another version has %q", got)
	}
	must.Do(t, s.KeepRows(ctx, "2", 11, map[string][]byte{"g": []byte("{}")}))
	if got := rowsOf(t, s, "2"); got != "g{}" {
		t.Errorf("then it has %q", got)
	}
	must.Do(t, s.ClearRows(ctx))
	if n, size, err := s.RowsKept(ctx); n != 0 || size != 0 || err != nil {
		t.Errorf("cleared, %d rows of %d bytes are kept, %v", n, size, err)
	}
	wantSaved(t, s, "#saved@1")
}

func keepsHistory(t *testing.T, s *Store) {
	ctx := t.Context()
	for i := range int64(52) {
		must.Do(t, s.Record(ctx, entry(fmt.Sprint("r", i), i)))
	}
	list := must.Get(s.History(ctx))(t)
	if len(list) != 50 || list[0].Hash != "#r51" || list[49].Hash != "#r2" {
		t.Errorf("%d in the history, from %s to %s", len(list), list[0].Hash, list[len(list)-1].Hash)
	}
	if _, err := s.Load(ctx, history.id("#r0")); !errors.Is(err, ErrNotFound) {
		t.Errorf("loading what fell out of the history: %v", err)
	}
	must.Do(t, s.Record(ctx, entry("r30", 100)))
	list = must.Get(s.History(ctx))(t)
	if len(list) != 50 || list[0].Hash != "#r30" || list[1].Hash != "#r51" {
		t.Errorf("%d in the history after a repetition, from %s, %s", len(list), list[0].Hash, list[1].Hash)
	}
}

func boundsHistory(t *testing.T, s *Store) {
	for i := range int64(4) {
		big := entry(fmt.Sprint(i), i)
		big.Scenario = json.RawMessage(`"` + strings.Repeat("x", 10<<20) + `"`)
		must.Do(t, s.Record(t.Context(), big))
	}
	wantHistory(t, s, "#3@3 #2@2")
}

func keepsResults(t *testing.T, s *Store) {
	ctx := t.Context()
	if _, err := s.Result(ctx, "h0"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no result: %v", err)
	}
	for i := range int64(51) {
		must.Do(t, s.PutResult(ctx, fmt.Sprint("h", i), []byte{0, 255, byte(i)}, i))
	}
	if got, err := s.Result(ctx, "h50"); !bytes.Equal(got, []byte{0, 255, 50}) {
		t.Errorf("result %v, %v", got, err)
	}
	if _, err := s.Result(ctx, "h0"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the oldest of 51 results: %v", err)
	}
	must.Do(t, s.PutResult(ctx, "empty", nil, 99))
	if got, err := s.Result(ctx, "empty"); len(got) != 0 || err != nil {
		t.Errorf("an empty result: %v, %v", got, err)
	}
}

func keepsSettings(t *testing.T, s *Store) {
	ctx := t.Context()
	must.Do(t, s.Set(ctx, "theme", "dark"))
	must.Do(t, s.Set(ctx, "panes", "1,2"))
	must.Do(t, s.Set(ctx, "theme", ""))
	got, err := s.Settings(ctx)
	if want := map[string]string{"theme": "", "panes": "1,2"}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("settings %v (%v), want %v", got, err, want)
	}
}

func refuses(t *testing.T, s *Store) {
	ctx := t.Context()
	long := strings.Repeat("n", MaxName+1)
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"no name", s.Save(ctx, entry("", 1)), "needs a name"},
		{"long name", s.Save(ctx, entry(long, 1)), "has 201 bytes: at most 200"},
		{"no hash", s.Record(ctx, Entry{Scenario: []byte("{}")}), "the scenario without a name has no hash"},
		{"no JSON", s.Record(ctx, Entry{Hash: "#", Name: "shop", Scenario: []byte("{")}), `the scenario "shop" is not JSON`},
		{"nothing", s.Record(ctx, Entry{Hash: "#"}), "is not JSON"},
		{"large", s.PutResult(ctx, "#", make([]byte, MaxBody+1), 1), "the report has 16777217 bytes: at most 16777216"},
		{"setting", s.Set(ctx, "", "x"), "a key and a value"},
		{"long setting", s.Set(ctx, "x", long), "at most 200 bytes"},
	}
	for _, test := range tests {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, test.err, test.want)
		}
	}
	wantSaved(t, s, "")
	wantHistory(t, s, "")
}

// filled returns a store with an entry of every kind.
func filled(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	must.Do(t, s.Save(ctx, entry("a", 1)))
	must.Do(t, s.Save(ctx, entry("b <&>", 2)))
	must.Do(t, s.Record(ctx, entry("h", 3)))
	must.Do(t, s.PutResult(ctx, "#a", []byte("report\xff"), 4))
	must.Do(t, s.Set(ctx, "theme", "dark"))
}

func exportsAndImports(t *testing.T, s *Store) {
	source := Memory()
	filled(t, source)
	document := export(t, source)
	added := must.Get(importDocument(t, s, document))(t)
	if want := (Imported{Saved: 2, History: 1, Results: 1, Settings: 1}); !reflect.DeepEqual(added, want) {
		t.Errorf("added %+v, want %+v", added, want)
	}
	again := export(t, s)
	if !bytes.Equal(again, document) {
		t.Errorf("exported\n%s\nafter the import\n%s", document, again)
	}
	added = must.Get(importDocument(t, s, document))(t)
	if want := (Imported{Known: 5}); !reflect.DeepEqual(added, want) {
		t.Errorf("added the second time %+v, want %+v", added, want)
	}
}

func merges(t *testing.T, s *Store) {
	ctx := t.Context()
	filled(t, s)
	for i := range int64(49) {
		must.Do(t, s.Record(ctx, entry(fmt.Sprint("r", i), 10+i)))
	}
	other := Memory()
	different := entry("a", 9)
	different.Hash = "#other"
	must.Do(t, other.Save(ctx, different))
	must.Do(t, other.Save(ctx, entry("b <&>", 9)))
	must.Do(t, other.Record(ctx, entry("newest", 99)))
	must.Do(t, other.Record(ctx, entry("oldest", 0)))
	must.Do(t, other.Set(ctx, "theme", "light"))
	must.Do(t, other.Set(ctx, "panes", "1"))
	document := export(t, other)

	added := must.Get(importDocument(t, s, document))(t)
	if want := (Imported{Saved: 1, History: 1, Settings: 1, Renamed: []string{"a (2)"}, Known: 2}); !reflect.DeepEqual(added, want) {
		t.Errorf("added %+v, want %+v", added, want)
	}
	wantSaved(t, s, "#other@9 #b <&>@2 #a@1")
	list := must.Get(s.History(ctx))(t)
	if len(list) != 50 || list[0].Hash != "#newest" || list[49].Hash != "#r0" {
		t.Errorf("%d in the history, from %s to %s", len(list), list[0].Hash, list[len(list)-1].Hash)
	}
	values, err := s.Settings(ctx)
	if want := map[string]string{"theme": "dark", "panes": "1"}; err != nil || !reflect.DeepEqual(values, want) {
		t.Errorf("settings %v (%v), want %v", values, err, want)
	}
}

func importsAllOrNothing(t *testing.T, s *Store) {
	filled(t, s)
	before := export(t, s)
	many := Archive{Format: archiveFormat, Version: archiveVersion}
	for i := range bounds[saved].count {
		many.Saved = append(many.Saved, archived{Name: fmt.Sprint("n", i), Hash: "#", Scenario: []byte("{}")})
	}
	document := must.Get(json.Marshal(many))(t)
	if _, err := importDocument(t, s, document); !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want %v", err, ErrFull)
	}
	after := export(t, s)
	if !bytes.Equal(after, before) {
		t.Errorf("the failed import left\n%s\ninstead of\n%s", after, before)
	}
}

func importDocument(t *testing.T, s *Store, document []byte) (Imported, error) {
	doc, err := ReadArchive(document)
	if err != nil {
		return Imported{}, err
	}
	return s.Import(t.Context(), doc)
}

// Unreadable records are skipped in lists, listed as broken and returned raw; saving,
// loading and exporting still work.
func skipsBrokenRecords(t *testing.T, s *Store) {
	ctx := t.Context()
	filled(t, s)
	whole, left, err := s.Export(ctx)
	must.Do(t, err)
	if len(left) > 0 {
		t.Errorf("%q is left out of a sound library", left)
	}
	sound := must.Get(s.Saved(ctx))(t)
	must.Do(t, s.records.write(ctx, []edit{
		{entries, "saved/broken", []byte("{")}, {bodies, "saved/broken", []byte(`{"title":"mine"}`)},
		{entries, "saved/other", []byte(`{"id":"saved/a"}`)}, {bodies, "saved/other", []byte{255}},
		{entries, "history/long", []byte(`{"id":"history/long","size":-1}`)},
		{entries, "result/null", []byte(`null`)},
		{entries, "saved/no body", []byte(`{"id":"saved/no body","name":"x","hash":"#","size":3}`)},
		{entries, "saved/short", []byte(`{"id":"saved/short","name":"y","hash":"#","size":3}`)}, {bodies, "saved/short", []byte(`{"`)},
		{entries, "saved/flipped", []byte(`{"id":"saved/flipped","name":"z","hash":"#","size":2}`)}, {bodies, "saved/flipped", []byte(`{]`)},
		{entries, "shelved/a", []byte(`{"id":"shelved/a","hash":"#","size":2}`)}, {bodies, "shelved/a", []byte(`{}`)},
		{bodies, "saved/nameless", []byte(`{}`)},
	}))
	if n, err := s.Unread(ctx); err != nil || n != 8 { // all but the one whose body must be read
		t.Errorf("%d records are told to be unread (%v)", n, err)
	}
	var ids []string
	for _, b := range must.Get(s.Broken(ctx))(t) {
		ids = append(ids, b.ID)
		if b.Reason == "" {
			t.Errorf("%s: no reason", b.ID)
		}
	}
	if want := []string{
		"history/long", "result/null", "saved/broken", "saved/flipped", "saved/nameless", "saved/no body", "saved/other", "saved/short", "shelved/a",
	}; !slices.Equal(ids, want) {
		t.Errorf("broken are %q, want %q", ids, want)
	}
	if list, err := s.Saved(ctx); err != nil || len(list) != len(sound)+3 {
		t.Errorf("%d saved (%v), want %d and the three whose bodies are damaged", len(list), err, len(sound))
	}
	document, left, err := s.Export(ctx)
	must.Do(t, err)
	if !bytes.Equal(document, whole) || !slices.Equal(left, []string{"saved/flipped", "saved/no body", "saved/short"}) {
		t.Errorf("exported\n%s\nwithout %q, want\n%s\nwithout the three whose bodies are damaged", document, left, whole)
	}
	must.Do(t, s.Save(ctx, entry("more", 20)))
	for id, want := range map[string]string{
		"saved/broken":   `{"id":"saved/broken","entry":"{","body":{"title":"mine"}}`,
		"saved/other":    `{"id":"saved/other","entry":"{\"id\":\"saved/a\"}","bytes":"/w=="}`,
		"result/null":    `{"id":"result/null","entry":"null"}`,
		"saved/nameless": `{"id":"saved/nameless","entry":"","body":{}}`,
	} {
		if got, err := s.Raw(ctx, id); err != nil || string(got) != want {
			t.Errorf("%s as it is: %s (%v), want %s", id, got, err, want)
		}
	}
	must.Do(t, s.Delete(ctx, ids...))
	if broken, err := s.Broken(ctx); err != nil || len(broken) > 0 {
		t.Errorf("%v (%v) after deleting", broken, err)
	}
}

func keepsDrafts(t *testing.T, s *Store) {
	ctx := t.Context()
	const day = 24 * 60 * 60 * 1000
	put := func(tab, view, name string, at int64, unsaved bool) {
		t.Helper()
		must.Do(t, s.PutDraft(ctx, tab, view, Entry{Name: name, Saved: at, Unsaved: unsaved, Scenario: []byte(`"` + name + `"`)}))
	}
	want := func(view string, now int64, want map[string]string) {
		t.Helper()
		got := map[string]string{}
		for tab, e := range must.Get(s.Drafts(ctx, view, now))(t) {
			got[tab] = e.Name
		}
		if !maps.Equal(got, want) {
			t.Errorf("drafts of %s are %v, want %v", view, got, want)
		}
	}
	put("t1", "qos", "old", 1, true)
	put("t1", "qos", "one", 2, true)
	put("t2", "qos", "two", 3, false)
	put("t1", "placement", "three", 4, true)
	want("qos", 4, map[string]string{"t1": "one", "t2": "two"})
	want("placement", 4, map[string]string{"t1": "three"})
	if e, err := s.Draft(ctx, "t1", "qos"); err != nil || string(e.Scenario) != `"one"` || !e.Unsaved {
		t.Errorf("the draft is %s, unsaved %v (%v)", e.Scenario, e.Unsaved, err)
	}
	want("qos", day+4, map[string]string{"t1": "one"})
	if _, err := s.Draft(ctx, "t2", "qos"); !errors.Is(err, ErrNotFound) {
		t.Errorf("what is saved elsewhere is still there after a day: %v", err)
	}

	list := must.Get(s.Drafts(ctx, "qos", 5))(t)
	if e, err := s.Adopt(ctx, "t3", "qos", list["t1"]); err != nil || string(e.Scenario) != `"one"` {
		t.Errorf("adopted %s (%v)", e.Scenario, err)
	}
	want("qos", 5, map[string]string{"t3": "one"})
	want("qos", 31*day, map[string]string{})
	wantSaved(t, s, "")
	if document, _, err := s.Export(ctx); err != nil || bytes.Contains(document, []byte("three")) {
		t.Errorf("drafts are exported: %s (%v)", document, err)
	}
	for i := range int64(60) {
		put(fmt.Sprint("t", i), "qos", fmt.Sprint(i), 10+i, true)
	}
	drafts := must.Get(s.Drafts(ctx, "qos", 80))(t)
	if len(drafts) != 50 || drafts["t59"].Name != "59" {
		t.Errorf("%d drafts are kept, want the newest 50", len(drafts))
	}
	if err := s.PutDraft(ctx, "t", "qos", Entry{Scenario: make([]byte, MaxBody+1)}); err == nil {
		t.Error("a draft that is too large was kept")
	}
}

func survivesReload(t *testing.T, open func(t *testing.T, name string) *Store) {
	s := open(t, t.Name())
	filled(t, s)
	want := export(t, s)
	s.Close()
	s = open(t, t.Name())
	defer s.Close()
	got := export(t, s)
	if !bytes.Equal(got, want) {
		t.Errorf("after a reload\n%s\ninstead of\n%s", got, want)
	}
}
