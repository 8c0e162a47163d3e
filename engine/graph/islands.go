package graph

import (
	"slices"

	gonum "gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/topo"
)

// Islands returns the connected components of a deployment or federation, ordered by their first
// nodes. Each is a list of node numbers in file order. It takes O(n + m) time.
func Islands(g gonum.Undirected) [][]int {
	var islands [][]int
	for _, nodes := range topo.ConnectedComponents(g) {
		island := make([]int, len(nodes))
		for i, n := range nodes {
			island[i] = int(n.ID())
		}
		slices.Sort(island)
		islands = append(islands, island)
	}
	slices.SortFunc(islands, func(a, b []int) int { return a[0] - b[0] })
	return islands
}
