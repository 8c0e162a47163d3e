package placementkind

import (
	"berth/engine/placement"
	"berth/engine/placement/drawing"
)

// mostWeighed is the largest number of jobs for which an overview lists the measures that can be
// traded against cost.
const mostWeighed = 2000

// OverviewQuery asks for the figures of the first seed's result, with all deployments.
type OverviewQuery struct {
	Strategy int
}

// Overview returns the placement in figures.
func (e *Prepared) Overview(q OverviewQuery) (drawing.Overview, error) {
	placed, err := e.placed(q.Strategy, AllDeployments)
	if err != nil {
		return drawing.Overview{}, err
	}
	o := drawing.Overlook(e.world.federation.Federation, placed)
	if e.world.jobs() > mostWeighed {
		return o, nil
	}
	whole := e.wholeProblem()
	for _, m := range placement.Measures {
		if m != placement.Cost && whole.Lacks(m) == "" {
			o.Measures = append(o.Measures, string(m))
		}
	}
	return o, nil
}

// wholeProblem returns the problem of placing all deployments on the full capacity.
func (e *Prepared) wholeProblem() *placement.Problem {
	return placement.NewProblem(e.world.together(), placement.NewCapacity(e.world.federation.Federation, placement.CapacityOptions{}))
}
