package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/figure"
	"berth/engine/policy"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// Parting returns a function that finds the decisions in which two subjects of the
// result, given by index, differ. That function may block.
type Parting func(mine, other int) func(context.Context) ([]Parted, error)

// Parted is a decision in which two policies differ, and a function that shows its
// explanation.
type Parted struct {
	Thing string    // "task 12"
	Under [2]string // the two decisions: "worker 3"
	Why   func()
}

// mostParted limits the decisions in the list.
const mostParted = 20

// desk is the editor of policies that are written as text.
type desk[I Inputs[I]] struct {
	lab     *Lab[I]
	name    string          // of the policy in the editor; "" for the first one
	remarks diag.List       // about the policies, by file
	asked   map[string]bool // policy texts that the user wrote or agreed to run
	asks    string          // why the page asks before it runs a policy that the user has not agreed to; "" if it need not ask

	against string // the policy to compare with; "" for the first one
}

// texts are the policies among the inputs that are written as text.
func (k *desk[I]) texts() []*policy.Text {
	s := k.lab.Inputs.Input().Scenario
	return scenario.Texts(&s)
}

// written is the policy in the editor; nil for none.
func (k *desk[I]) written() *policy.Text {
	texts := k.texts()
	if i := slices.IndexFunc(texts, func(t *policy.Text) bool { return t.Name == k.name }); i >= 0 {
		return texts[i]
	}
	if len(texts) > 0 {
		return texts[0]
	}
	return nil
}

// careful reports whether the inputs have a policy that the user has not agreed to
// run.
func (k *desk[I]) careful() bool {
	return slices.ContainsFunc(k.texts(), func(t *policy.Text) bool { return !k.asked[t.Text] })
}

// blameTexts keeps the diagnostics about policies as remarks for the editor.
func (k *desk[I]) blameTexts(err error) {
	files := map[string]bool{}
	for _, t := range k.texts() {
		files[t.File()] = true
	}
	if e, ok := errors.AsType[*bridge.Error](err); ok && e.Kind == bridge.TooMuch && k.careful() {
		k.asks = e.Message
	}
	for _, d := range DiagnosticsOf(err) {
		if !files[d.File] {
			continue
		}
		d.Path = "" // path in the scenario; the editor shows the text itself
		k.remarks = append(k.remarks, d)
	}
}

// panel draws the panel for writing policies and comparing them with others.
func (k *desk[I]) panel() app.UI {
	if k.lab.system.Parted == nil {
		return ui.None()
	}
	t := k.written()
	return app.Div().Class("policy-panel").ID(k.lab.id("policy")).Body(
		app.H3().Text("Policy of your own"),
		k.consent(),
		k.templates(),
		app.If(t != nil, func() app.UI { return k.editor(t) }),
	)
}

// templates is the select of templates for a new policy.
func (k *desk[I]) templates() app.UI {
	options := []app.UI{ui.Option("", "Choose a template …")}
	for _, t := range policy.Templates {
		if t.Kind == k.lab.system.Kind.Name {
			options = append(options, ui.Option(t.Name, t.Title()))
		}
	}
	id := k.lab.id("policy-template")
	return app.Div().Class("checks").Body( // one Tab stop, like the other choices
		ui.Field(id, "Write a policy, starting from", ui.Select(id, "", k.beginWith, options...).DataSet("testid", "policy-template")))
}

// beginWith adds a policy made from a template.
func (k *desk[I]) beginWith(template string) {
	i := slices.IndexFunc(policy.Templates, func(t policy.Template) bool { return t.Kind == k.lab.system.Kind.Name && t.Name == template })
	if i < 0 {
		return
	}
	t := policy.Templates[i].Text(k.unusedPolicy())
	k.asked[t.Text] = true
	k.name = t.Name
	k.lab.Edit("write "+t.Name, func(in I) { in.PutText("", &t) })
}

func (k *desk[I]) unusedPolicy() string {
	name := "mine"
	for n := 2; k.taken(name); n++ {
		name = fmt.Sprintf("mine-%d", n)
	}
	return name
}

func (k *desk[I]) taken(name string) bool {
	return slices.Contains(k.lab.system.BuiltIn, name) || slices.ContainsFunc(k.texts(), func(t *policy.Text) bool { return t.Name == name })
}

