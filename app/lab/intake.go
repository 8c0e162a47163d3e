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

// intake is the effect of the last files that were dropped or chosen. A line above the picture
// describes it until the inputs change for another reason.
type intake[I any] struct {
	generation int       // generation of the inputs after the last change
	before     I         // inputs before the first change
	pinned     []Dial[I] // dials that were pinned before the first change
	steps      int       // number of undo steps back to before
	dropped    []string  // dropped dials, and dropped parts that referred to removed objects
	repaired   []string  // names of the repairs that the user chose
	others     []*Source // files that became no source, such as a table of classes
	refused    *refused  // files with errors, which changed nothing; nil for none
}

// refused holds files that were not taken because each of them has errors.
type refused struct {
	files []*Source
	found diag.List
	open  func() // takes the files anyway
}

// Repair is an edit of the inputs that the intake line offers. It corrects certain errors in files,
// or replaces the example's sources in a role.
type Repair[I any] struct {
	Name string // name that errors use to request the repair
	Role string // role that still has the example's sources; "" if the repair corrects errors
	Does string // text of the button, and the sentence after the repair: "Missing prices are 0"
	On   func(in I)
	Make func(then func(on func(in I))) // computes On and passes it to then; nil if On is set
}

// intakes describes the changes by the latest files, and the roles that still have an example's
// sources.
type intakes[I Inputs[I]] struct {
	lab *Lab[I]

	last *intake[I] // nil for none; [intakes.intake] leaves out an outdated one

	// The role with an example's sources, and the user's answers.
	generation int // of the inputs that found belongs to
	found      *LeftOver
	kept       map[string]bool // by role and title of the example
	shown      *LeftOver       // in the current notice
}

// intake returns the intake on screen; nil for none.
func (t *intakes[I]) intake() *intake[I] {
	if t.last == nil || t.last.generation != t.lab.generation {
		return nil
	}
	return t.last
}

// takeIn returns the intake that a change of the inputs belongs to: the intake on screen or, if
// there is none, a new intake with the inputs and dials before the change. Call tookIn after the
// change.
func (t *intakes[I]) takeIn() *intake[I] {
	if t.intake() == nil {
		t.last = &intake[I]{generation: t.lab.generation, before: t.lab.Inputs, pinned: slices.Clone(t.lab.Dials.pinned)}
	}
	return t.last
}

// tookIn records that a change of the inputs belongs to intake k and dropped these parts. It also
// records the pinned dials that no longer apply.
func (t *intakes[I]) tookIn(k *intake[I], dropped ...string) {
	k.generation, k.dropped = t.lab.generation, append(k.dropped, dropped...)
	for _, d := range k.pinned {
		text := "the dial “" + d.Label + "”"
		if !math.IsNaN(d.Value(k.before)) && !t.lab.Form.onStage(d) && !slices.Contains(k.dropped, text) {
			k.dropped = append(k.dropped, text)
		}
	}
}

// Line draws the line above the picture, with a button for each repair of an error.
func (t *intakes[I]) Line() app.UI {
	line := app.Div().Role("status")
	text := t.intakeText()
	if text == "" {
		return line
	}
	k := t.last
	buttons := []app.UI{app.P().Text(show.Words(text))}
	add := func(testID, name string, do func()) {
		button := ui.Button("", name).OnClick(func(app.Context, app.Event) { do() }, app.EventScope(name, k.generation))
		if testID != "" {
			button.DataSet("testid", testID)
		}
		buttons = append(buttons, button)
	}
	for _, r := range t.repairs() {
		add("intake-repair", r.Does, func() { t.Repair(r) })
	}
	if k.refused != nil {
		add("", "Open it to fix it", k.refused.open)
	}
	if k.steps > 0 {
		add("", "Undo", t.undoIntake)
	}
	buttons = append(buttons, ui.IconButton("close", "Dismiss").OnClick(func(app.Context, app.Event) { t.last = nil }))
	return line.Body(app.Div().Class("banner intake").DataSet("testid", "intake").Body(buttons...))
}

