package stats

// Jain returns Jain's index of fairness (Jain, Chiu and Hawe 1984), (Σx)² / (n·Σx²): 1 if all
// values are equal, 1/n if only one is not 0. It is 1 if x is empty or all zeros.
func Jain(x []float64) float64 {
	var sum, squares float64
	for _, v := range x {
		sum += v
		squares += float64(v * v)
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (float64(len(x)) * squares)
}