// editor draws the editor of a policy with its errors, and the comparison below it.
func (k *desk[I]) editor(t *policy.Text) app.UI {
	id := k.lab.id("policy-editor")
	name := k.lab.Form.Field(k.lab.id("policy-name"), "Name", app.Input().Type("text").MaxLength(policy.MaxName), t.Name, k.rename(*t))
	return app.Div().Body(
		app.Div().Class("policy-head").Body(
			k.textChoice(t), name,
			ui.IconButton("trash", "Remove the policy "+t.Name).OnClick(func(app.Context, app.Event) {
				k.lab.Edit("remove "+t.Name, func(in I) { in.PutText(t.Name, nil) })
			}, app.EventScope(t.Name)),
		),
		k.lab.Form.WrongText(k.lab.id("policy-name")),
		&ui.Editor{ID: id, TestID: "policy-editor", MessagesID: "policy-errors", Label: t.File(), FileName: t.File(), Text: t.Text,
			Diagnostics: k.remarks.Of(t.File()), OnChange: func(_ app.Context, text string) { k.typed(text) }},
		k.difference(t),
	)
}

// textChoice is the select of the policy to edit, if there are several.
func (k *desk[I]) textChoice(shown *policy.Text) app.UI {
	texts := k.texts()
	return app.If(len(texts) > 1, func() app.UI {
		options := ui.Options(len(texts), func(i int) (value, text string) { return texts[i].Name, texts[i].Name })
		id := k.lab.id("policy-shown")
		return ui.Field(id, "Policy", ui.Select(id, shown.Name, func(name string) { k.name = name }, options...))
	})
}

func (k *desk[I]) rename(t policy.Text) Setter[I] {
	return func(in I, name string) error {
		old := t.Name
		t.Name = name
		if err := t.Check(); err != nil {
			return err
		}
		if name != old && k.taken(name) {
			return errors.New("another policy is called " + name)
		}
		in.PutText(old, &t)
		k.name = name
		return nil
	}
}

// typed puts the edited text into the inputs.
func (k *desk[I]) typed(text string) {
	old := k.written()
	if old == nil {
		return
	}
	t := *old
	t.Text = text
	k.asked[text] = true
	k.lab.Change("typing in "+t.Name, func(in I) { in.PutText(t.Name, &t) })
	k.lab.Edited(0) // the editor has already paused
}

// asksFirst reports whether a run must wait for a click: within a frame on another page, no written
// policy runs by itself.
func (k *desk[I]) asksFirst() bool {
	if !shell.Embedded() || !k.careful() {
		return false
	}
	k.asks = "It runs when you press the button."
	return true
}

// consent asks whether to run a policy that came with the scenario.
func (k *desk[I]) consent() app.UI {
	if k.asks == "" {
		return ui.None()
	}
	return app.P().Class("note").Role("status").DataSet("testid", "policy-consent").Body(
		ui.Icon("warning"),
		app.Span().Text("This scenario brings a policy of its own. "+k.asks),
		ui.Button("play", "Run it").Class("primary").DataSet("testid", "policy-run").OnClick(func(app.Context, app.Event) {
			for _, t := range k.texts() {
				k.asked[t.Text] = true
			}
			k.lab.Runs.Run()
		}),
	)
}

// difference compares the policy with the others of the result.
func (k *desk[I]) difference(t *policy.Text) app.UI {
	b := k.lab.Runs.shown
	if b == nil {
		return ui.None()
	}
	subjects := b.Report.Body.Subjects()
	mine := slices.Index(subjects, t.Name)
	if mine < 0 {
		return ui.None()
	}
	return app.Div().Class(k.lab.Form.Dimmed("policy-difference")).DataSet("testid", "policy-difference").Body(
		k.figuresTable(subjects, mine),
		k.partedList(subjects, mine),
	)
}

