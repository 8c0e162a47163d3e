package diag

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

const byteOrderMark = "\uFEFF"

// step is the distance of the bytes whose positions are stored, so that a text is
// scanned only once for any number of queries.
const step = 4096

// Places maps byte offsets of a text to lines and columns.
type Places struct {
	text string
	kept []position // positions of the bytes 0, step, 2*step, ...
}

type position struct{ line, column int }

// NewPlaces returns the positions of a text. A byte order mark at its start has no
// column.
func NewPlaces(text string) *Places {
	first := position{1, 1}
	if strings.HasPrefix(text, byteOrderMark) {
		first.column = 0
	}
	return &Places{text, []position{first}}
}

// Of returns the line and column, from 1 and in characters, of the character that
// contains the byte at an offset.
func (p *Places) Of(offset int) (line, column int) {
	offset = p.character(max(0, min(offset, len(p.text))))
	for k := len(p.kept); k <= offset/step; k++ {
		p.kept = append(p.kept, p.kept[k-1].behind(p.text[(k-1)*step:k*step]))
	}
	at := p.kept[offset/step].behind(p.text[offset-offset%step : offset])
	return at.line, max(1, at.column)
}

// character returns the start of the character that contains a byte.
func (p *Places) character(offset int) int {
	for start := offset; start < len(p.text) && start >= 0 && offset-start < utf8.UTFMax; start-- {
		if _, size := utf8.DecodeRuneInString(p.text[start:]); size > max(1, offset-start) {
			return start
		}
	}
	return offset
}

// behind returns the position after a text that begins at this one.
func (at position) behind(text string) position {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		at.line += strings.Count(text, "\n")
		at.column, text = 1, text[i+1:]
	}
	for i := range len(text) {
		if utf8.RuneStart(text[i]) {
			at.column++
		}
	}
	return at
}

// WrongJSON converts an error of encoding/json about a text.
func WrongJSON(file string, text []byte, err error) *Diagnostic {
	code, words := JSONFault(text, err)
	return ErrorAt(file, text, JSONOffset(text, err), code, words)
}

// JSONFault explains an error of encoding/json and its remedy. The text is the
// argument of the code.
func JSONFault(text []byte, err error) (code *Code, words string) {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		words := fmt.Sprintf("found a JSON %s, expected %s", wrong.Value, jsonType(wrong.Type))
		if wrong.Field != "" {
			words = fieldPath(wrong.Field) + ": " + words
		}
		return Invalid, words
	}
	_, syntax := errors.AsType[*json.SyntaxError](err)
	rest := text[JSONOffset(text, err):]
	first, _ := utf8.DecodeRune(rest)
	before := strings.TrimPrefix(string(text[:len(text)-len(rest)]), byteOrderMark)
	switch {
	case endsEarly(text):
		return NotJSON, "the text ends too early: save or copy the whole of it again"
	case syntax && strings.TrimSpace(before) == "":
		return NotJSON, fmt.Sprintf("it begins with %q, and JSON with { or [: choose a file in JSON", first)
	case syntax:
		return NotJSON, fmt.Sprintf("%q is out of place: check the quotes, commas and brackets before it", first)
	}
	return Invalid, err.Error()
}

// fieldPath converts a path of Go fields to the path in JSON.
func fieldPath(path string) string {
	names := strings.Split(path, ".")
	for i := range names {
		names[i] = FieldName(names[i])
	}
	return strings.Join(names, ".")
}

// FieldName returns the JSON name of a Go field without a tag. It writes the capitals at the
// beginning in lower case: maxMoves for MaxMoves, sha256 for SHA256, gpus for GPUs, cpuTime for
// CPUTime.
func FieldName(field string) string {
	rest := strings.TrimLeft(field, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	capitals := len(field) - len(rest)
	if capitals > 1 && rest > "a" && rest != "s" {
		capitals-- // the last capital begins the next word
	}
	return strings.ToLower(field[:capitals]) + field[capitals:]
}

// endsEarly reports whether a text is a truncated JSON document.
func endsEarly(text []byte) bool {
	var value json.RawMessage
	err := json.NewDecoder(bytes.NewReader(text)).Decode(&value)
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// jsonType returns the JSON name of the values that decode into a Go type.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return jsonType(t.Elem())
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// JSONOffset returns the byte offset of an error of encoding/json, or the end of the
// text if the error has none.
func JSONOffset(text []byte, err error) int {
	behind := int64(len(text)) + 1
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		behind = syntax.Offset
	} else if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		behind = wrong.Offset
	}
	return min(max(int(behind)-1, 0), len(text))
}
