package placement

import (
	"errors"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/rule"
	"berth/engine/show"
)

// ruling is the state of the rule that the user types.
type ruling struct {
	adding    bool     // an empty row is at the end
	completed []string // completions of the text
}

// mostCompleted limits the number of completions.
const mostCompleted = 50

const ruleWords = "rule-words" // id of the list of completions

func ruleID(i int) string { return fmt.Sprintf("rule-%d", i) }

func (f *forms) rulesTable() app.UI {
	n := len(f.view.Inputs.options.Rules)
	if f.ruling.adding {
		n++
	}
	return app.Div().Class("rules").DataSet("testid", "rules").Body(
		app.H3().Text("Rules"),
		app.Ul().Aria("label", "Rules").Body(app.Range(make([]struct{}, n)).Slice(func(i int) app.UI { return f.ruleRow(i) })),
		app.DataList().ID(ruleWords).Body(app.Range(f.ruling.completed).Slice(func(i int) app.UI {
			return app.Option().Value(f.ruling.completed[i])
		})),
		app.Div().Class("row").Body(ui.Button("plus", "Add a rule").DataSet("testid", "rule-add").
			Title("Such as: only region=eu; apart web-1 web-2 by zone; api: never cluster=us; at most 3 clusters").OnClick(func(app.Context, app.Event) { f.addRule() })),
	)
}

// ruleRow draws the field of a rule, the button that removes the rule, and its error.
func (f *forms) ruleRow(i int) app.UI {
	id, text := ruleID(i), ""
	label := fmt.Sprintf("rule %d", i+1)
	if i < len(f.view.Inputs.options.Rules) {
		text = f.view.Inputs.options.Rules[i]
	}
	field := f.view.Form.Entry(id, label, app.Input().Type("text").Placeholder("only region=eu").Aria("label", show.Capital(label)).
		Attr("list", ruleWords).AutoComplete(false).Spellcheck(false).DataSet("testid", "rule-text"), text,
		func(in *inputs, text string) error {
			err := setRule(in, i, text)
			f.ruling.adding = f.ruling.adding && (err != nil || i < len(f.view.Inputs.options.Rules))
			return err
		})
	return app.Li().DataSet("testid", "rule-row").Body(
		app.Div().Class("row").Body(
			field.OnInput(func(ctx app.Context, _ app.Event) { f.completeRule(ctx.JSSrc().Get("value").String()) }, app.EventScope(id)),
			ui.IconButton("close", "Remove rule "+fmt.Sprint(i+1)).DataSet("testid", "rule-remove").
				OnClick(func(app.Context, app.Event) { f.removeRule(i) }, app.EventScope(id)),
		),
		f.view.Form.WrongText(id),
	)
}

// setRule sets rule i, or appends it if there is no rule i. An empty text removes the rule. It
// refuses a text that is not a valid rule.
func setRule(in *inputs, i int, text string) error {
	_, err := rule.Parse(text)
	if wrong, ok := errors.AsType[*rule.Error](err); ok {
		return fmt.Errorf("at character %d: %s", wrong.Offset+1, wrong)
	}
	rules := in.options.Rules
	switch known := i < len(rules); {
	case text == "" && known:
		in.options.Rules = slices.Delete(rules, i, i+1)
	case text == "":
	case known:
		rules[i] = text
	default:
		in.options.Rules = append(rules, text)
	}
	if len(in.options.Rules) == 0 {
		in.options.Rules = nil // nil, as in inputs that never had a rule
	}
	return nil
}

// addRule appends an empty row and focuses it.
func (f *forms) addRule() {
	f.ruling.adding = true
	f.completeRule("")
	ui.Focus(f.view.Page, ruleID(len(f.view.Inputs.options.Rules)))
}

func (f *forms) removeRule(i int) {
	f.view.Form.Forgive("rule-") // the next rows move up and get other ids
	f.ruling.adding = false
	if i < len(f.view.Inputs.options.Rules) {
		f.view.Edit("remove “"+f.view.Inputs.options.Rules[i]+"”", func(in *inputs) { _ = setRule(in, i, "") })
	}
}

// completeRule offers completions of a text.
func (f *forms) completeRule(text string) {
	o := &f.view.picture.Overview
	words := rule.Words{OfJobs: o.OfJobs, OfCluster: slices.Clone(o.OfClusters)}
	for _, d := range o.Jobs {
		words.Jobs = append(words.Jobs, d.IDs...)
	}
	own := rule.Choices{Name: rule.Cluster}
	for _, c := range o.Clusters {
		own.Values = append(own.Values, c.ID)
	}
	words.OfCluster = append(words.OfCluster, own)
	all := rule.Complete(text, words)
	f.ruling.completed = all[:min(len(all), mostCompleted)]
}
