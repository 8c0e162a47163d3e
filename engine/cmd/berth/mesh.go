package main

import (
	"fmt"

	"berth/engine/graph"
)

// maxMesh is the number of links that the reader accepts.
const maxMesh = 2_000_000

// mesh returns a federation with every link that a star derives written out. It
// is for other tools: Berth itself never stores it.
func mesh(f *graph.Federation) (*graph.Federation, error) {
	clusters := f.Clusters()
	n := clusters.Len()
	if f.Center() < 0 {
		return f, nil
	}
	if links := n * (n - 1) / 2; links > maxMesh {
		return nil, fmt.Errorf("%d clusters have %d links, at most %d are written; use --star, which says the same in %d", n, links, maxMesh, n-1)
	}
	m := graph.NewFederation()
	m.DOTName = f.DOTName
	for j := range n {
		m.AddCluster(clusters.ID(j))
		m.Clusters().SetName(j, clusters.Name(j))
		for _, t := range graph.Labels(graph.Cluster) {
			if values := clusters.Values(t, j); values != nil {
				m.Clusters().SetLabel(t, j, values)
			}
		}
	}
	for a := range n {
		for b := a + 1; b < n; b++ {
			if _, _, ok := f.Path(a, b); ok {
				k, _ := m.AddLink(a, b, pathLabels(f, a, b)...)
				m.Links().SetName(k, clusters.Name(a)+"-"+clusters.Name(b))
			}
		}
	}
	return m, nil
}

// pathLabels returns the labels of the path between two clusters.
func pathLabels(f *graph.Federation, a, b int) []graph.Label {
	var labels []graph.Label
	for _, t := range graph.Labels(graph.Link) {
		values := make([]float64, len(t.Fields))
		complete := true
		for i := range values {
			var ok bool
			values[i], ok = f.Figure(t, i, a, b)
			complete = complete && ok
		}
		if complete {
			labels = append(labels, graph.Label{Type: t, Values: values})
		}
	}
	return labels
}
