package lab

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// Slot is an input with a single source, and its texts on the page.
type Slot struct {
	Name      string // in the document
	Role      string // in questions and remarks: "hot overheads"
	Path      string // path prefix of its diagnostics that name no file; may be empty
	ID        string // id and data-testid of the file input
	Asked     bool   // the page asks whether to replace an example's source; see [SourceRole]
	Plural    bool   // the role is a plural
	Title     string // heading; "" for none
	Thing     string // "a workload"
	Empty     string // text of an empty slot; "" for none
	Choose    string // label of the button that opens a file; "" for "Choose"
	Hint      string // text next to that button
	Format    string // names the text to paste, in a sentence; "" for the hint
	Example   string // text that an empty editor shows
	Remove    string // data-testid of the button that removes the source; "" for none
	Editor    string // id and data-testid of the editor; "" for one with the name of the slot
	Sorted    bool   // chosen files go to the slots that fit their contents, like dropped files
	Generator string // of its recipes; "" for none
	Presets   []Preset
}

// Slotted are inputs with at most one source in each slot. Changing the map changes the inputs.
type Slotted interface{ Sources() map[string]*Source }

// First returns the initial recipe of the slot's dialog.
func (s *Slot) First() workload.Recipe {
	return workload.Recipe{Generator: s.Generator, Preset: s.Presets[0].Name, Seed: 1}
}

// RolesOf lists the sources in slots by role.
func RolesOf(slots []Slot, sources map[string]*Source) []SourceRole {
	all := make([]SourceRole, len(slots))
	for i, s := range slots {
		all[i] = SourceRole{Name: s.Role, Plural: s.Plural, Path: s.Path}
		if s.Asked {
			all[i].Choose = s.ID
		}
		if source := sources[s.Name]; source != nil {
			all[i].Sources = []*Source{source}
		}
	}
	return all
}

// SourcesOf returns the sources of a document by slot.
func SourcesOf(slots []scenario.Slot) map[string]*Source {
	all := map[string]*Source{}
	for _, s := range slots {
		if s.Source.Name != "" || !s.Source.Beside() {
			all[s.Name] = &Source{Source: *s.Source}
		}
	}
	return all
}

// InputOf returns a scenario with the large texts among its sources.
func InputOf(s scenario.Scenario, sources map[string]*Source) bridge.Input {
	texts := map[string]bridge.Blob{}
	for slot, source := range sources {
		if source.Large() {
			texts[slot] = source.File
		}
	}
	return bridge.Input{Scenario: s, Texts: texts}
}

// slotForm draws the slots and the dialogs that fill them.
type slotForm[I Inputs[I]] struct {
	lab *Lab[I]
	at  Slot // slot that the open dialog is for
}

func sourcesOf[I any](in I) map[string]*Source { return any(in).(Slotted).Sources() }

func (f *slotForm[I]) source(s *Slot) *Source { return sourcesOf(f.lab.Inputs)[s.Name] }

// Field draws a slot: its source, the view's elements below it, and the buttons that fill the slot.
func (f *slotForm[I]) Field(s Slot, below ...app.UI) app.UI {
	var fields []app.UI
	if s.Title != "" {
		fields = append(fields, app.H3().Text(s.Title))
	}
	switch source := f.source(&s); {
	case source != nil:
		fields = append(fields, f.drawn(&s, source)...)
	case s.Empty != "":
		fields = append(fields, f.lab.Runs.Absent(s.Empty))
	}
	ways := app.Div().Class("row source-ways").Body(
		&ui.DropZone{ID: s.ID, TestID: s.ID, Label: cmp.Or(s.Choose, "Choose"), Hint: s.Hint, Accept: f.lab.system.Files.Accept,
			OnFiles: func(_ app.Context, files []ui.File) {
				f.lab.Files.Take(files, f.lab.system.Files.Limit, func(texts []*Source) { f.Put(&s, texts, "choose "+files[0].Name) })
			}},
		app.If(s.Generator != "", func() app.UI {
			return ui.Button("plus", "Generate").Aria("label", "Generate "+s.Thing).DataSet("testid", f.lab.id("generate")).
				OnClick(func(app.Context, app.Event) { f.Generate(s, s.First()) }, app.EventScope("generate", s.Name))
		}),
		ui.Button("copy", "Paste").Aria("label", "Paste "+s.Thing).DataSet("testid", f.lab.id("paste")).
			OnClick(func(app.Context, app.Event) { f.Paste(s) }, app.EventScope("paste", s.Name)),
	)
	return app.Div().Body(append(append(fields, below...), ways)...)
}

