package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Errors of the browser's storage and of requests.
var (
	// ErrUnavailable is the error of a browser that stores nothing, as in some
	// private windows: use Memory then.
	ErrUnavailable = errors.New("the browser does not let this page store anything")
	// ErrNewer is the error if a newer version has written the store and this version
	// cannot read it: use Memory then.
	ErrNewer = errors.New("a newer version of Berth has written what this browser keeps")
	// ErrOlder is the error while another tab, of an older version, prevents the
	// upgrade of the store: use Memory then.
	ErrOlder = errors.New("another tab has an older version of Berth open")
	// ErrFull is the error if the store is full until something is deleted.
	ErrFull = errors.New("there is no room left to store this")
	// ErrNotFound is the error if no entry has the id or hash.
	ErrNotFound = errors.New("nothing is stored under this name")
)

// Limits of one scenario or report, and of a name.
const (
	MaxBody = 16 << 20 // bytes
	MaxName = 200      // bytes
)

// An Entry is a scenario in the library or in the history.
type Entry struct {
	ID       string          `json:"id"`                // assigned by the store
	Name     string          `json:"name,omitempty"`    // unique in the library, only a title in the history
	Hash     string          `json:"hash"`              // hash of the scenario
	Saved    int64           `json:"saved"`             // milliseconds since 1970 UTC
	Size     int             `json:"size"`              // size of the scenario in bytes, set by the store
	Unsaved  bool            `json:"unsaved,omitempty"` // for a draft: it is the only copy of this work
	Scenario json.RawMessage `json:"-"`                 // absent in lists
}

// A kind of entry is the first part of its id.
type kind string

const (
	saved   kind = "saved"
	history kind = "history"
	result  kind = "result"
	draft   kind = "draft"
	row     kind = "row" // the result of a run; it is not an entry and has its own table
)

// kinds are the kinds of entries in the library, which is exported and imported.
var kinds = []kind{saved, history, result}

func (k kind) id(key string) string { return string(k) + "/" + key }

func (k kind) has(id string) bool { return strings.HasPrefix(id, k.id("")) }

// bounds limit all entries of each kind together. The sum over the library's kinds,
// with reports in base64, stays below MaxArchive, so that every export can be
// imported.
var bounds = map[kind]struct {
	count, bytes int
	evict        bool // delete the oldest entries instead of refusing new ones
}{
	saved:   {count: 1000, bytes: 48 << 20},
	history: {count: 50, bytes: 24 << 20, evict: true},
	result:  {count: 50, bytes: 24 << 20, evict: true},
	draft:   {count: 50, bytes: 48 << 20, evict: true},
	row:     {count: 5000, bytes: 12 << 20, evict: true},
}

// Tables of records. The description of an entry is separate from its scenario or
// report, so that listing reads little.
const (
	entries  = "entries"
	bodies   = "bodies"
	settings = "settings"
	rows     = "rows"
)

var tables = []string{entries, bodies, settings, rows}

// records stores bytes by table and key.
type records interface {
	// list returns the values of a table by key.
	list(ctx context.Context, table string) (map[string][]byte, error)
	// sizes returns the size in bytes of each value of a table, by key.
	sizes(ctx context.Context, table string) (map[string]int, error)
	// get returns nil for a key without a value.
	get(ctx context.Context, table, key string) ([]byte, error)
	// write makes all changes or none.
	write(ctx context.Context, changes []edit) error
	close()
}

// edit sets one record, or removes it if the value is nil.
type edit struct {
	table, key string
	value      []byte
}

// A Store keeps scenarios, results and settings. Its methods may be called by
// several goroutines.
type Store struct {
	records records
	writing sync.Mutex       // held from a read to the write that depends on it
	aged    map[string]Entry // descriptions of the rows by key; nil until they are read
}

// Close closes the connection to the browser's database. The store cannot be used afterwards.
func (s *Store) Close() { s.records.close() }

// Save puts a scenario into the library under its name, and replaces an entry of that
// name.
func (s *Store) Save(ctx context.Context, e Entry) error {
	if e.Name == "" {
		return errors.New("the scenario needs a name")
	}
	return s.putScenario(ctx, saved, e.Name, e)
}

// Record puts a scenario at the top of the history. The history keeps the last 50
// scenarios, each once.
func (s *Store) Record(ctx context.Context, e Entry) error {
	return s.putScenario(ctx, history, e.Hash, e)
}

func (s *Store) putScenario(ctx context.Context, k kind, key string, e Entry) error {
	if err := checkScenario(k, e); err != nil {
		return err
	}
	return s.put(ctx, k, key, e, e.Scenario)
}

func checkScenario(k kind, e Entry) error {
	if !json.Valid(e.Scenario) {
		return fmt.Errorf("%s is not JSON", e.called(k))
	}
	return checkEntry(k, e, e.Scenario)
}

// called is the name of an entry in messages.
func (e *Entry) called(k kind) string {
	switch {
	case k == result:
		return "the report"
	case e.Name == "":
		return "the scenario without a name"
	}
	return fmt.Sprintf("the scenario %.20q", e.Name)
}

func checkEntry(k kind, e Entry, body []byte) error {
	switch {
	case e.Hash == "":
		return fmt.Errorf("%s has no hash", e.called(k))
	case len(e.Name) > MaxName:
		return fmt.Errorf("the name %.20q… has %d bytes: at most %d", e.Name, len(e.Name), MaxName)
	case len(body) > MaxBody:
		return fmt.Errorf("%s has %d bytes: at most %d can be stored", e.called(k), len(body), MaxBody)
	}
	return nil
}

