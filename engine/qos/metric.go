package qos

import (
	"math"

	"berth/engine/sim"
)

// Q is the metric that drives decisions: time until the SLO is violated while
// it is kept, the time since then, negated, once it is not (Eq. 2 to 7). It is
// a whole number of parts of a millisecond, so that comparisons are exact and
// the Q of a waiting and of a running instance are linear in time to the bit.
type Q int64

// partsPerMillisecond is divided by 1, 9, 95, 99, 999 and so on, so that 1/SLO
// is exact for the usual SLOs; for any other it is off by less than 4·10⁻⁷ of
// itself. With 40 bits less than 64 left for SLOs down to 0.01, times may
// reach workload.MaxTime.
const partsPerMillisecond = 27 * 37 * 11 * 19 * 7

// Millisecond is a millisecond in the metric.
const Millisecond Q = partsPerMillisecond

// Seconds returns the metric in seconds.
func (q Q) Seconds() float64 { return float64(q) / (1000 * partsPerMillisecond) }

func toQ(milliseconds float64) Q { return Q(math.Round(milliseconds * partsPerMillisecond)) }

func timeToQ(t sim.Milliseconds) Q { return Q(t) * partsPerMillisecond }

// constants are those of a class in the metric.
type constants struct {
	perRun     Q     // 1/SLO: what a millisecond of run time adds to e/SLO
	margin     Q     // φ
	limit      int64 // of the preemption overhead, in parts of limitUnit
	importance int   // the level, from 1, the most important
	name       string
	slo        float64
}

// limitUnit makes the comparison of C with its limit one of whole numbers, so
// that C at its limit is not above it.
const limitUnit = 1e8

func newConstants(c *Class, level int) constants {
	return constants{
		perRun: toQ(1 / c.SLO), margin: timeToQ(c.Margin),
		limit: int64(math.Round(c.Limit * limitUnit)), importance: level, name: c.Name, slo: c.SLO,
	}
}

// availability returns A = e / (e + p) (Eq. 1), 1 for a request that has only
// just come.
func availability(run, pending sim.Milliseconds) float64 {
	if run+pending == 0 {
		return 1
	}
	return float64(run) / float64(run+pending)
}
