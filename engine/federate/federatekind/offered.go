package federatekind

import "math"

// Offered is how much of all workers the tasks ask for between the first arrival and the
// last, of the resource that they ask for most: from 1 on, queues grow for as long as jobs
// come. It is 0 where all jobs come at once, or nothing is known of the workers.
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

// WorkersFor returns how many workers that are alike are busy for that share of the time,
// if now of them would be for [Workload.Offered].
func (w *Workload) WorkersFor(now int, busy float64) int {
	return int(math.Ceil(float64(now) * w.Offered() / busy))
}
