package placementkind

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"berth/engine/dot"
	"berth/engine/event"
	"berth/engine/figure"
	"berth/engine/placement"
	"berth/engine/show"
	"berth/engine/stats"
)

// ExplainQuery asks about one step of the search for one deployment. Strategy and Deployment count
// from 0 as in the report; Step is an index into Order. If the search found no placement, the last
// valid step is the last one that it reached.
type ExplainQuery struct {
	Strategy   int
	Deployment int
	Step       int
	// Opens selects a default step: the last one if the search found no placement, and the first
	// one if Step is too large. The answer includes the step.
	Opens bool
}

// at returns the step of a solution that the query refers to.
func (q ExplainQuery) at(s placement.Solution) int {
	switch last := placement.Reached(s) - 1; {
	case !s.Complete() && len(s.Order) > 0 && (q.Opens || q.Step > last):
		return last
	case q.Opens && q.Step >= len(s.Order):
		return 0
	}
	return q.Step
}

// MatrixQuery asks for the matrix "CM" or "NAM" before a step.
type MatrixQuery struct {
	ExplainQuery
	Which string
}

// MatrixData has one row for each job, in search order, and one column for each cluster, labelled
// with DOT ids.
type MatrixData struct {
	Which   string
	Rows    []string
	Columns []string
	Values  []float64 `json:"-"` // in row-major order; some may be +Inf or NaN
}

// Attachment implements [scenario.Attached]. Each figure takes 8 bytes, little-endian.
func (m *MatrixData) Attachment() []byte {
	data, _ := binary.Append(nil, binary.LittleEndian, m.Values) // cannot fail for floats
	return data
}

// Attach implements [scenario.Attached].
func (m *MatrixData) Attach(data []byte) error {
	if len(data) != 8*len(m.Rows)*len(m.Columns) {
		return errors.New("the figures of the matrix are damaged")
	}
	m.Values = make([]float64, len(data)/8)
	_, err := binary.Decode(data, binary.LittleEndian, m.Values)
	return err
}

// PlayQuery asks for one step of the search for one deployment, including refusals and
// backtracking. A Step beyond the end means the last one.
type PlayQuery struct {
	Strategy   int
	Deployment int
	Step       int64
	// Past, 1 or −1, asks for the nearest step after or before Step that is not an immediate
	// refusal; 0 asks for Step itself.
	Past int
}

// question caches the deployment of the last question, because the next question is usually about
// the same deployment.
type question struct {
	strategy, deployment int
	problem              *placement.Problem
	playback             *placement.Playback // nil until a step is played
}

// Explain explains the job of one step in the run of the first seed.
func (e *Prepared) Explain(q ExplainQuery) (placement.Explanation, error) {
	problem, solution, err := e.solved(q.Strategy, q.Deployment)
	if err != nil {
		return placement.Explanation{}, err
	}
	return placement.Explain(problem, solution, e.document.phi(), q.at(solution))
}

// playback repeats the search of a strategy for a deployment in the run of the first seed.
func (e *Prepared) playback(ctx context.Context, strategy, deployment int) (*placement.Playback, error) {
	problem, _, err := e.solved(strategy, deployment)
	switch {
	case err != nil:
		return nil, err
	case e.jointly():
		return nil, errors.New("all deployments were placed at once, so no search of this one alone can be played")
	case e.before != nil && e.document.Keep:
		return nil, errors.New("the jobs were kept where they were if possible, so the strategy's own search cannot be played")
	case e.asked.playback != nil:
		return e.asked.playback, nil
	}
	s := e.document.Strategies[strategy]
	way, err := s.Strategy()
	if err != nil {
		return nil, err
	}
	b := placement.Play(ctx, way, problem, e.options(e.document.Seed))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case b == nil:
		return nil, fmt.Errorf("%s does not place job by job, so there are no steps to play: choose heuristic", s.Title())
	}
	e.asked.playback = b
	return b, nil
}

// Events returns the events of all searches that place job by job, for [event.CSV] and
// [event.Perfetto]; each step counts as one second. It returns an error if there are none.
func (e *Prepared) Events(ctx context.Context) (all []event.Run, err error) {
	for i, s := range e.document.Strategies {
		for k, d := range e.world.deployments {
			var b *placement.Playback
			if b, err = e.playback(ctx, i, k); err == nil {
				all = append(all, event.Run{Name: s.Title() + ": " + d.Name, Log: &b.Log, Names: b, Kinds: placement.Events, PerSecond: 1, End: b.Steps()})
			}
		}
	}
	if len(all) > 0 {
		err = ctx.Err()
	}
	return all, err
}

