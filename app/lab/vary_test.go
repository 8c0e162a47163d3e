//go:build !js

package lab

import (
	"reflect"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/study"
)

// The values of a varied parameter have the unit of its field; the document has seconds.
func TestAVariedParameterHasTheUnitOfItsField(t *testing.T) {
	v := vary{
		base: federatekind.New("base", federatekind.Document{}), values: map[string]string{"/federate/delay": "0.0005", "/federate/workers": "4", "/federate/other": "1"},
		varied: [2]varied{{"/federate/delay", "0.5, 2"}, {"/federate/workers", "3,4"}}, seeds: "1",
	}
	for path, want := range map[string]string{
		"/federate/delay": "Message delay, now 0.5 ms", "/federate/workers": "Workers, now 4", "/federate/other": "now 1",
	} {
		if got := v.now(path); got != want {
			t.Errorf("%s is offered as %q, want %q", path, got, want)
		}
	}
	if got := labelOfLevels(v.row(v.varied[0].field)); got != "Values in ms, separated by commas" {
		t.Errorf("the field of the values is called %q", got)
	}
	s, err := v.experiment()
	if second := study.Of(s).Factors[1]; second.Path != "/federate/workers" || len(second.Levels) != 2 || s.Name != "base, delay and workers varied" {
		t.Errorf("%s: the second parameter is %+v", s.Name, second)
	}
	want := []study.Level{{Value: 0.0005, Label: "0.5 ms"}, {Value: 0.002, Label: "2 ms"}}
	if err != nil || !reflect.DeepEqual(study.Of(s).Factors[0].Levels, want) {
		t.Errorf("%v: the levels are %+v, want %+v", err, study.Of(s).Factors[0].Levels, want)
	}
}
