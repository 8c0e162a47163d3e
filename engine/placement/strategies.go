package placement

import (
	"slices"

	"berth/engine/parameter"
	"berth/engine/plugin"
)

// Plugin makes strategies of one sort. The first of all is the one that others are compared with.
type Plugin = plugin.Plugin[Facts, func(parameter.Values) Strategy]

// Facts are the properties of a strategy that runs and pages need.
type Facts struct {
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
}

// strategies are all there are. A strategy is a file with its [Plugin] and a line
// here.
var strategies = plugin.NewRegistry("placement", "strategy",
	heuristicPlugin,
	randomPlugin,
	firstFitPlugin,
	bestFitPlugin,
	cheapestPlugin,
	bestPlugin,
	exactPlugin,
)

// Improver returns the strategy that improves a placement of so many jobs × clusters: the last
// registered one that suits the size.
func Improver(work int) string {
	for _, name := range slices.Backward(Names()) {
		if p, _ := Lookup(name); p.Facts.Improves && (p.Facts.UpTo == 0 || work <= p.Facts.UpTo) {
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

// NameOf returns the current name of a strategy from its former one. Other names are returned
// unchanged.
func NameOf(name string) string { return strategies.Current(name) }

// Named makes a strategy; parameters that are not given have their defaults.
func Named(name string, given parameter.Values) (Strategy, error) {
	return plugin.Make(strategies, name, given)
}
