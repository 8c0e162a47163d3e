package placement

import (
	"berth/engine/parameter"
	"berth/engine/plugin"
)

// Plugin makes strategies of one sort.
type Plugin struct {
	Name, Title string
	Description string // in one line
	Parameters  []parameter.Parameter
	Pairs       bool // it takes memory for each pair of clusters, too: see [PairMemory]
	// New makes one from the values of all its parameters.
	New func(parameter.Values) Strategy
}

// strategies are all there are. A strategy is a file with its [Plugin] and a line
// here.
var strategies = plugin.NewRegistry("placement: strategy", func(p *Plugin) (string, bool) { return p.Name, p.New != nil },
	heuristicPlugin,
	randomPlugin,
	firstFitPlugin,
	bestFitPlugin,
	cheapestPlugin,
	anytimePlugin,
	exactPlugin,
)

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
