package parameter_test

import (
	"maps"
	"testing"

	"berth/engine/parameter"
)

func TestCompleteFillsInDefaultsAndChecks(t *testing.T) {
	rows := []parameter.Parameter{{Name: "size", Low: 1, High: 1e9, Whole: true, Default: 5}, {Name: "share", Low: 0, High: 1, Unit: "s", Default: 0.5}}
	for _, test := range []struct {
		given, want parameter.Values
		err         string
	}{
		{nil, parameter.Values{"size": 5, "share": 0.5}, ""},
		{parameter.Values{"share": 0.25}, parameter.Values{"size": 5, "share": 0.25}, ""},
		{parameter.Values{"size": 1.5}, nil, "size: 1.5 is not whole: expected 1 to 1000000000"},
		{parameter.Values{"share": 2}, nil, "share: 2 s is out of range: expected 0 to 1 s"},
		{parameter.Values{"colour": 2}, nil, `there is no parameter "colour"`},
	} {
		got, err := parameter.Complete(rows, test.given)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if !maps.Equal(got, test.want) || text != test.err {
			t.Errorf("%v: got %v and %q, want %v and %q", test.given, got, text, test.want, test.err)
		}
	}
}
