package shell

import (
	"strings"
	"testing"
)

func TestAToastKeepsItsPlaceUntilItGoes(t *testing.T) {
	var got toasts
	numbers := map[string]int{}
	for _, step := range []struct{ add, drop, want string }{
		{add: "a", want: "a"},
		{add: "b", want: "a b"},
		{drop: "a", want: "_ b"},
		{add: "c", want: "c b"},
		{add: "b", want: "c _ b"}, // said again, so elsewhere
		{drop: "c", want: "_ _ b"},
		{add: "b", want: "b"},
		{add: "b", want: "_ b"},
		{drop: "b", want: ""},
	} {
		if step.add != "" {
			numbers[step.add] = got.add(step.add)
		}
		got.drop(func(of toast) bool { return of.number == numbers[step.drop] })
		var places []string
		for _, of := range got.places {
			if of == (toast{}) {
				of.text = "_"
			}
			places = append(places, of.text)
		}
		if text := strings.Join(places, " "); text != step.want {
			t.Errorf("add %q, drop %q: %q, want %q", step.add, step.drop, text, step.want)
		}
	}
}

func TestTheLatestToastIsDrawnLast(t *testing.T) {
	var of toasts
	first := of.add("a")
	of.add("b")
	of.drop(func(t toast) bool { return t.number == first })
	of.add("<c>")
	got := markup(of.region())
	third, rest, _ := strings.Cut(got, ">&lt;c&gt;<")
	second, _, shown := strings.Cut(rest, ">b<")
	if !shown || !strings.Contains(third, "order:3") || !strings.Contains(second, "order:2") { // of the attributes, any may be written first
		t.Errorf("the third toast does not take the first's element, drawn behind the second:\n%s", got)
	}
	of.drop(func(t toast) bool { return t.number == 3 })
	if got := markup(of.region()); strings.Count(got, `class="toast"`) != 1 || strings.Count(got, "<div hidden") != 1 {
		t.Errorf("a free place is not hidden:\n%s", got)
	}
}
