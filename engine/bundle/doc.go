// Package bundle packs a run so that somebody else can check it: one zip with the
// scenario, its report, their hashes, the name of the engine and the commands that
// repeat the run. A bundle is complete: it also contains the files that the scenario
// refers to.
//
//	scenario.json  the scenario, of any kind, in its canonical bytes
//	report.json    what the run gave, in the bytes that berth run prints
//	bundle.json    the [Manifest]
//
// The same run gives the same zip: its entries have a fixed order and no times.
package bundle
