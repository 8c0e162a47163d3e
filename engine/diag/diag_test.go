package diag_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"berth/engine/diag"
)

var said = &diag.Code{Name: "said", Words: "%v"}

func ExampleErrorAt() {
	negative := &diag.Code{Name: "negative-amount", Words: "the %s is negative"}
	fmt.Println(diag.ErrorAt("a.csv", []byte("id,cpu\nα,-1\n"), 10, negative, "cpu"))
	// Output: a.csv:2:3: the cpu is negative
}

func TestStringGivesAsMuchOfThePlaceAsIsKnown(t *testing.T) {
	for want, d := range map[string]diag.Diagnostic{
		"a.csv:3:4: m": {File: "a.csv", Line: 3, Column: 4, Code: said, Args: []any{"m"}},
		"a.csv:3: m":   {File: "a.csv", Line: 3, Code: said, Args: []any{"m"}},
		"a.csv: m":     {File: "a.csv", Code: said, Args: []any{"m"}},
		"m":            {File: diag.Document, Code: said, Args: []any{"m"}},
		"p.q[0]: m":    *diag.At("p.q[0]", said, "m"),
		"a.json: p: m": {File: "a.json", Path: "p", Code: said, Args: []any{"m"}},
	} {
		if d.String() != want || d.Error() != want {
			t.Errorf("%q, as an error %q, want %q", d.String(), d.Error(), want)
		}
	}
}

func TestErrTellsTheErrorsAlone(t *testing.T) {
	one := diag.New("a", 1, 2, &diag.Code{Name: "first", Words: "first %d"}, 1)
	all := diag.List{{File: "b", Severity: diag.Warning, Code: said, Args: []any{"w"}}, *one, {File: "b", Severity: diag.Error, Code: said, Args: []any{"second"}}}
	if err := all.Err(); err == nil || err.Error() != "a:1:2: first 1\nb: second" {
		t.Errorf("got %v", err)
	}
	if err := all.Warnings().Err(); err != nil {
		t.Errorf("warnings are an error: %v", err)
	}
	if of := all.Of("b"); len(of) != 2 || len(of.Errors()) != 1 || len(of.Notes()) != 0 {
		t.Errorf("of b: %v", of)
	}
	if d, ok := errors.AsType[*diag.Diagnostic](fmt.Errorf("wrapped: %w", one)); !ok || d.Line != 1 {
		t.Errorf("got %v", d)
	}
}

func TestJSONReadsBack(t *testing.T) {
	want := diag.List{{File: "a", Line: 1, Column: 2, Severity: diag.Warning, Element: `job "a"`, Field: "limit", Code: said, Args: []any{"m"}}, {Severity: diag.Note, Path: "p"}}
	data, err := json.Marshal(want)
	const text = `[{"file":"a","line":1,"column":2,"severity":"warning","element":"job \"a\"","field":"limit","code":"said","message":"m"},` +
		`{"file":"","line":0,"column":0,"severity":"note","path":"p","code":"","message":""}]`
	if err != nil || string(data) != text {
		t.Errorf("%s, %v", data, err)
	}
	var got diag.List
	if err := json.Unmarshal(data, &got); err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if again, err := json.Marshal(got); err != nil || string(again) != text {
		t.Errorf("read and written again: %s, %v", again, err)
	}
	if err := json.Unmarshal([]byte(`"bad"`), new(diag.Severity)); err == nil {
		t.Error("the severity bad is taken")
	}
}

// Places that are looked up in any order in a long text equal those found by counting from its
// start.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, lineEnds := range []int{2, 300, 1 << 20} {
		var b strings.Builder
		b.WriteString("\uFEFF")
		for b.Len() < 30_000 {
			b.WriteString([]string{"a", "é", "漢", "🚢", "\t", "\r"}[r.IntN(6)])
			if r.IntN(lineEnds) == 0 {
				b.WriteByte('\n')
			}
		}
		text := b.String()
		places := diag.NewPlaces(text)
		for range 500 {
			offset := r.IntN(len(text) + 1)
			start := offset
			for start < len(text) && !utf8.RuneStart(text[start]) {
				start--
			}
			before := strings.TrimPrefix(text[:start], "\uFEFF")
			line, column := 1+strings.Count(before, "\n"), 1+utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
			if l, c := places.Of(offset); l != line || c != column {
				t.Fatalf("byte %d: %d:%d, want %d:%d", offset, l, c, line, column)
			}
		}
	}
	if l, c := diag.NewPlaces("a\n").Of(99); l != 2 || c != 1 {
		t.Errorf("behind the end: %d:%d", l, c)
	}
	if l, c := diag.NewPlaces("aé\x80b").Of(3); l != 1 || c != 3 {
		t.Errorf("a byte that is no text: %d:%d", l, c)
	}
}

