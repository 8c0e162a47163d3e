// Package placementtest holds what every placement strategy must do: random
// problems of all shapes, an independent check of a solution, and the
// conformance suite that runs both.
package placementtest
