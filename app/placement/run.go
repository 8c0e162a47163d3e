package placement

import (
	"context"
	"slices"
	"strings"
	"time"

	"berth/app/lab"
	"berth/engine/diag"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// pictureTime is how long a result waits for its picture.
const pictureTime = time.Second

// compareBelow is how long a comparison may take to start by itself.
const compareBelow = 30 * time.Second

// begins asks for the pictures and explanations that a part shows first: of the leading strategy
// its picture and explanation, and of every part the inferred dependencies and the open nodes.
func (v *View) begins(b *lab.Batch[*inputs], p *lab.BatchRun) (all []bridge.Asked, lead lab.Leading) {
	if p == b.Parts[0] {
		v.giveWayTo(b.Inputs)
		if b.Inputs.alone() {
			return v.beginsAlone()
		}
		picture, seen := v.leadingPicture(), isDrawn(v.pictureView())
		why := whyQuestion{tab: v.why.tab, ExplainQuery: placementkind.ExplainQuery{Deployment: v.why.deployment, Step: v.why.step, Opens: true}}
		lead = v.lead(picture, why, seen)
		all = append(all, bridge.Together(placementkind.OverviewQuestion, placementkind.OverviewQuery{}))
		if seen {
			all = append(all, bridge.Together(placementkind.DrawQuestion, picture))
		}
		all = append(all, why.together()...)
		if slices.ContainsFunc(b.Inputs.deployments, beyond) {
			all = append(all, bridge.Together(placementkind.InferredQuestion, struct{}{}))
		}
	}
	if v.hosts() != nil {
		all = append(all, bridge.Together(placementkind.NodesQuestion, placementkind.HostsQuery{Strategy: v.shown, Cluster: v.nodes.cluster}))
	}
	return all, lead
}

// beginsAlone asks files of nodes why pods are pending.
func (v *View) beginsAlone() ([]bridge.Asked, lab.Leading) {
	query := v.clusterQuery(placementkind.AskPending)
	return []bridge.Asked{bridge.Together(placementkind.ClusterQuestion, query)}, func(ctx context.Context, first *bridge.Result) func() {
		answer, err := bridge.Ask(ctx, v.Engine, first, placementkind.ClusterQuestion, query)
		return func() {
			v.why.asked.Drop()
			v.picture.asked.Drop()
			v.picture.problem, v.picture.sketch, v.why.whyAnswer = "", sketch{}, whyAnswer{}
			v.picture.survey(overview{})
			v.clusterAsk.asked.Drop()
			v.clusterAsk.begin(first, query)
			v.clusterAsk.take(answer, err)
		}
	}
}

// giveWayTo ends the searches from other inputs, and shows all deployments if the shown one
// is gone.
func (v *View) giveWayTo(in *inputs) {
	v.leaveSearches()
	if v.picture.deployment >= len(in.deployments) {
		v.picture.deployment = placementkind.AllDeployments
	}
}

// leadingPicture is the picture of the strategy that leads, before its reader opens
// anything in it.
func (v *View) leadingPicture() placementkind.DrawQuery {
	query := v.pictureQuery(0)
	query.Expand = nil
	if query.View == drawing.NeighboursView {
		query.Around = drawing.JobID(max(0, query.Deployment), 0)
	}
	return query
}

// lead draws the picture and reads the explanation of the first strategy's result: all
// panes change at once where the picture is quick. A drawing behind figures of a large
// result comes after them.
func (v *View) lead(query placementkind.DrawQuery, question whyQuestion, seen bool) lab.Leading {
	return func(ctx context.Context, first *bridge.Result) func() {
		ctx, cancel := context.WithTimeout(ctx, pictureTime)
		defer cancel()
		var drawn sketch
		o, err := v.overviewOf(ctx, first, 0, overview{})
		if err == nil && seen {
			drawn, err = v.sketch(ctx, query, o)
		}
		question.run = first
		if question.Deployment >= len(placementkind.ReportOf(first.Report).Strategies[0].Deployments) {
			question.Deployment, question.Step = 0, 0
		}
		why, whyErr := v.explain(question)
		return func() {
			v.picture.asked.Drop()
			v.picture.forget()
			v.picture.survey(o)
			v.listJobs()
			if err == nil && seen && drawn.of.View == v.pictureQuery(0).View {
				v.showDrawing(drawn, nil)
			} else {
				v.draw()
			}
			v.why.asked.Drop()
			v.explained(why, whyErr)
		}
	}
}

// arrive shows a batch as far as it has arrived, beside the pinned result.
func (v *View) arrive(b *lab.Batch[*inputs]) {
	if v.result == nil || v.result.Batch != b {
		v.result = &result{Batch: b, best: v.foundBefore(b)}
		v.shown = 0
	}
	now, before := [2]*scenario.Report{b.Report, v.Pinned()}, v.picture.listed
	v.picture.listed = now
	if now[0] != before[0] {
		v.takeResults(v.result)
	}
	if now != before {
		v.listJobs()
	}
	if v.Phase == lab.Done && v.course == nil {
		v.seekBest()
	}
}

// takeResults takes over what there is of a batch.
func (v *View) takeResults(r *result) {
	r.first, r.all = r.Parts[0].Result, r.Parts[len(r.Parts)-1].Result
	r.Waits = r.all == nil && v.comparisonTime() > compareBelow
	if crowded := r.jobs() >= crowd; crowded != v.picture.crowded {
		v.picture.crowded, v.picture.chosen = crowded, ""
	}
	v.checked(r)
	v.wantPlayed()
	v.wantNodes()
}

// comparisonTime guesses how long all strategies and seeds take from how long
// the first one took. The graphs are read once for all of them.
func (v *View) comparisonTime() time.Duration {
	runs := 0
	all := v.result.Inputs.options.Strategies
	for i, s := range all {
		if improves(all[0].Name) && (i == 0 || !improves(s.Name)) {
			continue // that is done, and the others are far quicker
		}
		runs += max(1, s.Seeds)
	}
	return time.Duration(runs) * searchTime(v.result.first, 0)
}

// blamed maps a diagnostic to the control that corrects it, and the message there.
func (v *View) blamed(d diag.Diagnostic) (id, text string) {
	switch at, rule := strings.CutPrefix(d.Path, "placement.rules["); {
	case rule:
		id = "rule-" + strings.TrimSuffix(at, "]")
	case strings.HasPrefix(d.Path, "placement.whatIf"), d.Path == "placement.keep":
		id = whatIfID
	case d.Path == "placement.pools":
		id = poolsID
	}
	return id, show.Capital(d.Message()) + "."
}
