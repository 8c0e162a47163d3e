package lab

import (
	"cmp"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/input/format"
	"berth/engine/input/workload"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// Source is one text of the inputs: the text itself, a file too large to edit in the page, or the
// recipe of a generated text. It is immutable: an edit makes a new Source, so that checks and undo
// steps can identify the text by the pointer.
type Source struct {
	scenario.Source
	File bridge.Blob // a large file; the page reads only its beginning

	head       string // beginning of a large file
	kubernetes *bool  // see Kubernetes; nil until needed
}

// Head is the text, or the beginning of a large file.
func (s *Source) Head() string { return cmp.Or(s.Text, s.head) }

// Kubernetes reports whether the source has objects of Kubernetes, judged by its beginning.
func (s *Source) Kubernetes() bool {
	if s.kubernetes == nil { // the page asks at every drawing
		is := format.IsKubernetes([]byte(s.Head()))
		s.kubernetes = &is
	}
	return *s.kubernetes
}

// TextSource makes a source from a text. An empty text becomes an empty line, because a source
// without text counts as absent. The reader then reports the missing content.
func TextSource(name, text string) *Source {
	text = cmp.Or(text, "\n")
	return &Source{Source: scenario.Source{Name: name, Text: text}}
}

// Called returns a copy of the source under another name. The copy counts as another source.
func (s *Source) Called(name string) *Source {
	c := *s
	c.Name = name
	return &c
}

// RecipeSource makes a source that a generator fills.
func RecipeSource(name string, recipe workload.Recipe) *Source {
	return &Source{Source: scenario.Source{Name: name, Recipe: &recipe}}
}

// TooLarge is the message that a large file cannot be edited.
func (s *Source) TooLarge() string {
	size := ui.Bytes(int64(s.File.Size()))
	if strings.HasSuffix(s.Name, ".gz") {
		size += " packed"
	}
	return s.Name + " has " + size + ", too much to edit here. Edit the file on your machine and choose it again."
}

// Large reports whether the page does not hold the text in memory.
func (s *Source) Large() bool { return s.File.Size() > 0 }

// Size is the length of the text in bytes.
func (s *Source) Size() int { return len(s.Text) + s.File.Size() }

// SourceHead is the heading of a source: its name, which toggles its editor, a badge, and buttons.
func (rd *fileReader[I]) SourceHead(s *Source, badge app.UI, buttons ...app.UI) app.UI {
	at := placeOf(rd.lab.Inputs.Roles(), s)
	return app.Div().Class("source-head").Body(
		app.Button().Type("button").Class("source-name").
			Aria("expanded", rd.Editing == s).Title("Show or edit "+show.Text(s.Name)).
			OnClick(func(app.Context, app.Event) { rd.ToggleEditor(at.in(rd.lab.Inputs.Roles())) }, app.EventScope("source", at.role, at.index)).
			Body(ui.Icon("file"), app.Span().Text(show.Text(s.Name))),
		app.Span().Body(rd.lab.Intake.LeftOverBadge(s), badge),
		app.Div().Class("source-buttons").Body(buttons...),
	)
}

// SourceBody describes an open source: its recipe, its text in an editor, or a note if the page
// does not have the text. Body lists the errors if no editor shows them.
type SourceBody struct {
	Recipe func(workload.Recipe) string // name of the generated source
	Change app.UI                       // button that edits the recipe
	More   []app.UI                     // further buttons of a recipe
	Note   string                       // replaces the message that the file is too large
	Errors diag.List
	Editor *ui.Editor
}

// Body draws an open source with the parts in b.
func (s *Source) Body(b SourceBody) app.UI {
	switch {
	case s.Recipe != nil:
		return app.Div().Class("recipe").Body(
			app.P().Text(RecipeText(b.Recipe(*s.Recipe), s.Recipe)),
			app.Div().Class("row").Body(append([]app.UI{b.Change}, b.More...)...),
			ui.DiagnosticList(b.Errors))
	case s.Large(), b.Note != "" && s.Beside():
		return app.Div().Body(app.P().Class("note").Text(cmp.Or(b.Note, s.TooLarge())), ui.DiagnosticList(b.Errors))
	}
	b.Editor.TestID, b.Editor.Label, b.Editor.FileName, b.Editor.Text = b.Editor.ID, s.Name, s.Name, s.Text
	return b.Editor
}

// ToggleEditor opens or closes the editor of a source.
func (rd *fileReader[I]) ToggleEditor(s *Source) {
	if rd.Editing == s {
		s = nil
	}
	rd.Editing = s
}

// keepEditor keeps the editor open if the inputs have a file of the same name at the same place.
func (rd *fileReader[I]) keepEditor(before I) {
	if rd.Editing == nil {
		return
	}
	now := placeOf(before.Roles(), rd.Editing).in(rd.lab.Inputs.Roles())
	if now != nil && now.Name != rd.Editing.Name {
		now = nil
	}
	rd.Editing = now
}

// place is the position of a source in the inputs; role is −1 if the inputs lack it.
type place struct{ role, index int }

func placeOf(roles []SourceRole, s *Source) place {
	for role, r := range roles {
		if i := slices.Index(r.Sources, s); i >= 0 {
			return place{role, i}
		}
	}
	return place{role: -1}
}

// in returns the source at a place, nil for none.
func (p place) in(roles []SourceRole) *Source {
	if p.role < 0 || p.role >= len(roles) || p.index >= len(roles[p.role].Sources) {
		return nil
	}
	return roles[p.role].Sources[p.index]
}

// TypeIn handles an edit of the source old, unless old was removed (nil). put replaces old by the
// new source. The diagnostics of the old source stay on screen until the new one is read.
func (rd *fileReader[I]) TypeIn(old *Source, text string, put func(in I, s *Source)) {
	if old == nil {
		return
	}
	s := TextSource(old.Name, text)
	rd.lab.Change("typing in "+s.Name, func(in I) { put(in, s) })
	rd.lab.Form.diagnostics[s], rd.Editing = rd.lab.Form.diagnostics[old], s
	rd.lab.Edited(0) // the editor has already paused
}
