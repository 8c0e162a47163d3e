package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"berth/engine/diag"
)

// MaxArchive is the size in bytes of the largest archive that is read.
const MaxArchive = 160 << 20

const (
	archiveName    = "library file" // in messages
	archiveFormat  = "berth-library"
	archiveVersion = 1
)

// Archive is the document with the whole content of a store.
type Archive struct {
	Format   string            `json:"format"`
	Version  int               `json:"version"`
	Saved    []archived        `json:"saved,omitempty"`
	History  []archived        `json:"history,omitempty"`
	Results  []archived        `json:"results,omitempty"`
	Settings map[string]string `json:"settings,omitempty"`
}

// archived is one entry with its scenario or its report.
type archived struct {
	Name     string          `json:"name,omitempty"`
	Hash     string          `json:"hash"`
	Saved    int64           `json:"saved"`
	Scenario json.RawMessage `json:"scenario,omitempty"`
	Report   []byte          `json:"report,omitempty"` // base64
}

func (a archived) entry() Entry {
	return Entry{Name: a.Name, Hash: a.Hash, Saved: a.Saved}
}

func (a *archived) body(k kind) *[]byte {
	if k == result {
		return &a.Report
	}
	return (*[]byte)(&a.Scenario)
}

// Export encodes the library as one JSON document. It also returns the ids of the entries that it
// omits because an import would refuse them.
func (s *Store) Export(ctx context.Context) (document []byte, left []string, err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	doc := Archive{Format: archiveFormat, Version: archiveVersion}
	for _, k := range kinds {
		list := doc.list(k)
		present, err := s.entries(ctx, k)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range present {
			body, err := s.records.get(ctx, bodies, e.ID)
			if err != nil {
				return nil, nil, err
			}
			a := archived{Name: e.Name, Hash: e.Hash, Saved: e.Saved}
			*a.body(k) = body
			if a.check(k) != nil {
				left = append(left, e.ID)
				continue
			}
			*list = append(*list, a)
		}
	}
	doc.Settings, err = s.Settings(ctx)
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(doc)
	return out.Bytes(), left, err
}

func (doc *Archive) list(k kind) *[]archived {
	switch k {
	case saved:
		return &doc.Saved
	case history:
		return &doc.History
	default:
		return &doc.Results
	}
}

// Imported counts the additions of an import.
type Imported struct {
	Saved, History, Results, Settings int
	// Renamed has the new names of scenarios whose own name was taken.
	Renamed []string
	// Known is the number of entries that the store already had.
	Known int
}

// Import adds all of an archive or, after an error, nothing. It changes no existing entry: a
// scenario gets a new name if a different scenario has its name, a setting keeps its value, and
// history and results keep the newest entries of both.
func (s *Store) Import(ctx context.Context, doc *Archive) (Imported, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	m := merger{store: s}
	for _, k := range kinds {
		if err := m.merge(ctx, k, *doc.list(k)); err != nil {
			return Imported{}, err
		}
	}
	if err := m.mergeSettings(ctx, doc.Settings); err != nil {
		return Imported{}, err
	}
	if err := s.records.write(ctx, m.changes); err != nil {
		return Imported{}, err
	}
	return m.added, nil
}

// IsArchive reports whether a document has the format name of an archive.
func IsArchive(document []byte) bool {
	var head struct {
		Format string `json:"format"`
	}
	return json.Unmarshal(document, &head) == nil && head.Format == archiveFormat
}

// ReadArchive decodes an exported document strictly.
func ReadArchive(document []byte) (*Archive, error) {
	if len(document) > MaxArchive {
		return nil, diag.New(archiveName, 0, 0, archiveSize, len(document), MaxArchive)
	}
	if err := checkFormat(document); err != nil {
		return nil, err
	}
	var doc Archive
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&doc); err != nil {
		_, words := diag.JSONFault(document, err)
		return nil, diag.ErrorAt(archiveName, document, int(decoder.InputOffset()), diag.Invalid, words)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, diag.ErrorAt(archiveName, document, int(decoder.InputOffset()), textBehind)
	}
	if err := doc.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", archiveName, err)
	}
	return &doc, nil
}

// checkFormat returns specific errors for another kind of file and for a newer
// version.
func checkFormat(document []byte) error {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(document, &head); err != nil {
		return diag.WrongJSON(archiveName, document, err)
	}
	switch {
	case head.Format != archiveFormat:
		return diag.New(archiveName, 0, 0, otherFormat, head.Format, archiveFormat)
	case head.Version > archiveVersion:
		return diag.New(archiveName, 0, 0, newerArchive, head.Version, archiveVersion)
	case head.Version < 1:
		return diag.New(archiveName, 0, 0, otherArchive, head.Version, archiveVersion)
	}
	return nil
}

