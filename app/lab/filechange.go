package lab

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// ChangeByFiles puts files into the inputs, which lose the name of an example or a
// link ([Lab.Unname]), and calls then. The engine reads the files first, unless
// [Lab.KeepFound] holds the diagnostics of each. If each file has errors, nothing
// changes unless the user opens them to correct them; if one has none, all are taken.
func (l *Lab[I]) ChangeByFiles(name string, files []*Source, put func(I), then func()) {
	change := func(in I) { l.Unname(in); put(in) }
	trial := l.Inputs.Clone()
	change(trial)
	if len(files) == 0 || !l.examines(trial) {
		l.changeUnlessWrong(name, files, nil, change, then)
		return
	}
	if !slices.ContainsFunc(files, func(s *Source) bool { _, known := l.diagnostics[s]; return !known }) {
		var all diag.List
		for _, s := range files {
			all = append(all, l.diagnostics[s]...)
		}
		l.changeUnlessWrong(name, files, all, change, then)
		return
	}
	brought := added(l.Inputs, trial)
	Ask(nil, l.Later, func() (Looked[I], error) { return l.system.Checks.Look(l.Page, trial) }, func(found Looked[I], err error) {
		suited := change
		if found.Suits != nil {
			suited = func(in I) { change(in); found.Suits(in) }
		}
		l.changeUnlessWrong(name, brought, DiagnosticsOf(err), suited, then)
		if err == nil && trial.SameWork(l.Inputs) {
			found.Inputs = l.Inputs
			l.takeLook(found)
		}
	})
}

// examines reports whether the engine reads inputs on trial before it accepts them.
func (l *Lab[I]) examines(trial I) bool {
	return l.system.Checks.Look != nil && trial.Missing() == "" && l.Size(trial) <= mostExamined
}

// changeUnlessWrong makes a change, or refuses its files if each has errors.
func (l *Lab[I]) changeUnlessWrong(name string, files []*Source, found diag.List, change func(I), then func()) {
	wrong := func(s *Source) bool { return len(found.Of(s.Name).Errors()) > 0 }
	switch {
	case len(files) == 0:
	case slices.ContainsFunc(files, func(s *Source) bool { return !wrong(s) }):
		l.ChangeAndTell(name, change)
	default:
		l.refuseFiles(name, files, found.Errors(), change)
	}
	then()
}

// ChangeAndTell makes a change by files that were read, and describes it in
// [Lab.IntakeLine]. others are files that do not become sources, such as a table of classes.
func (l *Lab[I]) ChangeAndTell(name string, change func(I), others ...*Source) {
	k := l.takeIn()
	l.Change(name, change)
	l.took = 0 // the time of the previous run does not predict the next
	k.refused, k.steps, k.others = nil, k.steps+1, append(k.others, others...)
	l.tookIn(k)
}

// added lists the texts of inputs that others lack.
func added[I Inputs[I]](before, now I) []*Source {
	old := texts(before)
	return slices.DeleteFunc(texts(now), func(s *Source) bool { return slices.Contains(old, s) })
}

// sources lists the sources of inputs, over all roles but those of numbers.
func (l *Lab[I]) sources(in I) []*Source {
	var all []*Source
	for _, r := range in.Roles() {
		if !r.Figures {
			all = append(all, r.Sources...)
		}
	}
	return all
}

// Size is the total size of the sources of inputs, in bytes.
func (l *Lab[I]) Size(in I) (size int) {
	for _, s := range l.sources(in) {
		size += s.Size()
	}
	return size
}

// refuseFiles shows the errors of files, and offers to open them nevertheless.
func (l *Lab[I]) refuseFiles(name string, files []*Source, wrong diag.List, change func(I)) {
	l.Complaint = strings.TrimSpace(l.Complaint + " " + abridged(wrong.Err().Error()) + "\nNothing was changed.")
	l.Tell()
	l.takeIn().refused = &refused{files, wrong, func() {
		l.ChangeAndTell(name, change)
		l.Edited(0)
	}}
}

// DiagnosticsOf returns the diagnostics in an error of the engine; nil if it has
// none.
func DiagnosticsOf(err error) diag.List {
	if e := (*bridge.Error)(nil); errors.As(err, &e) {
		return e.Diagnostics
	}
	if e := (*scenario.InputError)(nil); errors.As(err, &e) {
		return e.Diagnostics
	}
	return nil
}

// InFile formats an error about a source, with the name of its file.
func InFile(s *Source, err error) string {
	all := DiagnosticsOf(err)
	all.InFile(s.Name)
	if found := all.Err(); found != nil {
		return found.Error()
	}
	return s.Name + ": " + err.Error()
}

// replacedText names the files that replaced files of the same names.
func replacedText(before, now []*Source) string {
	var names []string
	for _, s := range now {
		old := slices.IndexFunc(before, func(old *Source) bool { return old.Name == s.Name })
		if old >= 0 && !slices.Contains(before, s) && !slices.Contains(now, before[old]) && (s.Text == "" || s.Text != before[old].Text) {
			names = append(names, s.Name)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " replaced the file of the same name."
	}
	return fmt.Sprintf("%s and %s replaced files of the same names.", names[0], ui.Counted(len(names)-1, "more file"))
}
