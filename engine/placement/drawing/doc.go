// Package drawing turns graphs and placements into DOT for Graphviz, for two
// readers: a person at the page ([Draw]: elements with ids and classes, their
// figures beside them, simplified when there are too many; [Overlook]: the same
// placement in figures, for views that are no graphs) and other tools
// ([Result]: the result .dot of figure 6.2, with all figures, in either
// dialect).
package drawing
