package qoskind

import (
	"fmt"
	"io"

	"berth/engine/qos"
	"berth/engine/scenario"
	"berth/engine/show"
)

// WriteText implements [scenario.ReportBody].
func (r *Report) WriteText(w io.Writer, t *scenario.Timings) {
	for i := range r.Policies {
		p := &r.Policies[i]
		var took float64
		if t != nil {
			took = t.Running[i][0] / 1000
		}
		WritePolicy(w, p.Title, p.CommandFigures(took))
	}
	if r.paired != nil {
		r.paired.writeText(w, r)
	}
}

// WritePolicy writes the figures of one policy as a table of its classes.
func WritePolicy(w io.Writer, title string, p qos.CommandPolicy) {
	fmt.Fprintf(w, "%s: %s, %s, %s, %s", show.Text(title), show.Count(p.Requests, "request"), show.Count(p.Preemptions, "preemption"),
		show.Count(p.Passes, "pass"), show.Count(p.Operations, "operation"))
	if p.Seconds > 0 { // it was measured
		fmt.Fprintf(w, ", %.3f s", p.Seconds)
	}
	fmt.Fprintln(w)
	fmt.Fprintf(w, "  %-12s %9s %9s %8s %8s %8s %8s %12s\n", "class", "requests", "fulfilled", "mean", "p5", "p50", "min", "penalty")
	row := func(name string, f *qos.Figures) {
		a := &f.Availability
		fmt.Fprintf(w, "  %-12s %9d %9d %8.4f %8.4f %8.4f %8.4f %12.4f\n",
			show.Text(name), f.Requests, f.Fulfilled, a.Mean, a.P5, a.P50, a.Min, f.Penalty)
	}
	for i := range p.Classes {
		row(p.Classes[i].Name, &p.Classes[i].Figures)
	}
	row(p.All.Name, &p.All.Figures)
	p.Own.WriteText(w, "  ")
	controllersText(w, p.Controllers)
}

// controllersText writes a table of the controllers, if there are any.
func controllersText(w io.Writer, all []qos.ControllerReport) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(w, "  %-20s %-12s %-12s %-12s %9s %8s %12s %5s\n", "controller", "kind", "class", "measure", "instances", "SLO", "availability", "met")
	met := 0
	for _, c := range all {
		word := "no"
		if c.Met {
			word = "yes"
			met++
		}
		fmt.Fprintf(w, "  %-20s %-12s %-12s %-12s %9d %8.4g %12.4f %5s\n", show.Text(c.Name), c.Kind, show.Text(c.Class), c.Measure, c.Instances, c.SLO, c.Availability, word)
	}
	mean, _ := OfControllers(all)
	fmt.Fprintf(w, "  %s, %d of them with the SLO met, mean availability %.4f\n", show.Count(len(all), "controller"), met, mean)
}
