package lab

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/engine/diag"
)

// Named is a part of the inputs that is about something in the sources by its name or
// number, such as a rule about a job.
type Named struct {
	Path   string // in the scenario: "placement.rules[0]"
	Text   string // "the rule “api: only cluster=eu”"
	Fields string // how the ids of the fields of it and of its like begin
	Drop   func()
}

// NamedIn are the entries of a list.
func NamedIn[E any](path, fields string, list *[]E, text func(*E) string) (all []Named) {
	for i := range *list {
		all = append(all, Named{fmt.Sprintf("%s[%d]", path, i), text(&(*list)[i]), fields, func() {
			*list = slices.Delete(*list, i, i+1)
			if len(*list) == 0 {
				*list = nil // as if there had been none
			}
		}})
	}
	return all
}

// blamed reports whether a diagnostic is about a part.
func (n *Named) blamed(d diag.Diagnostic) bool {
	return d.Severity == diag.Error && (d.Where() == n.Path || strings.HasPrefix(d.Where(), n.Path+"."))
}

// gone is what was dropped since other sources have come.
type gone[I any] struct {
	generation int // of the inputs without it
	before     I
	pinned     []Dial[I] // before, too
	texts      []string
}

const noticeGone = "gone"

// dropGone drops what the inputs of the last result had, too, and is wrong now that other
// sources have come: its subject went with the old ones. All of that is one step to undo.
// What is being typed stays as it is.
func (l *Lab[I]) dropGone(all diag.List) bool {
	if l.Shown == nil || !l.Unsaved {
		return false
	}
	then := texts(l.Shown.Inputs)
	if slices.Equal(texts(l.Inputs), then) || l.Editing != nil && !slices.Contains(then, l.Editing) {
		return false
	}
	former, in := l.Shown.Inputs.Named(), l.Inputs.Clone()
	before, pinned := l.Inputs, slices.Clone(l.dialling.pinned)
	var dropped []string
	for _, n := range slices.Backward(in.Named()) { // those in front keep their places
		if slices.ContainsFunc(all, n.blamed) && slices.ContainsFunc(former, func(old Named) bool { return old.Text == n.Text }) {
			n.Drop()
			l.Renumber(n.Fields)
			dropped = append(dropped, n.Text)
		}
	}
	if dropped == nil {
		return false
	}
	again := l.gone.generation == l.generation
	l.become(in, true)
	if again {
		l.gone.generation = l.generation
	}
	slices.Reverse(dropped)
	l.tellGone(before, pinned, dropped)
	l.Edited(0)
	return true
}

// texts lists the sources of inputs that are texts.
func texts[I Inputs[I]](in I) (all []*Source) {
	for _, r := range in.Roles() {
		if !r.Figures {
			all = append(all, r.Sources...)
		}
	}
	return all
}

// tellGone says what was dropped, with the dials that went with it, and offers to bring
// everything back. One thing may follow another: the engine stops at the first.
func (l *Lab[I]) tellGone(before I, pinned []Dial[I], dropped []string) {
	if l.gone.generation != l.generation {
		l.gone = gone[I]{generation: l.generation, before: before, pinned: pinned}
	}
	g := &l.gone
	for _, d := range g.pinned {
		text := "the dial “" + d.Label + "”"
		if !math.IsNaN(d.Value(g.before)) && !l.onStage(d) && !slices.Contains(g.texts, text) {
			dropped = append(dropped, text)
		}
	}
	g.texts = append(g.texts, dropped...)
	if g.texts == nil {
		return
	}
	shell.SetNotice(l.Page, l.path(), shell.Notice{
		ID: noticeGone, Text: "Dropped with what it was about: " + strings.Join(g.texts, ", ") + ".",
		Actions: []shell.Command{{Name: "Undo", Do: func(app.Context) {
			l.dialling.pinned = g.pinned
			l.GoBack()
		}}},
	})
}

// onStage reports whether a dial that was pinned still is one.
func (l *Lab[I]) onStage(d Dial[I]) bool {
	return !math.IsNaN(d.Value(l.Inputs)) && slices.ContainsFunc(l.dialling.pinned, func(p Dial[I]) bool { return p.ID == d.ID })
}

// forgetGone takes away what was said of what is gone once the inputs are others: Undo
// would not bring it back.
func (l *Lab[I]) forgetGone() {
	if l.gone.texts != nil && l.gone.generation != l.generation {
		l.gone = gone[I]{}
		shell.SetNotice(l.Page, l.path(), shell.Notice{ID: noticeGone})
	}
}
