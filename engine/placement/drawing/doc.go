// Package drawing draws placements, and turns graphs into DOT for Graphviz, for
// two readers: a person at the page ([Draw]: elements with ids and classes, their
// figures beside them, simplified when there are too many; [Overlook]: the same
// placement in figures, for views that are no graphs) and other tools
// ([Result]: the result .dot of figure 6.2, with all figures, in either
// dialect).
//
// The picture of a placement has one geometry: it depends on the names and numbers
// of clusters and jobs, and nothing else moves a cluster.
package drawing
