package placementkind

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"berth/engine/dot"
	"berth/engine/figure"
	"berth/engine/placement"
	"berth/engine/show"
)

// StandingQuery asks for the alternatives of a job's cluster. Strategy and Deployment count from 0,
// Job is a DOT id, or "" for all jobs.
type StandingQuery struct {
	Strategy, Deployment int
	Job                  string
}

// Standings has the alternatives for jobs of one deployment and the constraints that bind. All
// fields are nil without a placement.
type Standings struct {
	Explanations []placement.Standing `json:"explanations"`
	Prices       []placement.Price    `json:"prices"`   // of the binding capacities
	Bindings     []placement.Binding  `json:"bindings"` // the binding dependencies
}

// Standing answers a query. An unknown job gets no explanation.
func (e *Prepared) Standing(ctx context.Context, q StandingQuery) (*Standings, error) {
	problem, solution, err := e.solved(q.Strategy, q.Deployment)
	if err != nil {
		return nil, err
	}
	s := &Standings{}
	if !solution.Complete() {
		return s, nil
	}
	if err := e.env.Affords(placement.PairMemory(problem.Deployment(), e.world.federation.Federation)); err != nil {
		return nil, err
	}
	why, err := placement.NewStander(problem, solution)
	if err != nil {
		return nil, err
	}
	for job := range problem.Deployment().Jobs().Len() {
		if q.Job != "" && problem.Deployment().Jobs().ID(job) != q.Job {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.Explanations = append(s.Explanations, why.Standing(job))
	}
	s.Prices, s.Bindings = problem.Prices(ctx), why.Bindings()
	return s, ctx.Err()
}

// Standings explains one job (or all if job is "") for every strategy and deployment. found is
// false if no deployment has the job.
func (e *Prepared) Standings(ctx context.Context, job string) (all [][]*Standings, found bool, err error) {
	for k := range e.document.Strategies {
		var one []*Standings
		for i, d := range e.world.deployments {
			_, has := d.Job(job)
			found = found || has || job == ""
			s, err := e.Standing(ctx, StandingQuery{Strategy: k, Deployment: i, Job: job})
			if err != nil {
				return nil, found, err
			}
			one = append(one, s)
		}
		all = append(all, one)
	}
	return all, found, nil
}

// WriteText writes a paragraph and a table for each job, followed by the prices.
func (s *Standings) WriteText(w io.Writer) {
	for _, job := range s.Explanations {
		fmt.Fprintf(w, "\n%s is on %s", show.Text(dot.Quote(job.Job)), show.Text(dot.Quote(job.Cluster)))
		if job.Cost != nil {
			fmt.Fprintf(w, " for %s", figure.From(job.Cost))
		}
		fmt.Fprintln(w)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprint(t, "  elsewhere\tcost\tchange\t\n")
		for _, m := range job.Moves {
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", show.Text(dot.Quote(m.Cluster)), figure.From(m.Cost), figure.From(m.Change), show.Text(m.Text))
		}
		t.Flush()
		if x := job.Swap; x != nil {
			fmt.Fprintf(w, "  the best swap, with %s on %s, changes the total by %s\n", show.Text(dot.Quote(x.With)), show.Text(dot.Quote(x.Cluster)), figure.Number(x.Change).String())
		}
	}
	for i, p := range s.Prices {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "one more unit of %s in %s is worth %s\n", p.Resource, show.Text(dot.Quote(p.Cluster)), figure.Number(p.Price).String())
	}
	for _, b := range s.Bindings {
		fmt.Fprintf(w, "%s between %s and %s of %s %s instead of %s is worth %s: %s could move to %s\n", b.What,
			show.Text(dot.Quote(b.Jobs[0])), show.Text(dot.Quote(b.Jobs[1])), figure.Number(b.Needed).String(), b.Unit, figure.Number(b.Bound).String(),
			figure.Number(b.Saves).String(), show.Text(dot.Quote(b.Job)), show.Text(dot.Quote(b.Cluster)))
	}
}
