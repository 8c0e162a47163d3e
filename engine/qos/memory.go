package qos

import (
	"unsafe"

	"berth/engine/workload"
)

// Memory estimates how many bytes a run of so many requests takes at least, and
// with the instances of its controllers all at once: how many requests of a
// workload wait at a time is for the run to find out. In memory says that the
// workload is not streamed.
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

// ResultMemory is how many bytes the result of a run of so many requests takes.
func ResultMemory(requests int) float64 { return 5 * float64(requests) }