// Finding many places of a long text takes about as long as finding one.
func TestPlacesOfALongLine(t *testing.T) {
	text := strings.Repeat("x", 32<<20)
	places := diag.NewPlaces(text)
	for offset := len(text); offset > 0; offset -= 300 {
		if l, c := places.Of(offset); l != 1 || c != offset+1 {
			t.Fatalf("byte %d: %d:%d", offset, l, c)
		}
	}
}

func TestJSONOffset(t *testing.T) {
	for text, want := range map[string]int{`{"a":x}`: 5, `{"a":`: 4, `{"a":"b"}`: 7, ``: 0} {
		var v map[string]int
		err := json.Unmarshal([]byte(text), &v)
		if got := diag.JSONOffset([]byte(text), err); got != want {
			t.Errorf("%s: %d, want %d (%v)", text, got, want, err)
		}
	}
	if got := diag.JSONOffset([]byte("abc"), errors.New("another")); got != 3 {
		t.Errorf("of another error: %d", got)
	}
}

// A problem that another one caused has the code of its cause.
func TestNameIsThatOfTheCause(t *testing.T) {
	cause := (&diag.Code{Name: "cause", Words: "there are %d"}).New(3)
	outer := diag.At("a.b", diag.Invalid, fmt.Errorf("job: %w", cause))
	if outer.Name() != "cause" || outer.Message() != "job: there are 3" || !errors.Is(outer, cause) {
		t.Errorf("%s: %s", outer.Name(), outer.Message())
	}
	if plain := diag.At("a", diag.Invalid, errors.New("odd")); plain.Name() != diag.IsInvalid {
		t.Errorf("of an error without a code: %s", plain.Name())
	}
}

// Errors of encoding/json are reported in Berth's words: the error, its position, and the remedy.
func TestWrongJSON(t *testing.T) {
	var to struct {
		Version int            `json:"version"`
		Names   []string       `json:"names"`
		Parts   map[string]any `json:"parts"`
		Jobs    []struct{ SHA256, GPUs, CPUTime, Name string }
	}
	for text, want := range map[string]string{
		"":                           "f:1:1: not JSON: the text ends too early: save or copy the whole of it again",
		"{\"version\":":              "f:1:12: not JSON: the text ends too early: save or copy the whole of it again",
		"digraph g {}":               "f:1:1: not JSON: it begins with 'd', and JSON with { or [: choose a file in JSON",
		"{\n \"version\": 1,\n}":     "f:3:1: not JSON: '}' is out of place: check the quotes, commas and brackets before it",
		`{"version": "1"}`:           "f:1:15: version: found a JSON string, expected a whole number",
		`{"names": 3}`:               "f:1:11: names: found a JSON number, expected an array",
		`{"jobs": [{"sha256": 1}]}`:  "f:1:22: jobs.sha256: found a JSON number, expected a string",
		`{"jobs": [{"gpus": 1}]}`:    "f:1:20: jobs.gpus: found a JSON number, expected a string",
		`{"jobs": [{"cpuTime": 1}]}`: "f:1:23: jobs.cpuTime: found a JSON number, expected a string",
		`{"jobs": [{"name": 1}]}`:    "f:1:20: jobs.name: found a JSON number, expected a string",
		`[1]`:                        "f:1:1: found a JSON array, expected an object",
		`{"other": 1}`:               "f:1:13: json: unknown field \"other\"",
	} {
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if got := diag.WrongJSON("f", []byte(text), d.Decode(&to)).String(); got != want {
			t.Errorf("%q: got  %s\nwant %s", text, got, want)
		}
	}
}
