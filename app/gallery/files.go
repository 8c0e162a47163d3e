package gallery

import (
	"maps"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/gallery"
	"berth/engine/input/packed"
	"berth/engine/scenario"
	"berth/engine/study"
)

// authorsFiles lets a reader who has the files of a paper replace the generated
// inputs by them and run the figure at full size.
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
				OnClick(func(app.Context, app.Event) { v.put(e, nil, v.shown[e.ID].changed) }, app.EventScope("generated", e.ID))
		}),
	)
}

// takeFile puts a file into a slot of the entry on screen.
func (v *View) takeFile(e *gallery.Entry, slot string, f ui.File) {
	f.Read(v.page, scenario.MaxBytes, func(_ app.Context, data []byte, problem string) {
		if problem == "" {
			text, err := packed.Unpack(data, scenario.MaxBytes)
			if err == nil {
				files := maps.Clone(v.shown[e.ID].files)
				if files == nil {
					files = map[string]scenario.Source{}
				}
				files[slot] = scenario.Source{Name: strings.TrimSuffix(f.Name, ".gz"), Text: string(text)}
				v.put(e, files, v.shown[e.ID].changed)
				return
			}
			problem = f.Name + ": " + err.Error()
		}
		shell.SetError(v.page, study.Kind.Path, problem)
	})
}

// put replaces an entry on screen by the same entry on these files, or on generated inputs if files
// is empty, with changed numbers. It does not run the entry. If the files or numbers are invalid,
// it shows why and returns false.
func (v *View) put(e *gallery.Entry, files map[string]scenario.Source, changed map[string]string) bool {
	old := v.shown[e.ID]
	old.stop()
	delete(v.shown, e.ID)
	if len(files) == 0 && len(changed) == 0 {
		v.exhibit(e).open = true
		v.locate(e.ID)
		return true
	}
	other, err := e.On(files)
	if err == nil {
		other, err = other.Changed(changed)
	}
	var sweep *sweep
	if err == nil {
		sweep, err = newSweep(other.Scenario(len(files) > 0), v.results)
	}
	if err != nil {
		v.shown[e.ID] = old
		v.complain(strings.Join(append([]string{e.Title}, slices.Sorted(maps.Keys(files))...), ", "), err)
		return false
	}
	v.shown[e.ID] = &exhibit{sweep: sweep, id: e.ID, entry: other, files: files, changed: changed, open: true}
	v.locate(v.shown[e.ID].fragment())
	return true
}

// numbers draws fields for the numbers of an entry. An edit runs the entry at once,
// which updates its chart and verdict.
func (v *View) numbers(e *gallery.Entry, x *exhibit) app.UI {
	if x.fields == nil {
		x.fields = e.Numbers()
	}
	fields := make([]app.UI, len(x.fields))
	for i := range x.fields {
		fields[i] = v.number(e, x, &x.fields[i])
	}
	return app.Details().Class("gallery-numbers").Open(len(x.changed) > 0).Body(
		app.Summary().Text("Change one parameter"),
		app.Div().Class("row").Body(fields...),
		app.If(len(x.changed) > 0, func() app.UI {
			return ui.Button("undo", "Back to the numbers of the figure").DataSet("testid", "gallery-unchanged").
				OnClick(func(app.Context, app.Event) { v.put(e, v.shown[e.ID].files, nil) }, app.EventScope("unchanged", e.ID))
		}),
	)
}

func (v *View) number(e *gallery.Entry, x *exhibit, n *gallery.Number) app.UI {
	id := e.ID + "-" + strings.NewReplacer("/", "-", ".", "-").Replace(n.Name)
	text := n.Text
	if own, ok := x.changed[n.Name]; ok {
		text = own
	}
	input := ui.Showing(app.Input().Type("text").ID(id).Attr("inputmode", "decimal").Placeholder(n.Usual).Title(n.Hint), text).
		DataSet("testid", "gallery-parameter").DataSet("parameter", n.Name)
	return ui.Field(id, ui.WithUnit(n.Title, n.Unit), ui.Taking(input, "change", func(_ app.Context, text string) {
		x := v.shown[e.ID] // not the captured x: the entry may have been replaced since the field was drawn
		changed := maps.Clone(x.changed)
		if changed == nil {
			changed = map[string]string{}
		}
		changed[n.Name] = text
		if text == n.Text {
			delete(changed, n.Name)
		}
		if v.put(e, x.files, changed) {
			v.start(v.shown[e.ID])
		}
	}, n.Name))
}
