package placementkind

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/figure"
	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/table"
)

// WriteText writes for each strategy a table of the deployments and the clusters of their jobs.
func (r *Report) WriteText(w io.Writer, t *scenario.Timings) {
	f := &r.Federation
	fmt.Fprintf(w, "federation %s: %s, %s", show.Text(f.Name), show.Count(f.Clusters, "cluster"), show.Count(f.Links, "link"))
	if f.Center != "" {
		fmt.Fprintf(w, ", a star around %s", show.Text(f.Center))
	}
	fmt.Fprintln(w)
	r.writePriceless(w)
	r.writeUnhonoured(w)
	for i := range r.Strategies {
		s := &r.Strategies[i]
		fmt.Fprintf(w, "\nstrategy %s\n\n", s.Strategy)
		r.deploymentTable(w, s)
		own := s.Told()
		own.WriteText(w, "")
		s.writeJoint(w)
		if t != nil && len(r.Deployments) > 0 {
			r.writeTimes(w, t.Placing[i])
		}
		for _, d := range s.Deployments {
			placementTable(w, d)
		}
		clusterTable(w, s.Clusters)
		if s.WhatIf != nil {
			s.WhatIf.writeText(w)
		}
		if s.Front != nil {
			s.Front.writeText(w)
		}
	}
}

// writePriceless explains that costs are unknown, and how to provide prices.
func (r *Report) writePriceless(w io.Writer) {
	if unpriced := r.Federation.Unpriced; len(unpriced) > 0 {
		fmt.Fprintf(w, "cost unknown: %s. Give prices with --federation prices.dot, such as: graph { %s [cpu_cost=0.4]; }\n",
			show.Text(pricesMissing(unpriced)), dot.Quote(unpriced[0]))
	}
}

// writeTimes writes the search time of a strategy on one line. With several deployments, it adds
// the time of each and its time per unit, as in figures 6.8 and 6.9 of the thesis.
func (r *Report) writeTimes(w io.Writer, milliseconds []float64) {
	var took float64
	for _, each := range milliseconds {
		took += each
	}
	fmt.Fprintf(w, "\nsearched for %s ms", figure.Number(took).String())
	if len(milliseconds) > 1 {
		for i, each := range milliseconds {
			fmt.Fprintf(w, ", %s %s ms (%s a unit)", show.Text(r.Deployments[i].Name), figure.Number(each).String(), ratio(figure.Number(each), r.Deployments[i].Units))
		}
	}
	fmt.Fprintln(w)
}

// WriteComparison writes a table of all strategies for each deployment, with their figures and, if
// known, search times.
func (r *Report) WriteComparison(w io.Writer, timings *scenario.Timings) {
	r.writePriceless(w)
	if count := r.Unhonoured(); count != "" {
		fmt.Fprintln(w, count)
	}
	r.writeUnhonoured(w)
	took := func(strategy, deployment int) string {
		if timings == nil {
			return ""
		}
		return figure.Number(timings.Placing[strategy][deployment]).String()
	}
	compared := abreast(Labelled())
	for i := range r.Deployments {
		if i > 0 {
			fmt.Fprintln(w)
		}
		t := table.New(show.Text(r.Deployments[i].Name), append(labels("status", compared), "time, ms")...)
		for k := range r.Strategies {
			s := &r.Strategies[k]
			t.Add(s.Strategy, append(texts(string(s.Deployments[i].Status), compared, r.TallyOf(s, i)), took(k, i))...)
		}
		t.Write(w)
	}
	if len(r.Deployments) < 2 {
		return
	}
	fmt.Fprintln(w)
	compared = abreast(Labelled(OfCost))
	t := table.New("all deployments", labels("placed", compared)...)
	for k := range r.Strategies {
		all := r.Tally(&r.Strategies[k])
		t.Add(r.Strategies[k].Strategy, texts(fmt.Sprint(int(all.sum(isPlaced))), compared, all)...)
	}
	t.Write(w)
}

