package scenario

import (
	"berth/engine/diag"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// migrations convert the tree of a document to the next version, in place. The entry for
// a version stays for ever, so that every saved document opens.
var migrations = map[int]func(document map[string]any) error{}

// Decode reads a document strictly. Its error is an *[InputError] with line, column and
// JSON path of every error.
func Decode(data []byte) (Scenario, error) {
	return decode(data, migrations)
}

func decode(data []byte, migrations map[int]func(map[string]any) error) (Scenario, error) {
	var s Scenario
	expected := fmt.Sprintf(`an object such as {"version": %d, "kind": "…", …}`, Version)
	err := DecodeTree(data, expected, func(root any, found *Problems) {
		if s.read(nil, root, migrations, found) {
			s.ValidateAt("", found)
		}
	})
	if err != nil {
		return Scenario{}, err
	}
	return s, nil
}

// FromTree is Decode for a tree (see [DecodeTree]), which it converts to the current
// version.
func FromTree(root any) (s Scenario, err error) {
	var found Problems
	if s.read(nil, root, migrations, &found) {
		s.ValidateAt("", &found)
	}
	return s, found.Err()
}

// AssignTree implements [OfTree], for a scenario within another document.
func (s *Scenario) AssignTree(path string, from any, found *Problems) {
	s.read((*where)(nil).field(path), from, migrations, found)
}

// read decodes a document of any version. It reports whether all fields are valid.
func (s *Scenario) read(at *where, root any, migrations map[int]func(map[string]any) error, found *Problems) bool {
	document, ok := root.(map[string]any)
	if !ok {
		found.Add(at.String(), diag.Unexpected, Describe(root), "an object")
		return false
	}
	return migrate(at, document, migrations, found) && s.assign(at, document, found)
}

// assign decodes a document of the current version.
func (s *Scenario) assign(at *where, document map[string]any, found *Problems) bool {
	before := len(found.List)
	found.assignFields(at, document, reflect.ValueOf(s).Elem())
	known, others := fieldNames(reflect.TypeFor[Scenario]()), []string(nil)
	for _, k := range kinds {
		known = append(known, k.Name)
		given, ok := document[k.Name]
		if !ok {
			continue
		}
		body := k.Document()
		found.assign(at.field(k.Name), given, reflect.ValueOf(body).Elem())
		if k.Name == s.Kind {
			s.Body = body
		} else {
			others = append(others, k.Name)
		}
	}
	found.refuseOthers(at, document, known)
	if len(found.List) > before {
		return false
	}
	for _, kind := range others {
		found.Add(at.field(kind).String(), otherKind, Shorten(s.Kind))
	}
	return true
}

// DecodeTree parses JSON text and passes its tree to use, which adds errors by JSON path
// (see [Assign]). The tree consists of map[string]any, []any, json.Number, string, bool
// and nil. expected describes the text for messages. The error is an *[InputError].
func DecodeTree(data []byte, expected string, use func(root any, found *Problems)) error {
	var found Problems
	root, err := readTree(data, expected, &found)
	if err != nil {
		return err
	}
	use(root, &found)
	locate(data, found.List)
	return found.Err()
}

// migrate converts a document to the current version; false if it cannot.
func migrate(at *where, document map[string]any, migrations map[int]func(map[string]any) error, found *Problems) bool {
	given, ok := document["version"]
	path := at.field("version").String()
	if !ok {
		found.Add(path, noVersion, Version)
		return false
	}
	number, _ := given.(json.Number)
	from, err := strconv.Atoi(string(number))
	switch {
	case err != nil:
		found.Add(path, versionNumber, Describe(given), Version)
		return false
	case from > Version:
		found.Add(path, newerVersion, from, Version)
		return false
	}
	for v := from; v < Version; v++ {
		step, ok := migrations[v]
		if !ok {
			found.Add(path, unknownVersion, from, Version)
			return false
		}
		if err := step(document); err != nil {
			found.Add(path, notMigrated, v, v+1, err)
			return false
		}
		document["version"] = json.Number(fmt.Sprint(v + 1))
	}
	return true
}

// Locate adds positions in the text of a document to the errors of Prepare. It leaves
// other errors unchanged.
func Locate(document []byte, err error) {
	if input, ok := errors.AsType[*InputError](err); ok {
		locate(document, input.Diagnostics)
	}
}
