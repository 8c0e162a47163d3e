package placementkind

import (
	"berth/engine/placement"
	"berth/engine/placement/drawing"
)

// mostWeighed is of how many jobs an overview says what can be weighed against cost.
const mostWeighed = 2000

// OverviewQuery asks for the figures of the run of the first seed, of all
// deployments.
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
	if e.jobs() > mostWeighed {
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

// wholeProblem is to place all deployments on all that there is.
func (e *Prepared) wholeProblem() *placement.Problem {
	return placement.NewProblem(e.world.together(), placement.NewCapacity(e.world.federation.Federation, placement.CapacityOptions{}))
}
