package placement

import (
	"context"
	"math"

	"berth/engine/parameter"
)

// The usual baselines. Each places the jobs by descending request, each job on the cluster with the
// smallest key, and never backtracks.
var (
	firstFitPlugin = baselinePlugin("first-fit", "takes jobs by request and puts each on the first cluster that can host it, without backtracking",
		func(*search, int32, float64, int) float64 { return 0 })
	bestFitPlugin  = baselinePlugin("best-fit", "takes jobs by request and puts each where the least capacity remains, without backtracking", (*search).leaves)
	cheapestPlugin = baselinePlugin("cheapest", "takes jobs by request and puts each where it and its links cost least, without backtracking",
		func(_ *search, _ int32, cost float64, _ int) float64 { return cost })
)

// spread puts each job where the largest used share remains smallest. Strategy best uses it if the
// clusters have no prices.
var spread = baseline{(*search).load}

// load returns the largest used share of a cluster's resources after the job is placed there,
// relative to the amount free before this deployment.
func (s *search) load(job int32, _ float64, cluster int) float64 {
	var load float64
	for r := range s.free {
		if room := s.problem.form.Resources[r].Capacity[cluster]; room > 0 && !math.IsInf(room, 1) {
			load = max(load, (room-s.free[r][cluster]+s.problem.form.Amount(r, int(job), cluster))/room)
		}
	}
	return load
}

func baselinePlugin(name, description string, key baselineKey) Plugin {
	return Plugin{
		Name: name, Title: name, Description: description,
		Facts: Facts{Incomplete: true},
		New:   func(parameter.Values) Strategy { return baseline{key} },
	}
}

// baselineKey ranks a cluster that can take a job, given the job's cost there. Smaller is better;
// ties go by file order.
type baselineKey func(s *search, job int32, cost float64, cluster int) float64

type baseline struct{ key baselineKey }

// Place implements [Strategy].
func (b baseline) Place(ctx context.Context, p *Problem, o Options) Solution {
	return newSearch(p, b, o).place(ctx)
}

// order sorts jobs by their own requests, descending; ties in file order.
func (baseline) order(p *Problem) []int32 {
	request := make([]float64, len(p.y))
	for i := range request {
		request[i] = p.asked(i)
	}
	return descending(request)
}

func (b baseline) next(s *search, after candidate) candidate {
	best := noCandidate
	for j, cost := range s.able {
		if key := b.key(s, s.order[s.step], cost, j); key < best.key && after.precedes(key, int32(j)) {
			best = candidate{key, int32(j)}
		}
	}
	s.stuck = best.cluster < 0
	return best
}

// leaves returns the free amount of a cluster after it takes a job, summed over the requested
// resources in parts of cpu.
func (s *search) leaves(job int32, _ float64, cluster int) float64 {
	var left float64
	for r := range s.free {
		left += s.problem.relative(r, s.free[r][cluster]-s.problem.form.Amount(r, int(job), cluster))
	}
	return left
}
