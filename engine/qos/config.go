package qos

import (
	"cmp"
	"errors"
	"slices"

	events "berth/engine/event"
	"berth/engine/sim"
)

// Progress is the progress of a run.
type Progress = sim.Progress[sim.Milliseconds]

// Preset holds values of two parameters for which the paper's text and the published
// simulations differ.
type Preset struct {
	Name             string
	Margin, Watchdog sim.Milliseconds
}

// Paper has the values from the text of the paper, Logs the values of the simulations whose logs
// the authors published.
var (
	Paper = Preset{"paper", 10 * sim.Second, 10 * sim.Second}
	Logs  = Preset{"logs", 30 * sim.Second, 30 * sim.Second}
)

// Config is the configuration of a run.
type Config struct {
	Policy   Policy
	Literal  bool    // run algorithm 1 as printed, even if the policy has an order and could use the index
	Counted  bool    // Result.Operations counts the operations of the literal scheduler, even if the fast one runs
	Savings  Savings // optimisations of the literal scheduler; a non-zero value implies Literal
	Classes  []Class
	Watchdog sim.Milliseconds // maximum time between two passes, if the policy uses a watchdog
	Alpha    float64          // expected allocation time α in ms; negative: the mean of the overhead sets
	Horizon  sim.Milliseconds // measured from the first arrival; 0: until no request can make progress
	Seed     uint64
	HotSet   []sim.Milliseconds // allocation overheads on a host where the instance has run before
	ColdSet  []sim.Milliseconds // allocation overheads on other hosts; the same slice as HotSet if both cases share a set
	NoLimit  bool               // disables the protection of instances whose preemption overhead is above the class's limit
	// FirstOverheadPending counts the first allocation as pending time, as the
	// paper's text does; the published simulations count it as run time.
	FirstOverheadPending bool
	// PointEvery is the time between Result.Points, FairnessEvery the length of
	// Result.Intervals; 0 records none. The paper uses 1 minute and 10 minutes.
	PointEvery, FairnessEvery sim.Milliseconds
	// Arrived, if not nil, is called for each request on arrival.
	Arrived func(*Arrival)
	// Log, if not nil, gets the events of the run; see Events.
	Log *events.Log
	// Decided, if not nil, is called for each decision.
	Decided func(*Decision)
	// Finished, if not nil, is called for each request when it completes, and at the
	// end of the run for all remaining requests.
	Finished func(*Outcome)
	// Progress, if not nil, is called occasionally with the progress of the run.
	Progress func(Progress)
}

// check leaves the bounds of numbers to package qoskind, and the bounds of overheads to the readers.
func (c *Config) check() error {
	if len(c.HotSet) == 0 || len(c.ColdSet) == 0 {
		return errors.New("there are no allocation overheads")
	}
	return cmp.Or(c.Policy.check(c.Classes), c.Savings.check(&c.Policy))
}

// meanOverhead returns the mean allocation overhead in ms, over both sets if they
// differ.
func (c *Config) meanOverhead() float64 {
	all := c.HotSet
	if c.tracksHosts() {
		all = slices.Concat(c.HotSet, c.ColdSet)
	}
	var sum sim.Milliseconds
	for _, v := range all {
		sum += v
	}
	return float64(sum) / float64(len(all))
}

// tracksHosts reports whether overheads depend on the hosts on which an instance has
// run.
func (c *Config) tracksHosts() bool { return &c.HotSet[0] != &c.ColdSet[0] }
