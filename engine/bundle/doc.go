// Package bundle packs a run so that others can check it: one zip with the scenario, its
// report, their hashes, the name of the engine and the commands that repeat the run. A
// bundle is complete: the scenario contains the files that it refers to.
//
//	scenario.json  the scenario, of any kind, in its canonical bytes
//	report.json    the report, in the bytes that berth run prints
//	bundle.json    the [Manifest]
//
// The same run gives the same zip: its entries have a fixed order and no times.
package bundle
