package scenario

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"berth/engine/diag"
	"berth/engine/scenario/body"
)

// A document is small in everything but its strings; these bounds keep hostile
// ones from costing more memory than their text.
const (
	maxDepth  = 16
	maxValues = 200_000
)

// tree is a document before its version is known: objects are map[string]any,
// arrays []any, numbers json.Number. starts has the byte offset of the value at
// each path, for the positions of problems.
type tree struct {
	root     any
	starts   map[string]int
	problems *problems
}

// parse reads JSON text. What the syntax allows but nobody means is a problem
// too: a key that is repeated, text after the document.
func parse(data []byte, found *problems) (*tree, error) {
	if len(data) > MaxBytes {
		return nil, textError(data, 0, "the document has %d bytes; at most %d (64 MiB) are read", len(data), MaxBytes)
	}
	if i := invalidUTF8(data); i >= 0 {
		return nil, textError(data, i, "not UTF-8 text")
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, textError(data, 0, `the document is empty; expected an object such as {"version": %d, "kind": %q, …}`, Version, KindPlacement)
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, textError(data, diag.JSONOffset(data, err), "not JSON: %v", err)
	}
	r := treeReader{Decoder: json.NewDecoder(bytes.NewReader(data)), data: data}
	r.UseNumber()
	r.tree = &tree{starts: map[string]int{}, problems: found}
	root, err := r.value("", 0)
	if err != nil {
		return nil, textError(data, int(r.InputOffset()), "%v", err)
	}
	r.tree.root = root
	return r.tree, nil
}

type treeReader struct {
	*json.Decoder
	*tree
	data   []byte
	values int
}

func (r *treeReader) value(path string, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%s: nested more than %d deep", path, maxDepth)
	}
	if r.values++; r.values > maxValues {
		return nil, fmt.Errorf("more than %d values in the document", maxValues)
	}
	r.starts[path] = r.next()
	token, err := r.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return r.object(path, depth)
	case json.Delim('['):
		return r.array(path, depth)
	}
	return token, nil
}

func (r *treeReader) object(path string, depth int) (any, error) {
	fields := map[string]any{}
	for r.More() {
		key, err := r.Token()
		if err != nil {
			return nil, err
		}
		at := body.Join(path, key.(string))
		if _, repeated := fields[key.(string)]; repeated {
			r.problems.Add(at, "given twice")
		}
		if fields[key.(string)], err = r.value(at, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := r.Token()
	return fields, err
}

func (r *treeReader) array(path string, depth int) (any, error) {
	items := []any{}
	for i := 0; r.More(); i++ {
		item, err := r.value(path+"["+strconv.Itoa(i)+"]", depth+1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := r.Token()
	return items, err
}

// next returns where the next value starts: the decoder stands before the
// blanks and separators in front of it.
func (r *treeReader) next() int {
	i := int(r.InputOffset())
	for i < len(r.data) && bytes.IndexByte([]byte(" \t\r\n:,"), r.data[i]) >= 0 {
		i++
	}
	return i
}

// locate gives each problem of the document the position of its path, or of the
// nearest enclosing value that the text has, and sorts them by it.
func (t *tree) locate(data []byte, list diag.List) {
	places := diag.NewPlaces(string(data))
	for i := range list {
		if d := &list[i]; d.File == diag.Document && d.Line == 0 {
			path := d.Field
			start, ok := t.starts[path]
			for !ok && path != "" {
				path = parent(path)
				start, ok = t.starts[path]
			}
			d.Line, d.Column = places.Of(start)
		}
	}
	slices.SortStableFunc(list, func(a, b diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// Locate says where in the text of a document the problems stand that Prepare
// found in what Decode had read from it. Other errors it leaves as they are.
func Locate(document []byte, err error) {
	var input *InputError
	if !errors.As(err, &input) {
		return
	}
	if t, err := parse(document, &problems{}); err == nil {
		t.locate(document, input.Diagnostics)
	}
}

func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' || path[i] == '[' {
			return path[:i]
		}
	}
	return ""
}

func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	i := 0
	for {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

func textError(data []byte, offset int, format string, args ...any) error {
	return &InputError{Diagnostics: diag.List{*diag.ErrorAt(diag.Document, data, offset, format, args...)}}
}
