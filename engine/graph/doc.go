// Package graph holds the two graphs of the placement problem: a [Deployment]
// of jobs joined by dependencies and a [Federation] of clusters joined by
// links (Lavacca 2020, section 4.1).
//
// Elements are numbered from 0 in file order; names stay at the edge of the
// system, in [Elements.ID] and [Elements.Name]. The figures of an element are
// kept by label type, field by field, in columns of float64, so that a
// strategy walks over plain slices. Both graphs implement gonum's
// graph.Undirected.
//
// What may stand on an element is described by one entry per label type in the
// registry (labels.go): adding a type touches no other file.
package graph
