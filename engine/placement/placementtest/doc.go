// Package placementtest tests placement strategies. It has random problems of many shapes, an
// independent check of solutions, and a conformance suite that runs both.
package placementtest
