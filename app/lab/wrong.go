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

// Setter puts the text of a field into the inputs; its error says what would be
// right.
type Setter[I any] = func(in I, text string) error

// SetOption is an edit by the control of that id. A text that set refuses stays in it
// and changes only the message below the control.
func (l *Lab[I]) SetOption(id, label, text string, set Setter[I]) {
	trial := l.Inputs.Clone()
	if err := set(trial, strings.TrimSpace(text)); err != nil {
		l.Refused[id] = show.Capital(label) + ": " + err.Error() + "."
		return
	}
	delete(l.Refused, id)
	l.edit("change "+label, trial)
}

// Wrong is what is wrong with the control of that id, as it was typed or for the
// engine.
func (l *Lab[I]) Wrong(id string) string {
	return cmp.Or(l.Refused[id], strings.Join(l.Blamed[id], " "))
}

// Found is what is wrong or remarkable with a source, as far as it is known.
func (l *Lab[I]) Found(s *Source) diag.List { return l.told[s] }

// KeepFound takes over what a look at one source has found.
func (l *Lab[I]) KeepFound(s *Source, all diag.List) { l.told[s] = all }

// ForgetFound forgets what was found in sources: they were read since, or will be.
func (l *Lab[I]) ForgetFound() { l.told = map[*Source]diag.List{} }

// forgetErrors forgets which sources have errors: they were read since.
func (l *Lab[I]) forgetErrors() {
	maps.DeleteFunc(l.told, func(_ *Source, all diag.List) bool { return all.Err() != nil })
}

// blame keeps what an error says is wrong with inputs, beside the sources and controls that
// it is about, and has others looked at.
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
		if l.system.Checks.Opens && l.Editing == nil && !s.Large() && l.told[s].Err() != nil {
			l.Editing = s
		}
	}
	if l.system.Checks.Settled != nil {
		l.system.Checks.Settled()
	}
}

// find keeps what diagnostics say of the sources of inputs.
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
				l.told[s] = found
			}
		}
	}
}

// errors counts what is wrong with the inputs, as far as it is known.
func (l *Lab[I]) errors() int {
	n := len(l.Refused)
	for _, texts := range l.Blamed {
		n += len(texts)
	}
	for _, s := range l.sources(l.Inputs) {
		n += len(l.told[s].Errors())
	}
	return n
}

// Marked tells of an input that what it holds is wrong, if that is so.
func (l *Lab[I]) Marked(id string, input app.HTMLInput) app.HTMLInput {
	if l.Wrong(id) != "" {
		input.Aria("invalid", true).Aria("describedby", wrongID(id))
	}
	return input
}

// WrongText says what is wrong with the control of that id.
func (l *Lab[I]) WrongText(id string) app.UI {
	text := l.Wrong(id)
	return app.If(text != "", func() app.UI { return ui.Problem(text).ID(wrongID(id)) })
}

// WrongTexts says what is wrong with the controls of these ids, and WrongOf with
// those whose ids begin so.
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

// Forgive forgets the texts that controls refused whose ids begin so: what they
// edit is another thing now.
func (l *Lab[I]) Forgive(prefix string) {
	maps.DeleteFunc(l.Refused, func(id, _ string) bool { return strings.HasPrefix(id, prefix) })
}
