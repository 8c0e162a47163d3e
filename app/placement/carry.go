package placement

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/rule"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// carrying is a job that the user drags to another cluster.
type carrying struct {
	id   string // id of the job in the drawing; "" for none
	over string // id of the cluster under the pointer
}

// carry handles the drag of a job. While the user drags, carriedText shows the cost of the job on
// the cluster under the pointer. A drop adds a rule that keeps the job there.
func (v *View) carry(_ app.Context, c chart.Carry) {
	deployment, job, ok := drawing.JobOf(c.ID)
	if !ok || v.result == nil {
		return
	}
	if c.Dropped {
		v.carried = carrying{}
		at := v.picture.clusterOf(c.Over)
		switch {
		case at >= 0 && v.challenge.on():
			v.challenge.move(v.jobID(deployment, job), v.picture.Overview.Clusters[at].ID)
		case at >= 0:
			v.pinJob(v.jobID(deployment, job), v.picture.Overview.Clusters[at].ID)
		}
		return
	}
	v.carried = carrying{c.ID, c.Over}
}

func (v *View) jobID(deployment, job int) string {
	return v.result.report(v.shown).Deployments[deployment].Placement[job].Job
}

// carriedText describes the effect of dropping the carried job here: if the other jobs stay, in
// which case the cluster may refuse it, and if they may move.
func (v *View) carriedText() (texts [2]string, refused bool) {
	deployment, job, carried := drawing.JobOf(v.carried.id)
	over := v.picture.clusterOf(v.carried.over)
	if !carried || over < 0 {
		return texts, false
	}
	id, cluster := v.jobID(deployment, job), v.picture.Overview.Clusters[over]
	if v.challenge.on() {
		texts[0], refused = v.challenge.consequence(id, cluster)
		return texts, refused
	}
	if texts[0], refused = v.ifOthersStay(deployment, id, cluster); texts[0] != "" {
		texts[1] = v.outlook.ifOthersMove(v.carried.id, id, cluster.ID)
	}
	return texts, refused
}

// ifOthersStay describes the cost of a job on a cluster, or the reason why the cluster refuses it.
func (v *View) ifOthersStay(deployment int, job string, cluster drawing.ClusterUse) (text string, refused bool) {
	run, strategy := v.result.at(v.shown)
	query := placementkind.StandingQuery{Strategy: strategy, Deployment: deployment, Job: job}
	all := lab.KnowOf(v.Lab, run, placementkind.StandingQuestion, query).Answer
	if all == nil || len(all.Explanations) != 1 {
		return "", false
	}
	return moveText(all.Explanations[0].Moves, cluster, " with the others where they are")
}

// moveText describes the move of a job to a cluster. others describes the other jobs; it may be "".
func moveText(moves []placement.Move, cluster drawing.ClusterUse, others string) (text string, refused bool) {
	at := slices.IndexFunc(moves, func(m placement.Move) bool { return m.Cluster == cluster.ID })
	if at < 0 {
		return "Stays on " + show.Text(cluster.Name), false
	}
	switch m := &moves[at]; {
	case m.Kind != "":
		return "Refused on " + show.Text(m.Name) + ": " + strings.TrimSuffix(show.Words(m.Text)+","+others, ","), true
	case m.Change != nil:
		return fmt.Sprintf("On %s: %s%s", show.Text(m.Name), signed(*m.Change), others), false
	default:
		return "On " + show.Text(m.Name) + ":" + cmp.Or(others, " it fits"), false
	}
}

// outlookTime limits a run before a job is dropped.
const outlookTime = 2 * time.Second

// outlooks runs the inputs with a job on another cluster, as a drop there would. Only one run is
// under way at a time: a question during a run has no answer, and must be asked again later.
type outlooks struct {
	view    *View
	waits   bool
	chooses string // DOT id of the job in the focused select "Move to"
}

// outlook is the answer to a question; text is "" until it arrives.
type outlook struct {
	asked bool
	text  string
}

// ifOthersMove describes the placement if a job goes to a cluster and the others may move. element
// is the id of the job in the drawing.
func (o *outlooks) ifOthersMove(element, job, cluster string) string {
	v := o.view
	known := lab.Once(v.Lab, [3]any{"outlook", element, cluster}, func() *outlook { return &outlook{} })
	if known.asked || o.waits {
		return known.text
	}
	o.waits, known.asked = true, true
	in, shown := v.Inputs.Clone(), v.result.first.Hash
	in.pin(job, cluster)
	input := in.Input()
	input.Scenario.Body, input.Joined, input.Apart = input.Scenario.Body.One(0, 0), true, shown
	before := v.result.report(v.shown)
	lab.Ask(nil, v.Later, func() (*bridge.Result, error) {
		ctx, cancel := context.WithTimeout(v.Page, outlookTime)
		defer cancel()
		return v.Engine.Run(ctx, input, func(scenario.Progress) {})
	}, func(run *bridge.Result, err error) {
		o.waits = false
		known.text = "If others may move: " + outlookText(before, run, err, element)
	})
	return ""
}

