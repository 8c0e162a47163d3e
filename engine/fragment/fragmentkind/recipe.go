package fragmentkind

import (
	"errors"
	"fmt"

	"berth/engine/fragment"
	"berth/engine/workload"
)

// The generators that the recipes of a document name, and their only preset.
const (
	NodesGenerator = "gpu-nodes"
	PodsGenerator  = "gpu-pods"
	OpenbLike      = "openb-like"
)

// values returns the parameters of a recipe and its values by name, checked.
func values(r workload.Recipe) ([]workload.Parameter, map[string]float64, error) {
	if r.Preset != OpenbLike {
		return nil, nil, fmt.Errorf("preset: %q is unknown: expected %s", r.Preset, OpenbLike)
	}
	if r.Index != 0 {
		return nil, nil, fmt.Errorf("index: %d is for the thesis's deployments: %s have none", r.Index, r.Generator)
	}
	all := []workload.Parameter{
		{Name: "pods", Value: 8000, Title: "pods to draw from", Min: 1, Max: 1_000_000, Whole: true},
		{Name: "none", Value: 0.13, Title: "part without a GPU", Max: 1},
		{Name: "shared", Value: 0.38, Title: "part with a share of a GPU", Max: 1},
		{Name: "many", Value: 0.01, Title: "part with several GPUs", Max: 1},
		{Name: "any", Value: 1, Title: "part of pods with GPUs that accept every model", Max: 1},
	}
	switch r.Generator {
	case PodsGenerator:
	case NodesGenerator:
		all = []workload.Parameter{{Name: "nodes", Value: 1200, Title: "nodes", Min: 1, Max: fragment.MaxNodes, Whole: true}}
	default:
		return nil, nil, fmt.Errorf("generator: %q is unknown: expected %s or %s", r.Generator, NodesGenerator, PodsGenerator)
	}
	v, err := r.Fill(all)
	if err == nil && v["none"]+v["shared"]+v["many"] > 1 {
		err = errors.New("none, shared and many are more than all pods together: their sum may be 1")
	}
	return all, v, err
}
