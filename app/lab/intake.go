package lab

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/input/format/sniff"
	"berth/engine/show"
)

// intake is the effect of the last drop or choice of files. A line above the picture
// describes it until the next other change of the inputs.
type intake[I any] struct {
	generation int       // of the inputs after it
	before     I         // the inputs before it
	pinned     []Dial[I] // before it
	steps      int       // of the undo history that lead back there
	dropped    []string  // parts of the inputs whose subjects are gone
	repaired   []string  // names of the repairs that the user chose
	others     []*Source // files that became no source, such as a table of classes
	refused    *refused  // files with errors, which changed nothing; nil for none
}

// refused are files that have errors, each of them.
type refused struct {
	files []*Source
	found diag.List
	open  func() // takes them nevertheless
}

// Repair is an edit of the inputs that the intake line offers: for files with certain errors,
// or for a role that an example still fills.
type Repair[I any] struct {
	Name string // in the errors
	Role string // of the example's sources; "" for a repair of errors
	Does string // button, and what it has done: "Missing prices are 0"
	On   func(in I)
	Make func(then func(on func(in I))) // makes On; nil where On is given
}

// intake returns the intake on screen; nil for none.
func (l *Lab[I]) intake() *intake[I] {
	if l.lastIntake == nil || l.lastIntake.generation != l.generation {
		return nil
	}
	return l.lastIntake
}

// takeIn returns the intake that a change of the inputs belongs to: the one on screen, or
// a new one with the inputs and dials before the change. Call tookIn after the change.
func (l *Lab[I]) takeIn() *intake[I] {
	if l.intake() == nil {
		l.lastIntake = &intake[I]{generation: l.generation, before: l.Inputs, pinned: slices.Clone(l.dialling.pinned)}
	}
	return l.lastIntake
}

// tookIn records that the inputs have changed and lost these parts. It adds the dials
// that they lost.
func (l *Lab[I]) tookIn(k *intake[I], dropped ...string) {
	k.generation, k.dropped = l.generation, append(k.dropped, dropped...)
	for _, d := range k.pinned {
		text := "the dial “" + d.Label + "”"
		if !math.IsNaN(d.Value(k.before)) && !l.onStage(d) && !slices.Contains(k.dropped, text) {
			k.dropped = append(k.dropped, text)
		}
	}
}

// IntakeLine is the line above the picture, with a button for each repair of an error.
func (l *Lab[I]) IntakeLine() app.UI {
	line := app.Div().Role("status")
	text := l.intakeText()
	if text == "" {
		return line
	}
	k := l.lastIntake
	buttons := []app.UI{app.P().Text(show.Words(text))}
	add := func(testID, name string, do func()) {
		button := ui.Button("", name).OnClick(func(app.Context, app.Event) { do() }, app.EventScope(name, k.generation))
		if testID != "" {
			button.DataSet("testid", testID)
		}
		buttons = append(buttons, button)
	}
	for _, r := range l.repairs() {
		add("intake-repair", r.Does, func() { l.Repair(r) })
	}
	if k.refused != nil {
		add("", "Open it to fix it", k.refused.open)
	}
	if k.steps > 0 {
		add("", "Undo", l.undoIntake)
	}
	buttons = append(buttons, ui.IconButton("close", "Dismiss").OnClick(func(app.Context, app.Event) { l.lastIntake = nil }))
	return line.Body(app.Div().Class("banner intake").DataSet("testid", "intake").Body(buttons...))
}

// repairs lists the repairs of errors in the files, and of what an example left.
func (l *Lab[I]) repairs() []Repair[I] {
	found, left := l.foundIn(), (*LeftOver)(nil)
	if l.lastIntake.refused == nil {
		left = l.LeftOver()
	}
	return slices.DeleteFunc(slices.Clone(l.system.Checks.Repairs), func(r Repair[I]) bool {
		if r.Role != "" {
			return left == nil || left.Name != r.Role
		}
		return !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && d.Repair() == r.Name })
	})
}

