package gallery

import (
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/qos/qoskind"
	"berth/engine/study"
)

// Each number of each entry has a title and accepts its current text, which does not change the
// runs. Another number changes them.
func TestNumbersOfEntriesAreChanged(t *testing.T) {
	golden.Long(t)
	for _, e := range List() {
		numbers := e.Numbers()
		if len(numbers) == 0 {
			t.Errorf("%s has no number to change", e.ID)
		}
		seen := map[string]bool{}
		for _, n := range numbers {
			if n.Title == "" || strings.Contains(n.Title, "/") || seen[n.Name] {
				t.Errorf("%s: the number %q is called %q", e.ID, n.Name, n.Title)
			}
			seen[n.Name] = true
			if n.Text == "" {
				continue
			}
			if _, err := e.Changed(map[string]string{n.Name: n.Text}); err != nil {
				t.Errorf("%s: %s as it stands: %v", e.ID, n.Name, err)
			}
		}
	}
}

// The numbers of a recipe are in milliseconds, as typed, unlike those of a document, which are in
// seconds.
func TestNumbersOfRecipesKeepTheirUnits(t *testing.T) {
	e, _ := Lookup("thesis-6.3")
	changed := must.Get(e.Changed(map[string]string{"federation/min_latency": "5"}))(t)
	if got := study.Of(changed.Scenario(false)).Base.Slots()[0].Source.Recipe.Parameters["min_latency"]; got != 5 {
		t.Errorf("5 ms became %v", got)
	}
}

func TestAChangedEntryRunsOtherNumbers(t *testing.T) {
	e, _ := Lookup("qos-8")
	changed := must.Get(e.Changed(map[string]string{"workload/requests": "1000"}))(t)
	requests := func(e *Entry) float64 {
		return study.Of(e.Scenario(false)).Base.Body.(*qoskind.Document).Workload.Recipe.Parameters["requests"]
	}
	if requests(changed) != 1000 || requests(&e) != 30_000 {
		t.Errorf("%v and %v requests, want 1000 and 30000", requests(changed), requests(&e))
	}
	if changed.Recorded() != nil {
		t.Error("what was recorded is of other numbers")
	}
	for _, n := range e.Numbers() {
		if n.Name == "hosts/part" {
			t.Error("the part of the hosts, which the figure varies, can be changed")
		}
	}
	for name, text := range map[string]string{"workload/requests": "none", "workload/days": "-1", "nothing": "1"} {
		if _, err := e.Changed(map[string]string{name: text}); err == nil {
			t.Errorf("%s %s is taken", name, text)
		}
	}
}
