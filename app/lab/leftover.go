package lab

import (
	"reflect"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/show"
)

// Role is what sources of inputs are for: "federation".
type Role struct {
	Name    string
	Sources []*Source
	Choose  string // id of the control that puts others in their place, "" for roles that nothing is asked about
	Plural  bool
	Figures bool   // its source only stands for numbers of the inputs
	Path    string // how the paths of diagnostics about them begin, where these do not name a file
}

// LeftOver is a role that is still filled by an example, beside the user's own files.
type LeftOver struct {
	Role
	Title string // of the example
}

const noticeLeftOver = "left-over"

// LeftOver is what an example has left in the inputs; nil if nothing, and if the user
// keeps it. Sources tell by themselves whether they are an example's, so that this holds
// after an undo and a reload.
func (l *Lab[I]) LeftOver() *LeftOver {
	if l.left.generation != l.generation {
		l.left.generation, l.left.found = l.generation, nil
		if l.Unsaved {
			l.left.found = l.findLeftOver()
		}
	}
	if x := l.left.found; x != nil && !l.left.kept[x.Name+x.Title] {
		return x
	}
	return nil
}

// left is what is known of left-overs.
type left struct {
	generation int // of the inputs that found is of
	found      *LeftOver
	kept       map[string]bool // by role and title of the example
	told       *LeftOver
}

func (l *Lab[I]) findLeftOver() *LeftOver {
	now := l.Inputs.Roles()
	for _, e := range l.examples() {
		theirs := l.system.Inputs(&e.Scenario).Roles()
		for i, r := range now {
			if r.Choose != "" && isOf(r, theirs[i]) && slices.ContainsFunc(now, func(own Role) bool {
				return own.Choose != "" && isOwn(own, theirs) && !l.FromExample(own.Name)
			}) {
				return &LeftOver{r, e.Title}
			}
		}
	}
	return nil
}

// FromExample reports whether a role is filled by an example alone.
func (l *Lab[I]) FromExample(role string) bool {
	for i, r := range l.Inputs.Roles() {
		for _, e := range l.examples() {
			if r.Name == role && isOf(r, l.system.Inputs(&e.Scenario).Roles()[i]) {
				return true
			}
		}
	}
	return false
}

// isOf reports whether all sources of a role are those of an example's.
func isOf(r, example Role) bool {
	return len(r.Sources) > 0 && !slices.ContainsFunc(r.Sources, func(s *Source) bool {
		return !slices.ContainsFunc(example.Sources, func(theirs *Source) bool { return sameSource(s, theirs) })
	})
}

// isOwn reports whether a role has a source that an example has none of that name of: an
// example that was edited is still that.
func isOwn(r Role, example []Role) bool {
	return slices.ContainsFunc(r.Sources, func(s *Source) bool {
		return !slices.ContainsFunc(example, func(theirs Role) bool {
			return slices.ContainsFunc(theirs.Sources, func(t *Source) bool { return t.Name == s.Name })
		})
	})
}

func sameSource(a, b *Source) bool {
	return !a.Large() && a.Name == b.Name && a.Text == b.Text && reflect.DeepEqual(a.Recipe, b.Recipe)
}

// tellLeftOver asks whether what an example has left is to be replaced, in a line that
// holds nothing up.
func (l *Lab[I]) tellLeftOver() {
	x := l.LeftOver()
	if x == l.left.told || x != nil && l.left.told != nil && x.Name == l.left.told.Name && x.Title == l.left.told.Title {
		return
	}
	l.left.told = x
	n := shell.Notice{ID: noticeLeftOver}
	if x != nil {
		n.Text = show.Capital(x.Name) + " from the example “" + x.Title + "”: replace " + x.pronoun() + "?"
		n.Actions = []shell.Command{
			{Name: "Choose " + x.article(), Do: func(app.Context) { l.chooseAt(x.Choose) }},
			{Name: "Keep " + x.pronoun(), Do: func(app.Context) {
				l.left.kept[x.Name+x.Title] = true
				l.Tell()
			}},
		}
	}
	shell.SetNotice(l.Page, l.path(), n)
}

func (x *LeftOver) pronoun() string {
	if x.Plural {
		return "them"
	}
	return "it"
}

func (x *LeftOver) article() string {
	if x.Plural {
		return x.Name
	}
	return "a " + x.Name
}

// chooseAt opens the file dialog of an input, or moves the focus to a field.
func (l *Lab[I]) chooseAt(id string) {
	element := app.Window().GetElementByID(id)
	if element.Truthy() && element.Get("type").String() == "file" {
		element.Call("click")
		return
	}
	l.bench, l.Tab = true, ui.PaneInput
	ui.Focus(l.Page, id)
}

// Borrowed is a sentence about the role that an example fills, "" if it fills none.
func (l *Lab[I]) Borrowed() string {
	x := l.LeftOver()
	if x == nil {
		return ""
	}
	return "This is with the example's " + x.Name + "."
}

// LeftOverBadge marks a source that an example has left.
func (l *Lab[I]) LeftOverBadge(s *Source) app.UI {
	x := l.LeftOver()
	if x == nil || !slices.Contains(x.Sources, s) {
		return ui.None()
	}
	return ui.Badge("warn", "from the example “"+x.Title+"”")
}