// repairs lists the available repairs: of errors in the files, or of the role that still has an
// example's sources.
func (t *intakes[I]) repairs() []Repair[I] {
	found, left := t.foundIn(), (*LeftOver)(nil)
	if t.last.refused == nil {
		left = t.LeftOver()
	}
	return slices.DeleteFunc(slices.Clone(t.lab.system.Checks.Repairs), func(r Repair[I]) bool {
		if r.Role != "" {
			return left == nil || left.Name != r.Role
		}
		return !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && d.Repair() == r.Name })
	})
}

// Repair applies a repair. If the files were refused, it takes them first.
func (t *intakes[I]) Repair(r Repair[I]) {
	k := t.last
	if k.refused != nil {
		k.refused.open()
	}
	if r.Make == nil {
		t.repair(k, r.Does, r.On)
		return
	}
	t.lab.Runs.Cancel() // frees the workers, which compute the repair
	r.Make(func(on func(in I)) {
		t.lab.took = 0 // the previous run does not predict the time of the next
		t.repair(t.intake(), r.Does, on)
	})
}

// repair applies a repair to the inputs and records it as a step of intake k. k is nil
// if the intake is no longer on screen.
func (t *intakes[I]) repair(k *intake[I], does string, on func(in I)) {
	t.lab.Form.ForgetFound()
	t.lab.Files.Editing = nil // the repaired errors had opened the editor
	t.lab.Edit(strings.ToLower(does), on)
	if k != nil {
		k.generation, k.steps, k.repaired = t.lab.generation, k.steps+1, append(k.repaired, does+".")
	}
}

func (t *intakes[I]) undoIntake() {
	k := t.last
	t.lab.Dials.pinned = k.pinned
	t.lab.goAlong("Undone: ", func() (name string) {
		for range k.steps {
			name = t.lab.back()
		}
		return name
	})
}

// brought lists the sources that came from the files, and the files that did not become sources.
func (t *intakes[I]) brought() []*Source {
	return append(added(t.last.before, t.lab.Inputs), t.last.others...)
}

// foundIn lists the errors and remarks about the files.
func (t *intakes[I]) foundIn() (all diag.List) {
	if r := t.last.refused; r != nil {
		all = r.found
	}
	for _, s := range t.brought() {
		all = append(all, t.lab.Form.Found(s)...)
	}
	return all
}

// mostTold is the largest number of files or remarks that the line lists. It counts the rest.
const mostTold = 3

// intakeText is the text of the line; "" for no line.
func (t *intakes[I]) intakeText() string {
	k := t.intake()
	if k == nil {
		return ""
	}
	var read, wrong, assumed, all []string
	known := t.lab.system.Screen().Read
	hasErrors := func(s *Source, n int) { wrong = append(wrong, show.Text(s.Name)+" has "+ui.Counted(n, "error")) }
	for _, s := range t.brought() {
		if n := len(t.lab.Form.Found(s).Errors()); n > 0 {
			hasErrors(s, n)
			continue
		}
		is := known(s)
		read, assumed = append(read, t.described(s, is.Size)), append(assumed, is.Assumed...)
	}
	for _, d := range t.foundIn() {
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
	if text := replacedText(texts(k.before), texts(t.lab.Inputs)); text != "" {
		all = append(all, text)
	}
	if k.dropped != nil {
		all = append(all, "Dropped with what it was about: "+strings.Join(k.dropped, ", ")+".")
	}
	return strings.Join(all, " ")
}

func (t *intakes[I]) described(s *Source, size string) string {
	var is []string
	if f := sniff.Look(s.Head(), t.lab.system.Kind.Reads|t.lab.system.Files.Also).Format; f != nil {
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

// listed joins the first mostTold texts and counts the rest.
func listed(all []string, thing string) string {
	if more := len(all) - mostTold; more > 0 {
		all = append(slices.Clone(all[:mostTold]), fmt.Sprintf("and %s", ui.Counted(more, "more "+thing)))
	}
	return strings.Join(all, "; ")
}
