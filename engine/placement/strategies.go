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
	Default     bool // a new scenario has it; the first of all is what others are compared with
	// Seeds is over how many seeds it is usually run, for one tells little of what it draws
	// at random; 0 of a strategy to which the seed hardly matters.
	Seeds int
	// Improves says that it searches on from the placement of the first strategy, for as
	// long as it may. If UpTo is not 0, it suits problems of so many jobs × clusters.
	Improves bool
	UpTo     int
	// Sought says that its placement is sought beside those of a document that names no
	// such strategy.
	Sought bool
	// Incomplete says that it may find no placement where there is one, whatever its budget.
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
	anytimePlugin,
)

// Improver returns the strategy that improves a placement of so many jobs × clusters:
// the one that suits the smallest problems, or else the first that suits any.
func Improver(work int) string {
	name, best := "", 0
	for _, n := range Names() {
		p, _ := Lookup(n)
		suits := p.Improves && (p.UpTo == 0 || work <= p.UpTo)
		if suits && (name == "" || p.UpTo > 0 && (best == 0 || p.UpTo < best)) {
			name, best = n, p.UpTo
		}
	}
	return name
}

// Sought returns the strategy whose placement is sought beside those of others.
func Sought() string {
	return strategies.First(func(p *Plugin) bool { return p.Sought })
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
