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

// ruling is the rule that is being typed.
type ruling struct {
	adding    bool     // an empty row stands behind the others
	completed []string // what the text may become
}

// mostCompleted is how many completions are offered at once.
const mostCompleted = 50

const ruleWords = "rule-words" // id of the completions

func ruleID(i int) string { return fmt.Sprintf("rule-%d", i) }

// rulesTable has a row for each rule of the scenario.
func (v *View) rulesTable() app.UI {
	n := len(v.Inputs.options.Rules)
	if v.ruling.adding {
		n++
	}
	return app.Div().Class("rules").DataSet("testid", "rules").Body(
		app.H3().Text("Rules"),
		app.Ul().Aria("label", "Rules").Body(app.Range(make([]struct{}, n)).Slice(func(i int) app.UI { return v.ruleRow(i) })),
		app.DataList().ID(ruleWords).Body(app.Range(v.ruling.completed).Slice(func(i int) app.UI {
			return app.Option().Value(v.ruling.completed[i])
		})),
		app.Div().Class("row").Body(ui.Button("plus", "Add a rule").DataSet("testid", "rule-add").
			Title("Such as: only region=eu; apart web-1 web-2 by zone; api: never cluster=us; at most 3 clusters").OnClick(func(app.Context, app.Event) { v.addRule() })),
	)
}

// ruleRow is the field of one rule, the button that removes it, and its error.
func (v *View) ruleRow(i int) app.UI {
	id, text := ruleID(i), ""
	label := fmt.Sprintf("rule %d", i+1)
	if i < len(v.Inputs.options.Rules) {
		text = v.Inputs.options.Rules[i]
	}
	field := v.Entry(id, label, app.Input().Type("text").Placeholder("only region=eu").Aria("label", show.Capital(label)).
		Attr("list", ruleWords).AutoComplete(false).Spellcheck(false).DataSet("testid", "rule-text"), text,
		func(in *inputs, text string) error {
			err := setRule(in, i, text)
			v.ruling.adding = v.ruling.adding && (err != nil || i < len(v.Inputs.options.Rules))
			return err
		})
	return app.Li().DataSet("testid", "rule-row").Body(
		app.Div().Class("row").Body(
			field.OnInput(func(ctx app.Context, _ app.Event) { v.completeRule(ctx.JSSrc().Get("value").String()) }, app.EventScope(id)),
			ui.IconButton("close", "Remove rule "+fmt.Sprint(i+1)).DataSet("testid", "rule-remove").
				OnClick(func(app.Context, app.Event) { v.removeRule(i) }, app.EventScope(id)),
		),
		v.WrongText(id),
	)
}

// setRule reads a rule and puts it in its place; an empty one goes.
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
		in.options.Rules = nil // as if there had been none
	}
	return nil
}

// addRule puts an empty row behind the others and the focus into it.
func (v *View) addRule() {
	v.ruling.adding = true
	v.completeRule("")
	ui.Focus(v.Page, ruleID(len(v.Inputs.options.Rules)))
}

func (v *View) removeRule(i int) {
	v.Forgive("rule-") // the rows behind it move up
	v.ruling.adding = false
	if i < len(v.Inputs.options.Rules) {
		v.Edit("remove “"+v.Inputs.options.Rules[i]+"”", func(in *inputs) { _ = setRule(in, i, "") })
	}
}

// completeRule offers completions of a rule.
func (v *View) completeRule(text string) {
	o := &v.picture.Overview
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
	v.ruling.completed = all[:min(len(all), mostCompleted)]
}
