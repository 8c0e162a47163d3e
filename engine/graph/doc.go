// Package graph defines the two graphs of the placement problem: a [Deployment] of jobs joined by
// dependencies, and a [Federation] of clusters joined by links (Lavacca 2020, section 4.1).
//
// Elements are numbered from 0 in file order. Only input and output use names: [Elements.ID] and
// [Elements.Name]. The figures of elements are stored by label type and field in columns of
// float64, so that strategies iterate over plain slices. Both graphs implement gonum's
// graph.Undirected.
//
// The registry has one entry for each label type (labels.go). Adding a type changes no other file.
package graph
