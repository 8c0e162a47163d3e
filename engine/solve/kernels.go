package solve

import "math"

// The loops over a column of jobs or over groups of jobs, where a bound spends its time. Each is a
// leaf function that is not inlined: in WebAssembly, Go re-enters a function that makes calls
// through a jump table at every iteration of a loop.

// addColumn adds factor times the figures of cluster c to a column.
func (m *Matrix) addColumn(column []float64, c, clusters int, factor float64) {
	if m.Cells != nil {
		addStrided(column, m.Cells[c:], clusters, factor)
	}
	for _, t := range m.Terms {
		switch {
		case t.ByJob == nil:
			addConstant(column, factor*t.ByCluster[c])
		case t.ByCluster == nil:
			AddProducts(column, t.ByJob, factor)
		default:
			AddProducts(column, t.ByJob, factor*t.ByCluster[c])
		}
	}
}

// byJob returns the figures by job if they are the same for all clusters, otherwise nil.
func (m *Matrix) byJob() []float64 {
	if m.Cells == nil && len(m.Terms) == 1 && m.Terms[0].ByCluster == nil {
		return m.Terms[0].ByJob
	}
	return nil
}

//go:noinline
func addStrided(column, cells []float64, stride int, factor float64) {
	at := 0
	for j := range column {
		column[j] += float64(factor * cells[at])
		at += stride
	}
}

//go:noinline
func addConstant(column []float64, v float64) {
	for j := range column {
		column[j] += v
	}
}

// AddProducts adds factor·factors[j] to each column[j].
//
//go:noinline
func AddProducts(column, factors []float64, factor float64) {
	factors = factors[:len(column)]
	for j := range column {
		column[j] += float64(factor * factors[j])
	}
}

// addShares adds the cost of the legs of each job's dependencies on one cluster, minus the saving
// that [shares] allows at most.
//
//go:noinline
func addShares(column, degree, byJob []float64, leg float64) {
	degree, byJob = degree[:len(column)], byJob[:len(column)]
	for j := range column {
		column[j] += float64((degree[j] - 2*byJob[j]) * leg)
	}
}

// refuse writes +Inf for jobs that take more than the capacity.
//
//go:noinline
func refuse(column, amounts []float64, capacity float64) {
	amounts = amounts[:len(column)]
	for j := range column {
		if amounts[j] > capacity {
			column[j] = math.Inf(1)
		}
	}
}

// lower updates the cheapest cost and cluster of each job with a column of costs on cluster c.
//
//go:noinline
func lower(least []float64, choice []int32, column []float64, c int32) {
	least, choice = least[:len(column)], choice[:len(column)]
	for j, v := range column {
		if v < least[j] {
			least[j], choice[j] = v, c
		}
	}
}

// lowerPriced is lower for the column plus factor·factors[j].
//
//go:noinline
func lowerPriced(least []float64, choice []int32, column, factors []float64, factor float64, c int32) {
	least, choice, factors = least[:len(column)], choice[:len(column)], factors[:len(column)]
	for j, v := range column {
		v += float64(factor * factors[j])
		if v < least[j] {
			least[j], choice[j] = v, c
		}
	}
}

// view selects the groups that a cluster uses: those up to room, and groups of several jobs only if
// grouped is true.
type view struct {
	room        float64
	grouped     bool
	value, load []float64 // by group
}

// weigh computes the worth of group at and of all groups below it on a cluster, from the net value
// and the amount of each job. It returns the group with the highest worth above least (-1 if there
// is none), the highest worth per amount, and how many groups it visited.
//
//go:noinline
func (g *groups) weigh(at int, v view, net, taken []float64, saved, least, density float64) (best int, dense float64, looked int) {
	end := int(g.after[at])
	parent, job, after := g.parent[:end], g.job[:end], g.after[:end]
	size, inside, value, load := g.size[:end], g.inside[:end], v.value[:end], v.load[:end]
	best = -1
	for uint(at) < uint(end) {
		j, from := job[at], parent[at]
		if size[at] > v.room || from >= 0 && !v.grouped {
			at = int(after[at])
			continue
		}
		worth, amount := net[j], taken[j]
		if from >= 0 {
			worth += value[from] + float64(saved*inside[at])
			amount += load[from]
		}
		value[at], load[at] = worth, amount
		looked++
		if amount > 0 && worth > density*amount {
			density = worth / amount
		} else if amount == 0 && worth > 0 {
			density = math.Inf(1)
		}
		if worth > least {
			best, least = at, worth
		}
		at++
	}
	return best, density, looked
}
