package fragment

import (
	"errors"
	"fmt"
	"slices"

	"berth/engine/diag"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/scenario"
)

// Name is the name of this scenario kind in documents and in the paths of its questions.
const Name = "fragment"

// Document is the body of a scenario of kind "fragment".
type Document struct {
	Nodes scenario.Source `json:"nodes"` // a host list with GPUs
	Pods  scenario.Source `json:"pods"`  // a request list; arrival times are ignored
	// Arrive is the total request of all arrivals, as a multiple of the GPUs of all nodes; nil
	// means 1.3.
	Arrive   *float64 `json:"arrive,omitempty"`
	Policies []string `json:"policies"`
	Seed     uint64   `json:"seed,omitempty"`
}

// New returns a scenario of kind "fragment".
func New(name string, d Document) scenario.Scenario { return scenario.New(Name, name, &d) }

// Slots implements [scenario.Document].
func (d *Document) Slots() []scenario.Slot {
	return []scenario.Slot{{Name: "pods", Source: &d.Pods}, {Name: "nodes", Source: &d.Nodes}}
}

// Clone implements [scenario.Document].
func (d *Document) Clone() scenario.Document {
	x := *d
	return &x
}

// Runs implements [scenario.Document].
func (d *Document) Runs() []scenario.Subject { return scenario.SubjectsOf(d.Policies, 1) }

// One implements [scenario.Document].
func (d *Document) One(policy, _ int) scenario.Document {
	x := *d
	x.Policies = d.Policies[policy : policy+1 : policy+1]
	return &x
}

// FirstSeed implements [scenario.Seeded].
func (d *Document) FirstSeed() *uint64 { return &d.Seed }

// arrive returns Arrive or its default.
func (d *Document) arrive() float64 { return parameters[0].Value(d) }

// Validate implements [scenario.Document].
func (d *Document) Validate(path string, p *scenario.Problems) {
	p.Source(path+".nodes", &d.Nodes, nodesGenerator)
	p.Source(path+".pods", &d.Pods, podsGenerator)
	p.Parameters(path, d, parameters)
	p.Count(path+".policies", "policy", len(d.Policies), len(Names()))
	for i, name := range d.Policies {
		at := fmt.Sprintf("%s.policies[%d]", path, i)
		if _, err := Lookup(name); err != nil {
			p.Wrong(at, err)
		} else if slices.Contains(d.Policies[:i], name) {
			p.Add(at, diag.NameTwice, name)
		}
	}
}

var parameters = []parameter.Parameter{
	{Name: "arrive", Title: "Requests for GPUs", Help: "pods arrive until they have asked for `TIMES` the GPUs of all nodes", Low: 0.1, High: mostArrive, Default: 1.3},
}

// Parameters returns a copy of the parameters of a document.
func Parameters() []parameter.Parameter { return slices.Clone(parameters) }

// The generators that a recipe can name, and their only preset.
const (
	nodesGenerator = "gpu-nodes"
	podsGenerator  = "gpu-pods"
	openbLike      = "openb-like"
)

// values returns the parameters of a recipe's generator and the recipe's values by name. It returns
// an error for an invalid recipe.
func values(r workload.Recipe) ([]parameter.Parameter, map[string]float64, error) {
	if r.Preset != openbLike {
		return nil, nil, fmt.Errorf("preset: %q is unknown: expected %s", r.Preset, openbLike)
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
	case podsGenerator:
	case nodesGenerator:
		all = []parameter.Parameter{{Name: "nodes", Title: "nodes", Low: 1, High: maxNodes, Whole: true, Default: 1200}}
	default:
		return nil, nil, fmt.Errorf("generator: %q is unknown: expected %s or %s", r.Generator, nodesGenerator, podsGenerator)
	}
	v, err := r.Fill(all)
	if err == nil && v["none"]+v["shared"]+v["many"] > 1 {
		err = errors.New("none, shared and many are more than all pods together: their sum may be 1")
	}
	return all, v, err
}
