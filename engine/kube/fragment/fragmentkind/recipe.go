package fragmentkind

import (
	"errors"
	"fmt"

	"berth/engine/input/workload"
	"berth/engine/kube/fragment"
	"berth/engine/parameter"
)

// The generators that a recipe can name, and their only preset.
const (
	NodesGenerator = "gpu-nodes"
	PodsGenerator  = "gpu-pods"
	OpenbLike      = "openb-like"
)

// values returns the parameters of a recipe's generator and the recipe's values by name. It returns
// an error for an invalid recipe.
func values(r workload.Recipe) ([]parameter.Parameter, map[string]float64, error) {
	if r.Preset != OpenbLike {
		return nil, nil, fmt.Errorf("preset: %q is unknown: expected %s", r.Preset, OpenbLike)
	}
	if r.Index != 0 {
		return nil, nil, fmt.Errorf("index: %d is for the thesis's deployments: %s have none", r.Index, r.Generator)
	}
	all := []parameter.Parameter{
		{Name: "pods", Title: "pods to draw from", Low: 1, High: 1_000_000, Whole: true, Default: 8000},
		{Name: "none", Title: "part without a GPU", High: 1, Default: 0.13},
		{Name: "shared", Title: "part with a share of a GPU", High: 1, Default: 0.38},
		{Name: "many", Title: "part with several GPUs", High: 1, Default: 0.01},
		{Name: "any", Title: "part of pods with GPUs that accept every model", High: 1, Default: 1},
	}
	switch r.Generator {
	case PodsGenerator:
	case NodesGenerator:
		all = []parameter.Parameter{{Name: "nodes", Title: "nodes", Low: 1, High: fragment.MaxNodes, Whole: true, Default: 1200}}
	default:
		return nil, nil, fmt.Errorf("generator: %q is unknown: expected %s or %s", r.Generator, NodesGenerator, PodsGenerator)
	}
	v, err := r.Fill(all)
	if err == nil && v["none"]+v["shared"]+v["many"] > 1 {
		err = errors.New("none, shared and many are more than all pods together: their sum may be 1")
	}
	return all, v, err
}
