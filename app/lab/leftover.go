package lab

import (
	"reflect"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/show"
)

// SourceRole is a function of sources among the inputs: "federation".
type SourceRole struct {
	Name    string
	Sources []*Source
	Choose  string // id of the control that replaces the sources, "" if no question is asked about the role
	Plural  bool
	Figures bool   // its source represents numbers of the inputs
	Path    string // prefix of the paths of diagnostics that are about the role and name no file
}

// LeftOver is a role that an example still fills, while another role has a file of
// the user's own.
type LeftOver struct {
	SourceRole
	Title string // of the example
}

const noticeLeftOver = "left-over"

// LeftOver returns the role that an example still fills; nil if no example does or
// the user keeps it. It compares sources with the examples' sources, so that it also
// works after an undo or a reload.
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

// left caches the left-over role and records the user's answers.
type left struct {
	generation int // of the inputs that found belongs to
	found      *LeftOver
	kept       map[string]bool // by role and title of the example
	shown      *LeftOver       // in the current notice
}

func (l *Lab[I]) findLeftOver() *LeftOver {
	now := l.Inputs.Roles()
	for _, e := range l.examples() {
		theirs := l.system.Inputs(&e.Scenario).Roles()
		for i, r := range now {
			if r.Choose != "" && isOf(r, theirs[i]) && slices.ContainsFunc(now, func(own SourceRole) bool {
				return own.Choose != "" && isOwn(own, theirs) && !l.FromExample(own.Name)
			}) {
				return &LeftOver{r, e.Title}
			}
		}
	}
	return nil
}

// FromExample reports whether all sources of a role come from an example.
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

// isOf reports whether every source of role r also belongs to the example's role.
func isOf(r, example SourceRole) bool {
	return len(r.Sources) > 0 && !slices.ContainsFunc(r.Sources, func(s *Source) bool {
		return !slices.ContainsFunc(example.Sources, func(theirs *Source) bool { return sameSource(s, theirs) })
	})
}

// isOwn reports whether a role has a source of a name that the example lacks; an
// edited source of an example is not the user's own.
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

// askAboutLeftOver asks in a notice, which blocks nothing, whether to replace the
// role that an example fills.
func (l *Lab[I]) askAboutLeftOver() {
	x := l.LeftOver()
	if x == l.left.shown || x != nil && l.left.shown != nil && x.Name == l.left.shown.Name && x.Title == l.left.shown.Title {
		return
	}
	l.left.shown = x
	if x == nil {
		l.notice(noticeLeftOver, "")
		return
	}
	it, another := "it", "a "+x.Name
	if x.Plural {
		it, another = "them", x.Name
	}
	l.notice(noticeLeftOver, show.Capital(x.Name)+" from the example “"+x.Title+"”: replace "+it+"?",
		noticeButton{"Choose " + another, func() { l.chooseAt(x.Choose) }},
		noticeButton{"Keep " + it, func() {
			l.left.kept[x.Name+x.Title] = true
			l.Tell()
		}})
}

// chooseAt opens the file dialog of a file control, or moves the focus to another
// control.
func (l *Lab[I]) chooseAt(id string) {
	element := app.Window().GetElementByID(id)
	if element.Truthy() && element.Get("type").String() == "file" {
		element.Call("click")
		return
	}
	l.bench, l.Tab = true, ui.PaneInput
	ui.Focus(l.Page, id)
}

// Borrowed is a sentence about the role that an example still fills; "" for none.
func (l *Lab[I]) Borrowed() string {
	x := l.LeftOver()
	if x == nil {
		return ""
	}
	return "This is with the example's " + x.Name + "."
}

// LeftOverBadge marks a source that an example brought.
func (l *Lab[I]) LeftOverBadge(s *Source) app.UI {
	x := l.LeftOver()
	if x == nil || !slices.Contains(x.Sources, s) {
		return ui.None()
	}
	return ui.Badge("warn", "from the example “"+x.Title+"”")
}
