package lab

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

const noticeRefused = "refused-file"

// ChangeByFiles puts files into the inputs, which lose the name of an example or a
// link ([Lab.Unname]), and calls then. The engine reads the files first, unless
// [Lab.KeepFound] holds the diagnostics of each. Files with errors change nothing
// unless the user opens them to correct them.
func (l *Lab[I]) ChangeByFiles(name string, files []*Source, put func(I), then func()) {
	change := func(in I) { l.Unname(in); put(in) }
	trial := l.Inputs.Clone()
	change(trial)
	if len(files) == 0 || !l.examines(trial) {
		l.changeUnlessWrong("", name, files, change, then)
		return
	}
	if !slices.ContainsFunc(files, func(s *Source) bool { _, known := l.diagnostics[s]; return !known }) {
		var all diag.List
		for _, s := range files {
			all = append(all, l.diagnostics[s]...)
		}
		l.changeUnlessWrong(wrongWith(files, all), name, files, change, then)
		return
	}
	brought := slices.DeleteFunc(l.sources(trial), func(s *Source) bool { return slices.Contains(l.sources(l.Inputs), s) })
	Ask(nil, l.Later, func() (Looked[I], error) { return l.system.Checks.Look(l.Page, trial) }, func(found Looked[I], err error) {
		l.changeUnlessWrong(wrongWith(brought, DiagnosticsOf(err)), name, files, change, then)
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

// changeUnlessWrong makes a change, or refuses its files if wrong lists errors.
func (l *Lab[I]) changeUnlessWrong(wrong, name string, files []*Source, change func(I), then func()) {
	switch {
	case len(files) == 0:
	case wrong != "":
		l.refuseFiles(name, files, wrong, change)
	default:
		l.ChangeAndTell(name, change)
	}
	then()
}

// ChangeAndTell makes a change by files that were read, and reports the files and
// parts of the inputs that it replaced or dropped.
func (l *Lab[I]) ChangeAndTell(name string, change func(I)) {
	l.notice(noticeRefused, "")
	before := l.Inputs
	l.Change(name, change)
	l.reportReplaced(l.sources(before), l.sources(l.Inputs))
	l.reportDropped(before, slices.Clone(l.dialling.pinned), nil)
}

// sources lists all sources of inputs, over all roles.
func (l *Lab[I]) sources(in I) []*Source {
	var all []*Source
	for _, r := range in.Roles() {
		all = append(all, r.Sources...)
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
func (l *Lab[I]) refuseFiles(name string, files []*Source, wrong string, change func(I)) {
	l.Complaint = strings.TrimSpace(l.Complaint + " " + abridged(wrong) + "\nNothing was changed.")
	l.Tell()
	l.notice(noticeRefused, namesOf(files)+" has errors, so nothing was changed.", noticeButton{"Open it to fix it", func() {
		l.ChangeAndTell(name, change)
		l.Edited(0)
	}})
}

// namesOf names the first file and counts the others.
func namesOf(files []*Source) string {
	if len(files) == 1 {
		return files[0].Name
	}
	return fmt.Sprintf("%s or one of %d other files", files[0].Name, len(files)-1)
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

// wrongWith formats the errors that blame one of the files; "" if none does. Errors
// in other inputs are no reason to refuse the files.
func wrongWith(files []*Source, found diag.List) string {
	var lines []string
	for _, d := range found {
		if d.Severity == diag.Error && slices.ContainsFunc(files, func(s *Source) bool { return d.File != "" && d.File == s.Name }) {
			lines = append(lines, d.String())
		}
	}
	return strings.Join(lines, "\n")
}

const noticeReplaced = "replaced-file"

// reportReplaced reports the files that replaced files of the same names, and offers
// Undo.
func (l *Lab[I]) reportReplaced(before, now []*Source) {
	var names []string
	for _, s := range now {
		old := slices.IndexFunc(before, func(old *Source) bool { return old.Name == s.Name })
		if old >= 0 && !slices.Contains(before, s) && !slices.Contains(now, before[old]) && (s.Text == "" || s.Text != before[old].Text) {
			names = append(names, s.Name)
		}
	}
	text := ""
	if len(names) > 0 {
		text = names[0] + " replaced the file of the same name."
	}
	if len(names) > 1 {
		text = fmt.Sprintf("%s and %d more files replaced those of the same names.", names[0], len(names)-1)
	}
	l.notice(noticeReplaced, text, noticeButton{"Undo", l.GoBack})
}
