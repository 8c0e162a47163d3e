package qos

import (
	"unsafe"

	"berth/engine/input/workload"
)

// Memory returns a lower bound in bytes of the memory for a run. It assumes that all controller
// instances wait at once but none of the workload's requests, because only a run finds out how many
// wait. inMemory includes the workload itself, which is otherwise streamed.
func Memory(hosts, classes, requests, instances int, inMemory bool) float64 {
	const queued = unsafe.Sizeof(instance{}) + unsafe.Sizeof(hostSet{}) + unsafe.Sizeof(entry{})
	const lists = unsafe.Sizeof([]resident{}) + unsafe.Sizeof(front{}) + unsafe.Sizeof(Q(0))
	bytes := float64(hosts) * (float64(unsafe.Sizeof(host{})) + float64(classes)*float64(lists))
	bytes += float64(instances) * float64(queued)
	if inMemory {
		bytes += float64(requests) * float64(unsafe.Sizeof(workload.Request{}))
	}
	return bytes + ResultMemory(requests+instances)
}

// ResultMemory returns the size in bytes of the result of a run.
func ResultMemory(requests int) float64 { return 5 * float64(requests) }
