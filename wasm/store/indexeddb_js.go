//go:build js

package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall/js"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"

	"berth/wasm/javascript"
)

// patience limits the wait for the browser. Some states of IndexedDB (another tab
// blocks a version change, a transaction was awaited too late) never end.
const patience = 15 * time.Second

// indexedDB keeps each table in an object store of one database.
type indexedDB struct {
	name string

	mu     sync.Mutex
	db     *idb.Database
	closed bool // closed by Close, not by the browser
}

// Open opens the visitor's store of this name, and creates it if necessary.
func Open(ctx context.Context, name string) (s *Store, err error) {
	defer storeError(&err)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	db, err := open(ctx, name)
	if err != nil {
		return nil, err
	}
	return &Store{records: &indexedDB{name: name, db: db}}, nil
}

func open(ctx context.Context, name string) (*idb.Database, error) {
	// Do not use idb.Global, which caches a failure and panics. Use Reflect.get, because an
	// exception of a plain property access would end the program.
	value := js.Global().Get("Reflect").Call("get", js.Global(), "indexedDB")
	if !value.Truthy() {
		return nil, errors.New("no IndexedDB")
	}
	factory, err := idb.WrapFactory(value)
	if err != nil {
		return nil, err
	}
	request, err := factory.Open(ctx, name, 2, createTables)
	if err != nil {
		return nil, err
	}
	db, err := request.Await(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, ErrOlder
	}
	return db, awaited(ctx, err)
}

// createTables upgrades a database to version 2: version 1 had no rows.
func createTables(db *idb.Database, old, _ uint) error {
	missing := tables
	if old == 1 {
		missing = []string{rows}
	}
	for _, table := range missing {
		if _, err := db.CreateObjectStore(table, idb.ObjectStoreOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// awaited returns the error of a request that was awaited with ctx. An abandoned request has no
// error, so awaited then returns the error of ctx.
func awaited(ctx context.Context, err error) error {
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// storeError converts an error or exception of the browser into an error of this
// package.
func storeError(err *error) {
	if thrown := recover(); thrown != nil {
		*err = fmt.Errorf("%v", thrown)
	}
	switch {
	case *err == nil, errors.Is(*err, context.Canceled), errors.Is(*err, ErrOlder):
	case errors.Is(*err, idb.NewDOMException("QuotaExceededError")):
		*err = fmt.Errorf("%w (%w)", ErrFull, *err)
	case errors.Is(*err, idb.NewDOMException("VersionError")):
		*err = fmt.Errorf("%w (%w)", ErrNewer, *err)
	default:
		*err = fmt.Errorf("%w (%w)", ErrUnavailable, *err)
	}
}

// begin begins a transaction. If the browser has closed the database, as it does when
// the visitor clears the site's data, begin reopens it.
func (d *indexedDB) begin(ctx context.Context, mode idb.TransactionMode, tables ...string) (*idb.Transaction, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	transaction, err := d.db.Transaction(mode, tables[0], tables[1:]...)
	if err == nil || d.closed {
		return transaction, err
	}
	db, err := open(ctx, d.name)
	if err != nil {
		return nil, err
	}
	d.db = db
	return db.Transaction(mode, tables[0], tables[1:]...)
}

// table begins a transaction on one table.
func (d *indexedDB) table(ctx context.Context, name string) (*idb.ObjectStore, error) {
	transaction, err := d.begin(ctx, idb.TransactionReadOnly, name)
	if err != nil {
		return nil, err
	}
	return transaction.ObjectStore(name)
}

func (d *indexedDB) list(ctx context.Context, table string) (map[string][]byte, error) {
	values := map[string][]byte{}
	return values, d.each(ctx, table, func(key string, value js.Value) { values[key] = goBytes(value) })
}

func (d *indexedDB) sizes(ctx context.Context, table string) (map[string]int, error) {
	sizes := map[string]int{}
	return sizes, d.each(ctx, table, func(key string, value js.Value) {
		if javascript.IsArray(value) { // avoids copying the array
			sizes[key] = value.Length()
		} else {
			sizes[key] = len(textOf(value))
		}
	})
}

// each calls visit for each record of a table.
func (d *indexedDB) each(ctx context.Context, table string, visit func(key string, value js.Value)) (err error) {
	defer storeError(&err)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	store, err := d.table(ctx, table)
	if err != nil {
		return err
	}
	cursors, err := store.OpenCursor(idb.CursorNext)
	if err != nil {
		return err
	}
	err = cursors.Iter(ctx, func(at *idb.CursorWithValue) error {
		key, err := at.Key()
		if err != nil {
			return err
		}
		value, err := at.Value()
		if err == nil {
			visit(key.String(), value)
		}
		return err
	})
	return awaited(ctx, err)
}

func (d *indexedDB) get(ctx context.Context, table, key string) (value []byte, err error) {
	defer storeError(&err)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	store, err := d.table(ctx, table)
	if err != nil {
		return nil, err
	}
	request, err := store.Get(js.ValueOf(key))
	if err != nil {
		return nil, err
	}
	found, err := request.Await(ctx)
	if err := awaited(ctx, err); err != nil {
		return nil, err
	}
	if found.IsUndefined() {
		return nil, nil
	}
	return goBytes(found), nil
}

func (d *indexedDB) write(ctx context.Context, changes []edit) (err error) {
	if len(changes) == 0 {
		return ctx.Err()
	}
	defer storeError(&err)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	transaction, err := d.begin(ctx, idb.TransactionReadWrite, tables...)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if err := request(transaction, c); err != nil {
			return errors.Join(err, transaction.Abort())
		}
	}
	// Await at once, because a transaction that ends before it is awaited never answers. Only here
	// does a full quota become visible.
	err = transaction.Await(ctx)
	if cause := transaction.Err(); cause != nil {
		return cause // the cause of an abort, instead of the errors of its requests
	}
	return err
}

// request requests one change. It succeeds or fails when the transaction ends.
func request(t *idb.Transaction, c edit) error {
	store, err := t.ObjectStore(c.table)
	if err != nil {
		return err
	}
	if c.value == nil {
		_, err = store.Delete(js.ValueOf(c.key))
		return err
	}
	_, err = store.PutKey(js.ValueOf(c.key), javascript.Array(c.value))
	return err
}

func (d *indexedDB) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	d.db.Close()
}

// textOf returns a value as readable text.
func textOf(value js.Value) (text string) {
	defer func() {
		if recover() != nil { // JSON cannot represent it
			text = value.String()
		}
	}()
	if value.Type() == js.TypeString {
		return value.String()
	}
	return js.Global().Get("JSON").Call("stringify", value).String()
}

// goBytes returns the bytes of an array, and any other value as text.
func goBytes(value js.Value) []byte {
	if javascript.IsArray(value) {
		return javascript.Bytes(value)
	}
	return []byte(textOf(value))
}