func (doc *Archive) check() error {
	for _, k := range kinds {
		for i, a := range *doc.list(k) {
			if err := a.check(k); err != nil {
				return fmt.Errorf("%s[%d]: %w", k, i, err)
			}
		}
	}
	for key, value := range doc.Settings {
		if err := checkSetting(key, value); err != nil {
			return err
		}
	}
	return nil
}

func (a archived) check(k kind) error {
	switch {
	case k == saved && a.Name == "":
		return errors.New("no name")
	case k == result && a.Scenario != nil:
		return errors.New("want a report, not a scenario")
	case k != result && (!json.Valid(a.Scenario) || a.Report != nil):
		return errors.New("want a scenario without a report")
	}
	return checkEntry(k, a.entry(), *a.body(k))
}

// Detach removes the long scenarios and reports from an archive before it is sent on. It returns
// their concatenation, with the size of each.
func (doc *Archive) Detach() (all []byte, sizes []int) {
	for body := range doc.bodies() {
		all, sizes = append(all, *body...), append(sizes, len(*body))
		*body = nil
	}
	return all, sizes
}

// Attach restores the parts that Detach removed.
func (doc *Archive) Attach(all []byte, sizes []int) error {
	for body := range doc.bodies() {
		if len(sizes) == 0 || sizes[0] < 0 || sizes[0] > len(all) {
			return errors.New("the archive does not match the sizes of its scenarios")
		}
		*body, all, sizes = all[:sizes[0]:sizes[0]], all[sizes[0]:], sizes[1:]
	}
	return nil
}

func (doc *Archive) bodies() iter.Seq[*[]byte] {
	return func(yield func(*[]byte) bool) {
		for _, k := range kinds {
			list := *doc.list(k)
			for i := range list {
				if !yield(list[i].body(k)) {
					return
				}
			}
		}
	}
}

// merger collects the changes of an import.
type merger struct {
	store   *Store
	changes []edit
	added   Imported
}

// merge adds imported entries of one kind to the entries in the store.
func (m *merger) merge(ctx context.Context, k kind, list []archived) error {
	all, err := m.store.entries(ctx, k)
	if err != nil {
		return err
	}
	present := map[string]Entry{}
	for _, e := range all {
		present[e.ID] = e
	}
	added := map[string][]edit{}
	for _, a := range list {
		e, key := a.entry(), a.Hash
		if k == saved {
			e.Name = freeName(present, e)
			key = e.Name
		}
		if _, known := present[k.id(key)]; known {
			m.added.Known++
			continue
		}
		changes, e, err := set(k, key, e, *a.body(k))
		if err != nil {
			return err
		}
		present[e.ID], added[e.ID] = e, changes
		all = append(all, e)
		if e.Name != a.Name {
			m.added.Renamed = append(m.added.Renamed, e.Name)
		}
	}
	dropped, err := trim(k, all)
	if err != nil {
		return err
	}
	m.collect(k, added, dropped)
	return nil
}

func (m *merger) collect(k kind, added map[string][]edit, dropped []Entry) {
	for _, e := range dropped {
		if _, isNew := added[e.ID]; isNew {
			delete(added, e.ID)
		} else {
			m.changes = append(m.changes, remove([]Entry{e})...)
		}
	}
	for _, changes := range added {
		m.changes = append(m.changes, changes...)
	}
	switch k {
	case saved:
		m.added.Saved = len(added)
	case history:
		m.added.History = len(added)
	case result:
		m.added.Results = len(added)
	}
}

// freeName returns a name that no different scenario has: the scenario's own, or the
// first free one of "name (2)", "name (3)" and so on.
func freeName(present map[string]Entry, e Entry) string {
	name := e.Name
	for i := 2; ; i++ {
		other, taken := present[saved.id(name)]
		if !taken || other.Hash == e.Hash {
			return name
		}
		suffix := fmt.Sprintf(" (%d)", i)
		stem := e.Name[:min(len(e.Name), MaxName-len(suffix))]
		name = strings.ToValidUTF8(stem, "") + suffix
	}
}

func (m *merger) mergeSettings(ctx context.Context, imported map[string]string) error {
	present, err := m.store.Settings(ctx)
	if err != nil {
		return err
	}
	for key, value := range imported {
		if _, known := present[key]; known {
			m.added.Known++
			continue
		}
		m.changes = append(m.changes, edit{settings, key, []byte(value)})
		m.added.Settings++
	}
	return nil
}
