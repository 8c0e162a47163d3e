package assign

// The loops over a column of jobs, in which the time of a bound goes. Each is a
// function that calls no other and is not inlined: in WebAssembly, Go leaves and
// enters a function with calls in it through a table at every turn of a loop.

// addColumn adds factor times the figures of one cluster.
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

// byJob returns the figures that are the same for all clusters, else nil.
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

// AddProducts adds to each figure of a column a factor times that of factors.
//
//go:noinline
func AddProducts(column, factors []float64, factor float64) {
	factors = factors[:len(column)]
	for j := range column {
		column[j] += float64(factor * factors[j])
	}
}

// addShares adds what dependencies cost on a cluster with a leg, less what they
// can save.
//
//go:noinline
func addShares(column, degree, byJob []float64, leg float64) {
	degree, byJob = degree[:len(column)], byJob[:len(column)]
	for j := range column {
		column[j] += float64((degree[j] - 2*byJob[j]) * leg)
	}
}

// lower keeps the least of what a cluster and those before it cost.
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
