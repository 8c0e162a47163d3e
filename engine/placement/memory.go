package placement

import (
	"unsafe"

	"berth/engine/graph"
)

// Memory estimates an upper limit on the bytes needed to place a deployment, in addition to the
// graphs; see NewProblem and newSearch. Strategies with [Facts.Pairs] also need [PairMemory].
func Memory(d *graph.Deployment, f *graph.Federation) float64 {
	const word, number = 4., 8.
	jobs, dependencies := float64(d.Jobs().Len()), float64(d.Dependencies().Len())
	clusters, links := float64(f.Clusters().Len()), float64(f.Links().Len())
	demands, bounds := float64(len(graph.Labels(graph.Job))), float64(len(graph.Labels(graph.Dependency)))
	job := 8*word + 2*number + float64(unsafe.Sizeof(candidate{})) + demands*(4*number+1)
	dependency := 3*word + bounds*number
	rows := min(float64(rowBudget), (jobs+dependencies)*clusters) + 3*clusters
	if f.Center() < 0 && dependencies > 0 {
		rows += min(jobs, clusters) * clusters * (2 + bounds) // see pathFigures
	}
	return jobs*job + dependencies*dependency + clusters*demands*4*number + links*(bounds+2)*number + rows*number
}

// PairMemory estimates an upper limit on the bytes that [Problem.Assignment] needs for pairs of
// clusters: 0 on a star and without dependencies.
func PairMemory(d *graph.Deployment, f *graph.Federation) float64 {
	const word, number = 4., 8.
	if f.Center() >= 0 || d.Dependencies().Len() == 0 {
		return 0
	}
	clusters, bounds := float64(f.Clusters().Len()), float64(len(graph.Labels(graph.Dependency)))
	return clusters * clusters * (number + bounds*(number+2*word)) // the cost, and for each limit its figure and the links of a lane
}
