package placement

import (
	"slices"

	"berth/engine/parameter"
	"berth/engine/plugin"
)

// Plugin describes a strategy and makes instances of it. Comparisons use the first registered
// strategy as their baseline.
type Plugin = plugin.Plugin[Facts, func(parameter.Values) Strategy]

// Facts are the properties of a strategy that runs and pages depend on.
type Facts struct {
	// Seeds is the usual number of seeds to run, for a strategy that draws at random; 0 if the
	// seed hardly matters.
	Seeds int
	// Improves says that the strategy continues the search from the heuristic's placement until it
	// is stopped or out of steps. UpTo is the largest jobs × clusters for which it is suitable; 0
	// is no limit.
	Improves bool
	UpTo     int
	// Incomplete says that the strategy may miss an existing placement with any budget.
	Incomplete bool
	Pairs      bool // it also needs memory for each pair of clusters: see [PairMemory]
}

// strategies is the registry. A new strategy is a file with its [Plugin] and a line here.
var strategies = plugin.NewRegistry("placement", "strategy",
	heuristicPlugin,
	randomPlugin,
	firstFitPlugin,
	bestFitPlugin,
	cheapestPlugin,
	bestPlugin,
	exactPlugin,
)

// Improver returns the name of the last registered strategy that improves placements and is
// suitable for a problem of work jobs × clusters; "" if there is none.
func Improver(work int) string {
	for _, name := range slices.Backward(Names()) {
		if p, _ := Lookup(name); p.Facts.Improves && (p.Facts.UpTo == 0 || work <= p.Facts.UpTo) {
			return name
		}
	}
	return ""
}

// Register adds a strategy; a duplicate name is an error.
func Register(p Plugin) error { return strategies.Add(p) }

// Names lists the strategies in registration order.
func Names() []string { return strategies.Names() }

// Lookup returns the plug-in with a name.
func Lookup(name string) (Plugin, bool) { return strategies.Lookup(name) }

// NameOf maps a former name of a strategy to its current one, and returns any other name unchanged.
func NameOf(name string) string { return strategies.Current(name) }

// Named makes a strategy. Missing parameters have their defaults. An unknown name or parameter is
// an error.
func Named(name string, given parameter.Values) (Strategy, error) {
	return plugin.Make(strategies, name, given)
}
