package lab

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/engine/diag"
)

// Named is a part of the inputs that refers to an object in the sources by name or
// number, such as a rule about a job.
type Named struct {
	Path   string // in the scenario: "placement.rules[0]"
	Text   string // "the rule “api: only cluster=eu”"
	Fields string // prefix of the ids of its fields and of the fields of its list
	Drop   func()
}

// NamedIn makes a Named of each entry of a list.
func NamedIn[E any](path, fields string, list *[]E, text func(*E) string) (all []Named) {
	for i := range *list {
		all = append(all, Named{fmt.Sprintf("%s[%d]", path, i), text(&(*list)[i]), fields, func() {
			*list = slices.Delete(*list, i, i+1)
			if len(*list) == 0 {
				*list = nil // equal to inputs that never had an entry
			}
		}})
	}
	return all
}

// blamed reports whether an error is about the part.
func (n *Named) blamed(d diag.Diagnostic) bool {
	return d.Severity == diag.Error && (d.Where() == n.Path || strings.HasPrefix(d.Where(), n.Path+"."))
}

// gone lists the parts that were dropped since the sources changed.
type gone[I any] struct {
	generation int // of the inputs without these parts
	before     I
	pinned     []Dial[I] // dials that were pinned before
	texts      []string
}

const noticeGone = "gone"

// dropGone drops the parts that were valid in the last result and are invalid with
// the new sources: the object that they refer to went with the old sources. The whole
// drop is one undo step. It drops nothing while the user types in one of the sources.
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
	for _, n := range slices.Backward(in.Named()) { // backward, so that a drop keeps the indices of the earlier parts
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
	l.reportDropped(before, pinned, dropped)
	l.Edited(0)
	return true
}

// texts lists the sources of inputs that are texts, not numbers.
func texts[I Inputs[I]](in I) (all []*Source) {
	for _, r := range in.Roles() {
		if !r.Figures {
			all = append(all, r.Sources...)
		}
	}
	return all
}

// reportDropped reports the parts that were dropped, with their dials, and offers
// Undo for all of them. It accumulates over several drops, since the engine stops at
// the first error.
func (l *Lab[I]) reportDropped(before I, pinned []Dial[I], dropped []string) {
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
	l.notice(noticeGone, "Dropped with what it was about: "+strings.Join(g.texts, ", ")+".", noticeButton{"Undo", func() {
		l.dialling.pinned = g.pinned
		l.GoBack()
	}})
}

// onStage reports whether a pinned dial is still on the stage.
func (l *Lab[I]) onStage(d Dial[I]) bool {
	return !math.IsNaN(d.Value(l.Inputs)) && slices.ContainsFunc(l.dialling.pinned, func(p Dial[I]) bool { return p.ID == d.ID })
}

// forgetGone removes the notice about dropped parts once the inputs changed again,
// since Undo would not restore them.
func (l *Lab[I]) forgetGone() {
	if l.gone.texts != nil && l.gone.generation != l.generation {
		l.gone = gone[I]{}
		l.notice(noticeGone, "")
	}
}
