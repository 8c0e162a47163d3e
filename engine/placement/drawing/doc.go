// Package drawing draws placements, and converts graphs to DOT for Graphviz. [Draw] serves people
// at the page: elements have ids, classes and figures, and large drawings are simplified.
// [Overlook] returns the same placement as figures, for views that are not graphs. [Result] serves
// other tools: the result .dot of figure 6.2 of the thesis, with all figures, in either dialect.
//
// The layout of a placement depends only on the names and the number of clusters and jobs, so that
// no price, capacity or placement moves a cluster. Phones have their own layout.
package drawing
