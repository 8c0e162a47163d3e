package trace

import (
	"strings"

	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// gathered collects jobs of a file that has several lines for each job, in the order of their first
// lines.
type gathered struct {
	all []*row
	of  map[string]*row
}

// row returns the row of a job, creating it at the job's first line.
func (g *gathered) row(id string, line int) (*row, error) {
	x := g.of[id]
	switch {
	case x != nil:
		return x, nil
	case len(g.all) == maxRows:
		return nil, csv.FaultAt(0, diag.MoreThan, maxRows, "jobs")
	case g.of == nil:
		g.of = map[string]*row{}
	}
	x = &row{id: strings.Clone(id), line: line, fate: neverStarted}
	g.of[x.id], g.all = x, append(g.all, x)
	return x, nil
}

// hand completes the rows and passes them to do. A job that is still running at the end ends at its
// last line.
func (g *gathered) hand(name string, remarks *workload.Remarks, do func(*row) error) error {
	for _, x := range g.all {
		x.stop(x.last)
		if err := x.check(remarks, do); err != nil {
			return diag.New(name, x.line, 1, diag.Invalid, err)
		}
	}
	return nil
}

// stop ends the current run of a job, if any, and adds its length to the running time.
func (x *row) stop(at sim.Nanoseconds) {
	if x.since.known {
		x.run, x.since = moment{x.run.at + at - x.since.at, true}, moment{}
	}
}
