package placement

// SetRowBudget lets a test have the rows shared; it returns what undoes it.
func SetRowBudget(cells int) (undo func()) {
	old := rowBudget
	rowBudget = cells
	return func() { rowBudget = old }
}

// SetStripsFrom lets a test have strips with so few jobs and clusters; it returns
// what undoes it.
func SetStripsFrom(jobs, clusters int) (undo func()) {
	oldJobs, oldClusters := minStripJobs, minStripClusters
	minStripJobs, minStripClusters = jobs, clusters
	return func() { minStripJobs, minStripClusters = oldJobs, oldClusters }
}
