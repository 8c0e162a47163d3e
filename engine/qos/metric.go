package qos

import (
	"math"

	"berth/engine/sim"
)

// Q is the metric that drives decisions (Eq. 2 to 7): while the SLO is met, the time
// until its violation; afterwards the time since then, negated. It counts parts of a
// millisecond in an integer, so that comparisons are exact and the Q of waiting and
// running instances is exactly linear in time.
type Q int64

// partsPerMillisecond is the number of parts of Q in a millisecond. It is divisible by 9, 95, 99,
// 999 and so on, so that 1/SLO is exact for the usual SLOs. For others the relative error is below
// 4·10⁻⁷. The factor leaves enough of 64 bits for SLOs down to 0.01 and times up to
// workload.MaxTime.
const partsPerMillisecond = 27 * 37 * 11 * 19 * 7

// Millisecond is one millisecond as a Q.
const Millisecond Q = partsPerMillisecond

// Seconds returns q in seconds.
func (q Q) Seconds() float64 { return float64(q) / (1000 * partsPerMillisecond) }

func toQ(milliseconds float64) Q { return Q(math.Round(milliseconds * partsPerMillisecond)) }

func timeToQ(t sim.Milliseconds) Q { return Q(t) * partsPerMillisecond }

// constants are the parameters of a class in units of Q.
type constants struct {
	perRun     Q     // 1/SLO: added to e/SLO for each millisecond of run time
	margin     Q     // φ
	limit      int64 // limit of the preemption overhead, in units of 1/limitUnit
	importance int   // level of importance, from 1, the most important
	name       string
	slo        float64
}

// limitUnit scales C and its limit to integers, so that their comparison is exact.
const limitUnit = 1e8

func newConstants(c *Class, level int) constants {
	return constants{
		perRun: toQ(1 / c.SLO), margin: timeToQ(c.Margin),
		limit: int64(math.Round(c.Limit * limitUnit)), importance: level, name: c.Name, slo: c.SLO,
	}
}

// availability returns A = e / (e + p) (Eq. 1), or 1 at admission when both are 0.
func availability(run, pending sim.Milliseconds) float64 {
	if run+pending == 0 {
		return 1
	}
	return float64(run) / float64(run+pending)
}
