package study_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"berth/engine/must"
	"berth/engine/study"
)

// A patch turns one object into another, and omits the parts that both share.
func TestPatchIsMerged(t *testing.T) {
	for _, test := range [][3]string{
		{`{"a": 1}`, `{"a": 1}`, `{}`},
		{`{"a": {"b": 1, "c": 2}}`, `{"a": {"b": 3, "c": 2}}`, `{"a": {"b": 3}}`},
		{`{"a": {"b": 1}, "d": [1, 2]}`, `{"d": [1]}`, `{"a": null, "d": [1]}`},
		{`{"a": 1}`, `{"a": {"b": 1}, "e": "x"}`, `{"a": {"b": 1}, "e": "x"}`},
	} {
		var from, to, want map[string]any
		for i, tree := range []*map[string]any{&from, &to, &want} {
			must.Do(t, json.Unmarshal([]byte(test[i]), tree))
		}
		got := study.Patch(from, to)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(study.Merge(from, got), any(to)) {
			t.Errorf("from %s to %s the patch is %v, want %s", test[0], test[1], got, test[2])
		}
	}
}
