package placement

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/rule"
	"berth/engine/show"
)

// carrying is a job that the pointer carries to another cluster.
type carrying struct {
	id   string // of the job in the drawing; "" for none
	over string // of the cluster below it
}

// carry follows a carried job: what its place would cost is said before it is dropped,
// and where it is dropped a rule keeps it.
func (v *View) carry(_ app.Context, c chart.Carry) {
	deployment, job, ok := drawing.JobOf(c.ID)
	if !ok || v.result == nil {
		return
	}
	if c.Dropped {
		v.carried = carrying{}
		if at := v.picture.clusterOf(c.Over); at >= 0 {
			v.pinJob(v.jobID(deployment, job), v.picture.Overview.Clusters[at].ID)
		}
		return
	}
	v.carried = carrying{c.ID, c.Over}
}

func (v *View) jobID(deployment, job int) string {
	return v.result.report(v.shown).Deployments[deployment].Placement[job].Job
}

// carriedText words the consequence of dropping the carried job here.
func (v *View) carriedText() (text string, refused bool) {
	deployment, job, carried := drawing.JobOf(v.carried.id)
	if !carried {
		return "", false
	}
	run, strategy := v.result.at(v.shown)
	query := placementkind.StandingQuery{Strategy: strategy, Deployment: deployment, Job: v.jobID(deployment, job)}
	all, over := lab.KnowOf(v.Lab, run, placementkind.StandingQuestion, query).Answer, v.picture.clusterOf(v.carried.over)
	if over < 0 || all == nil || len(all.Explanations) != 1 {
		return "", false
	}
	s := &all.Explanations[0]
	cluster := &v.picture.Overview.Clusters[over]
	at := slices.IndexFunc(s.Moves, func(m placement.Move) bool { return m.Cluster == cluster.ID })
	if at < 0 {
		return "Stays on " + show.Text(cluster.Name), false
	}
	switch m := s.Moves[at]; {
	case m.Kind != "":
		return "Refused on " + show.Text(m.Name) + ": " + show.Words(m.Text), true
	case m.Change != nil:
		return fmt.Sprintf("On %s: %s", show.Text(m.Name), signed(*m.Change)), false
	default:
		return "On " + show.Text(m.Name), false
	}
}

// pinOf is the rule that keeps a job on a cluster.
func pinOf(job, cluster string) string {
	return rule.Rule{Verb: rule.Only, Jobs: []rule.Selector{{Value: job}}, Where: rule.Match{Attribute: rule.Cluster, Values: []string{cluster}}}.String()
}

// pinned is the place of the rule that keeps a job on a cluster, and which; −1 for none.
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

// pinJob has a rule keep a job on a cluster, or takes that rule away with "".
func (v *View) pinJob(job, cluster string) {
	at, now := pinned(v.Inputs.options.Rules, job)
	if now == cluster {
		return
	}
	name, text := "release "+job, ""
	if cluster != "" {
		name, text = "put "+job+" on "+cluster, pinOf(job, cluster)
	}
	v.Edit(name, func(in *inputs) {
		if at < 0 {
			at = len(in.options.Rules)
		}
		_ = setRule(in, at, text) // it is written by the package that reads it
	})
	shell.Announce(v.Page, show.Capital(name)+": a rule of the scenario. Undo takes it back.")
}

// moveTo puts the job that is explained on a cluster, for keys and fingers.
func (v *View) moveTo() app.UI {
	e := v.why.explanation
	if e == nil || v.result.jointly() {
		return app.Text("")
	}
	_, now := pinned(v.Inputs.options.Rules, e.Job)
	job, clusters := e.Job, v.picture.Overview.Clusters
	options := append([]app.UI{ui.Option("", "wherever it fits best")},
		ui.Options(len(clusters), func(i int) (value, text string) { return clusters[i].ID, clusters[i].Name })...)
	return app.Label().Class("move-to inline").Body(
		app.Span().Text("Keep it on"),
		ui.Select("move-to", now, func(cluster string) { v.pinJob(job, cluster) }, options...).Class("inline").DataSet("testid", "move-to"),
	)
}
