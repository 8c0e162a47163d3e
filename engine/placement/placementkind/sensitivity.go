package placementkind

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sort"
	"strings"

	"berth/engine/figure"
	"berth/engine/placement"
)

// Sizes up to which sensitivities are computed: the heuristic runs again for each input.
const (
	maxSensitiveClusters = 50
	maxSensitiveJobs     = 200
)

// sensitiveFactor is the factor by which each input is multiplied and divided.
const sensitiveFactor = 1.25

// Sensitivity is the effect of one input on the result, by finite differences: the larger change of
// a factor and its inverse.
type Sensitivity struct {
	Change string        // a what-if without its factor: "price eu ×"
	Cost   figure.Number // absolute change of the total cost
	Jobs   int           // change in the number of placed jobs
}

// Sensitivities returns the effects of the prices and the capacity of each cluster and of the
// latencies on the result of the heuristic, in decreasing order. It omits inputs without effect.
// For a problem that is too large it returns none.
func (e *Prepared) Sensitivities(ctx context.Context, _ struct{}) ([]Sensitivity, error) {
	all := []Sensitivity{}
	if e.world.federation.Clusters().Len() > maxSensitiveClusters || jobsIn(e.world.deployments) > maxSensitiveJobs || e.document.Joint || e.gap != nil {
		return all, nil
	}
	jobs, cost, err := e.heuristically(ctx)
	if err != nil {
		return nil, err
	}
	for _, change := range e.dials() {
		x := Sensitivity{Change: change}
		for _, factor := range []float64{sensitiveFactor, 1 / sensitiveFactor} {
			w, _, err := e.world.changed([]string{fmt.Sprint(change, factor)})
			if err != nil {
				continue // the capacity of a cluster with nodes is fixed
			}
			n, total, err := e.in(w).heuristically(ctx)
			if err != nil {
				return nil, err
			}
			x.Jobs = max(x.Jobs, n-jobs, jobs-n)
			if n == jobs {
				x.Cost = max(x.Cost, figure.Number(math.Abs(total-cost)))
			}
		}
		if x.Jobs > 0 || x.Cost > 0 {
			all = append(all, x)
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		return cmp.Or(cmp.Compare(all[j].Jobs, all[i].Jobs), cmp.Compare(all[j].Cost, all[i].Cost)) < 0
	})
	return all, nil
}

// dials lists the what-ifs for which a sensitivity is computed.
func (e *Prepared) dials() []string {
	var all []string
	for i := range e.world.federation.Clusters().Len() {
		id := e.world.federation.Clusters().ID(i)
		if strings.Contains(id, " ") {
			id = `"` + id + `"`
		}
		all = append(all, "price "+id+" ×", "room "+id+" ×")
	}
	return append(all, "latency ×")
}

// heuristically returns how many jobs the heuristic places, and the cost.
func (e *Prepared) heuristically(ctx context.Context) (jobs int, cost float64, err error) {
	heuristic, err := placement.Named("heuristic", nil)
	if err != nil {
		return 0, 0, err
	}
	r, err := e.runOnce(ctx, "heuristic", func(int) placement.Strategy { return heuristic }, e.document.Seed, &jobCounter{prepared: e, quiet: true})
	for i := range r.solutions {
		if s := &r.solutions[i]; s.Complete() {
			jobs += len(s.Cluster)
			cost += s.NodeCost + s.LinkCost
		}
	}
	return jobs, cost, err
}
