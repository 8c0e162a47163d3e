package lab

import (
	"reflect"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/show"
)

// SourceRole is a role that sources play in the inputs: "federation".
type SourceRole struct {
	Name    string
	Sources []*Source
	Choose  string // id of the control that replaces the sources, "" if no question is asked about the role
	Plural  bool
	Figures bool   // its sources represent numbers of the inputs
	Path    string // path prefix of diagnostics that are about the role but name no file
}

// LeftOver is a role that still has an example's sources, while another role has a file of the
// user's own.
type LeftOver struct {
	SourceRole
	Title string // of the example
}

const noticeLeftOver = "left-over"

// LeftOver returns the role that still has an example's sources; nil if there is none or the user
// keeps it. It compares sources with the examples' sources, so that it also works after an undo or
// a reload.
func (t *intakes[I]) LeftOver() *LeftOver {
	if t.generation != t.lab.generation {
		t.generation, t.found = t.lab.generation, nil
		if t.lab.Unsaved {
			t.found = t.findLeftOver()
		}
	}
	if x := t.found; x != nil && !t.kept[x.Name+x.Title] {
		return x
	}
	return nil
}

func (t *intakes[I]) findLeftOver() *LeftOver {
	now := t.lab.Inputs.Roles()
	for _, e := range t.lab.Opening.examples() {
		theirs := t.lab.system.Inputs(&e.Scenario).Roles()
		for i, r := range now {
			if r.Choose != "" && isOf(r, theirs[i]) && slices.ContainsFunc(now, func(own SourceRole) bool {
				return own.Choose != "" && isOwn(own, theirs) && !t.FromExample(own.Name)
			}) {
				return &LeftOver{r, e.Title}
			}
		}
	}
	return nil
}

// FromExample reports whether all sources of a role come from an example.
func (t *intakes[I]) FromExample(role string) bool {
	for i, r := range t.lab.Inputs.Roles() {
		for _, e := range t.lab.Opening.examples() {
			if r.Name == role && isOf(r, t.lab.system.Inputs(&e.Scenario).Roles()[i]) {
				return true
			}
		}
	}
	return false
}

// isOf reports whether every source of role r also belongs to the example's role.
func isOf(r, example SourceRole) bool {
	return len(r.Sources) > 0 && !slices.ContainsFunc(r.Sources, func(s *Source) bool {
		return !slices.ContainsFunc(example.Sources, func(theirs *Source) bool { return sameSource(s, theirs) })
	})
}

// isOwn reports whether a role has a source whose name the example lacks. An edited source of an
// example is not the user's own.
func isOwn(r SourceRole, example []SourceRole) bool {
	return slices.ContainsFunc(r.Sources, func(s *Source) bool {
		return !slices.ContainsFunc(example, func(theirs SourceRole) bool {
			return slices.ContainsFunc(theirs.Sources, func(t *Source) bool { return t.Name == s.Name })
		})
	})
}

func sameSource(a, b *Source) bool {
	return !a.Large() && a.Name == b.Name && a.Text == b.Text && reflect.DeepEqual(a.Recipe, b.Recipe)
}

// askAboutLeftOver shows a notice, which blocks nothing, that asks whether to replace the example's
// sources in a role.
func (t *intakes[I]) askAboutLeftOver() {
	x := t.LeftOver()
	if x == t.shown || x != nil && t.shown != nil && x.Name == t.shown.Name && x.Title == t.shown.Title {
		return
	}
	t.shown = x
	if x == nil {
		t.lab.notice(noticeLeftOver, "")
		return
	}
	it, another := "it", "a "+x.Name
	if x.Plural {
		it, another = "them", x.Name
	}
	t.lab.notice(noticeLeftOver, show.Capital(x.Name)+" from the example “"+x.Title+"”: replace "+it+"?",
		shell.Command{Name: "Choose " + another, Do: func(app.Context) { t.chooseAt(x.Choose) }},
		shell.Command{Name: "Keep " + it, Do: func(app.Context) {
			t.kept[x.Name+x.Title] = true
			t.lab.Tell()
		}})
}

// chooseAt opens the file dialog of a file control, or moves the focus to another
// control.
func (t *intakes[I]) chooseAt(id string) {
	element := app.Window().GetElementByID(id)
	if element.Truthy() && element.Get("type").String() == "file" {
		element.Call("click")
		return
	}
	t.lab.Stage.bench, t.lab.Tab = true, ui.PaneInput
	ui.Focus(t.lab.Page, id)
}

// Borrowed is a sentence about the role that still has an example's sources; "" for none.
func (t *intakes[I]) Borrowed() string {
	x := t.LeftOver()
	if x == nil {
		return ""
	}
	return "This is with the example's " + x.Name + "."
}

// LeftOverBadge marks a source that an example brought.
func (t *intakes[I]) LeftOverBadge(s *Source) app.UI {
	x := t.LeftOver()
	if x == nil || !slices.Contains(x.Sources, s) {
		return ui.None()
	}
	return ui.Badge("warn", "from the example “"+x.Title+"”")
}
