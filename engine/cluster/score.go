package cluster

import "math"

// Score returns the allocation score of a host in [0, 1], the mean of least
// requested (Eq. 4.1 of the thesis) and balanced allocation (Eq. 4.2), given
// its capacity and what is allocated on it. The larger, the better a host is
// for the next instance.
func Score(cpu, memory, usedCPU, usedMemory Amount) float64 {
	c := float64(usedCPU) / float64(cpu)
	m := float64(usedMemory) / float64(memory)
	least := float64(((1 - c) + (1 - m)) / 2)
	balanced := math.Abs(1 - math.Abs(c-m))
	return (least + balanced) / 2
}
