package placementkind

import (
	"fmt"
	"io"
	"text/tabwriter"

	"berth/engine/dot"
	"berth/engine/placement"
	"berth/engine/plural"
	"berth/engine/scenario"
	"berth/engine/show"
)

// WriteText writes for each strategy a table of the deployments, and where the
// jobs of each went.
func (r *Report) WriteText(w io.Writer, t *scenario.Timings) {
	f := &r.Federation
	fmt.Fprintf(w, "federation %s: %s, %s", show.Text(f.Name), plural.Of(f.Clusters, "cluster"), plural.Of(f.Links, "link"))
	if f.Center != "" {
		fmt.Fprintf(w, ", a star around %s", show.Text(f.Center))
	}
	fmt.Fprintln(w)
	r.writePriceless(w)
	for i, s := range r.Strategies {
		fmt.Fprintf(w, "\nstrategy %s\n\n", s.Strategy)
		r.deploymentTable(w, s)
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

// writePriceless says that costs are not known, and what gives prices.
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

// WriteComparison writes one table of all strategies, with what each placed, how
// good that is and, where it is known, how long it took.
func (r *Report) WriteComparison(w io.Writer, timings *scenario.Timings) {
	r.writePriceless(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "strategy\tdeployment\tstatus\tnode cost\tlink cost\ttotal\tbound\tgap\tproved\texpansions\ttime\t\n")
	for k, s := range r.Strategies {
		var all float64
		for i, d := range s.Deployments {
			took := "–"
			if timings != nil {
				took = scenario.Digits(&timings.Placing[k][i]) + " ms"
				all += timings.Placing[k][i]
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t\n",
				s.Strategy, show.Text(d.Name), d.Status, scenario.Digits(d.Cost.Node), scenario.Digits(d.Cost.Link),
				scenario.Digits(d.Cost.Total), d.boundText(), d.gapText(d.Cost), d.Proved, d.Expansions, took)
		}
		if len(s.Deployments) > 1 {
			fmt.Fprintf(t, "%s\ttotal\t\t%s\t%s\t%s\t\t\t\t\t%s ms\t\n",
				s.Strategy, scenario.Digits(s.Total.Node), scenario.Digits(s.Total.Link), scenario.Digits(s.Total.Total), scenario.Digits(&all))
		}
	}
	t.Flush()
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
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "deployment\tjobs\tdependencies\tstatus\tnode cost\tlink cost\ttotal\tbound\tgap\tproved\tper unit\tper link\texpansions\tbacktracks\t\n")
	for i, d := range s.Deployments {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t\n",
			show.Text(d.Name), r.Deployments[i].Jobs, r.Deployments[i].Dependencies, d.Status,
			scenario.Digits(d.Cost.Node), scenario.Digits(d.Cost.Link), scenario.Digits(d.Cost.Total), d.boundText(), d.gapText(d.Cost), d.Proved, scenario.Digits(d.PerUnit), scenario.Digits(d.PerLink),
			d.Expansions, d.Backtracks)
	}
	fmt.Fprintf(t, "total\t\t\t\t%s\t%s\t%s\t\t\t\t\t\t\t\t\n", scenario.Digits(s.Total.Node), scenario.Digits(s.Total.Link), scenario.Digits(s.Total.Total))
	if m := s.Summary; m != nil {
		fmt.Fprintf(t, "mean of %d seeds\t\t\t%d placed\t%s\t%s\t%s\t\t\t\t%s\t%s\t%s\t%s\t\n", m.Runs, m.Placed,
			m.Node, m.Link, m.Total, m.PerUnit, m.PerLink,
			m.Expansions, m.Backtracks)
	}
	t.Flush()
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

// writeCore writes why what cannot be placed cannot.
func (c *Certificate) writeCore(w io.Writer) {
	if c.CoreText != "" {
		fmt.Fprintf(w, "  %s, since these cannot hold together:\n", show.Lines(c.CoreText))
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
