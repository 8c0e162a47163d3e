// Package placementtest tests placement strategies: it has random problems of all shapes, an
// independent check of a solution, and the conformance suite that runs both.
package placementtest
