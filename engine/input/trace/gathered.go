package trace

import (
	"strings"

	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// gathered are jobs with several lines each in a file, in the order of their first lines.
type gathered struct {
	all []*row
	of  map[string]*row
}

// row returns the row of a job. It begins a row at the first line of the job.
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

// hand passes on the jobs. One that still runs does so until its last line.
func (g *gathered) hand(name string, remarks *workload.Remarks, do func(*row) error) error {
	for _, x := range g.all {
		x.stop(x.last)
		if err := x.check(remarks, do); err != nil {
			return diag.New(name, x.line, 1, diag.Invalid, err)
		}
	}
	return nil
}

// stop ends a run of a job, which may run several times.
func (x *row) stop(at sim.Nanoseconds) {
	if x.since.known {
		x.run, x.since = moment{x.run.at + at - x.since.at, true}, moment{}
	}
}