// drawn draws a source: its name, size and buttons, its text if open, and its errors.
func (f *slotForm[I]) drawn(s *Slot, source *Source) []app.UI {
	found := f.lab.Form.Found(source).Errors()
	corrects := f.lab.system.Checks.Opens && len(found) > 0 && source.Recipe == nil && !source.Large()
	open := corrects || f.lab.Files.Editing == source
	remove := ui.IconButton("trash", "Remove "+source.Name).DataSet("testid", s.Remove).
		OnClick(func(app.Context, app.Event) {
			f.lab.Edit("remove "+s.Thing, func(in I) { delete(sourcesOf(in), s.Name) })
		}, app.EventScope("remove", s.Name))
	fields := []app.UI{app.Ul().Class("sources").Body(app.Li().Class("source").Body(
		f.lab.Files.SourceHead(source, f.badge(source, len(found)), remove),
		app.If(open, func() app.UI { return f.body(s, source) }),
	))}
	for _, d := range found {
		if !open {
			fields = append(fields, ui.Problem(d.String()))
		}
	}
	return fields
}

// badge shows the size of a source, or its number of errors.
func (f *slotForm[I]) badge(s *Source, errors int) app.UI {
	size := f.lab.system.Screen().Read(s).Size
	switch {
	case errors > 0:
		return ui.Badge("bad", ui.Counted(errors, "error"))
	case size != "":
		return ui.Badge("plain", size)
	case s.Large():
		return ui.Badge("plain", ui.Bytes(int64(s.File.Size())))
	}
	return app.Text("")
}

func (f *slotForm[I]) body(s *Slot, source *Source) app.UI {
	found, note := f.lab.Form.Found(source).Errors(), "The scenario refers to this file."
	if source.Large() {
		note = source.TooLarge() + " Berth reads it in parts."
	}
	return source.Body(SourceBody{
		Recipe: RecipeName, Note: note, Errors: found,
		Change: ui.Button("plus", "Change").OnClick(func(app.Context, app.Event) { f.Generate(*s, *f.source(s).Recipe) }, app.EventScope("recipe", s.Name)),
		Editor: &ui.Editor{ID: cmp.Or(s.Editor, f.lab.id("editor-"+s.Name)), Placeholder: s.Example, Diagnostics: found,
			OnChange: func(_ app.Context, text string) { f.TypeIn(s.Name, text) }},
	})
}

// TypeIn handles an edit of the text in a slot.
func (f *slotForm[I]) TypeIn(slot, text string) {
	f.lab.Files.TypeIn(sourcesOf(f.lab.Inputs)[slot], text, func(in I, s *Source) { sourcesOf(in)[slot] = s })
}

// Put puts the first of some texts into a slot, or opens it if it is a scenario. name is the undo
// step. A manifest may fill several slots.
func (f *slotForm[I]) Put(s *Slot, texts []*Source, name string) {
	if s.Sorted || len(texts) > 0 && texts[0].Kubernetes() {
		f.lab.system.Files.Arrived(texts)
		return
	}
	f.lab.Files.OpenAmong(texts, f.lab.Files.FilesRead, func(texts []*Source) {
		if len(texts) == 0 {
			f.lab.Files.FilesRead()
			return
		}
		f.lab.Files.ChangeByFiles(name, texts[:1], func(in I) { sourcesOf(in)[s.Name] = texts[0] }, f.lab.Files.FilesRead)
	})
}

// Generate opens the dialog that generates the source in a slot, with a recipe.
func (f *slotForm[I]) Generate(s Slot, r workload.Recipe) {
	f.at = s
	f.lab.Generator.Open(r)
}

// Paste opens the dialog in which the user pastes the source in a slot.
func (f *slotForm[I]) Paste(s Slot) {
	f.at = s
	f.lab.Files.OpenPaste()
}

func (f *slotForm[I]) dialogs() []app.UI {
	if f.lab.system.Slots == nil {
		return nil
	}
	return []app.UI{f.lab.Generator.Dialog(f.Generator()), f.lab.Files.PasteDialog(Paste{
		Title: "Paste " + f.at.Thing, Hint: cmp.Or(f.at.Format, show.Capital(f.at.Hint)+"."), Label: "Text of " + f.at.Thing, Example: f.at.Example,
		Use: f.TakePasted,
	})}
}

// Generator describes the dialog that generates the source in the slot of [slotForm.Generate].
func (f *slotForm[I]) Generator() Generator {
	return Generator{Thing: f.at.Thing, Presets: f.at.Presets, Use: f.generated, Defaults: func(generator, preset string) ([]parameter.Parameter, error) {
		rows, _, err := f.lab.system.Kind.Recipe(workload.Recipe{Generator: generator, Preset: preset})
		return rows, err
	}}
}

// generated puts a recipe into the slot that opened the dialog. The engine checks whether
// it fits the other inputs.
func (f *slotForm[I]) generated(recipe workload.Recipe) {
	f.lab.Dialog = ""
	f.lab.Change("generate "+f.at.Thing, func(in I) {
		f.lab.Unname(in)
		sourcesOf(in)[f.at.Name] = RecipeSource(RecipeName(recipe), recipe)
	})
	f.lab.Files.Editing = nil
	f.lab.Edited(0)
}

// TakePasted takes a text that was pasted for the slot of [slotForm.Paste].
func (f *slotForm[I]) TakePasted(text string) {
	f.lab.Files.AwaitFiles()
	f.Put(&f.at, f.lab.Files.Own([]*Source{TextSource("pasted "+f.at.Name, text)}), "paste "+f.at.Thing)
}
