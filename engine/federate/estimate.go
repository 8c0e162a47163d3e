package federate

import (
	"math"

	"berth/engine/sim"
)

// factorStream is the stream of random numbers of factors.
const factorStream = 1

// drawFactors draws what the estimates of each job are multiplied by: a number that is
// uniform between 1 − e and 1 + e, where e is the error of a configuration.
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

// Estimate returns how long a task is expected to run before it has begun: as long as its
// job says, or else as long as it will, each times the error of the job.
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

// EstimateOn is an estimate on a worker, by its speed.
func (m *Model) EstimateOn(task, worker int32) Time {
	return m.scaled(m.Estimate(task), m.Center.Speed(worker))
}

// LongestEstimate is an estimate on the slowest worker.
func (m *Model) LongestEstimate(task int32) Time { return m.scaled(m.Estimate(task), m.slowest) }

func (m *Model) scaled(t Time, speed float64) Time {
	if m.Config.Classes == nil {
		return t
	}
	return Time(math.Round(float64(t) / speed))
}

// Work returns the sum of the estimates of the tasks of a job.
func (m *Model) Work(job int32) (sum Time) {
	for task, end := m.Tasks(job); task < end; task++ {
		sum += m.Estimate(task)
	}
	return sum
}
