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

// document is the file of an entry. It has the experiment of its reduced size, and in full the
// merge patch (RFC 7396) that makes that of its full size.
type document struct {
	Entry
	Experiment, Full map[string]any
	Frozen           string // what [Entry.Frozen] computes, which takes the page too long
	Authors          *struct {
		Needs           []string // ids of the manifest; a source with such a name alone is the file
		Setup, Measured string   // what Measured begins with in the manifest was measured with Kubernetes
		Tried           []Variant
		Experiment      map[string]any
	}
}

// The names of two files that are no entry: the list of entries in order, and the records.
const listName, recordsName = "list", "recorded"

// entries reads them all. It panics if a file is missing or wrong.
var entries = sync.OnceValue(func() (all []Entry) {
	var ids []string
	read(listName, &ids)
	for _, id := range ids {
		var d document
		read(id, &d)
		e := d.Entry
		e.frozen = d.Frozen
		e.document = func(full bool) study.Document { return patched(d.Experiment, size(full, nil, d.Full)) }
		if a := d.Authors; a != nil {
			e.authors = &authored{a.Needs, a.Setup, func(f AuthorFiles) study.Document {
				own := patched(a.Experiment)
				f.give(&own, a.Needs)
				if a.Measured != "" {
					own.Criteria = append(own.Criteria, f.measured(e.Figure, a.Measured)...)
				}
				return own
			}, a.Tried}
		}
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
		panic(fmt.Errorf("%s: %w", name, err)) // a test reads all
	}
}

// patched is the experiment of a tree and of merge patches of it. It panics if it is none.
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

// tree is an experiment as a tree.
func tree(d study.Document) (root any) {
	err := scenario.DecodeTree(scenario.Encode(study.New("", d)), "an experiment", func(all any, _ *scenario.Problems) {
		root = all.(map[string]any)[study.Name]
	})
	if err != nil {
		panic(err)
	}
	return root
}

// give puts files into an experiment where sources have no more than the name of one.
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

// given is a tree with files in place of their names.
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
