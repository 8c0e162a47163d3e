package gallery

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/gallery"
	"berth/engine/input/packed"
	"berth/engine/scenario"
	"berth/engine/study"
)

// authorsZone draws the zone for the authors' files, which the page recognises by their
// hashes.
func (v *View) authorsZone() app.UI {
	hint := "a folder or several files; Berth tells them by their hashes, and they stay in this browser"
	if n := len(v.files); n > 0 {
		hint = ui.Counted(n, "file") + " of the authors recognised"
	}
	return app.Div().Class("authors-files").Body(
		&ui.DropZone{ID: "gallery-authors", TestID: "gallery-authors", Label: "Choose the authors’ files", Hint: hint, Limit: scenario.MaxBytes,
			OnFiles: func(_ app.Context, files []ui.File) { v.recognise(files) }},
		app.If(len(v.strangers) > 0, func() app.UI {
			return app.P().Class("hint").DataSet("testid", "gallery-strangers").Text("Not of the authors: " + strings.Join(v.strangers, ", ") + ".")
		}),
	)
}

// recognise reads files and takes the files that the authors published.
func (v *View) recognise(files []ui.File) {
	v.strangers = nil
	left := len(files)
	for _, f := range files {
		f.Read(v.page, scenario.MaxBytes, func(_ app.Context, data []byte, problem string) {
			if problem != "" {
				shell.SetError(v.page, study.Kind.Path, problem)
			} else {
				v.takeAuthors(f.Name, data)
			}
			if left--; left == 0 {
				shell.Announce(v.page, fmt.Sprintf("%s recognised, %d not.", ui.Counted(len(v.files), "file"), len(v.strangers)))
			}
		})
	}
}

// takeAuthors takes a file whose hash is in the manifest. It plans again the entries on the
// authors' input, because they may use the file.
func (v *View) takeAuthors(name string, data []byte) {
	unpacked, err := packed.Unpack(data, scenario.MaxBytes)
	if err != nil || !v.files.Take(unpacked) {
		v.strangers = append(v.strangers, name)
		return
	}
	for id, x := range v.shown {
		if x.entry != nil && x.entry.Input == gallery.Authors {
			x.stop()
			delete(v.shown, id)
		}
	}
}

// onAuthors returns an entry on the authors' input; nil if files are missing. The visitor has to
// start its run.
func (v *View) onAuthors(e *gallery.Entry) *exhibit {
	id := e.ID + "-" + gallery.Authors
	if x := v.shown[id]; x != nil {
		return x
	}
	theirs := e.OnInputs(v.files)[0]
	if theirs.Input != gallery.Authors {
		return nil
	}
	x, err := v.plan(id, theirs.Scenario(false), &theirs)
	if err != nil {
		v.complain(e.Title+", with the authors’ input", err)
		return nil
	}
	v.shown[id] = x
	return x
}

// sideBySide shows the verdicts on both inputs of an entry that has two.
func (v *View) sideBySide(e *gallery.Entry, x *exhibit) app.UI {
	needs, two := e.Needs()
	if !two {
		return ui.None()
	}
	theirs := v.onAuthors(e)
	if theirs == nil {
		return app.P().Class("hint").DataSet("testid", "gallery-needs").Text(
			"Drop the authors’ files above to have a verdict with their input, too: " + strings.Join(needs, ", ") + ".")
	}
	return app.Div().DataSet("testid", "gallery-inputs").Body(
		app.Div().Class("row gallery-inputs").Body(
			v.onInput(theirs, gallery.Authors, "With the authors’ input"),
			v.onInput(x, gallery.Generated, "With generated input"),
		),
		app.P().Body(app.Strong().Text("How the authors’ input differs: "), app.Span().Text(theirs.entry.Setup)),
		v.criteria(theirs),
	)
}

// onInput shows the verdict on one input, with a Run button.
func (v *View) onInput(x *exhibit, input, title string) app.UI {
	verdict := x.verdict()
	return app.Div().Class("row").DataSet("testid", "gallery-input").DataSet("input", input).DataSet("verdict", string(verdict)).Body(
		app.Span().Text(title+": "),
		app.Span().Class("verdict verdict-"+string(verdict)).Text(verdictNames[verdict]),
		app.If(x.at.busy, func() app.UI { return busy(x) }).Else(func() app.UI {
			return ui.Button("play", "Run").Aria("label", "Run: "+x.entry.Title+", "+strings.ToLower(title)).DataSet("testid", "gallery-run-"+input).
				OnClick(func(app.Context, app.Event) { v.start(x) }, app.EventScope("run", x.id))
		}),
	)
}

// verdict returns the verdict on the runs so far; notRun before the first.
func (x *exhibit) verdict() study.Verdict {
	if x == nil || x.result == nil {
		return notRun
	}
	return x.entry.Verdict(x.result)
}
