package plugin_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/plugin"
)

func TestOwnCountsAndNotes(t *testing.T) {
	var a, b plugin.Own
	a.Count("tries", 2)
	a.Count("waits", 1)
	a.Note("it was full")
	b.Count("hops", 1)
	b.Count("tries", 3)
	b.Note("it was full")
	if got := plugin.Names([]*plugin.Own{&a, &b}); !slices.Equal(got, []string{"tries", "waits", "hops"}) {
		t.Errorf("the counters are %q", got)
	}
	a.Add(&b)
	encoded, _ := json.Marshal(a)
	if want := `{"counters":[{"name":"tries","value":5},{"name":"waits","value":1},{"name":"hops","value":1}],"notes":["it was full"]}`; string(encoded) != want {
		t.Errorf("got %s, want %s", encoded, want)
	}
	var text strings.Builder
	a.WriteText(&text, "  ")
	if want := "  counted: tries 5, waits 1, hops 1\n"; text.String() != want || a.Shown("hops") != "1" || a.Shown("none") != "–" {
		t.Errorf("got %q, %s and %s", text.String(), a.Shown("hops"), a.Shown("none"))
	}
	for i := range 100 {
		a.Note(fmt.Sprint(i))
		a.Count(fmt.Sprint(i), 1)
	}
	if len(a.Notes) != 20 || len(a.Counters) != 20 {
		t.Errorf("%d notes and %d counters are kept", len(a.Notes), len(a.Counters))
	}
}
