// Package bundle packs a run so that somebody else can check it: one zip with the
// scenario, its report, their hashes, the version of the engine and the commands that
// repeat the run. Whoever has a bundle needs nothing beside it: texts that stood beside
// the scenario are in it.
//
//	scenario.json  the scenario, of any kind, in its canonical bytes
//	report.json    what the run gave, in the bytes that berth run prints
//	bundle.json    the [Manifest]
//
// The same run gives the same zip: its entries have a fixed order and no times.
package bundle