// Play returns one step of a search in the run of the first seed.
func (e *Prepared) Play(ctx context.Context, q PlayQuery) (placement.Played, error) {
	b, err := e.playback(ctx, q.Strategy, q.Deployment)
	if err != nil {
		return placement.Played{}, err
	}
	if q.Past != 0 {
		q.Step = b.Past(q.Step, q.Past)
	}
	return b.Step(max(0, min(q.Step, b.Steps()-1)))
}

// Matrix returns the matrix CM or NAM before a step.
func (e *Prepared) Matrix(q MatrixQuery) (*MatrixData, error) {
	problem, solution, err := e.solved(q.Strategy, q.Deployment)
	if err != nil {
		return nil, err
	}
	m := &MatrixData{Which: q.Which, Rows: make([]string, len(solution.Order))}
	switch q.Which {
	case "CM":
		m.Values, err = placement.CostMatrix(problem, solution, q.at(solution))
	case "NAM":
		m.Values, err = placement.AffinityMatrix(problem, solution, e.document.phi(), q.at(solution))
	default:
		err = fmt.Errorf("unknown matrix %q; known: CM, NAM", q.Which)
	}
	if err != nil {
		return nil, err
	}
	jobs, clusters := e.world.deployments[q.Deployment].Jobs(), e.world.federation.Clusters()
	for at, job := range solution.Order {
		m.Rows[at] = jobs.ID(int(job))
	}
	for j := range clusters.Len() {
		m.Columns = append(m.Columns, clusters.ID(j))
	}
	return m, nil
}

// meanAffinity returns the mean of the first row of a strategy's NAM: the affinity of the first job
// to all clusters. It is undefined if the NAM is too large.
func (e *Prepared) meanAffinity(strategy int) figure.Number {
	problem, solution, err := e.solved(strategy, 0)
	if err != nil || len(solution.Order) == 0 {
		return figure.Undefined
	}
	values, err := placement.AffinityMatrix(problem, solution, e.document.phi(), 0)
	if err != nil {
		return figure.Undefined
	}
	return figure.Number(stats.Mean(values[:len(values)/len(solution.Order)]))
}

// solved returns the problem of a deployment after the strategy's placements of the earlier
// deployments, and its solution.
func (e *Prepared) solved(strategy, deployment int) (*placement.Problem, placement.Solution, error) {
	if err := e.check(strategy, deployment); err != nil {
		return nil, placement.Solution{}, err
	}
	solutions := e.ran[strategy].solutions
	if a := e.asked; a.problem == nil || a.strategy != strategy || a.deployment != deployment {
		problem := e.alone(0)
		capacity := e.capacity()
		for i, s := range solutions[:deployment] {
			capacity.Commit(problem, s)
			problem = e.problem(i+1, capacity)
		}
		e.asked = question{strategy: strategy, deployment: deployment, problem: problem}
	}
	return e.asked.problem, solutions[deployment], nil
}

// check returns an error if there is no result for a strategy and a deployment; both count from 0.
func (e *Prepared) check(strategy, deployment int) error {
	switch {
	case e.report == nil:
		return errors.New("the scenario was not run yet")
	case strategy < 0 || strategy >= len(e.ran):
		return fmt.Errorf("there is no strategy %d: the scenario has %d, from 0", strategy, len(e.ran))
	case deployment < 0 || deployment >= len(e.world.deployments):
		return fmt.Errorf("there is no deployment %d: the scenario has %d, from 0", deployment, len(e.world.deployments))
	}
	return nil
}

// StandingQuery asks for the alternatives of a job's cluster. Strategy and Deployment count from 0,
// Job is a DOT id, or "" for all jobs.
type StandingQuery struct {
	Strategy, Deployment int
	Job                  string
}

// Standings has the alternatives for jobs of one deployment and the constraints that bind. All
// fields are nil without a placement.
type Standings struct {
	Explanations []placement.Standing
	Prices       []placement.Price   // of the binding capacities
	Bindings     []placement.Binding // the binding dependencies
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