// PutResult stores the report of a scenario. The store keeps only the latest results.
func (s *Store) PutResult(ctx context.Context, hash string, report []byte, now int64) error {
	e := Entry{Hash: hash, Saved: now}
	if err := checkEntry(result, e, report); err != nil {
		return err
	}
	return s.put(ctx, result, hash, e, report)
}

// put stores one entry and deletes the entries beyond the limits.
func (s *Store) put(ctx context.Context, k kind, key string, e Entry, body []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	present, err := s.entries(ctx, k)
	if err != nil {
		return err
	}
	changes, e, err := set(k, key, e, body)
	if err != nil {
		return err
	}
	present = slices.DeleteFunc(present, func(old Entry) bool { return old.ID == e.ID })
	dropped, err := trim(k, append(present, e))
	if err != nil {
		return err
	}
	return s.records.write(ctx, append(changes, remove(dropped)...))
}

// set returns the changes that store an entry, and the entry as stored.
func set(k kind, key string, e Entry, body []byte) ([]edit, Entry, error) {
	e.ID, e.Size = k.id(key), len(body)
	about, err := json.Marshal(e)
	if err != nil {
		return nil, e, err
	}
	if body == nil {
		body = []byte{}
	}
	return []edit{{entries, e.ID, about}, {bodies, e.ID, body}}, e, nil
}

func remove(list []Entry) []edit {
	var changes []edit
	for _, e := range list {
		changes = append(changes, edit{entries, e.ID, nil}, edit{bodies, e.ID, nil})
	}
	return changes
}

// trim sorts a list and returns the entries beyond the limits, oldest last, or ErrFull for a kind
// that does not evict.
func trim(k kind, list []Entry) ([]Entry, error) {
	sortEntries(list)
	bound, size := bounds[k], 0
	for i, e := range list {
		size += e.Size
		if i < bound.count && size <= bound.bytes {
			continue
		}
		if !bound.evict {
			return nil, fmt.Errorf("%w: at most %d scenarios with %d MB are kept", ErrFull, bound.count, bound.bytes>>20)
		}
		return list[i:], nil
	}
	return nil, nil
}

// sortEntries sorts newest first.
func sortEntries(list []Entry) {
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Saved, a.Saved), cmp.Compare(a.ID, b.ID))
	})
}

// Saved lists the entries of the library, newest first, without their scenarios.
func (s *Store) Saved(ctx context.Context) ([]Entry, error) {
	return s.entries(ctx, saved)
}

// History lists the entries of the history, newest first, without their scenarios.
func (s *Store) History(ctx context.Context) ([]Entry, error) {
	return s.entries(ctx, history)
}

// entries lists the entries of one kind, newest first, without the broken ones.
func (s *Store) entries(ctx context.Context, k kind) ([]Entry, error) {
	all, err := s.records.list(ctx, entries)
	if err != nil {
		return nil, err
	}
	var list []Entry
	for id, about := range all {
		if !k.has(id) {
			continue
		}
		if e, err := readEntry(id, about); err == nil {
			list = append(list, e)
		}
	}
	sortEntries(list)
	return list, nil
}

// readEntry decodes the description of a record. A browser's storage may hold
// anything.
func readEntry(id string, about []byte) (Entry, error) {
	var e Entry
	switch err := json.Unmarshal(about, &e); {
	case err != nil:
		return Entry{}, errors.New("its description is not the JSON of an entry")
	case e.ID != id:
		return Entry{}, fmt.Errorf("its id in the description is %.200q", e.ID)
	case e.Size < 0 || e.Size > MaxBody:
		return Entry{}, fmt.Errorf("its size in the description is %d bytes", e.Size)
	}
	return e, nil
}

// Load returns one entry with its scenario. The error is [ErrNotFound] for an unknown id.
func (s *Store) Load(ctx context.Context, id string) (Entry, error) {
	about, err := s.find(ctx, entries, id)
	if err != nil {
		return Entry{}, err
	}
	e, err := readEntry(id, about)
	if err != nil {
		return Entry{}, err
	}
	e.Scenario, err = s.find(ctx, bodies, id)
	return e, err
}

// Result returns the stored report of the scenario with this hash. The error is [ErrNotFound] if
// there is none.
func (s *Store) Result(ctx context.Context, hash string) ([]byte, error) {
	return s.find(ctx, bodies, result.id(hash))
}

func (s *Store) find(ctx context.Context, table, key string) ([]byte, error) {
	value, err := s.records.get(ctx, table, key)
	if err == nil && value == nil {
		err = fmt.Errorf("%q: %w", key, ErrNotFound)
	}
	return value, err
}

// Delete removes entries of the library or of the history. It ignores ids without an
// entry.
func (s *Store) Delete(ctx context.Context, ids ...string) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	var list []Entry
	for _, id := range ids {
		list = append(list, Entry{ID: id})
	}
	return s.records.write(ctx, remove(list))
}

// Settings returns all settings by key.
func (s *Store) Settings(ctx context.Context) (map[string]string, error) {
	all, err := s.records.list(ctx, settings)
	if err != nil {
		return nil, err
	}
	values := make(map[string]string, len(all))
	for key, value := range all {
		values[key] = string(value)
	}
	return values, nil
}

// Set stores one setting. It returns an error for an empty key, and for a key or value longer than
// MaxName.
func (s *Store) Set(ctx context.Context, key, value string) error {
	if err := checkSetting(key, value); err != nil {
		return err
	}
	return s.records.write(ctx, []edit{{settings, key, []byte(value)}})
}

func checkSetting(key, value string) error {
	if key == "" || len(key) > MaxName || len(value) > MaxName {
		return fmt.Errorf("setting %.20q: a key and a value of at most %d bytes are wanted", key, MaxName)
	}
	return nil
}