// outlookText compares a run with the placement before it. It does not count element, the job that
// the user moves.
func outlookText(before *placementkind.StrategyReport, run *bridge.Result, err error, element string) string {
	if err != nil || run.Report.Partial {
		return "known when you let go"
	}
	after := &placementkind.ReportOf(run.Report).Strategies[0]
	if !complete(after) {
		return "no placement found"
	}
	others := len(slices.DeleteFunc(movedBetween(placementsOf(before), placementsOf(after)), func(id string) bool { return id == element }))
	text := "no other moves"
	if others > 0 {
		text = show.Count(others, "other") + show.Verb(others, " moves", " move")
	}
	if change := after.Total.Total - before.Total.Total; change.Defined() {
		text = signed(float64(change)) + ", " + text
	}
	return text
}

// pinOf is the rule that keeps a job on a cluster.
func pinOf(job, cluster string) string {
	return rule.Rule{Verb: rule.Only, Jobs: []rule.Selector{{Value: job}}, Where: rule.Match{Attribute: rule.Cluster, Values: []string{cluster}}}.String()
}

// pinned returns the index of the rule that keeps a job on a cluster, and the cluster; −1 if there
// is none.
func pinned(rules []string, job string) (at int, cluster string) {
	for i, text := range rules {
		all, err := rule.Parse(text)
		if err != nil || len(all) != 1 {
			continue
		}
		r := all[0]
		if r.Verb == rule.Only && r.Where.Attribute == rule.Cluster && len(r.Where.Values) == 1 && slices.Equal(r.Jobs, []rule.Selector{{Value: job}}) {
			return i, r.Where.Values[0]
		}
	}
	return -1, ""
}

// pin adds or changes the rule that keeps a job on a cluster, or removes it if cluster is "".
func (in *inputs) pin(job, cluster string) {
	at, _ := pinned(in.options.Rules, job)
	if at < 0 {
		at = len(in.options.Rules)
	}
	text := ""
	if cluster != "" {
		text = pinOf(job, cluster)
	}
	_ = setRule(in, at, text) // cannot fail: package rule wrote the text
}

// pinJob adds a rule that keeps a job on a cluster; for the cluster "" it removes the
// rule.
func (v *View) pinJob(job, cluster string) {
	if _, now := pinned(v.Inputs.options.Rules, job); now == cluster {
		return
	}
	name := "release " + job
	if cluster != "" {
		name = "put " + job + " on " + cluster
	}
	v.Edit(name, func(in *inputs) { in.pin(job, cluster) })
	shell.Announce(v.Page, show.Capital(name)+": a rule of the scenario. Undo takes it back.")
}

// moveTo draws a select that puts the explained job on a cluster, for users of a
// keyboard or a touch screen. While the select has the focus, it shows the consequences beside
// the name of each cluster.
func (v *View) moveTo() app.UI {
	e := v.why.explanation
	if e == nil || v.result.jointly() {
		return app.Text("")
	}
	_, now := pinned(v.Inputs.options.Rules, e.Job)
	job, clusters := e.Job, v.picture.Overview.Clusters
	options := append([]app.UI{ui.Option("", "wherever it fits best")},
		ui.Options(len(clusters), func(i int) (value, text string) {
			text = clusters[i].Name
			if v.outlook.chooses == job && len(clusters) <= manyClusters {
				text, _ = v.ifOthersStay(v.why.deployment, job, clusters[i])
				text = strings.TrimSpace(text + ". " + v.outlook.ifOthersMove(v.why.element, job, clusters[i].ID))
			}
			return clusters[i].ID, text
		})...)
	return app.Label().Class("move-to inline").Body(
		app.Span().Text("Move to"),
		ui.Select("move-to", now, func(cluster string) { v.pinJob(v.why.explanation.Job, cluster) }, options...).Class("inline").DataSet("testid", "move-to").
			OnFocus(func(app.Context, app.Event) { v.outlook.chooses = job }, app.EventScope(job)),
	)
}
