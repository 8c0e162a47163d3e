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

// pictureTime limits how long a result waits for its picture.
const pictureTime = time.Second

// compareBelow limits the estimated time of a comparison that starts without a click.
const compareBelow = 30 * time.Second

// begins returns the questions that a part answers with its run. The first part answers the
// questions about the leading strategy's picture and explanation and about inferred dependencies.
// Every part answers the question about the chosen cluster's nodes.
func (v *View) begins(b *lab.Batch[*inputs], p *lab.BatchRun) (all []bridge.Asked, lead lab.Leading) {
	if p == b.Parts[0] {
		v.searches.leaveSearches()
		if v.picture.deployment >= len(b.Inputs.deployments) {
			v.picture.deployment = placementkind.AllDeployments
		}
		if b.Inputs.alone() {
			return v.beginsAlone()
		}
		picture, seen := v.leadingPicture(), isDrawn(v.picture.pictureView())
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
	if v.nodes.hosts() != nil {
		all = append(all, bridge.Together(placementkind.NodesQuestion, placementkind.HostsQuery{Strategy: v.shown, Cluster: v.nodes.cluster}))
	}
	return all, lead
}

// beginsAlone asks why pods are pending, for inputs that consist only of dumps.
func (v *View) beginsAlone() ([]bridge.Asked, lab.Leading) {
	query := v.clusterAsk.clusterQuery(placementkind.AskPending)
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

// leadingPicture is the query for the first picture of the leading strategy, with no
// cluster expanded.
func (v *View) leadingPicture() placementkind.DrawQuery {
	query := v.picture.pictureQuery(0)
	query.Expand = nil
	if query.View == drawing.NeighboursView {
		query.Around = drawing.JobID(max(0, query.Deployment), 0)
	}
	return query
}

// lead returns the function that draws the picture and reads the explanation of the
// first strategy's result. All panes change at once if the picture takes less than
// pictureTime. If a large result shows figures first, the drawing follows later.
func (v *View) lead(query placementkind.DrawQuery, question whyQuestion, seen bool) lab.Leading {
	return func(ctx context.Context, first *bridge.Result) func() {
		ctx, cancel := context.WithTimeout(ctx, pictureTime)
		defer cancel()
		var drawn sketch
		o, err := v.picture.overviewOf(ctx, first, 0, overview{})
		if err == nil && seen {
			drawn, err = v.picture.drawn(ctx, query, o)
		}
		question.run = first
		if question.Deployment >= len(placementkind.ReportOf(first.Report).Strategies[0].Deployments) {
			question.Deployment, question.Step = 0, 0
		}
		why, whyErr := v.why.explain(question)
		return func() {
			v.picture.asked.Drop()
			v.picture.forget()
			v.picture.survey(o)
			v.picture.listJobs()
			if err == nil && seen && drawn.of.View == v.picture.pictureQuery(0).View {
				v.picture.showDrawing(drawn, nil)
			} else {
				v.picture.draw()
			}
			v.why.asked.Drop()
			v.why.explained(why, whyErr)
		}
	}
}

// arrive shows the results of a batch so far, compared with the pinned result.
func (v *View) arrive(b *lab.Batch[*inputs]) {
	if v.result == nil || v.result.Batch != b {
		v.result = &result{Batch: b, best: v.searches.foundBefore(b)}
		v.shown = 0
	}
	now, before := [2]*scenario.Report{b.Report, v.Pins.Pinned()}, v.picture.listed
	v.picture.listed = now
	if now[0] != before[0] {
		v.takeResults(v.result)
	}
	if now != before {
		v.picture.listJobs()
	}
	if v.Phase == lab.Done && v.searches.course == nil {
		v.searches.seekBest()
	}
}

// takeResults takes over the results of a batch so far.
func (v *View) takeResults(r *result) {
	r.first, r.all = r.Parts[0].Result, r.Parts[len(r.Parts)-1].Result
	r.Waits = r.all == nil && v.comparisonTime() > compareBelow
	if crowded := r.jobs() >= crowd; crowded != v.picture.crowded {
		v.picture.crowded, v.picture.chosen = crowded, ""
	}
	v.uploads.checked(r)
	v.play.wantPlayed()
	v.nodes.wantNodes()
}

// comparisonTime estimates the time of all strategies and seeds from the time of the first one. It
// ignores reading, because the graphs are read once for all.
func (v *View) comparisonTime() time.Duration {
	runs := 0
	all := v.result.Inputs.options.Strategies
	for i, s := range all {
		if improves(all[0].Name) && (i == 0 || !improves(s.Name)) {
			continue // the first one has run; strategies that do not improve are far quicker
		}
		runs += max(1, s.Seeds)
	}
	return time.Duration(runs) * searchTime(v.result.first, 0)
}

// blamed returns the id of the control that corrects a diagnostic, and the message
// there; "" for no control.
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
