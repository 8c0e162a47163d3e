package qoskind_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"berth/engine/diag"
	"berth/engine/qos/qoskind"
)

func TestParseClasses(t *testing.T) {
	got, err := qoskind.ParseClasses("c", []byte(`{"classes":[{"name":"a","slo":0.5,"margin":"20s","priorities":[1,3]},{"name":"b","slo":0.25,"importance":1,"margin":1.5,"limit":1,"bonus":[]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	twenty, oneAndAHalf, one := 20.0, 1.5, 1.0
	want := []qoskind.Class{
		{Name: "a", SLO: 0.5, Margin: &twenty, Priorities: []int{1, 3}},
		{Name: "b", SLO: 0.25, Importance: 1, Margin: &oneAndAHalf, Limit: &one, Bonus: []qoskind.Bonus{}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %s", indented(t, got))
	}
	for text, want := range map[string]string{
		``:                                           "c:1:1: unexpected end of JSON input; expected [",
		"[\n{]":                                      "c:2:2: invalid character ']'",
		`[{"name":"a","slo":1}] x`:                   "c:1:24: invalid character 'x' after",
		`5`:                                          "c:1:1: there is no list of classes",
		`{"class":[]}`:                               `c:1:1: unknown field "class"; expected "classes":[`,
		`[{"name":"a"}]`:                             `c:1:2: class 1, "a": slo is missing`,
		"[\n{\"name\":\"a\",\"slo\":2}]":             "c:2:1: classes[0].slo: found 2, expected a number from 0.01 to 1",
		`[{"name":"a","slo":"1"}]`:                   `c:1:2: class 1: slo is a string`,
		`[{"name":"a","slo":1,"colour":"red"}]`:      `c:1:2: class 1: json: unknown field "colour"`,
		`[{"name":"a","slo":1,"margin":"long"}]`:     `c:1:2: class 1, "a": margin: "long" is neither`,
		`[{"name":"a","slo":1,"margin":"-1s"}]`:      `c:1:2: classes[0].margin: found -1, expected a number from 0`,
		`[{"name":"a","slo":1,"margin":1e300}]`:      `c:1:2: classes[0].margin: found 1e+300`,
		`[{"name":"a","slo":1,"priorities":[1]}]`:    "c:1:2: classes[0].priorities: has 1 number,",
		`[{"name":"a","slo":1,"priorities":[11,9]}]`: "c:1:2: classes[0].priorities: [11 9] has the highest first",
		"[{\"name\":\"a\",\"slo\":1},\n\n{\"name\":\"a\",\"slo\":1}]": `c:3:1: classes[1].name: the class "a" is defined twice`,
		`{"classes":[{"name":"a","slo":1}], "x":3}`:                   `c:1:34: unknown field "x"; expected "classes" alone`,
		`[]`: "c:1:1: there are no service classes",
		"[" + strings.Repeat(`{"name":"a","slo":1},`, 70) + "5]": "c:1:23: classes[1].name",
	} {
		if _, err := qoskind.ParseClasses("c", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s…", text, err, want)
		}
	}
}

func TestIsClasses(t *testing.T) {
	for text, want := range map[string]bool{
		"[]": true, "\ufeff\n [{\"name\":\"a\"}]": true, "{ \"classes\": []}": true,
		`{"version":1}`: false, `{1,"Host_1",3.75,3.75,[]}.`: false, "id,job": false, "": false,
	} {
		if qoskind.IsClasses(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

// What is written is read back the same, and a second writing is the first.
func FuzzParseClasses(f *testing.F) {
	f.Add([]byte(`[{"name":"a","slo":0.5,"margin":"20s","priorities":[1,3],"bonus":[{"below":0.4,"credit":1}]}]`))
	f.Add([]byte("\"枞"))
	f.Add([]byte(`{"classes":[{"name":"b","slo":1,"margin":null,"limit":0,"bonus":[]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		classes, err := qoskind.ParseClasses("c", data)
		if syntax, ok := errors.AsType[*diag.Diagnostic](err); ok {
			lines := strings.Split(string(data), "\n")
			if syntax.Line > len(lines) || syntax.Column < 1 || syntax.Column > utf8.RuneCountInString(lines[syntax.Line-1])+1 {
				t.Fatalf("%d:%d is not in %q", syntax.Line, syntax.Column, data)
			}
			return
		}
		if err != nil {
			t.Fatalf("the error is %T: %v", err, err)
		}
		if len(classes) == 0 {
			t.Fatal("no classes and no error")
		}
		written, err := qoskind.EncodeClasses(classes)
		if err != nil {
			t.Fatal(err)
		}
		again, err := qoskind.ParseClasses("c", written)
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if twice, _ := json.Marshal(again); string(twice) != string(must(json.Marshal(classes))(t)) {
			t.Errorf("%s became %s", written, twice)
		}
	})
}

func must[T any](x T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}
