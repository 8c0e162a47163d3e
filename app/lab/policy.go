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
	What string
	Why  func()
}

// mostParted limits the decisions in the list.
const mostParted = 20

// desk is the state of the editor of policies.
type desk struct {
	name    string          // of the policy in the editor; "" for the first one
	remarks diag.List       // on the policies, by their files
	asked   map[string]bool // policy texts that the user wrote or agreed to run
	asks    string          // why the page asks before it runs a policy that the user has not agreed to; "" if it does not ask

	against string // the policy to compare with; "" for the first one
}

// texts are the policies among the inputs that are written as text.
func (l *Lab[I]) texts() []*policy.Text {
	s := l.Inputs.Input().Scenario
	return scenario.Texts(&s)
}

// written is the policy in the editor; nil for none.
func (l *Lab[I]) written() *policy.Text {
	texts := l.texts()
	if i := slices.IndexFunc(texts, func(t *policy.Text) bool { return t.Name == l.desk.name }); i >= 0 {
		return texts[i]
	}
	if len(texts) > 0 {
		return texts[0]
	}
	return nil
}

// careful reports whether the inputs have a policy that the user has not agreed to
// run.
func (l *Lab[I]) careful() bool {
	return slices.ContainsFunc(l.texts(), func(t *policy.Text) bool { return !l.desk.asked[t.Text] })
}

// blameTexts keeps the diagnostics about policies as remarks for the editor.
func (l *Lab[I]) blameTexts(err error) {
	files := map[string]bool{}
	for _, t := range l.texts() {
		files[t.File()] = true
	}
	if e, ok := errors.AsType[*bridge.Error](err); ok && e.Kind == bridge.TooMuch && l.careful() {
		l.desk.asks = e.Message
	}
	for _, d := range DiagnosticsOf(err) {
		if !files[d.File] {
			continue
		}
		d.Path = "" // path in the scenario; the editor shows the text itself
		l.desk.remarks = append(l.desk.remarks, d)
	}
}

// policyPanel is the panel for writing policies and comparing them with others.
func (l *Lab[I]) policyPanel() app.UI {
	if l.system.Parted == nil {
		return ui.None()
	}
	t := l.written()
	return app.Div().Class("policy-panel").ID(l.id("policy")).Body(
		app.H3().Text("Policy of your own"),
		l.consent(),
		l.templates(),
		app.If(t != nil, func() app.UI { return l.policyDesk(t) }),
	)
}

// templates is the select of templates for a new policy.
func (l *Lab[I]) templates() app.UI {
	options := []app.UI{ui.Option("", "Choose a template …")}
	for _, t := range policy.Templates {
		if t.Kind == l.system.Kind.Name {
			options = append(options, ui.Option(t.Name, t.Title()))
		}
	}
	id := l.id("policy-template")
	return app.Div().Class("checks").Body( // a single Tab stop, like the other choices
		ui.Field(id, "Write a policy, starting from", ui.Select(id, "", l.beginWith, options...).DataSet("testid", "policy-template")))
}

// beginWith adds a policy made from a template.
func (l *Lab[I]) beginWith(template string) {
	i := slices.IndexFunc(policy.Templates, func(t policy.Template) bool { return t.Kind == l.system.Kind.Name && t.Name == template })
	if i < 0 {
		return
	}
	t := policy.Templates[i].Text(l.unusedPolicy())
	l.desk.asked[t.Text] = true
	l.desk.name = t.Name
	l.Edit("write "+t.Name, func(in I) { in.PutText("", &t) })
}

// unusedPolicy is a name that no policy has yet.
func (l *Lab[I]) unusedPolicy() string {
	name := "mine"
	for n := 2; l.taken(name); n++ {
		name = fmt.Sprintf("mine-%d", n)
	}
	return name
}

func (l *Lab[I]) taken(name string) bool {
	return slices.Contains(l.system.BuiltIn, name) || slices.ContainsFunc(l.texts(), func(t *policy.Text) bool { return t.Name == name })
}

// policyDesk draws the editor of a policy with its errors, and the comparison below
// it.
func (l *Lab[I]) policyDesk(t *policy.Text) app.UI {
	id := l.id("policy-editor")
	name := l.Field(l.id("policy-name"), "Name", app.Input().Type("text").MaxLength(policy.MaxName), t.Name, l.rename(*t))
	return app.Div().Body(
		app.Div().Class("policy-head").Body(
			l.textChoice(t), name,
			ui.IconButton("trash", "Remove the policy "+t.Name).OnClick(func(app.Context, app.Event) {
				l.Edit("remove "+t.Name, func(in I) { in.PutText(t.Name, nil) })
			}, app.EventScope(t.Name)),
		),
		l.WrongText(l.id("policy-name")),
		&ui.Editor{ID: id, TestID: "policy-editor", MessagesID: "policy-errors", Label: t.File(), FileName: t.File(), Text: t.Text,
			Diagnostics: l.desk.remarks.Of(t.File()), OnChange: func(_ app.Context, text string) { l.typePolicy(text) }},
		l.policyDifference(t),
	)
}

// textChoice is the select of the policy to edit, if there are several.
func (l *Lab[I]) textChoice(shown *policy.Text) app.UI {
	texts := l.texts()
	return app.If(len(texts) > 1, func() app.UI {
		options := ui.Options(len(texts), func(i int) (value, text string) { return texts[i].Name, texts[i].Name })
		id := l.id("policy-shown")
		return ui.Field(id, "Policy", ui.Select(id, shown.Name, func(name string) { l.desk.name = name }, options...))
	})
}