// Repair makes a repair, for files that were refused after taking them.
func (l *Lab[I]) Repair(r Repair[I]) {
	k := l.lastIntake
	if k.refused != nil {
		k.refused.open()
	}
	if r.Make == nil {
		l.repair(k, r.Does, r.On)
		return
	}
	l.Cancel() // a worker is to make it now
	r.Make(func(on func(in I)) {
		l.took = 0 // the time of the previous run does not predict the next
		l.repair(l.intake(), r.Does, on)
	})
}

// repair changes the inputs, as a step of the intake; nil if it is no longer on screen.
func (l *Lab[I]) repair(k *intake[I], does string, on func(in I)) {
	l.ForgetFound()
	l.Editing = nil // its errors opened it
	l.Edit(strings.ToLower(does), on)
	if k != nil {
		k.generation, k.steps, k.repaired = l.generation, k.steps+1, append(k.repaired, does+".")
	}
}

// undoIntake undoes the intake with its repairs.
func (l *Lab[I]) undoIntake() {
	k := l.lastIntake
	l.dialling.pinned = k.pinned
	l.goAlong("Undone: ", func() (name string) {
		for range k.steps {
			name = l.back()
		}
		return name
	})
}

// brought lists the sources that came with the files, and the files that became none.
func (l *Lab[I]) brought() []*Source {
	return append(added(l.lastIntake.before, l.Inputs), l.lastIntake.others...)
}

// foundIn lists the errors and remarks about the files.
func (l *Lab[I]) foundIn() (all diag.List) {
	if r := l.lastIntake.refused; r != nil {
		all = r.found
	}
	for _, s := range l.brought() {
		all = append(all, l.Found(s)...)
	}
	return all
}

// mostTold is how many files or remarks the line lists; it counts the others.
const mostTold = 3

// intakeText is the text of the line; "" for no line.
func (l *Lab[I]) intakeText() string {
	k := l.intake()
	if k == nil {
		return ""
	}
	var read, wrong, assumed, all []string
	known := l.system.Screen().Read
	hasErrors := func(s *Source, n int) { wrong = append(wrong, show.Text(s.Name)+" has "+ui.Counted(n, "error")) }
	for _, s := range l.brought() {
		if n := len(l.Found(s).Errors()); n > 0 {
			hasErrors(s, n)
			continue
		}
		is := known(s)
		read, assumed = append(read, l.described(s, is.Size)), append(assumed, is.Assumed...)
	}
	for _, d := range l.foundIn() {
		if d.Severity != diag.Error {
			assumed = append(assumed, d.Text())
		}
	}
	if read != nil {
		all = append(all, "Read "+listed(read, "file")+".")
	}
	if k.refused != nil {
		for _, s := range k.refused.files {
			hasErrors(s, len(k.refused.found.Of(s.Name)))
		}
	}
	if wrong != nil {
		all = append(all, listed(wrong, "file")+".")
	}
	if k.refused != nil {
		all = append(all, "Nothing was changed.")
	}
	all = append(all, k.repaired...)
	if assumed != nil {
		all = append(all, show.Capital(listed(slices.Compact(assumed), "remark"))+".")
	}
	if text := replacedText(l.sources(k.before), l.sources(l.Inputs)); text != "" {
		all = append(all, text)
	}
	if k.dropped != nil {
		all = append(all, "Dropped with what it was about: "+strings.Join(k.dropped, ", ")+".")
	}
	return strings.Join(all, " ")
}

// described names a source, its format and its size.
func (l *Lab[I]) described(s *Source, size string) string {
	var is []string
	if f := sniff.Look(s.Head(), l.system.Kind.Reads|l.system.Files.Also).Format; f != nil {
		is = append(is, f.What)
	}
	if size != "" {
		is = append(is, size)
	}
	if is == nil {
		return show.Text(s.Name)
	}
	return show.Text(s.Name) + ": " + strings.Join(is, ", ")
}

// listed joins texts, and counts those beyond mostTold.
func listed(all []string, thing string) string {
	if more := len(all) - mostTold; more > 0 {
		all = append(slices.Clone(all[:mostTold]), fmt.Sprintf("and %s", ui.Counted(more, "more "+thing)))
	}
	return strings.Join(all, "; ")
}
