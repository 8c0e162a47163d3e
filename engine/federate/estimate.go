package federate

import (
	"math"
	"math/bits"

	"berth/engine/input/workload"
	"berth/engine/sim"
)

const factorStream = 1

// drawFactors returns for each job the factor of its estimates, uniform in [1 − e, 1 + e), where e
// is the configured EstimateError. It returns nil if e is 0.
func drawFactors(c *Config, jobs int) []float64 {
	if c.EstimateError == 0 {
		return nil
	}
	random, factors := sim.NewRandom(c.Seed, factorStream), make([]float64, jobs)
	for job := range factors {
		factors[job] = 1 + float64(c.EstimateError*(float64(2*random.Float64())-1))
	}
	return factors
}

// Estimate returns the estimated running time of a task on a worker of speed 1. It is the estimate
// of the task's job or, if there is none, the duration of the task, multiplied by the factor of the
// job.
func (m *Model) Estimate(task int32) Time {
	job := m.tasks[task].job
	estimate := m.Load.Jobs[job].Estimate
	if estimate == 0 {
		estimate = m.Load.Durations[task]
	}
	if m.factors != nil {
		return Time(math.Round(float64(estimate) * m.factors[job]))
	}
	return estimate
}

// EstimateOn returns the estimated running time of a task on a worker.
func (m *Model) EstimateOn(task, worker int32) Time {
	return m.scaled(m.Estimate(task), m.Center.Speed(worker))
}

// LongestEstimate returns the estimated running time of a task on the slowest worker.
func (m *Model) LongestEstimate(task int32) Time { return m.scaled(m.Estimate(task), m.Center.slowest) }

func (m *Model) scaled(t Time, speed float64) Time {
	if m.Config.Classes == nil {
		return t
	}
	return Time(math.Round(float64(t) / speed))
}

// WorkSum is a sum of spans in nanoseconds, which may exceed a [Time].
type WorkSum struct{ high, low uint64 }

// Work returns the sum of the estimates of a job's tasks.
func (m *Model) Work(job int32) (sum WorkSum) {
	for task, end := m.Tasks(job); task < end; task++ {
		var carry uint64
		sum.low, carry = bits.Add64(sum.low, uint64(m.Estimate(task)), 0)
		sum.high += carry
	}
	return sum
}

// Less subtracts a span that is part of the sum.
func (w WorkSum) Less(span Time) WorkSum {
	low, borrow := bits.Sub64(w.low, uint64(span), 0)
	return WorkSum{w.high - borrow, low}
}

// Float returns the sum in nanoseconds.
func (w WorkSum) Float() float64 { return float64(float64(w.high)*(1<<64)) + float64(w.low) }

// Sum adds two non-negative times and saturates at [workload.MaxClock].
func Sum(a, b Time) Time {
	if b > workload.MaxClock-a {
		return workload.MaxClock
	}
	return a + b
}

// Times returns n times a span. It saturates at [workload.MaxSpan], the longest span that can be
// added to a time.
func Times[N int | int32](n N, span Time) Time {
	if n > 0 && span > workload.MaxSpan/Time(n) {
		return workload.MaxSpan
	}
	return Time(n) * span
}

// CountPart stores a counter of the scheduler: the mean of part over n parts, in thousandths of the
// time so far.
func (m *Model) CountPart(name string, n int, part func(i int) Time) {
	if m.now > 0 {
		high, low := bits.Mul64(1000, uint64(sim.Mean(n, part)))
		whole, _ := bits.Div64(high, low, uint64(m.now))
		m.Own.Count(name, int64(whole))
	}
}
