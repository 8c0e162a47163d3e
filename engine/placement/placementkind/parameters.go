package placementkind

import (
	"berth/engine/parameter"
	"berth/engine/placement"
)

// parameters lists the parameters of a document.
var parameters = []parameter.Parameter{
	{Name: "phi", Title: "Φ's a, per unit of cpu", Help: "`A` in Φ(x) = e^(−A·x), per unit of cpu", High: MaxPhi, Default: placement.DefaultPhi},
	{Name: "budget", Title: "search budget, steps", Help: "most `EXPANSIONS` of the search", Low: 1, High: MaxBudget, Whole: true, Default: placement.DefaultBudget},
	{
		Name: "steps", Title: "steps of strategies that improve", High: MaxBudget, Whole: true, Usual: "chosen by the problem",
		Help: "most `STEPS` of the strategies that improve, best and exact (default 0: chosen by the problem)",
	},
	{Name: "joint", Title: "all deployments at once, and what their order costs", Help: "place all deployments at once, and say what their order costs", Switch: true},
	{Name: "shortestPaths", Title: "dependencies follow the shortest paths", Help: "dependencies follow the paths of lowest latency, over several links", Switch: true},
	{Name: "consumeBandwidth", Title: "dependencies use up bandwidth", Help: "dependencies take their bandwidth of the links that they cross", Switch: true},
	{Name: "strict", Title: "treat warnings as errors", Help: "treat warnings as errors", Switch: true},
	{Name: "undirected", Title: "read directed graphs as undirected", Help: "read directed graphs as undirected", Switch: true},
	{Name: "freePrices", Title: "prices that a file leaves out are 0", Help: "take prices that a file leaves out as 0", Switch: true},
}

// runParameters lists the parameters of a [StrategyRun]. The command line has only one seed.
var runParameters = []parameter.Parameter{
	{Name: "seeds", Title: "seeds", Low: 1, High: MaxSeeds, Whole: true, Default: 1},
}

// Parameters lists the parameters of a document.
func Parameters() []parameter.Parameter { return parameters }

// ParameterNamed returns a parameter of a document by its name. It panics if there is none.
func ParameterNamed(name string) *parameter.Parameter { return parameter.Named(parameters, name) }

// ReadingParameters returns the parameters of a document that affect how a graph is read: the last
// two.
func ReadingParameters() []parameter.Parameter { return parameters[len(parameters)-2:] }

// PoolFields describes the numbers of a [Pool].
var PoolFields = []parameter.Parameter{
	{Name: "price", Title: "price an hour", High: MaxFactor, Usual: "0.2", Required: true},
	{Name: "maximum", Title: "at most", Low: 1, High: MaxReplicas, Whole: true, Usual: "any number"},
}

// ofStrategy returns the parameters of a [StrategyRun] with the given strategy.
func ofStrategy(name string) []parameter.Parameter {
	strategy, _ := placement.Lookup(name)
	return append(parameter.Below("parameters", strategy.Parameters), runParameters...)
}
