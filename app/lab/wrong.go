package lab

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/show"
)

// Setter puts the text of a field into the inputs; its error names the valid values.
type Setter[I any] = func(in I, text string) error

// SetOption is an edit by the control with this id. A text that set refuses stays in
// the control and changes only the message below it.
func (l *Lab[I]) SetOption(id, label, text string, set Setter[I]) {
	trial := l.Inputs.Clone()
	if err := set(trial, strings.TrimSpace(text)); err != nil {
		l.Refused[id] = show.Capital(label) + ": " + err.Error() + "."
		return
	}
	delete(l.Refused, id)
	l.edit("change "+label, trial)
}

// Wrong is the error about the control with this id: that its text was refused or
// that the engine found its value invalid.
func (l *Lab[I]) Wrong(id string) string {
	return cmp.Or(l.Refused[id], strings.Join(l.Blamed[id], " "))
}

// Found returns the known errors and remarks about a source.
func (l *Lab[I]) Found(s *Source) diag.List { return l.diagnostics[s] }

// KeepFound stores the diagnostics that a look at a source found.
func (l *Lab[I]) KeepFound(s *Source, all diag.List) { l.diagnostics[s] = all }

// ForgetFound drops the diagnostics of all sources, before or after they are read
// again.
func (l *Lab[I]) ForgetFound() { l.diagnostics = map[*Source]diag.List{} }

// forgetErrors drops the diagnostics of sources with errors, since newer ones were
// read.
func (l *Lab[I]) forgetErrors() {
	maps.DeleteFunc(l.diagnostics, func(_ *Source, all diag.List) bool { return all.Err() != nil })
}

// blame stores the diagnostics of an error beside the sources and controls that they
// concern, and has the remaining sources checked.
func (l *Lab[I]) blame(in I, err error) {
	all := DiagnosticsOf(err)
	if l.dropGone(all) {
		return
	}
	l.Blamed = map[string][]string{}
	l.forgetErrors()
	l.find(in, all)
	if l.system.Checks.Control != nil {
		for _, d := range all {
			if id, text := l.system.Checks.Control(d); id != "" {
				l.Blamed[id] = append(l.Blamed[id], text)
			}
		}
	}
	for _, s := range l.sources(in) {
		if l.system.Checks.Opens && l.Editing == nil && !s.Large() && l.diagnostics[s].Err() != nil {
			l.Editing = s
		}
	}
	if l.system.Checks.Settled != nil {
		l.system.Checks.Settled()
	}
}

// find stores the diagnostics about the sources of inputs.
func (l *Lab[I]) find(in I, all diag.List) {
	for _, r := range in.Roles() {
		for _, s := range r.Sources {
			var found diag.List
			for _, d := range all {
				if d.File == s.Name || r.Path != "" && strings.HasPrefix(d.Where(), r.Path) {
					found = append(found, d)
				}
			}
			if found != nil {
				l.diagnostics[s] = found
			}
		}
	}
}

// errors counts the known errors in the inputs.
func (l *Lab[I]) errors() int {
	n := len(l.Refused)
	for _, texts := range l.Blamed {
		n += len(texts)
	}
	for _, s := range l.sources(l.Inputs) {
		n += len(l.diagnostics[s].Errors())
	}
	return n
}

// Marked marks an input as invalid if there is an error about it.
func (l *Lab[I]) Marked(id string, input app.HTMLInput) app.HTMLInput {
	if l.Wrong(id) != "" {
		input.Aria("invalid", true).Aria("describedby", wrongID(id))
	}
	return input
}

// WrongText shows the error about the control with this id.
func (l *Lab[I]) WrongText(id string) app.UI {
	text := l.Wrong(id)
	return app.If(text != "", func() app.UI { return ui.Problem(text).ID(wrongID(id)) })
}

// WrongTexts shows the errors about the controls with these ids, and WrongOf the
// errors about controls whose ids begin with prefix.
func (l *Lab[I]) WrongTexts(ids ...string) app.UI {
	texts := make([]app.UI, len(ids))
	for i, id := range ids {
		texts[i] = l.WrongText(id)
	}
	return app.Div().Body(texts...)
}

func (l *Lab[I]) WrongOf(prefix string) app.UI {
	ids := slices.DeleteFunc(slices.Sorted(maps.Keys(l.Refused)), func(id string) bool { return !strings.HasPrefix(id, prefix) })
	return l.WrongTexts(ids...)
}

func wrongID(id string) string { return id + "-wrong" }

// Forgive drops the errors about refused texts in controls whose ids begin with
// prefix, since the controls now edit something else.
func (l *Lab[I]) Forgive(prefix string) {
	maps.DeleteFunc(l.Refused, func(id, _ string) bool { return strings.HasPrefix(id, prefix) })
}
