package scenario

import (
	"berth/engine/diag"
	"berth/engine/parameter"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// Decode reads a document strictly. Its error is an *[InputError] with line, column and
// JSON path of every error.
func Decode(data []byte) (s Scenario, err error) {
	expected := fmt.Sprintf(`an object such as {"version": %d, "kind": "…", …}`, Version)
	if err := DecodeTree(data, expected, s.decode); err != nil {
		return Scenario{}, err
	}
	return s, nil
}

// FromTree is Decode for a tree (see [DecodeTree]).
func FromTree(root any) (s Scenario, err error) {
	var found Problems
	s.decode(root, &found)
	return s, found.Err()
}

func (s *Scenario) decode(root any, found *Problems) {
	if s.read(nil, root, found) {
		s.ValidateAt("", found)
	}
}

// AssignTree implements [OfTree], for a scenario within another document.
func (s *Scenario) AssignTree(path string, from any, found *Problems) {
	s.read((*where)(nil).field(path), from, found)
}

// read decodes a document. It reports whether all fields are valid.
func (s *Scenario) read(at *where, root any, found *Problems) bool {
	document, ok := root.(map[string]any)
	if !ok {
		found.Add(at.String(), diag.Unexpected, Describe(root), "an object")
		return false
	}
	return found.version(at, document) && s.assign(at, document, found)
}

// assign decodes the fields of a document.
func (s *Scenario) assign(at *where, document map[string]any, found *Problems) bool {
	before := len(found.List)
	found.assignFields(at, document, reflect.ValueOf(s).Elem())
	known, others := slices.Clip(parameter.FieldsOf(reflect.TypeFor[Scenario]())), []string(nil)
	for _, k := range kinds {
		known = append(known, parameter.Field{Key: k.Name})
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
// (see [AssignAt]). The tree consists of map[string]any, []any, json.Number, string, bool
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

// version checks the version of a document, and reports whether this program can read it.
func (p *Problems) version(at *where, document map[string]any) bool {
	given, ok := document["version"]
	number, _ := given.(json.Number)
	version, err := strconv.Atoi(string(number))
	path := at.field("version").String()
	switch {
	case !ok:
		p.Add(path, noVersion, Version)
	case err != nil:
		p.Add(path, versionNumber, Describe(given), Version)
	case version > Version:
		p.Add(path, newerVersion, version, Version)
	case version < Version:
		p.Add(path, unknownVersion, version, Version)
	default:
		return true
	}
	return false
}

// Locate adds positions in the text of a document to the errors of Prepare. It leaves other errors
// unchanged.
func Locate(document []byte, err error) {
	if input, ok := errors.AsType[*InputError](err); ok {
		locate(document, input.Diagnostics)
	}
}
