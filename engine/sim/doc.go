// Package sim is the event kernel of the simulators: a queue of typed events with a stable order,
// seeded random numbers, and a monitor that reports progress and stops a run. Each simulator has
// its own unit of time. Handling an event neither calls an interface nor allocates memory.
package sim
