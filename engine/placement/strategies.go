package placement

import (
	"slices"

	"berth/engine/parameter"
	"berth/engine/plugin"
)

// Plugin makes strategies of one sort.
type Plugin struct {
	Name, Title string
	Description string // in one line
	Parameters  []parameter.Parameter
	Default     bool // a new scenario has it; the first of all is what others are compared with
	// Seeds is the usual number of seeds to run, for a strategy that draws at random; 0 if the
	// seed hardly matters.
	Seeds int
	// Improves says that it searches on from the heuristic's placement until it is stopped
	// or its steps end. UpTo limits the jobs × clusters that it suits; 0 is no limit.
	Improves bool
	UpTo     int
	// Incomplete says that the strategy may miss an existing placement, whatever its budget.
	Incomplete bool
	Pairs      bool // it takes memory for each pair of clusters, too: see [PairMemory]
	// New makes one from the values of all its parameters.
	New func(parameter.Values) Strategy
}

// strategies are all there are. A strategy is a file with its [Plugin] and a line
// here.
var strategies = plugin.NewRegistry("placement", "strategy", func(p *Plugin) (string, bool) { return p.Name, p.New != nil },
	heuristicPlugin,
	randomPlugin,
	firstFitPlugin,
	bestFitPlugin,
	cheapestPlugin,
	bestPlugin,
	exactPlugin,
)

// Former has the present names of strategies by the names that they had before, which
// documents and command lines may use.
var Former = map[string]string{"anytime": "best"}

// Improver returns the strategy that improves a placement of so many jobs × clusters: the last
// registered one that suits the size.
func Improver(work int) string {
	for _, name := range slices.Backward(Names()) {
		if p, _ := Lookup(name); p.Improves && (p.UpTo == 0 || work <= p.UpTo) {
			return name
		}
	}
	return ""
}

// Register adds a strategy; a name that is taken is an error.
func Register(p Plugin) error { return strategies.Add(p) }

// Names lists the strategies in the order in which they were registered.
func Names() []string { return strategies.Names() }

// Lookup returns the plug-in of that name.
func Lookup(name string) (Plugin, bool) { return strategies.Lookup(name) }

// Named makes a strategy; parameters that are not given have their defaults.
func Named(name string, given parameter.Values) (Strategy, error) {
	p, ok := strategies.Lookup(name)
	if !ok {
		return nil, strategies.Unknown(name)
	}
	values, err := parameter.Complete(p.Parameters, given)
	if err != nil {
		return nil, err
	}
	return p.New(values), nil
}
