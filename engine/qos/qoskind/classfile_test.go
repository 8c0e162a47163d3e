package qoskind_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"berth/engine/must"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

func TestParseClasses(t *testing.T) {
	got := must.Get(qoskind.ParseClasses("c", []byte(`{"classes":[{"name":"a","slo":0.5,"margin":"20s","priorities":[1,3]},{"name":"b","slo":0.25,"importance":1,"margin":1.5,"limit":1,"bonus":[]}]}`)))(t)
	twenty, oneAndAHalf, one := 20.0, 1.5, 1.0
	want := []qoskind.Class{
		{Name: "a", SLO: 0.5, Margin: &twenty, Priorities: []int{1, 3}},
		{Name: "b", SLO: 0.25, Importance: 1, Margin: &oneAndAHalf, Limit: &one, Bonus: []qos.Bonus{}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %s", indented(t, got))
	}
	for text, want := range map[string]string{
		``:                                      "c:1:1: the document is empty; expected [",
		"[\n{]":                                 "c:2:2: not JSON: ']' is out of place",
		`[{"name":"a","slo":1}] x`:              "c:1:24: not JSON: 'x' is out of place",
		`5`:                                     "c:1:1: found the number 5, expected an object",
		`{"class":[]}`:                          `c:1:10: class: unknown field; known: classes`,
		`[{"name":"a"}]`:                        `c:1:2: [0]: slo is missing`,
		"[\n{\"name\":\"a\",\"slo\":2}]":        "c:2:19: [0].slo: found 2, expected a number from 0.01 to 1",
		`[{"name":"a","slo":"1"}]`:              `c:1:20: [0].slo: found the string "1", expected a number`,
		`[{"name":"a","slo":1,"colour":"red"}]`: `c:1:31: [0].colour: unknown field; known: name, slo,`,
		`[{"name":"a","slo":1,"slo":0.5}]`:      `c:1:28: [0].slo: given twice`,
		`{"classes":[{"name":"a","slo":1}],"classes":[]}`:                      `c:1:45: classes: given twice`,
		`[{"name":"a","slo":1,"bonus":[{"below":0.1,"credit":1,"credit":2}]}]`: `c:1:64: [0].bonus[0].credit: given twice`,
		`[{"name":"a","slo":1,"bonus":[{"bellow":0.1}]}]`:                      `c:1:41: [0].bonus[0].bellow: unknown field`,
		`[{"name":"a","slo":1,"margin":"long"}]`:                               `c:1:31: [0].margin: found the string "long", expected a number of seconds or`,
		`[{"name":"a","slo":1,"margin":[1]}]`:                                  `c:1:31: [0].margin: found an array, expected a number of seconds or`,
		`[{"name":"a","slo":1,"margin":"-1s"}]`:                                `c:1:31: [0].margin: found -1, expected a number from 0`,
		`[{"name":"a","slo":1,"margin":1e300}]`:                                `c:1:31: [0].margin: found 1e+300`,
		`[{"name":"","slo":1}]`:                                                `c:1:10: [0].name: missing`,
		`[{"name":"a","slo":1,"importance":-1}]`:                               `c:1:35: [0].importance: found -1, expected a number from 1 to 64`,
		`[{"name":"a","slo":1,"limit":1.5}]`:                                   `c:1:30: [0].limit: found 1.5, expected a number from 0 to 1`,
		`[{"name":"a","slo":1,"priorities":[1]}]`:                              "c:1:35: [0].priorities: has 1 number,",
		`[{"name":"a","slo":1,"priorities":[11,9]}]`:                           "c:1:35: [0].priorities: [11 9] has the highest first",
		"[{\"name\":\"a\",\"slo\":1},\n\n{\"name\":\"a\",\"slo\":1}]":          `c:3:9: [1].name: the class "a" is defined twice`,
		`{"classes":[{"name":"a","slo":1}], "x":3}`:                            `c:1:40: x: unknown field; known: classes`,
		`[]`: "c:1:1: there are no service classes; expected [",
		"[" + strings.Repeat(`{"name":"a","slo":1},`, 70) + "5]": "c:1:1: has 71 entries, at most 64",
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

// Written classes read back the same, and writing them again gives the same text.
func FuzzParseClasses(f *testing.F) {
	f.Add([]byte(`[{"name":"a","slo":0.5,"margin":"20s","priorities":[1,3],"bonus":[{"below":0.4,"credit":1}]}]`))
	f.Add([]byte("\"枞"))
	f.Add([]byte(`{"classes":[{"name":"b","slo":1,"margin":null,"limit":0,"bonus":[]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		classes, err := qoskind.ParseClasses("c", data)
		if input, ok := errors.AsType[*scenario.InputError](err); ok {
			lines := strings.Split(string(data), "\n")
			for _, d := range input.Diagnostics {
				if d.File != "c" || d.Line > len(lines) || d.Column < 1 || d.Column > utf8.RuneCountInString(lines[d.Line-1])+1 {
					t.Fatalf("%+v is not in %q", d, data)
				}
			}
			return
		}
		if err != nil {
			t.Fatalf("the error is %T: %v", err, err)
		}
		if len(classes) == 0 {
			t.Fatal("no classes and no error")
		}
		written := must.Get(qoskind.EncodeRows(classes))(t)
		again, err := qoskind.ParseClasses("c", written)
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if twice, _ := json.Marshal(again); string(twice) != string(must.Get(json.Marshal(classes))(t)) {
			t.Errorf("%s became %s", written, twice)
		}
	})
}