// abreast returns the figures that are not marked Aside.
func abreast(all []figure.Figure) []figure.Figure {
	return figure.Where(all, func(f *figure.Figure) bool { return !f.Aside })
}

// labels returns column headers: first, then the labels of figures.
func labels(first string, figures []figure.Figure) []string {
	all := []string{first}
	for _, f := range figures {
		all = append(all, f.Label)
	}
	return all
}

// texts returns a row: first, then the figures of a tally.
func texts(first string, figures []figure.Figure, t *Tally) []string {
	all := []string{first}
	for _, f := range figures {
		all = append(all, f.Text(t))
	}
	return all
}

// writeJoint writes the result of the joint placement.
func (s *StrategyReport) writeJoint(w io.Writer) {
	j := s.Joint
	if j == nil {
		return
	}
	fmt.Fprintf(w, "\nall at once: %s", j.Status)
	if j.Reason != "" {
		fmt.Fprintf(w, ": %s", j.Reason)
	}
	if j.Gap != nil && s.Total.Total.Defined() {
		fmt.Fprintf(w, "; %s", Certainty{Total: float64(s.Total.Total), Bound: *j.Bound, Proved: j.Proved == placement.ProvedOptimal})
	}
	fmt.Fprintf(w, "; one after the other: %d placed for %s", j.Placed, j.InOrder.Total)
	if j.OrderCosts.Defined() {
		fmt.Fprintf(w, "; the order costs %s", j.OrderCosts)
	}
	fmt.Fprintln(w)
	j.writeCore(w)
}

func (r *Report) deploymentTable(w io.Writer, s *StrategyReport) {
	figures := Labelled()
	sizes := 1 // number of columns up to the sizes
	for !figures[sizes-1].Aside {
		sizes++
	}
	line := func(cells []string, jobs, dependencies string) []string {
		return slices.Insert(cells, sizes, jobs, dependencies)
	}
	t := table.New("deployment", line(labels("status", figures), "jobs", "dependencies")...)
	for i := range s.Deployments {
		d, of := &s.Deployments[i], &r.Deployments[i]
		t.Add(show.Text(d.Name), line(texts(string(d.Status), figures, r.TallyOf(s, i)), fmt.Sprint(of.Jobs), fmt.Sprint(of.Dependencies))...)
	}
	if len(s.Deployments) > 1 {
		t.Add("total", texts("", abreast(Labelled(OfCost)), r.Tally(s))...)
	}
	if m := s.Summary; m != nil {
		means := []string{fmt.Sprintf("%d placed", m.Placed)}
		for _, f := range figures {
			text := ""
			if f.Key != "" {
				text = m.At(f.Key).String()
			}
			means = append(means, text)
		}
		t.Add(fmt.Sprintf("mean of %d seeds", m.Runs), line(means, "", "")...)
	}
	t.Write(w)
}

func placementTable(w io.Writer, d DeploymentReport) {
	fmt.Fprintln(w)
	if !d.Placed() {
		fmt.Fprintf(w, "%s: %s: %s\n", show.Text(d.Name), d.Status, d.Reason)
		d.writeCore(w)
		d.Plan.writeText(w)
		return
	}
	fmt.Fprintln(w, show.Text(d.Name))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "  job\tcluster\n")
	for _, a := range d.Placement {
		fmt.Fprintf(t, "  %s\t%s\n", show.Text(dot.Quote(a.Job)), show.Text(dot.Quote(a.Cluster)))
	}
	t.Flush()
	for i, line := range d.WouldLines() {
		if i > 0 {
			fmt.Fprint(w, "  ")
		}
		fmt.Fprintf(w, "  %s\n", line)
	}
}

func (c *Certificate) writeCore(w io.Writer) {
	if c.CoreText != "" {
		fmt.Fprintf(w, "  %s. Conflict set:\n", show.Lines(c.CoreText))
	}
	for _, member := range c.Core {
		fmt.Fprintf(w, "  %s\n", show.Text(member))
	}
}

