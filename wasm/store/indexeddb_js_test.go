//go:build js

package store

import (
	"context"
	"errors"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"berth/engine/must"

	"github.com/hack-pad/go-indexeddb/idb"
)

func openOrFail(t *testing.T, name string) *Store {
	t.Helper()
	return must.Get(Open(t.Context(), name))(t)
}

func TestIndexedDB(t *testing.T) {
	conform(t, openOrFail)
}

func TestIndexedDBIsSharedBetweenTabs(t *testing.T) {
	one, two := openOrFail(t, t.Name()), openOrFail(t, t.Name())
	defer one.Close()
	defer two.Close()
	must.Do(t, one.Save(t.Context(), entry("a", 1)))
	wantSaved(t, two, "#a@1")
}

// property replaces a property of a JavaScript object until the test ends.
// descriptor is the text of a property descriptor.
func property(t *testing.T, object, name, descriptor string) {
	t.Helper()
	define := js.Global().Get("Function").New("object", "name", "descriptor",
		"Object.defineProperty(object, name, {configurable: true, ...descriptor})")
	value := js.Global().Get("Function").New("return " + object).Invoke()
	old := js.Global().Get("Object").Call("getOwnPropertyDescriptor", value, name)
	define.Invoke(value, name, js.Global().Get("Function").New("return "+descriptor).Invoke())
	t.Cleanup(func() { define.Invoke(value, name, old) })
}

func TestBlockedIndexedDB(t *testing.T) {
	tests := []struct{ name, object, property, descriptor string }{
		{"absent", "globalThis", "indexedDB", "{value: undefined}"},
		{"forbidden", "globalThis", "indexedDB", "{get() { throw new DOMException('no', 'SecurityError') }}"},
		{"refuses to open", "IDBFactory.prototype", "open", "{value() { throw new DOMException('no', 'SecurityError') }}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			property(t, test.object, test.property, test.descriptor)
			if _, err := Open(t.Context(), t.Name()); !errors.Is(err, ErrUnavailable) {
				t.Errorf("got %v, want %v", err, ErrUnavailable)
			}
		})
	}
}

func TestNewerDatabase(t *testing.T) {
	name := t.Name()
	opened := make(chan struct{})
	request := js.Global().Get("indexedDB").Call("open", name, 3)
	done := js.FuncOf(func(js.Value, []js.Value) any {
		request.Get("result").Call("close")
		close(opened)
		return nil
	})
	defer done.Release()
	request.Set("onsuccess", done)
	<-opened
	if _, err := Open(t.Context(), name); !errors.Is(err, ErrNewer) || errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v, want %v alone", err, ErrNewer)
	}
}

// A library from a build that had no rows opens with all its content, and can store rows.
func TestDatabaseOfVersion1(t *testing.T) {
	name := t.Name()
	made := make(chan struct{})
	done := js.FuncOf(func(js.Value, []js.Value) any { close(made); return nil })
	defer done.Release()
	js.Global().Get("Function").New("name", "done", `
		const request = indexedDB.open(name, 1);
		request.onupgradeneeded = () => { for (const table of ["entries", "bodies", "settings"]) request.result.createObjectStore(table); };
		request.onsuccess = () => {
			const bytes = (text) => new TextEncoder().encode(text), all = request.result.transaction(["entries", "bodies", "settings"], "readwrite");
			for (const [id, about, body] of [
				["saved/shop", '{"id":"saved/shop","name":"shop","hash":"#shop","saved":3,"size":16}', '{"title":"shop"}'],
				["history/#shop", '{"id":"history/#shop","name":"shop","hash":"#shop","saved":2,"size":16}', '{"title":"shop"}'],
				["result/runs/1", '{"id":"result/runs/1","hash":"runs/1","saved":1,"size":2}', '{}'],
			]) { all.objectStore("entries").put(bytes(about), id); all.objectStore("bodies").put(bytes(body), id); }
			all.objectStore("settings").put(bytes("dark"), "theme");
			all.oncomplete = () => { request.result.close(); done(); };
		};`).Invoke(name, done)
	<-made
	s := openOrFail(t, name)
	defer s.Close()
	wantSaved(t, s, "#shop@3")
	wantHistory(t, s, "#shop@2")
	if all, err := s.Settings(t.Context()); err != nil || all["theme"] != "dark" {
		t.Errorf("the settings are %v (%v)", all, err)
	}
	e := must.Get(s.Load(t.Context(), "saved/shop"))(t)
	if string(e.Scenario) != `{"title":"shop"}` {
		t.Errorf("the scenario is %s", e.Scenario)
	}
	must.Do(t, s.KeepRows(t.Context(), "1", 1, map[string][]byte{"a": []byte("{}")}))
	if n, _, err := s.RowsKept(t.Context()); n != 1 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
	if _, err := s.Result(t.Context(), "runs/1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the shelf of an earlier version: %v", err)
	}
}