// rename returns the setter of a policy's name.
func (l *Lab[I]) rename(t policy.Text) Setter[I] {
	return func(in I, name string) error {
		old := t.Name
		t.Name = name
		if err := t.Check(); err != nil {
			return err
		}
		if name != old && l.taken(name) {
			return errors.New("another policy is called " + name)
		}
		in.PutText(old, &t)
		l.desk.name = name
		return nil
	}
}

// typePolicy puts the edited text into the inputs.
func (l *Lab[I]) typePolicy(text string) {
	old := l.written()
	if old == nil {
		return
	}
	t := *old
	t.Text = text
	l.desk.asked[text] = true
	l.Change("typing in "+t.Name, func(in I) { in.PutText(t.Name, &t) })
	l.Edited(0) // the editor waited already
}

// asksFirst reports whether a run must wait for a click: in a frame of another page
// no written policy runs by itself.
func (l *Lab[I]) asksFirst() bool {
	if !shell.Embedded() || !l.careful() {
		return false
	}
	l.desk.asks = "It runs when you press the button."
	return true
}

// consent asks whether to run a policy that came with the scenario.
func (l *Lab[I]) consent() app.UI {
	if l.desk.asks == "" {
		return ui.None()
	}
	return app.P().Class("note").Role("status").DataSet("testid", "policy-consent").Body(
		ui.Icon("warning"),
		app.Span().Text("This scenario brings a policy of its own. "+l.desk.asks),
		ui.Button("play", "Run it").Class("primary").DataSet("testid", "policy-run").OnClick(func(app.Context, app.Event) {
			for _, t := range l.texts() {
				l.desk.asked[t.Text] = true
			}
			l.Run()
		}),
	)
}

// policyDifference compares the policy with the others of the result.
func (l *Lab[I]) policyDifference(t *policy.Text) app.UI {
	b := l.shownBatch
	if b == nil {
		return ui.None()
	}
	subjects := b.Report.Body.Subjects()
	mine := slices.Index(subjects, t.Name)
	if mine < 0 {
		return ui.None()
	}
	return app.Div().Class(l.Dimmed("policy-difference")).DataSet("testid", "policy-difference").Body(
		l.figuresTable(subjects, mine),
		l.partedList(subjects, mine),
	)
}

// figuresTable lists the main figures of all policies, with the differences from the
// policy in the editor.
func (l *Lab[I]) figuresTable(subjects []string, mine int) app.UI {
	body := l.shownBatch.Report.Body
	columns := []ui.Column{{Name: l.system.Kind.Subject}}
	figures := l.headline()
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
	return &ui.Table{ID: l.id("policy-standing"), TestID: "policy-standing", Caption: "Against " + subjects[mine], Rows: rows, Columns: columns}
}

// mostTelling limits the figures in figuresTable.
const mostTelling = 3

// headline returns the main figures of the system, at most mostTelling.
func (l *Lab[I]) headline() (all []*figure.Figure) {
	for _, name := range l.system.Kind.Headline {
		if f := figure.Named(l.system.Kind.Figures, name); f != nil && len(all) < mostTelling {
			all = append(all, f)
		}
	}
	return all
}

// partedList lists the decisions in which the policy differs from another one.
func (l *Lab[I]) partedList(subjects []string, mine int) app.UI {
	other := l.otherThan(subjects, mine)
	if other < 0 {
		return app.P().Class("hint").Text("Choose another " + l.system.Kind.Subject + ", too, to see where they differ.")
	}
	id, known := l.id("policy-against"), l.parted(mine, other)
	shown := known.Answer[:min(len(known.Answer), mostParted)]
	return app.Div().Body(
		ui.Field(id, "Decisions where "+subjects[mine]+" differs from", ui.Select(id, subjects[other], func(name string) { l.desk.against = name },
			ui.Named(slices.Delete(slices.Clone(subjects), mine, mine+1))...)),
		app.If(known.Problem != "", func() app.UI { return app.P().Class("hint").Text(show.Capital(known.Problem) + ".") }),
		app.If(!known.Waits && known.Problem == "" && len(shown) == 0, func() app.UI { return app.P().Class("hint").Text("They decide alike.") }),
		app.Ul().Class("policy-parted").DataSet("testid", "policy-parted").Body(app.Range(shown).Slice(func(i int) app.UI {
			return app.Li().Body(app.Button().Type("button").Class("link").Title("Why?").Text(show.Words(shown[i].What)).
				OnClick(func(app.Context, app.Event) { shown[i].Why() }, app.EventScope(known, i)))
		})),
		app.If(len(known.Answer) > len(shown), func() app.UI {
			return app.P().Class("hint").Text("And " + ui.Count(int64(len(known.Answer)-len(shown))) + " more.")
		}),
	)
}

// parted are the decisions in which two subjects of the result differ, once it is whole.
func (l *Lab[I]) parted(mine, other int) *Known[[]Parted] {
	b := l.shownBatch
	if !b.Over {
		return &Known[[]Parted]{Waits: true}
	}
	key := [4]any{"parted", b.Report, mine, other}
	return Once(l, key, func() *Known[[]Parted] {
		find := l.system.Parted(mine, other)
		return Know(l, [2]any{"found", key}, func() ([]Parted, error) { return find(l.Page) })
	})
}

// otherThan is the index of the policy to compare with the one in the editor; −1 for
// none.
func (l *Lab[I]) otherThan(subjects []string, mine int) int {
	if i := slices.Index(subjects, l.desk.against); i >= 0 && i != mine {
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
