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

// entryForm holds the errors about files and about the texts that the user entered.
type entryForm[I Inputs[I]] struct {
	lab *Lab[I]

	Refused map[string]string   // errors about refused texts, by the control's id
	Blamed  map[string][]string // errors of the engine about the inputs, by the control's id

	diagnostics map[*Source]diag.List // errors and remarks about sources; no entry for unread sources
}

// SetOption is an edit by the control with this id. A text that set refuses stays in the control
// and changes only the message below it.
func (f *entryForm[I]) SetOption(id, label, text string, set Setter[I]) {
	trial := f.lab.Inputs.Clone()
	if err := set(trial, strings.TrimSpace(text)); err != nil {
		f.Refused[id] = show.Capital(label) + ": " + err.Error() + "."
		return
	}
	delete(f.Refused, id)
	f.lab.edit("change "+label, trial)
}

// Wrong returns the error about the control with this id: its text was refused, or the
// engine found its value invalid.
func (f *entryForm[I]) Wrong(id string) string {
	return cmp.Or(f.Refused[id], strings.Join(f.Blamed[id], " "))
}

// Found returns the known errors and remarks about a source.
func (f *entryForm[I]) Found(s *Source) diag.List { return f.diagnostics[s] }

// KeepFound stores the diagnostics of a source that was read.
func (f *entryForm[I]) KeepFound(s *Source, all diag.List) { f.diagnostics[s] = all }

// ForgetFound drops the diagnostics of all sources.
func (f *entryForm[I]) ForgetFound() { f.diagnostics = map[*Source]diag.List{} }

// forgetErrors drops the diagnostics of sources with errors, because the caller has read newer
// ones.
func (f *entryForm[I]) forgetErrors() {
	maps.DeleteFunc(f.diagnostics, func(_ *Source, all diag.List) bool { return all.Err() != nil })
}

// blame stores the diagnostics of an error with the sources and controls that they concern, and
// starts the view's own check of the sources.
func (f *entryForm[I]) blame(in I, err error) {
	all := DiagnosticsOf(err)
	if f.dropGone(all) {
		return
	}
	f.Blamed = map[string][]string{}
	f.forgetErrors()
	f.find(in, all)
	if f.lab.system.Checks.Control != nil {
		for _, d := range all {
			if id, text := f.lab.system.Checks.Control(d); id != "" {
				f.Blamed[id] = append(f.Blamed[id], text)
			}
		}
	}
	for _, s := range texts(in) {
		if f.lab.system.Checks.Opens && f.lab.Files.Editing == nil && !s.Large() && f.diagnostics[s].Err() != nil {
			f.lab.Files.Editing = s
		}
	}
	if f.lab.system.Checks.Settled != nil {
		f.lab.system.Checks.Settled()
	}
}

// find stores the diagnostics about the sources of inputs.
func (f *entryForm[I]) find(in I, all diag.List) {
	for _, r := range in.Roles() {
		for _, s := range r.Sources {
			var found diag.List
			for _, d := range all {
				if d.File == s.Name || r.Path != "" && strings.HasPrefix(d.Where(), r.Path) {
					found = append(found, d)
				}
			}
			if found != nil {
				f.diagnostics[s] = found
			}
		}
	}
}

// errors counts the known errors in the inputs.
func (f *entryForm[I]) errors() int {
	n := len(f.Refused)
	for _, texts := range f.Blamed {
		n += len(texts)
	}
	for _, s := range texts(f.lab.Inputs) {
		n += len(f.diagnostics[s].Errors())
	}
	return n
}

// Marked marks an input as invalid if the control with this id has an error.
func (f *entryForm[I]) Marked(id string, input app.HTMLInput) app.HTMLInput {
	if f.Wrong(id) != "" {
		input.Aria("invalid", true).Aria("describedby", wrongID(id))
	}
	return input
}

// WrongText draws the error about the control with this id; empty for none.
func (f *entryForm[I]) WrongText(id string) app.UI {
	text := f.Wrong(id)
	return app.If(text != "", func() app.UI { return ui.Problem(text).ID(wrongID(id)) })
}

// WrongTexts shows the errors about the controls with these ids, and WrongOf the
// errors about controls whose ids begin with prefix.
func (f *entryForm[I]) WrongTexts(ids ...string) app.UI {
	texts := make([]app.UI, len(ids))
	for i, id := range ids {
		texts[i] = f.WrongText(id)
	}
	return app.Div().Body(texts...)
}

func (f *entryForm[I]) WrongOf(prefix string) app.UI {
	ids := slices.DeleteFunc(slices.Sorted(maps.Keys(f.Refused)), func(id string) bool { return !strings.HasPrefix(id, prefix) })
	return f.WrongTexts(ids...)
}

func wrongID(id string) string { return id + "-wrong" }

// Forgive drops the errors about refused texts in controls whose ids begin with prefix,
// because these controls now edit other values.
func (f *entryForm[I]) Forgive(prefix string) {
	maps.DeleteFunc(f.Refused, func(id, _ string) bool { return strings.HasPrefix(id, prefix) })
}
