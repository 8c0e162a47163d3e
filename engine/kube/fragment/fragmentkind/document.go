package fragmentkind

import (
	"fmt"
	"slices"

	"berth/engine/diag"
	"berth/engine/kube/fragment"
	"berth/engine/scenario"
)

// Name is the name of this scenario kind in documents and in the paths of its questions.
const Name = "fragment"

// Names of the document's input slots.
const (
	NodesSlot = "nodes"
	PodsSlot  = "pods"
)

// UsualArrive is the default of Document.Arrive.
const UsualArrive = 1.3

// Document is the body of a scenario of kind "fragment".
type Document struct {
	Nodes scenario.Source `json:"nodes"` // a host list with GPUs
	Pods  scenario.Source `json:"pods"`  // a request list; arrival times are ignored
	// Arrive is the total request of all arrivals, as a multiple of the GPUs of all nodes; nil
	// means UsualArrive.
	Arrive   *float64 `json:"arrive,omitempty"`
	Policies []string `json:"policies"`
	Seed     uint64   `json:"seed,omitempty"`
}

// New returns a scenario of kind "fragment".
func New(name string, d Document) scenario.Scenario { return scenario.New(Name, name, &d) }

// Slots implements [scenario.Document].
func (d *Document) Slots() []scenario.Slot {
	return []scenario.Slot{{Name: PodsSlot, Source: &d.Pods}, {Name: NodesSlot, Source: &d.Nodes}}
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

// Validate implements [scenario.Document].
func (d *Document) Validate(path string, p *scenario.Problems) {
	p.Source(path+".nodes", &d.Nodes, NodesGenerator)
	p.Source(path+".pods", &d.Pods, PodsGenerator)
	p.Parameters(path, d, parameters)
	p.Count(path+".policies", "policy", len(d.Policies), len(fragment.Names()))
	for i, name := range d.Policies {
		at := fmt.Sprintf("%s.policies[%d]", path, i)
		if _, err := fragment.Lookup(name); err != nil {
			p.Wrong(at, err)
		} else if slices.Contains(d.Policies[:i], name) {
			p.Add(at, diag.NameTwice, name)
		}
	}
}
