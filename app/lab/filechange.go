package lab

import (
	"errors"
	"fmt"
	"slices"

	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// ChangeByFiles puts files into the inputs, removes the name of an example or a link
// ([Lab.Unname]), and calls then. The engine reads the files first, unless [entryForm.KeepFound]
// has stored the diagnostics of every file. If every file has errors, nothing changes, and the user
// may open the files to correct them. If at least one file has no errors, all are taken.
func (rd *fileReader[I]) ChangeByFiles(name string, files []*Source, put func(I), then func()) {
	change := func(in I) { rd.lab.Unname(in); put(in) }
	trial := rd.lab.Inputs.Clone()
	change(trial)
	if len(files) == 0 || !rd.examines(trial) {
		rd.changeUnlessWrong(name, files, nil, change, then)
		return
	}
	if !slices.ContainsFunc(files, func(s *Source) bool { _, known := rd.lab.Form.diagnostics[s]; return !known }) {
		var all diag.List
		for _, s := range files {
			all = append(all, rd.lab.Form.diagnostics[s]...)
		}
		rd.changeUnlessWrong(name, files, all, change, then)
		return
	}
	brought := added(rd.lab.Inputs, trial)
	Ask(nil, rd.lab.Later, func() (Looked[I], error) { return rd.lab.system.Checks.Look(rd.lab.Page, trial) }, func(found Looked[I], err error) {
		suited := change
		if found.Suits != nil {
			suited = func(in I) { change(in); found.Suits(in) }
		}
		rd.changeUnlessWrong(name, brought, DiagnosticsOf(err), suited, then)
		if err == nil && trial.SameWork(rd.lab.Inputs) {
			found.Inputs = rd.lab.Inputs
			rd.lab.Runs.takeLook(found)
		}
	})
}

// examines reports whether the engine reads inputs before the page accepts them.
func (rd *fileReader[I]) examines(trial I) bool {
	return rd.lab.system.Checks.Look != nil && trial.Missing() == "" && rd.Size(trial) <= mostExamined
}

// changeUnlessWrong applies a change, or refuses its files if every one has errors.
func (rd *fileReader[I]) changeUnlessWrong(name string, files []*Source, found diag.List, change func(I), then func()) {
	wrong := func(s *Source) bool { return len(found.Of(s.Name).Errors()) > 0 }
	switch {
	case len(files) == 0:
	case slices.ContainsFunc(files, func(s *Source) bool { return !wrong(s) }):
		rd.ChangeAndTell(name, change)
	default:
		rd.refuseFiles(name, files, found.Errors(), change)
	}
	then()
}

// ChangeAndTell applies a change by files that were read, and describes it in [intakes.Line].
// others are files that do not become sources, such as a table of classes.
func (rd *fileReader[I]) ChangeAndTell(name string, change func(I), others ...*Source) {
	k := rd.lab.Intake.takeIn()
	rd.lab.Change(name, change)
	rd.lab.took = 0 // the previous run does not predict the time of the next
	k.refused, k.steps, k.others = nil, k.steps+1, append(k.others, others...)
	rd.lab.Intake.tookIn(k)
}

// added lists the sources of inputs now that before lacks.
func added[I Inputs[I]](before, now I) []*Source {
	old := texts(before)
	return slices.DeleteFunc(texts(now), func(s *Source) bool { return slices.Contains(old, s) })
}

// texts lists the sources of inputs in every role, except the roles whose sources represent numbers
// ([SourceRole]).
func texts[I Inputs[I]](in I) (all []*Source) {
	for _, r := range in.Roles() {
		if !r.Figures {
			all = append(all, r.Sources...)
		}
	}
	return all
}

// Size is the total size of the sources of inputs, in bytes.
func (rd *fileReader[I]) Size(in I) (size int) {
	for _, s := range texts(in) {
		size += s.Size()
	}
	return size
}

// refuseFiles shows the errors of files, and offers to open them anyway.
func (rd *fileReader[I]) refuseFiles(name string, files []*Source, wrong diag.List, change func(I)) {
	rd.complain(abridged(wrong.Err().Error()) + "\nNothing was changed.")
	rd.lab.Intake.takeIn().refused = &refused{files, wrong, func() {
		rd.ChangeAndTell(name, change)
		rd.lab.Edited(0)
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