func clusterTable(w io.Writer, clusters []ClusterState) {
	if clusters == nil {
		return
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "  cluster\tnodes\tfit\tleft\n")
	for i := range clusters {
		c := &clusters[i]
		fmt.Fprintf(t, "  %s\t%d\t%s\t%s\n", show.Text(dot.Quote(c.Cluster)), c.Nodes, c.Fit, c)
	}
	t.Flush()
}

// unbegun is the reason of a deployment that a stopped run did not try.
type unbegun struct{}

func (unbegun) String() string { return "stopped before it was placed" }

// Sentences describes the result of the first strategy: the number of placed jobs, the cost, and
// why others were not placed.
func (r *Report) Sentences() (headline string, details []string) {
	if len(r.Strategies) == 0 {
		return "", nil
	}
	text, why := r.Outcome(&r.Strategies[0])
	if cost := r.Strategies[0].Total.Total; cost.Defined() {
		text += " · cost " + show.Money(cost)
	}
	if why != "" {
		details = append(details, show.Capital(why)+".")
	}
	if count := r.Unhonoured(); count != "" {
		details = append(details, count)
	}
	return text + r.Unknown(&r.Strategies[0]), details
}

// Unknown returns a suffix for an outcome that explains why the cost is unknown; "" if the cost is
// known or nothing was placed.
func (r *Report) Unknown(s *StrategyReport) string {
	switch missing := r.Federation.Unpriced; {
	case len(missing) == 0 || !slices.ContainsFunc(s.Deployments, func(d DeploymentReport) bool { return d.Placed() }):
		return ""
	case len(missing) == r.Federation.Clusters:
		return "; cost unknown: no prices"
	default:
		return "; cost unknown: " + pricesMissing(missing)
	}
}

// Unhonoured describes how many input fields are not honoured; "" if there are none.
func (r *Report) Unhonoured() string {
	n := 0
	for i := range r.Deployments {
		n += len(r.Deployments[i].Unhonoured)
	}
	if n == 0 {
		return ""
	}
	return show.Grouped(n, "field") + " of the input " + show.Verb(n, "is", "are") + " not honoured."
}

// writeUnhonoured lists the input fields that are not honoured.
func (r *Report) writeUnhonoured(w io.Writer) {
	for i := range r.Deployments {
		for _, u := range r.Deployments[i].Unhonoured {
			fmt.Fprintln(w, "  "+show.Text(cmp.Or(u.File, r.Deployments[i].Name))+": "+u.String())
		}
	}
}

// pricesMissing names some of the clusters without prices.
func pricesMissing(ids []string) string {
	const most = 3
	text := "no prices of " + show.Joined(ids[:min(len(ids), most)], ", ", show.Text)
	if more := len(ids) - most; more > 0 {
		text += " and " + show.Grouped(more, "more cluster")
	}
	return text
}

// Outcome describes the result of a strategy with its first seed: how many jobs it placed, why it
// did not place the others, and what would help.
func (r *Report) Outcome(s *StrategyReport) (text, why string) {
	jobs, placed, all := 0, 0, 0
	var left *DeploymentReport
	for i := range s.Deployments {
		d, n := &s.Deployments[i], r.Deployments[i].Jobs
		all += n
		switch {
		case d.Placed():
			jobs += n
			placed++
		case left == nil:
			left = d
		}
	}
	if left != nil && len(s.Deployments) == 1 {
		return s.first() + "not placed: " + left.Status.Words(), left.why()
	}
	text = s.first() + fmt.Sprintf("placed %s of %s", show.Group(strconv.Itoa(jobs)), show.Grouped(all, "job"))
	if left == nil && s.Seeds < 2 && len(r.Federation.Unpriced) > 0 {
		text = "Placed all " + show.Grouped(all, "job")
		if all == 1 {
			text = "Placed the job"
		}
	}
	if len(s.Deployments) > 1 {
		text += fmt.Sprintf(", %d of %d deployments", placed, len(s.Deployments))
	}
	if left == nil {
		return text, ""
	}
	return "incomplete: " + text, "The first one not placed is " + show.Text(left.Name) + ": " + left.why()
}

