package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"berth/engine/dot"
	"berth/engine/placement"
	"berth/engine/plural"
	"berth/engine/scenario"
	"berth/engine/scenario/body"
	"berth/engine/show"
)

// text writes a report for people.
func text(r *scenario.Report) []byte {
	var b bytes.Buffer
	if r.Name != "" {
		fmt.Fprintf(&b, "%s\n\n", show.Text(r.Name))
	}
	switch {
	case r.Placement != nil:
		placementText(&b, r)
	case r.QoS != nil:
		for i := range r.QoS.Policies {
			p := &r.QoS.Policies[i]
			var took float64
			if r.Timings != nil {
				took = r.Timings.Running[i][0] / 1000
			}
			policyText(&b, p.Title, p.CommandFigures(took))
		}
	case r.Federate != nil && len(r.Federate.Points) > 0:
		sweepText(&b, r.Federate)
	case r.Federate != nil:
		var times [][]float64
		if r.Timings != nil {
			times = r.Timings.Running
		}
		federateText(&b, commandFederation(r.Federate, times))
	}
	for _, line := range r.Warnings {
		fmt.Fprintf(&b, "\nwarning: %s", show.Lines(line))
	}
	for _, line := range r.Notes {
		fmt.Fprintf(&b, "\nnote: %s", show.Lines(line))
	}
	fmt.Fprintf(&b, "\nscenario %s, results %s, engine %s\n", r.Scenario, r.Results, r.Engine)
	return b.Bytes()
}

// placementText writes for each strategy a table of the deployments, and where
// the jobs of each went.
func placementText(b *bytes.Buffer, r *scenario.Report) {
	p := r.Placement
	fmt.Fprintf(b, "federation %s: %s, %s", show.Text(p.Federation.Name), plural.Of(p.Federation.Clusters, "cluster"), plural.Of(p.Federation.Links, "link"))
	if p.Federation.Center != "" {
		fmt.Fprintf(b, ", a star around %s", show.Text(p.Federation.Center))
	}
	fmt.Fprintln(b)
	for i, s := range p.Strategies {
		fmt.Fprintf(b, "\nstrategy %s\n\n", s.Strategy)
		deploymentTable(b, p, s)
		if r.Timings != nil {
			fmt.Fprintf(b, "\nsearched for %s ms\n", sum(r.Timings.Placing[i]))
		}
		for _, d := range s.Deployments {
			placementTable(b, d)
		}
	}
}

func deploymentTable(w io.Writer, p *scenario.PlacementReport, s scenario.StrategyReport) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "deployment\tjobs\tdependencies\tstatus\tnode cost\tlink cost\ttotal\tper unit\tper link\texpansions\tbacktracks\t\n")
	for i, d := range s.Deployments {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t\n",
			show.Text(d.Name), p.Deployments[i].Jobs, p.Deployments[i].Dependencies, d.Status,
			figure(d.Cost.Node), figure(d.Cost.Link), figure(d.Cost.Total), figure(d.PerUnit), figure(d.PerLink),
			d.Expansions, d.Backtracks)
	}
	fmt.Fprintf(t, "total\t\t\t\t%s\t%s\t%s\t\t\t\t\t\n", figure(s.Total.Node), figure(s.Total.Link), figure(s.Total.Total))
	if m := s.Summary; m != nil {
		fmt.Fprintf(t, "mean of %d seeds\t\t\t%d placed\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", m.Runs, m.Placed,
			estimate(m.Node), estimate(m.Link), estimate(m.Total), estimate(m.PerUnit), estimate(m.PerLink),
			estimate(m.Expansions), estimate(m.Backtracks))
	}
	t.Flush()
}

func placementTable(w io.Writer, d scenario.DeploymentReport) {
	fmt.Fprintln(w)
	if d.Status != placement.Placed {
		fmt.Fprintf(w, "%s: %s: %s\n", show.Text(d.Name), d.Status, d.Reason)
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

// figure writes a figure with four significant digits, a dash for one that is
// not defined.
func figure(v *float64) string {
	switch {
	case v == nil:
		return "–"
	case *v >= 1000:
		return strconv.FormatFloat(*v, 'f', 1, 64)
	}
	return strconv.FormatFloat(*v, 'g', 4, 64)
}

func sum(x []float64) string {
	var total float64
	for _, v := range x {
		total += v
	}
	return figure(&total)
}

// estimate writes a mean with half the width of its 95 % confidence interval.
func estimate(e *body.Estimate) string {
	if e == nil {
		return "–"
	}
	if e.HalfWidth == nil {
		return figure(&e.Mean)
	}
	return figure(&e.Mean) + " ± " + figure(e.HalfWidth)
}
