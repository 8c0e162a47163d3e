package lab

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/engine/diag"
)

// Named is a part of the inputs that refers to an object in the sources by name or number, such as
// a rule about a job.
type Named struct {
	Path   string // in the scenario: "placement.rules[0]"
	Text   string // "the rule “api: only cluster=eu”"
	Fields string // prefix of the ids of its fields and of the fields of its list
	Drop   func()
}

// NamedIn makes a Named for each entry of a list.
func NamedIn[E any](path, fields string, list *[]E, text func(*E) string) (all []Named) {
	for i := range *list {
		all = append(all, Named{fmt.Sprintf("%s[%d]", path, i), text(&(*list)[i]), fields, func() {
			*list = slices.Delete(*list, i, i+1)
			if len(*list) == 0 {
				*list = nil // nil, as in inputs that never had an entry
			}
		}})
	}
	return all
}

// blamed reports whether a diagnostic is about the part.
func (n *Named) blamed(d diag.Diagnostic) bool {
	return d.Severity == diag.Error && (d.Where() == n.Path || strings.HasPrefix(d.Where(), n.Path+"."))
}

// dropGone drops the parts of the inputs that refer to an object in a replaced source, and reports
// whether it dropped any. It drops a part only if the part is invalid now and was in the inputs
// before the files arrived, or in the inputs of the last result. All drops are one undo step. While
// the user types in a new source, it drops nothing.
func (f *entryForm[I]) dropGone(all diag.List) bool {
	var was I
	switch k := f.lab.Intake.intake(); {
	case k != nil && k.steps > 0:
		was = k.before
	case f.lab.Shown != nil && f.lab.Unsaved:
		was = f.lab.Shown.Inputs
	default:
		return false
	}
	then := texts(was)
	if slices.Equal(texts(f.lab.Inputs), then) || f.lab.Files.Editing != nil && !slices.Contains(then, f.lab.Files.Editing) {
		return false
	}
	former, in := was.Named(), f.lab.Inputs.Clone()
	k := f.lab.Intake.takeIn()
	var dropped []string
	for _, n := range slices.Backward(in.Named()) { // backward, so that a drop keeps the indices of the earlier parts
		if slices.ContainsFunc(all, n.blamed) && slices.ContainsFunc(former, func(old Named) bool { return old.Text == n.Text }) {
			n.Drop()
			f.lab.Dials.Renumber(n.Fields)
			dropped = append(dropped, n.Text)
		}
	}
	if dropped == nil {
		return false
	}
	f.lab.become(in, true)
	slices.Reverse(dropped)
	k.steps = max(k.steps, 1) // one step with the edit before it
	f.lab.Intake.tookIn(k, dropped...)
	f.lab.Edited(0)
	return true
}

func (f *entryForm[I]) onStage(d Dial[I]) bool {
	return !math.IsNaN(d.Value(f.lab.Inputs)) && slices.ContainsFunc(f.lab.Dials.pinned, func(p Dial[I]) bool { return p.ID == d.ID })
}
