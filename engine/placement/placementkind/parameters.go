package placementkind

import (
	"strings"

	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/placement/graphs"
	"berth/engine/workload"
)

// parameters are the parameters of a document.
var parameters = []parameter.Parameter{
	{Name: "phi", Title: "Φ's a, per unit of cpu", Help: "`A` in Φ(x) = e^(−A·x), per unit of cpu", High: MaxPhi, Default: placement.DefaultPhi},
	{Name: "budget", Title: "search budget, steps", Help: "most `EXPANSIONS` of the search", Low: 1, High: MaxBudget, Whole: true, Default: placement.DefaultBudget},
	{
		Name: "steps", Title: "steps of strategies that improve", High: MaxBudget, Whole: true, Usual: "chosen by the problem",
		Help: "most `STEPS` of the strategies that improve, best and exact (default 0: chosen by the problem)",
	},
}

// runParameters are the parameters of a [StrategyRun]. The command line has one seed.
var runParameters = []parameter.Parameter{
	{Name: "seeds", Title: "seeds", Low: 1, High: MaxSeeds, Whole: true, Default: 1},
}

// Parameters lists the parameters of a document.
func Parameters() []parameter.Parameter { return parameters }

// ParameterNamed returns a parameter of a document by its name; it must exist.
func ParameterNamed(name string) *parameter.Parameter {
	return &parameters[parameter.Index(parameters, name)]
}

// OfRun is a parameter of a strategy as a [StrategyRun] has it.
func OfRun(p parameter.Parameter) *parameter.Parameter {
	p.Path = "parameters." + p.Name
	return &p
}

// Numbers are the parameters of a document of this kind: see [Parameters].
func (d *Document) Numbers() []parameter.Parameter { return Parameters() }

// ParameterAt implements [scenario.Described].
func (d *Document) ParameterAt(list, element, path string) *parameter.Parameter {
	switch list {
	case "":
		return parameter.At(parameters, path)
	case "strategies":
		if p := parameter.At(runParameters, path); p != nil {
			return p
		}
		strategy, _ := placement.Lookup(element)
		return parameter.At(strategy.Parameters, strings.TrimPrefix(path, "parameters."))
	}
	return nil
}

// Recipe implements [scenario.Described].
func (d *Document) Recipe(r workload.Recipe) ([]workload.Parameter, map[string]float64, error) {
	return graphs.Figures(r)
}
