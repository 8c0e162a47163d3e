package federatekind

import "math"

// Offered returns the offered load of the resource with the highest demand: the work that arrives
// between the first and the last arrival, divided by the work that all workers can do in that time.
// From 1 on, queues grow until the last arrival. Offered returns 0 if all jobs arrive at once or if
// nothing is known about the workers.
func (w *Workload) Offered() float64 {
	most := 0.0
	for r, values := range w.Demand.Values {
		if r >= len(w.Capacity) || w.LastArrival <= 0 || w.Capacity[r] <= 0 {
			return 0
		}
		work := 0.0
		for _, in := range values {
			work += float64(in * w.Demand.Width)
		}
		most = max(most, work/w.LastArrival/w.Capacity[r])
	}
	return most
}

// WorkersFor returns the number of equal workers that would be busy for the given part of the time.
// [Workload.Offered] must refer to now equal workers.
func (w *Workload) WorkersFor(now int, busy float64) int {
	return int(math.Ceil(float64(now) * w.Offered() / busy))
}
