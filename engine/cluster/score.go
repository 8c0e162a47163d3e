package cluster

import "math"

// Score returns the allocation score of a host in [0, 1], given its capacity and the amounts in
// use: the mean of least requested (eq. 4.1 of the thesis) and balanced allocation (eq. 4.2). A
// higher score is better.
func Score(cpu, memory, usedCPU, usedMemory Amount) float64 {
	c := float64(usedCPU) / float64(cpu)
	m := float64(usedMemory) / float64(memory)
	least := float64(((1 - c) + (1 - m)) / 2)
	balanced := math.Abs(1 - math.Abs(c-m))
	return (least + balanced) / 2
}