// A tab of an older version prevents an upgrade of the database.
func TestOlderTab(t *testing.T) {
	opened := make(chan js.Value)
	done := js.FuncOf(func(this js.Value, _ []js.Value) any {
		db := this.Get("result")
		go func() { opened <- db }()
		return nil
	})
	defer done.Release()
	js.Global().Get("indexedDB").Call("open", t.Name(), 1).Set("onsuccess", done)
	defer (<-opened).Call("close")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Open(ctx, t.Name()); !errors.Is(err, ErrOlder) || errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v, want %v alone", err, ErrOlder)
	}
}

func TestClosedIndexedDB(t *testing.T) {
	s := openOrFail(t, t.Name())
	s.Close()
	if err := s.Save(t.Context(), entry("a", 1)); !errors.Is(err, ErrUnavailable) {
		t.Errorf("saving: %v, want %v", err, ErrUnavailable)
	}
	if _, err := s.Saved(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("listing: %v, want %v", err, ErrUnavailable)
	}
}

// Clearing the site's data closes the database without telling the page.
func TestIndexedDBIsOpenedAgain(t *testing.T) {
	s := openOrFail(t, t.Name())
	defer s.Close()
	must.Do(t, s.Save(t.Context(), entry("a", 1)))
	must.Do(t, s.records.(*indexedDB).db.Close())
	wantSaved(t, s, "#a@1")
	must.Do(t, s.records.(*indexedDB).db.Close())
	must.Do(t, s.Save(t.Context(), entry("b", 2)))
	wantSaved(t, s, "#b@2 #a@1")
}

// Foreign values in the tables are shown as text.
func TestForeignValues(t *testing.T) {
	s := openOrFail(t, t.Name())
	defer s.Close()
	must.Do(t, s.Save(t.Context(), entry("a", 1)))
	db := s.records.(*indexedDB)
	for id, value := range map[string]string{
		"saved/text": "'hello'", "saved/object": "{x: 1}", "saved/number": "7", "saved/big": "({n: 1n})", "saved/nothing": "undefined",
	} {
		transaction := must.Get(db.begin(t.Context(), idb.TransactionReadWrite, entries))(t)
		table := must.Get(transaction.ObjectStore(entries))(t)
		must.Get(table.PutKey(js.ValueOf(id), js.Global().Get("Function").New("return "+value).Invoke()))(t)
		must.Do(t, transaction.Await(t.Context()))
	}
	wantSaved(t, s, "#a@1")
	broken, err := s.Broken(t.Context())
	if err != nil || len(broken) != 5 {
		t.Errorf("broken are %v (%v), want all five", broken, err)
	}
	if got, err := s.Raw(t.Context(), "saved/object"); err != nil || !strings.Contains(string(got), `"{\"x\":1}"`) {
		t.Errorf("the object is shown as %s (%v)", got, err)
	}
	must.Do(t, s.Save(t.Context(), entry("b", 2)))
}

// A failed write stores nothing, whether the browser reports it at once or, as for a
// full quota, only when the transaction ends.
func TestFailingIndexedDB(t *testing.T) {
	s := openOrFail(t, t.Name())
	defer s.Close()
	filled(t, s)
	before := export(t, s)
	tests := []struct {
		name, failure string
		want          error
	}{
		{"full", `
			Object.defineProperty(this.transaction, 'error', {value: new DOMException('full', 'QuotaExceededError')});
			queueMicrotask(() => this.transaction.abort());`, ErrFull},
		{"refused", `throw new DOMException('no', 'DataError');`, ErrUnavailable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			property(t, "IDBObjectStore.prototype", "put", `(() => {
				const put = IDBObjectStore.prototype.put;
				let calls = 0;
				return {value(...args) {
					if (++calls === 2) {`+test.failure+`}
					return put.apply(this, args);
				}};
			})()`)
			if err := s.Save(t.Context(), entry("more", 9)); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			after := export(t, s)
			if string(after) != string(before) {
				t.Errorf("the failed save left\n%s\ninstead of\n%s", after, before)
			}
		})
	}
	must.Do(t, s.Save(t.Context(), entry("more", 9)))
}
