package gallery

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"berth/engine/scenario"
	"berth/engine/study"
)

// document is the file of an entry. Experiment is the experiment in its reduced size,
// and Full the merge patch (RFC 7396) that yields the full size.
type document struct {
	Entry
	Experiment, Full map[string]any
	Frozen           string // stored result of [Entry.Frozen], because the page would take too long to compute it
	Authors          *authored
}

// The files that are not entries: the ordered list of entries, the records, the papers, and the
// revisions of the criteria.
const listName, recordsName, papersName, revisionsName = "list", "recorded", "papers", "revisions"

// entries reads all entries. It panics if a file is missing or invalid.
var entries = sync.OnceValue(func() (all []Entry) {
	var ids []string
	read(listName, &ids)
	for _, id := range ids {
		var d document
		read(id, &d)
		e := d.Entry
		e.frozen = d.Frozen
		e.document = func(full bool) study.Document { return patched(d.Experiment, size(full, nil, d.Full)) }
		e.authors = d.Authors
		all = append(all, e)
	}
	return all
})

func read(name string, to any) {
	text, err := file(name)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		d.DisallowUnknownFields()
		err = d.Decode(to)
	}
	if err != nil {
		panic(fmt.Errorf("%s: %w", name, err)) // cannot happen: a test reads all files
	}
}

// patched returns the experiment in a tree after applying merge patches. It panics if
// the result is not an experiment.
func patched(tree any, patches ...map[string]any) study.Document {
	for _, p := range patches {
		tree = study.Merge(tree, p)
	}
	s, err := scenario.FromTree(map[string]any{"version": json.Number(fmt.Sprint(scenario.Version)), "kind": study.Name, study.Name: tree})
	if err != nil {
		panic(err)
	}
	return *study.Of(s)
}

// tree returns an experiment as a tree of JSON values.
func tree(d study.Document) (root any) {
	err := scenario.DecodeTree(scenario.Encode(study.New("", d)), "an experiment", func(all any, _ *scenario.Problems) {
		root = all.(map[string]any)[study.Name]
	})
	if err != nil {
		panic(err)
	}
	return root
}

// give fills in the sources of an experiment that contain only the name of a file.
func (f AuthorFiles) give(d *study.Document, names []string) {
	for _, slot := range d.Base.Slots() {
		if slices.Contains(names, slot.Source.Name) {
			*slot.Source = f.find(slot.Source.Name)
		}
	}
	for i := range d.Factors {
		for k := range d.Factors[i].Levels {
			level := &d.Factors[i].Levels[k]
			if level.Patch != nil {
				level.Patch = f.given(level.Patch, names).(map[string]any)
			}
		}
	}
}

// given returns a tree in which files replace their names.
func (f AuthorFiles) given(tree any, names []string) any {
	fields, ok := tree.(map[string]any)
	if !ok {
		return tree
	}
	if name, _ := fields["name"].(string); len(fields) == 1 && slices.Contains(names, name) {
		return f.find(name)
	}
	own := map[string]any{}
	for key, value := range fields {
		own[key] = f.given(value, names)
	}
	return own
}
