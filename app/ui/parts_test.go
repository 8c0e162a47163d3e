package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

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

// The time left never increases.
func TestTheTimeLeftNeverGrows(t *testing.T) {
	var l Left
	begun := time.Unix(1000, 0)
	for _, c := range []struct {
		after    time.Duration
		fraction float64
		want     string
	}{
		{100 * time.Millisecond, 0.01, ""}, // too little is completed
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
