package scenario

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"berth/engine/diag"
	"berth/engine/input/packed"
	"berth/engine/show"
)

// Limits of a document. Only its strings can be large. The limits keep hostile documents from
// taking more memory than their text.
const (
	maxDepth  = 16
	maxValues = 200_000
	maxKey    = 200 // characters
)

// readTree parses JSON text. Its error is an *[InputError]; it adds repeated keys to
// found. expected describes the text for messages.
func readTree(data []byte, expected string, found *Problems) (any, error) {
	if err := checkJSON(data, packed.MaxText, expected); err != nil {
		return nil, err
	}
	r := treeReader{jsonReader: newReader(data), problems: found}
	root, err := r.value(nil, 0)
	if err != nil {
		return nil, textError(data, int(r.InputOffset()), diag.Invalid, err)
	}
	return root, nil
}

// checkJSON refuses texts that are not JSON or have more than most bytes.
func checkJSON(data []byte, most int, expected string) error {
	if len(data) > most {
		return textError(data, 0, documentSize, len(data), most, most>>20)
	}
	if i := invalidUTF8(data); i >= 0 {
		return textError(data, i, notText)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return textError(data, 0, emptyDocument, expected)
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return wrongJSON(data, err)
	}
	return nil
}

// where is the path of a value in a document. It is formatted only if there is an error.
type where struct {
	above *where // nil for the document itself
	key   string
	index int // index of an item; −1 for a field
}

func (p *where) field(key string) *where { return &where{p, key, -1} }
func (p *where) item(index int) *where   { return &where{p, "", index} }

func (p *where) String() string {
	switch {
	case p == nil:
		return ""
	case p.index >= 0:
		return p.above.String() + "[" + strconv.Itoa(p.index) + "]"
	}
	return Field(p.above.String(), p.key)
}

// jsonReader reads the tokens of valid JSON text.
type jsonReader struct {
	*json.Decoder
	data []byte
}

func newReader(data []byte) jsonReader {
	r := jsonReader{json.NewDecoder(bytes.NewReader(data)), data}
	r.UseNumber()
	return r
}

// next returns the position of the next value. The decoder is still before the blanks and
// separators that precede the value.
func (r *jsonReader) next() int {
	i := int(r.InputOffset())
	for i < len(r.data) && bytes.IndexByte([]byte(" \t\r\n:,"), r.data[i]) >= 0 {
		i++
	}
	return i
}

// each reads an object or an array and calls item for each of its fields or items. key is "" in an
// array.
func (r *jsonReader) each(item func(key string, i int) error) error {
	open, err := r.Token()
	if err != nil {
		return err
	}
	for i := 0; r.More(); i++ {
		key := ""
		if open == json.Delim('{') {
			token, err := r.Token()
			if err != nil {
				return err
			}
			key, _ = token.(string)
		}
		if err := item(key, i); err != nil {
			return err
		}
	}
	_, err = r.Token()
	return err
}

// pass skips the next value.
func (r *jsonReader) pass() error { return r.Decode(new(json.RawMessage)) }

type treeReader struct {
	jsonReader
	problems *Problems
	values   int
}

func (r *treeReader) value(at *where, depth int) (any, error) {
	if depth > maxDepth {
		return nil, tooDeep.New(show.Text(at.String()), maxDepth)
	}
	r.values++
	if r.values > maxValues {
		return nil, tooManyValues.New(maxValues)
	}
	switch r.data[r.next()] {
	case '{':
		fields := map[string]any{}
		return fields, r.each(func(key string, _ int) (err error) {
			if n := utf8.RuneCountInString(key); n > maxKey {
				return longKey.New(Shorten(key), n, maxKey)
			}
			if _, repeated := fields[key]; repeated {
				r.problems.Add(at.field(key).String(), diag.Twice)
			}
			fields[key], err = r.value(at.field(key), depth+1)
			return err
		})
	case '[':
		items := []any{}
		err := r.each(func(_ string, i int) error {
			item, err := r.value(at.item(i), depth+1)
			items = append(items, item)
			return err
		})
		return items, err
	}
	return r.Token()
}

// locate sets the positions of errors by their paths, or by the nearest enclosing value
// that the text has, and sorts the errors by position.
func locate(data []byte, list diag.List) {
	if len(list) == 0 {
		return
	}
	var all []*sought
	for i := range list {
		if d := &list[i]; d.File == diag.Document && d.Line == 0 {
			all = append(all, &sought{Diagnostic: d})
		}
	}
	s := seeker{newReader(data)}
	_ = s.value("", all) // if the text is not JSON, the positions up to the error are still valid
	places := diag.NewPlaces(string(data))
	for _, one := range all {
		one.Line, one.Column = places.Of(one.start)
	}
	slices.SortStableFunc(list, func(a, b diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// sought is an error whose position is sought: the position of the value at its path, or of the
// nearest enclosing value. path is the length of that value's path.
type sought struct {
	*diag.Diagnostic
	start, path int
}

// seeker finds the positions of the values at paths.
type seeker struct{ jsonReader }

// value visits the next value, whose path is given.
func (s *seeker) value(path string, all []*sought) error {
	start, within := s.next(), []*sought(nil)
	for _, one := range all {
		rest, ok := strings.CutPrefix(one.Where(), path)
		if !ok || path != "" && rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		within = append(within, one)
		if len(path) >= one.path {
			one.start, one.path = start, len(path)
		}
	}
	if within == nil || !bytes.ContainsAny(s.data[start:min(start+1, len(s.data))], "{[") {
		return s.pass()
	}
	return s.each(func(key string, i int) error {
		if s.data[start] == '{' {
			return s.value(Field(path, key), within)
		}
		return s.value(path+"["+strconv.Itoa(i)+"]", within)
	})
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

func wrongJSON(data []byte, err error) error {
	return &InputError{Diagnostics: diag.List{*diag.WrongJSON(diag.Document, data, err)}}
}

func textError(data []byte, offset int, code *diag.Code, args ...any) error {
	return &InputError{Diagnostics: diag.List{*diag.ErrorAt(diag.Document, data, offset, code, args...)}}
}
