package scenario_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"berth/engine/diag"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

func TestSourceIsChecked(t *testing.T) {
	for _, test := range []struct {
		source scenario.Source
		want   string
	}{
		{scenario.Source{Name: "x", Text: "y"}, ""},
		{scenario.Source{Text: "y"}, ""},
		{scenario.Source{Name: "x"}, ""}, // it is a file
		{scenario.Source{Name: "x", Recipe: &workload.Recipe{Generator: "jobs"}}, ""},
		{scenario.Source{}, `at: needs a "text", a "recipe" or the "name" of a file next to the scenario`},
		{scenario.Source{Text: "y", Recipe: &workload.Recipe{Generator: "jobs"}}, `at: has both "text" and "recipe"; expected one of them`},
		{scenario.Source{Recipe: &workload.Recipe{Generator: "cakes"}}, `at.recipe.generator: found "cakes", expected jobs or tasks`},
		{scenario.Source{Recipe: &workload.Recipe{Generator: "jobs", Parameters: map[string]float64{"n": math.NaN()}}}, "at.recipe.parameters.n: found NaN, expected a finite number"},
		{scenario.Source{Name: strings.Repeat("é", scenario.MaxSourceName+1), Text: "y"}, "at.name: has 4097 characters, at most 4096"},
	} {
		var found scenario.Problems
		found.Source("at", &test.source, "jobs", "tasks")
		got := ""
		if err := found.Err(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func TestOpen(t *testing.T) {
	beside := func(slot string) (io.Reader, int64, error) {
		if slot != "there" {
			return nil, 0, scenario.ErrNoText
		}
		return strings.NewReader("beside"), 6, nil
	}
	for _, test := range []struct {
		env        scenario.Env
		slot, text string
		want       string
		err        error
	}{
		{scenario.Env{Beside: beside}, "there", "", "beside", nil},
		{scenario.Env{Beside: beside}, "there", "inside", "inside", nil},
		{scenario.Env{Beside: beside}, "gone", "", "", scenario.ErrNoText},
		{scenario.Env{}, "there", "", "", scenario.ErrNoText},
	} {
		text, err := test.env.Open(test.slot, &scenario.Source{Text: test.text})
		if !errors.Is(err, test.err) {
			t.Errorf("%+v: %v", test, err)
		}
		if err != nil {
			continue
		}
		if got, _ := io.ReadAll(text); string(got) != test.want || text.Size != int64(len(test.want)) {
			t.Errorf("got %q of %d bytes, want %q", got, text.Size, test.want)
		}
	}
}

// The digest is of the text. The progress is of the file, which may be packed.
func TestReading(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwx"
	ctx, cancel := context.WithCancel(t.Context())
	var last scenario.Progress
	env := scenario.Env{Progress: func(p scenario.Progress) { last = p }}
	r := must.Get(env.Reading(ctx, "letters", &scenario.Source{Text: letters}, true))(t)
	must.Get(io.CopyN(io.Discard, r, 12))(t)
	if last.Fraction != 0.5 || last.Done != 12 || last.Total != 24 || last.Unit != "bytes" {
		t.Errorf("half way: %+v", last)
	}
	must.Get(io.Copy(io.Discard, r))(t)
	want := sha256.Sum256([]byte(letters))
	if sum, size := r.Digest(); sum != hex.EncodeToString(want[:]) || size != 24 || last.Fraction != 1 {
		t.Errorf("%s of %d bytes, progress %+v", sum, size, last)
	}
	file := scenariotest.Packed(letters)
	r = must.Get(env.Reading(ctx, "letters", &scenario.Source{Text: string(file)}, false))(t)
	must.Get(io.Copy(io.Discard, r))(t)
	if sum, size := r.Digest(); sum != hex.EncodeToString(want[:]) || size != 24 || last.Done != int64(len(file)) || last.Total != last.Done || last.Fraction != 1 {
		t.Errorf("packed: %s of %d bytes, progress %+v of %d", sum, size, last, len(file))
	}
	source := scenario.Source{Text: letters}
	source.Digest()
	if source.SHA256 != hex.EncodeToString(want[:]) || !source.Beside() {
		t.Errorf("the text in the document: %+v", source)
	}
	cancel()
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
}

var said = &diag.Code{Name: "said", Words: "%s"}

// A problem has as much of its position as is known.
func TestLines(t *testing.T) {
	e := scenario.InputError{Diagnostics: diag.List{
		{File: "a.csv", Line: 3, Column: 4, Severity: diag.Error, Code: said, Args: []any{"here"}},
		{File: "a.csv", Line: 3, Severity: diag.Error, Code: said, Args: []any{"somewhere in the line"}},
		{File: "a.csv", Severity: diag.Error, Code: said, Args: []any{"somewhere"}},
		{File: diag.Document, Severity: diag.Error, Code: said, Args: []any{"qos.seed: wrong"}},
		{File: "a.csv", Severity: diag.Warning, Code: said, Args: []any{"not an error"}},
	}}
	const want = "a.csv:3:4: here\na.csv:3: somewhere in the line\na.csv: somewhere\nqos.seed: wrong"
	if got := e.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
