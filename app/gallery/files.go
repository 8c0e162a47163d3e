package gallery

import (
	"maps"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/gallery"
	"berth/engine/scenario"
	"berth/engine/study"
)

// authorsFiles lets a reader who has the files of a paper put them in place of
// what is generated, for the paper's own run.
func (v *View) authorsFiles(e *gallery.Entry, x *exhibit) app.UI {
	slots := e.Files()
	if len(slots) == 0 {
		return app.Div()
	}
	zones := make([]app.UI, len(slots))
	for i, slot := range slots {
		hint := "generated"
		if file, ok := x.files[slot]; ok {
			hint = file.Name
		}
		zones[i] = &ui.DropZone{
			ID: e.ID + "-" + slot, TestID: "gallery-file-" + slot, Label: "Choose " + strings.ReplaceAll(slot, "-", " "), Hint: hint,
			Limit: scenario.MaxBytes, OnFiles: func(_ app.Context, files []ui.File) { v.takeFile(e, slot, files[0]) },
		}
	}
	return app.Div().Class("authors-files").Body(
		app.P().Body(app.Strong().Text("The authors’ files: "), app.Span().Text(
			"if you have them, drop them here to run the figure with them at full size. They stay in this browser.")),
		app.Div().Class("row").Body(zones...),
		app.If(len(x.files) > 0, func() app.UI {
			return ui.Button("undo", "Back to the generated workload").DataSet("testid", "gallery-generated").
				OnClick(func(app.Context, app.Event) { v.put(e, nil) }, app.EventScope("generated", e.ID))
		}),
	)
}

// takeFile puts a file into a slot of an entry.
func (v *View) takeFile(e *gallery.Entry, slot string, f ui.File) {
	f.Read(v.page, scenario.MaxBytes, func(_ app.Context, data []byte, problem string) {
		if problem == "" {
			text, err := scenario.Unpack(data, scenario.MaxBytes)
			if err == nil {
				files := maps.Clone(v.shown[e.ID].files)
				if files == nil {
					files = map[string]scenario.Source{}
				}
				files[slot] = scenario.Source{Name: strings.TrimSuffix(f.Name, ".gz"), Text: string(text)}
				v.put(e, files)
				return
			}
			problem = f.Name + ": " + err.Error()
		}
		shell.SetError(v.page, study.Kind.Path, problem)
	})
}

// put shows an entry on files, none for what is generated, and does not run it yet.
func (v *View) put(e *gallery.Entry, files map[string]scenario.Source) {
	old := v.shown[e.ID]
	old.stop()
	delete(v.shown, e.ID)
	if len(files) == 0 {
		v.exhibit(e).open = true
		return
	}
	on, err := e.On(files)
	var sweep *sweep
	if err == nil {
		sweep, err = newSweep(on.Scenario(true), v.results)
	}
	if err != nil {
		v.shown[e.ID] = old
		shell.SetError(v.page, study.Kind.Path, strings.Join(slices.Sorted(maps.Keys(files)), ", ")+": "+err.Error())
		return
	}
	v.shown[e.ID] = &exhibit{sweep: sweep, id: e.ID, entry: on, files: files, open: true}
}
