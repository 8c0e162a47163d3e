package placement

// SetRowBudget lets a test have the rows shared; it returns what undoes it.
func SetRowBudget(cells int) (undo func()) {
	old := rowBudget
	rowBudget = cells
	return func() { rowBudget = old }
}
