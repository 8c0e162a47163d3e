package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

func TestLayoutReadsWhatItWrote(t *testing.T) {
	l := defaultLayout()
	l[PaneInput] = paneSize{pixels: 444}
	l[PaneWhy] = paneSize{pixels: 300, collapsed: true}
	got := parseLayout(l.String())
	for _, name := range resizable {
		if got[name] != l[name] {
			t.Errorf("%s came back as %v, want %v", name, got[name], l[name])
		}
	}
}

func TestLayoutDistrustsStorage(t *testing.T) {
	want := defaultLayout()
	for _, stored := range []string{"", "input=", "input=99999", "input=-5", "nonsense=3", "input", "input=3x", "=== -"} {
		got := parseLayout(stored)
		for _, name := range resizable {
			if got[name] != want[name] {
				t.Errorf("%q gave %s %v, want the default %v", stored, name, got[name], want[name])
			}
		}
	}
}

func TestNeighbour(t *testing.T) {
	for _, c := range []struct {
		key  string
		i    int
		next int
		ok   bool
	}{
		{"ArrowRight", 0, 1, true},
		{"ArrowRight", 2, 0, true},
		{"ArrowLeft", 0, 2, true},
		{"Home", 2, 0, true},
		{"End", 0, 2, true},
		{"x", 1, 0, false},
	} {
		if next, ok := neighbour(c.key, c.i, 3); next != c.next || ok != c.ok {
			t.Errorf("neighbour(%q, %d, 3) = %d, %v; want %d, %v", c.key, c.i, next, ok, c.next, c.ok)
		}
	}
	if _, ok := neighbour("ArrowRight", 0, 0); ok {
		t.Error("an empty list has a neighbour")
	}
}

func TestTabsAreOneStop(t *testing.T) {
	got := app.HTMLString((&Tabs{ID: "t", Label: "Parts", Selected: "b",
		Items: []Tab{{ID: "a", Title: "A", Panel: "pa"}, {ID: "b", Title: "B", Panel: "pb"}}}).Render())
	if strings.Count(got, `tabindex="0"`) != 1 || strings.Count(got, `tabindex="-1"`) != 1 {
		t.Errorf("want one tab in the tab order and one out of it:\n%s", got)
	}
	for _, want := range []string{`role="tablist"`, `aria-controls="pa"`} {
		if !strings.Contains(got, want) {
			t.Errorf("the tabs lack %s:\n%s", want, got)
		}
	}
}

func TestWorkbenchHoldsAllPanes(t *testing.T) {
	pane := func(text string) Pane {
		return Pane{Title: text, Body: func() app.UI { return app.P().Text("body of " + text) }}
	}
	w := &Workbench{ID: "w", Tab: PaneResult, Input: pane("In"), Result: pane("Out"), Compare: pane("Side"), Why: pane("Reason")}
	w.OnInit()
	got := app.HTMLString(w.Render())
	for _, want := range []string{"body of In", "body of Out", "body of Side", "body of Reason", `data-tab="result"`, `id="w-why"`} {
		if !strings.Contains(got, want) {
			t.Errorf("the workbench lacks %s", want)
		}
	}
	if n := strings.Count(got, `role="separator"`); n != 3 {
		t.Errorf("%d separators, want 3", n)
	}
}

func TestWorkbenchShowsTheChosenTab(t *testing.T) {
	w := &Workbench{}
	w.OnTab = func(tab string) { w.Tab = tab }
	if got := w.shown(); got != PaneResult {
		t.Errorf("a narrow screen begins with %s, want the result", got)
	}
	w.selectTab(app.Context{}, PaneWhy)
	if got := w.shown(); got != PaneWhy {
		t.Errorf("a narrow screen shows %s, want why", got)
	}
}

func TestSeparatorStaysWithinItsBounds(t *testing.T) {
	s := &Separator{Min: 100, Max: 200}
	for in, want := range map[int]int{50: 100, 150: 150, 999: 200} {
		if got := s.clamp(in); got != want {
			t.Errorf("clamp(%d) = %d, want %d", in, got, want)
		}
	}
}

func TestClosedDialogIsEmpty(t *testing.T) {
	d := &Dialog{ID: "d", Title: "Share", Body: func() app.UI { return app.P().Text("inside") }}
	if got := app.HTMLString(d.Render()); strings.Contains(got, "inside") {
		t.Errorf("a closed dialog renders its body:\n%s", got)
	}
	d.Open = true
	if got := app.HTMLString(d.Render()); !strings.Contains(got, "inside") || !strings.Contains(got, `aria-labelledby="d-title"`) {
		t.Errorf("an open dialog lacks its body or its name:\n%s", got)
	}
}

func TestWithinLimit(t *testing.T) {
	files := []File{{Name: "a.dot", Size: 10}, {Name: "b.dot", Size: 11}, {Name: "c.dot", Size: 2_000_000}}
	accepted, refused := WithinLimit(files, AtMost(10))
	if len(accepted) != 1 || accepted[0].Name != "a.dot" {
		t.Errorf("accepted %v, want a.dot alone", accepted)
	}
	want := "b.dot has 11 B; at most 10 B can be read. c.dot has 2 MB; at most 10 B can be read."
	if got := spaced(refused); got != want {
		t.Errorf("refused with %q, want %q", got, want)
	}
}

// The time left only ever becomes less.
func TestTheTimeLeftNeverGrows(t *testing.T) {
	var l Left
	begun := time.Unix(1000, 0)
	for _, c := range []struct {
		after    time.Duration
		fraction float64
		want     string
	}{
		{100 * time.Millisecond, 0.01, ""}, // too little is done
		{time.Second, 0.25, "3 s left"},
		{2 * time.Second, 0.5, "2 s left"},
		{3 * time.Second, 0.55, "takes longer than expected"},
		{3900 * time.Millisecond, 0.6, "takes longer than expected"},
		{4500 * time.Millisecond, 0.999, "takes longer than expected"},
	} {
		if got := spaced(l.Text(c.fraction, c.after, begun.Add(c.after))); got != c.want {
			t.Errorf("with %v done after %v there is %q, want %q", c.fraction, c.after, got, c.want)
		}
	}
}

func TestEveryIconIsDrawn(t *testing.T) {
	for name, path := range icons {
		if !strings.HasPrefix(path, "M") {
			t.Errorf("icon %s does not begin with a move: %q", name, path)
		}
	}
}
