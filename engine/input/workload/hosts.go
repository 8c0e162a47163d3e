package workload

import (
	"sort"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// HostEvent says that a host joins the infrastructure (Up) or leaves it.
type HostEvent struct {
	At   sim.Milliseconds
	Host string
	Up   bool
	// CPU and Memory are set for hosts that are not in a list of hosts, otherwise 0.
	CPU, Memory cluster.Amount
	GPUs        int // set in the same cases as CPU and Memory
	// File is the file of the event, Line and Column the position of its host there. An event of a
	// document has no file, and Line is its position in the list.
	File         string
	Line, Column int
}

// MergeHostEvents merges two lists in order of time. At equal times, events of the
// first list come first.
func MergeHostEvents(a, b []HostEvent) []HostEvent {
	all := append(append([]HostEvent(nil), a...), b...)
	sort.SliceStable(all, func(i, j int) bool { return all[i].At < all[j].At })
	return all
}
