package placementkind

import (
	"fmt"
	"io"
	"text/tabwriter"

	"berth/engine/dot"
	"berth/engine/placement"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/table"
)

// WriteText writes for each strategy a table of the deployments, and where the
// jobs of each went.
func (r *Report) WriteText(w io.Writer, t *scenario.Timings) {
	f := &r.Federation
	fmt.Fprintf(w, "federation %s: %s, %s", show.Text(f.Name), show.Count(f.Clusters, "cluster"), show.Count(f.Links, "link"))
	if f.Center != "" {
		fmt.Fprintf(w, ", a star around %s", show.Text(f.Center))
	}
	fmt.Fprintln(w)
	r.writePriceless(w)
	for i, s := range r.Strategies {
		fmt.Fprintf(w, "\nstrategy %s\n\n", s.Strategy)
		r.deploymentTable(w, s)
		own := s.Told()
		own.WriteText(w, "")
		s.writeJoint(w)
		if t != nil {
			r.writeTimes(w, t.Placing[i])
		}
		for _, d := range s.Deployments {
			placementTable(w, d)
		}
		clusterTable(w, s.Clusters)
		if s.WhatIf != nil {
			s.WhatIf.writeText(w)
		}
	}
}

// writePriceless says that costs are not known, and which flag gives prices.
func (r *Report) writePriceless(w io.Writer) {
	if unpriced := r.Federation.Unpriced; len(unpriced) > 0 {
		fmt.Fprintf(w, "cost unknown: %s. Give prices with --federation prices.dot, such as: graph { %s [cpu_cost=0.4]; }\n",
			show.Text(pricesMissing(unpriced)), dot.Quote(unpriced[0]))
	}
}

// writeTimes writes how long a strategy searched, and for each of several deployments
// and by its units, as figures 6.8 and 6.9 have it, all on one line.
func (r *Report) writeTimes(w io.Writer, milliseconds []float64) {
	var took float64
	for _, each := range milliseconds {
		took += each
	}
	fmt.Fprintf(w, "\nsearched for %s ms", scenario.Digits(&took))
	if len(milliseconds) > 1 {
		for i, each := range milliseconds {
			fmt.Fprintf(w, ", %s %s ms (%s a unit)", show.Text(r.Deployments[i].Name), scenario.Digits(&each), scenario.Digits(ratio(each, r.Deployments[i].Units)))
		}
	}
	fmt.Fprintln(w)
}

// WriteComparison writes a table of all strategies for each deployment: what each
// placed, how good that is and, where it is known, how long it took.
func (r *Report) WriteComparison(w io.Writer, timings *scenario.Timings) {
	r.writePriceless(w)
	took := func(strategy, deployment int) string {
		if timings == nil {
			return ""
		}
		return scenario.Digits(&timings.Placing[strategy][deployment])
	}
	for i := range r.Deployments {
		if i > 0 {
			fmt.Fprintln(w)
		}
		t := table.New(show.Text(r.Deployments[i].Name), "status", "node cost", "link cost", "total cost", "bound", "gap", "proved", "expansions", "time, ms")
		for k, s := range r.Strategies {
			d := &s.Deployments[i]
			t.Add(s.Strategy, append(costs(string(d.Status), d.Cost), d.boundText(), d.gapText(d.Cost), string(d.Proved), fmt.Sprint(d.Expansions), took(k, i))...)
		}
		t.Write(w)
	}
	if len(r.Deployments) < 2 {
		return
	}
	fmt.Fprintln(w)
	t := table.New("all deployments", "placed", "node cost", "link cost", "total cost")
	for _, s := range r.Strategies {
		placed := 0
		for i := range s.Deployments {
			if s.Deployments[i].Placed() {
				placed++
			}
		}
		t.Add(s.Strategy, costs(fmt.Sprint(placed), s.Total)...)
	}
	t.Write(w)
}

// costs are the cells of a status and a cost.
func costs(status string, c Cost) []string {
	return []string{status, scenario.Digits(c.Node), scenario.Digits(c.Link), scenario.Digits(c.Total)}
}

func (c *Certificate) boundText() string { return scenario.Digits(c.Bound) }

// gapText is of a placement that costs so much.
func (c *Certificate) gapText(cost Cost) string {
	if c.Bound == nil || cost.Total == nil {
		return "–"
	}
	return Certainty{Total: *cost.Total, Bound: *c.Bound}.Gap()
}

// writeJoint writes what placing all at once came to.
func (s *StrategyReport) writeJoint(w io.Writer) {
	j := s.Joint
	if j == nil {
		return
	}
	fmt.Fprintf(w, "\nall at once: %s", j.Status)
	if j.Reason != "" {
		fmt.Fprintf(w, ": %s", j.Reason)
	}
	if j.Gap != nil && s.Total.Total != nil {
		fmt.Fprintf(w, "; %s", Certainty{Total: *s.Total.Total, Bound: *j.Bound, Proved: j.Proved == placement.ProvedOptimal})
	}
	fmt.Fprintf(w, "; one after the other: %d placed for %s", j.Placed, scenario.Digits(j.InOrder.Total))
	if j.OrderCosts != nil {
		fmt.Fprintf(w, "; the order costs %s", scenario.Digits(j.OrderCosts))
	}
	fmt.Fprintln(w)
	j.writeCore(w)
}

func (r *Report) deploymentTable(w io.Writer, s StrategyReport) {
	t := table.New("deployment", "status", "node cost", "link cost", "total cost", "bound", "gap", "proved", "jobs", "dependencies",
		"per unit", "per link", "expansions", "backtracks")
	for i := range s.Deployments {
		d, of := &s.Deployments[i], &r.Deployments[i]
		t.Add(show.Text(d.Name), append(costs(string(d.Status), d.Cost), d.boundText(), d.gapText(d.Cost), string(d.Proved), fmt.Sprint(of.Jobs), fmt.Sprint(of.Dependencies),
			scenario.Digits(d.PerUnit), scenario.Digits(d.PerLink), fmt.Sprint(d.Expansions), fmt.Sprint(d.Backtracks))...)
	}
	if len(s.Deployments) > 1 {
		t.Add("total", costs("", s.Total)...)
	}
	if m := s.Summary; m != nil {
		t.Add(fmt.Sprintf("mean of %d seeds", m.Runs), fmt.Sprintf("%d placed", m.Placed), m.Node.String(), m.Link.String(), m.Total.String(),
			"", "", "", "", "", m.PerUnit.String(), m.PerLink.String(), m.Expansions.String(), m.Backtracks.String())
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
}

// writeCore writes why it cannot be placed.
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

// unbegun is the reason of what was not placed because the run was stopped.
type unbegun struct{}

func (unbegun) String() string { return "stopped before it was placed" }