// figuresTable lists the main figures of all policies, with the differences from the
// policy in the editor.
func (k *desk[I]) figuresTable(subjects []string, mine int) app.UI {
	body := k.lab.Runs.shown.Report.Body
	columns := []ui.Column{{Name: k.lab.system.Kind.Subject}}
	figures := k.headline()
	for _, f := range figures {
		columns = append(columns, ui.Column{Name: ui.WithUnit(f.In(body, body), f.Unit), Title: f.About, Numeric: true})
	}
	rows := []ui.Row{}
	for _, i := range append([]int{mine}, slices.Delete(FirstOf(len(subjects)), mine, mine+1)...) {
		row := ui.Row{Cells: []ui.Cell{ui.Text(subjects[i])}}
		for _, f := range figures {
			was, is := f.Value(body, mine), f.Value(body, i)
			cell := underHeading(f.Form, is)
			if i != mine {
				if delta := DeltaOf(f.Form, was, is).Text; delta != "" {
					cell.Text += " (" + delta + ")"
				}
			}
			row.Cells = append(row.Cells, cell)
		}
		if i == mine {
			row.Class = "chosen"
		}
		rows = append(rows, row)
	}
	return &ui.Table{ID: k.lab.id("policy-standing"), TestID: "policy-standing", Caption: "Against " + subjects[mine], Rows: rows, Columns: columns}
}

// mostTelling limits the figures in figuresTable.
const mostTelling = 3

// headline returns the main figures of the system, at most mostTelling.
func (k *desk[I]) headline() (all []*figure.Figure) {
	for _, name := range k.lab.system.Kind.Headline {
		if f := figure.Named(k.lab.system.Kind.Figures, name); f != nil && len(all) < mostTelling {
			all = append(all, f)
		}
	}
	return all
}

// partedList lists the decisions in which the policy differs from another one.
func (k *desk[I]) partedList(subjects []string, mine int) app.UI {
	other := k.otherThan(subjects, mine)
	if other < 0 {
		return app.P().Class("hint").Text("Choose another " + k.lab.system.Kind.Subject + ", too, to see where they differ.")
	}
	id, known := k.lab.id("policy-against"), k.parted(mine, other)
	shown := known.Answer[:min(len(known.Answer), mostParted)]
	return app.Div().Body(
		ui.Field(id, "Decisions where "+subjects[mine]+" differs from", ui.Select(id, subjects[other], func(name string) { k.against = name },
			ui.Named(slices.Delete(slices.Clone(subjects), mine, mine+1))...)),
		app.If(known.Problem != "", func() app.UI { return app.P().Class("hint").Text(show.Capital(known.Problem) + ".") }),
		app.If(!known.Waits && known.Problem == "" && len(shown) == 0, func() app.UI { return app.P().Class("hint").Text("They decide alike.") }),
		app.Ul().Class("policy-parted").DataSet("testid", "policy-parted").Body(app.Range(shown).Slice(func(i int) app.UI {
			return app.Li().Body(app.Button().Type("button").Class("link").Title("Why?").Text(show.Words(fmt.Sprintf("%s: %s under %s, %s under %s", shown[i].Thing, shown[i].Under[0], subjects[mine], shown[i].Under[1], subjects[other]))).
				OnClick(func(app.Context, app.Event) { shown[i].Why() }, app.EventScope(known, i)))
		})),
		app.If(len(known.Answer) > len(shown), func() app.UI {
			return app.P().Class("hint").Text("And " + ui.Count(int64(len(known.Answer)-len(shown))) + " more.")
		}),
	)
}

// parted finds the decisions in which two subjects of the result differ. It waits until
// the batch is over.
func (k *desk[I]) parted(mine, other int) *Known[[]Parted] {
	b := k.lab.Runs.shown
	if !b.Over {
		return &Known[[]Parted]{Waits: true}
	}
	key := [4]any{"parted", b.Report, mine, other}
	return Once(k.lab, key, func() *Known[[]Parted] {
		find := k.lab.system.Parted(mine, other)
		return Know(k.lab, [2]any{"found", key}, func() ([]Parted, error) { return find(k.lab.Page) })
	})
}

// otherThan is the index of the policy to compare with the one in the editor; −1 for
// none.
func (k *desk[I]) otherThan(subjects []string, mine int) int {
	if i := slices.Index(subjects, k.against); i >= 0 && i != mine {
		return i
	}
	switch {
	case mine > 0:
		return 0
	case len(subjects) > 1:
		return 1
	}
	return -1
}