// first returns a prefix that identifies the run if there were several; "" otherwise.
func (s *StrategyReport) first() string {
	if s.Seeds < 2 {
		return ""
	}
	return fmt.Sprintf("with the first of %d seeds ", s.Seeds)
}

// why returns the reason with a suggestion.
func (d *DeploymentReport) why() string {
	switch d.Status {
	case placement.BudgetExhausted:
		return d.Reason + "; more search steps may find one"
	case placement.Infeasible:
		if d.ByNodes {
			return clause(d.Reason)
		}
		return clause(d.Reason) + "; more capacity, or looser bounds on links, would help"
	}
	return d.Reason
}

// clause drops the full stop of a sentence, to embed it in another one.
func clause(sentence string) string { return strings.TrimSuffix(sentence, ".") }

// String describes the distance between the cost and its lower bound.
func (c Certainty) String() string {
	each := ""
	if c.Deployments > 1 {
		each = " for each deployment, given those before it"
	}
	switch {
	case c.Proved:
		return "proved optimal" + each
	case c.Bound > 0:
		return "lower bound " + show.Money(c.Bound) + ", " + c.Above() + each
	}
	return "lower bound " + show.Money(c.Bound)
}

// Above describes the largest possible distance above the lowest cost; "" if the bound is 0.
func (c Certainty) Above() string {
	if c.Bound <= 0 {
		return ""
	}
	return "at most " + c.Gap() + " above the cheapest possible"
}

// noGap is the gap, relative to the bound, that counts as rounding.
const noGap = 0.00005

// percent returns the gap in percent of the bound; undefined if the bound is 0.
func (c Certainty) percent() figure.Number {
	switch above := c.Total - c.Bound; {
	case above <= noGap*c.Bound:
		return 0
	case c.Bound <= 0:
		return figure.Undefined
	default:
		return figure.Number(100 * above / c.Bound)
	}
}

// Gap formats the gap between cost and bound, "–" if it is undefined.
func (c Certainty) Gap() string {
	gap := c.percent()
	if !gap.Defined() {
		return "–"
	}
	return show.Figure(float64(gap)) + "\u202f%"
}

// proof returns the common proof of all certificates, "in part" if they differ, "" without
// certificates.
func (t *Tally) proof() string {
	for _, p := range t.Proved {
		if p != t.Proved[0] {
			return "in part"
		}
	}
	if len(t.Proved) == 0 {
		return ""
	}
	return string(t.Proved[0])
}

// String formats the free capacity: "cpu 300, memory 1024, 12 % fragmented".
func (s *ClusterState) String() string {
	if s == nil {
		return "(gone)"
	}
	var parts []string
	for _, t := range graph.Labels(graph.Cluster) {
		if left, ok := s.Left[t.Name]; ok {
			parts = append(parts, t.Name+" "+figure.Number(left).String())
		}
	}
	if s.Fragmentation.Defined() {
		parts = append(parts, (100*s.Fragmentation).String()+" % fragmented")
	}
	return strings.Join(parts, ", ")
}

// mostNamed limits the islands, and the elements of each, that a message names.
const mostNamed = 5

// named lists the elements of islands: "a, b | c, d, e".
func named(elements *graph.Elements, islands [][]int) string {
	var texts []string
	for _, island := range islands[:min(len(islands), mostNamed)] {
		var names []string
		for _, i := range island[:min(len(island), mostNamed)] {
			names = append(names, show.Text(elements.Name(i)))
		}
		if more := len(island) - mostNamed; more > 0 {
			names = append(names, fmt.Sprintf("%d more", more))
		}
		texts = append(texts, strings.Join(names, ", "))
	}
	if more := len(islands) - mostNamed; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, " | ")
}

