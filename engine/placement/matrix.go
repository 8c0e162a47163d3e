package placement

import (
	"fmt"
	"math"

	"berth/engine/stats"
)

// maxCells limits a whole matrix to 32 MiB.
const maxCells = 4 << 20

// CostMatrix returns CM (section 4.2.2) before a step of a solution, in row-major order: a row for
// each job in search order, a column for each cluster. A cell is +Inf if no link joins the cluster
// to a placed neighbour, and NaN if the cluster lacks a resource of the job. A matrix of more than
// 4,194,304 cells is an error.
func CostMatrix(p *Problem, s Solution, step int) ([]float64, error) {
	return matrix(p, s, step, func(m *Attempt, job int32, j int) float64 {
		for r := range p.demands {
			if p.demands[r].carries[job] && p.lacking(r, j) {
				return math.NaN()
			}
		}
		return m.cost(job, j)
	})
}

// AffinityMatrix returns NAM (section 4.2.3) in the layout of [CostMatrix]; a is the factor in Φ. A
// cell is 0 if the cluster cannot host the job.
func AffinityMatrix(p *Problem, s Solution, a float64, step int) ([]float64, error) {
	return matrix(p, s, step, func(m *Attempt, job int32, j int) float64 {
		if demand, _ := m.unfit(job, j); demand >= 0 {
			return 0
		}
		return stats.Exp(-float64(a * units(m.excess(job, j))))
	})
}

func matrix(p *Problem, s Solution, step int, cell func(*Attempt, int32, int) float64) ([]float64, error) {
	n := p.capacity.federation.Clusters().Len()
	if len(s.Order)*n > maxCells {
		return nil, fmt.Errorf("a matrix of %d × %d cells is too large to show: at most %d", len(s.Order), n, maxCells)
	}
	m, err := repeat(p, s, step)
	if err != nil {
		return nil, err
	}
	values := make([]float64, 0, len(s.Order)*n)
	for _, job := range s.Order {
		for j := range n {
			values = append(values, cell(m, job, j))
		}
	}
	return values, nil
}
