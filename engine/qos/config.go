package qos

import (
	"errors"
	"fmt"

	"berth/engine/sim"
	"berth/engine/workload"
)

// Progress is how far a run has come.
type Progress = sim.Progress[sim.Milliseconds]

// Preset is a set of values for what text and published simulations disagree
// about.
type Preset struct {
	Name             string
	Margin, Watchdog sim.Milliseconds
}

// The presets: what the paper says, and what its simulations really used.
var (
	Paper = Preset{"paper", 10 * sim.Second, 10 * sim.Second}
	Logs  = Preset{"logs", 30 * sim.Second, 30 * sim.Second}
)

// Config says how requests are scheduled.
type Config struct {
	Policy   Policy
	Literal  bool    // algorithm 1 as printed, instead of the index for policies with an order
	Savings  Savings // optimisations of the literal scheduler; any implies Literal
	Classes  []Class
	Watchdog sim.Milliseconds // time from a pass to the next one, for policies that have a watchdog
	Alpha    float64          // expected time of an allocation, ms; negative: the mean of the overheads
	Horizon  sim.Milliseconds // from the first arrival; 0: until everything that can run has run
	Seed     uint64
	HotSet   []sim.Milliseconds // overheads of an allocation where the instance has run before
	ColdSet  []sim.Milliseconds // and where it has not; the same slice if there is one set
	NoLimit  bool               // no instance is protected by its preemption overhead
	// FirstOverheadPending counts the first allocation as pending time, as the
	// text of the paper has it; the published simulations count it as run time.
	FirstOverheadPending bool
	// PointEvery asks for Result.Points and FairnessEvery for Result.Intervals;
	// 0 asks for none. The paper has 1 minute and 10 minutes.
	PointEvery, FairnessEvery sim.Milliseconds
	// Measure makes controllers of the requests of a job, and is that of the
	// controllers which have none. Any controller that is not measured by its
	// instances implies Literal.
	Measure Measure
	// Arrived, if not nil, is told about each request as it comes.
	Arrived func(*Arrival)
	// Decided, if not nil, is told about each decision.
	Decided func(*Decision)
	// Finished, if not nil, is told about each request that completes, and at
	// the end about all others.
	Finished func(*Outcome)
	// Progress, if not nil, is called now and then.
	Progress func(Progress)
}

func (c *Config) check() error {
	if err := checkClasses(c.Classes); err != nil {
		return err
	}
	if err := c.Policy.check(c.Classes); err != nil {
		return err
	}
	if err := c.Savings.check(&c.Policy); err != nil {
		return err
	}
	switch {
	case c.Policy.Watchdog && (c.Watchdog <= 0 || c.Watchdog > workload.MaxTime):
		return fmt.Errorf("the watchdog of %d ms is not in [1, %d]", c.Watchdog, workload.MaxTime)
	case c.PointEvery < 0 || c.FairnessEvery < 0:
		return errors.New("the times between points and between intervals must not be negative")
	case c.Horizon < 0 || c.Horizon > workload.MaxTime:
		return fmt.Errorf("the horizon of %d ms is not in [0, %d]", c.Horizon, workload.MaxTime)
	case !(c.Alpha <= float64(workload.MaxTime)):
		return fmt.Errorf("α of %v ms is not in [0, %d]", c.Alpha, workload.MaxTime)
	case len(c.HotSet) == 0 || len(c.ColdSet) == 0:
		return errors.New("the set of allocation overheads is empty")
	}
	for _, set := range [][]sim.Milliseconds{c.HotSet, c.ColdSet} {
		for _, overhead := range set {
			if overhead < 0 || overhead > workload.MaxTime {
				return fmt.Errorf("the allocation overhead of %d ms is not in [0, %d]", overhead, workload.MaxTime)
			}
		}
	}
	return nil
}

// meanOverhead returns the mean of the overheads in ms: of both sets, as one,
// if they differ.
func (c *Config) meanOverhead() float64 {
	var sum sim.Milliseconds
	n := len(c.HotSet)
	for _, v := range c.HotSet {
		sum += v
	}
	if &c.HotSet[0] != &c.ColdSet[0] {
		n += len(c.ColdSet)
		for _, v := range c.ColdSet {
			sum += v
		}
	}
	return float64(sum) / float64(n)
}
