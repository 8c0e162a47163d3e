package placement

// SetRowBudget makes the rows share memory in a test; undo restores the budget.
func SetRowBudget(cells int) (undo func()) {
	old := rowBudget
	rowBudget = cells
	return func() { rowBudget = old }
}

// SetStripsFrom makes strips start at the given numbers of jobs and clusters; undo restores them.
func SetStripsFrom(jobs, clusters int) (undo func()) {
	oldJobs, oldClusters := minStripJobs, minStripClusters
	minStripJobs, minStripClusters = jobs, clusters
	return func() { minStripJobs, minStripClusters = oldJobs, oldClusters }
}