// The errors, warnings and notes about inputs.
var (
	onlyTotals     = &diag.Code{Name: "only-totals", Words: "the nodes of %s are unknown, only their total amounts: a job that fits in total may fit on no node"}
	amountsOfNone  = &diag.Code{Name: diag.IsMissing, Words: "no cluster says how much %s it has, which jobs request: add %s=... to the clusters, or add a file with the same ids that has it"}
	amountsOfSome  = &diag.Code{Name: diag.IsMissing, Words: "%s %s not say how much %s there is: no job that requests it goes there"}
	jobsOfNothing  = &diag.Code{Name: diag.IsMissing, Words: "no job says what it requests, so every cluster has room for all: add request=... to the jobs"}
	unknownCost    = &diag.Code{Name: diag.IsUnpriced, Words: "%s, so the cost of a placement is unknown: give a .dot with the same ids, such as: %s [cpu_cost=0.4]"}
	noNamespaces   = &diag.Code{Name: diag.IsNoNamespace, Words: "no file has the namespaces, and the affinity of a job chooses some by labels: their labels are taken to be none; get namespaces, too"}
	freePairs      = &diag.Code{Name: diag.IsNoLinks, Words: "no file has the links of %s of clusters: they cost nothing and allow every dependency; give a .dot with the same ids, such as: eu -- us [latency=80]"}
	notHonoured    = &diag.Code{Name: diag.IsNotHonoured, Words: "%s"}
	noEffect       = &diag.Code{Name: "choice-without-effect", Words: "no dependency between %s and %s is inferred: the choice for it has no effect"}
	withoutLatency = &diag.Code{Name: diag.IsNoLatency, Words: "%s without a latency: no path uses them"}
	clustersApart  = &diag.Code{Name: diag.IsApart, Words: "the clusters form %d groups without a link between them: %s"}
	jobsApart      = &diag.Code{Name: diag.IsApart, Words: "the jobs are in %d groups that do not depend on each other: %s"}
	paretoFigures  = &diag.Code{Name: diag.IsUnexpected, Words: "found %s; expected cost and one of %s"}
	tooManyGraphs  = &diag.Code{Name: diag.IsTooMany, Words: "more than %d graphs in all"}
	standsNowhere  = &diag.Code{Name: "unknown-cluster", Words: "%s: job %s stands on %s, which is no cluster of the federation"}
	noCost         = &diag.Code{Name: diag.IsMissing, Words: "found no cost of a deployment that is placed"}
	placedTwice    = &diag.Code{Name: diag.IsTwice, Words: "the job %q is placed twice"}
	partOfCost     = &diag.Code{Name: diag.IsMissing, Words: "found a part of a cost, expected node, link and total, or none of them"}
	placedRuns     = &diag.Code{Name: diag.IsCounts, Words: "of %d runs %d placed all and %d some"}
	noRunCosts     = &diag.Code{Name: diag.IsMissing, Words: "found no costs of runs that placed something"}
	otherRecipe    = &diag.Code{Name: diag.IsConflict, Words: "only the first file of a federation can be a recipe"}
	recipeAndFiles = &diag.Code{Name: diag.IsConflict, Words: "a generated federation cannot have other files"}
	ruleWrong      = &diag.Code{Name: diag.IsBadRule, Words: "at character %d: %s"}
	keepAndJoint   = &diag.Code{Name: diag.IsConflict, Words: "keep and joint exclude each other: leave out one of them"}
	keepNothing    = &diag.Code{Name: diag.IsMissing, Words: "needs a what-if, and there is none"}
	jobsTwice      = &diag.Code{Name: diag.IsConflict, Words: "the federation is an instance of the generalized assignment problem, which has the jobs too; expected no deployment"}
	noGraph        = &diag.Code{Name: diag.IsMissing, Words: `needs the text of a graph in "dot" or a "recipe"`}
	otherGenerator = &diag.Code{Name: diag.IsUnexpected, Words: "found %q, expected %q"}
)
