// Package sim is the event kernel of the simulators: a queue of typed events
// with a stable order, seeded randomness, and the monitor that reports progress
// and stops a run. Each simulator has a unit of time of its own. Nothing here
// calls an interface or allocates per event.
package sim
