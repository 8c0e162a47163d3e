package graph

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"berth/engine/show"
)

// ElementKind is Job, Dependency, Cluster or Link.
type ElementKind uint8

// A deployment has jobs and dependencies, a federation
// clusters and links.
const (
	Job ElementKind = iota
	Dependency
	Cluster
	Link
	elementKinds
)

func (k ElementKind) String() string {
	return [...]string{"job", "dependency", "cluster", "link"}[k]
}

// LabelKind is the role of a label in a placement.
type LabelKind uint8

const (
	Demand LabelKind = iota // of a job or dependency; requires a Supply label of its host
	Supply                  // of a cluster or link
	Policy                  // any other figure
)

// Operator compares a demand with its supply.
type Operator uint8

const (
	AtMost  Operator = iota // demand <= supply
	AtLeast                 // demand >= supply
)

// Holds reports whether the supply can meet the demand.
func (o Operator) Holds(demand, supply float64) bool {
	if o == AtMost {
		return demand <= supply
	}
	return demand >= supply
}

// Derivation says how to derive a figure of a path from the figures of its links.
type Derivation uint8

const (
	Sum Derivation = iota
	Narrowest
)

// Derive combines the figures of two consecutive parts of a path.
func (d Derivation) Derive(a, b float64) float64 {
	if d == Narrowest {
		return min(a, b)
	}
	return a + b
}

// Neutral returns the figure of a path without links.
func (d Derivation) Neutral() float64 {
	if d == Narrowest {
		return math.Inf(1)
	}
	return 0
}

// MaxFigure is the largest figure of a label. It keeps products and sums of figures
// finite.
const MaxFigure = 1e100

// Field is one figure of a label, between 0 and [MaxFigure].
type Field struct {
	Name     string     // name in the thesis's dialect: "request" in "cpuOffloading - request:1"
	Attrs    []string   // plain attributes; the writer uses the first one
	Unit     string     // "" for a pure number or a price
	Flag     bool       // must be 0 or 1
	Word     bool       // a Flag whose plain attribute is true or false
	Optional bool       // may be missing; its value is then Absent
	Absent   float64    // may be +Inf
	Price    bool       // on clusters: per unit of the consumed figure; on links: charged once per dependency
	Per      string     // for a Price on links: charged per unit of this field of the dependency's label of the same name
	Adds     bool       // on dependencies: the figures of parallel dependencies are added
	Through  Derivation // on links: how the figure of a path is derived
}

// Comparison is a constraint between a demand and the supply of its host.
type Comparison struct {
	Demand, Supply string // field names
	Op             Operator
	Reason         string // the name of the constraint in explanations
	Consumes       bool   // the demand is subtracted from the supply
}

// LabelType describes a label. Labels with the same name on different kinds of
// elements are different types.
type LabelType struct {
	Name        string
	On          ElementKind
	Kind        LabelKind
	Fields      []Field
	HostedBy    string       // for a Demand: the name of the Supply label on its host
	Comparisons []Comparison // for a Demand
	Ordered     [2]string    // two fields; the first must not exceed the second
	Shortest    string       // on links: of parallel links, AddLink keeps the one with the smallest value of this field

	index    int
	extended bool
}

// Field returns the index of the named field, or -1.
func (t *LabelType) Field(name string) int {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// Price returns the index of the price field, or -1.
func (t *LabelType) Price() int {
	return slices.IndexFunc(t.Fields, func(f Field) bool { return f.Price })
}

// Host returns the supply label that a demand refers to; nil if t is not a demand.
func (t *LabelType) Host() *LabelType {
	if t.Kind != Demand {
		return nil
	}
	return Lookup(t.On+Cluster-Job, t.HostedBy)
}

// merged merges a figure of two parallel dependencies: it returns the sum if the field adds up, and
// otherwise the figure that is harder to satisfy.
func (t *LabelType) merged(field *Field, a, b float64) float64 {
	if field.Adds {
		return a + b
	}
	for _, c := range t.Comparisons {
		if c.Demand == field.Name && c.Op == AtLeast {
			return min(a, b)
		}
	}
	return max(a, b)
}

var (
	registry     [elementKinds][]*LabelType
	registryLock sync.RWMutex // needed because readers register extended resources on the fly
)

func init() {
	for _, t := range builtin {
		if err := Register(t); err != nil {
			panic(err)
		}
	}
}

// Register adds a label type. Call it during package initialization, because existing graphs do not
// know the new type. A duplicate type and a type without fields are errors.
func Register(t LabelType) error {
	registryLock.Lock()
	defer registryLock.Unlock()
	return register(t)
}

func register(t LabelType) error {
	if t.On >= elementKinds || t.Name == "" || len(t.Fields) == 0 {
		return fmt.Errorf("graph: label type %q needs a name, an element and a field", t.Name)
	}
	if lookup(t.On, t.Name) != nil {
		return fmt.Errorf("graph: label type %s on a %s is registered already", t.Name, t.On)
	}
	t.index = len(registry[t.On])
	all := registry[t.On]
	at := len(all)
	for at > 0 && t.extended && all[at-1].extended && all[at-1].Name > t.Name {
		at--
	}
	registry[t.On] = slices.Concat(all[:at], []*LabelType{&t}, all[at:])
	return nil
}

// MaxExtended limits the number of extended resources.
const MaxExtended = 100

// Extended returns the labels of an extended resource such as nvidia.com/gpu: the demand of jobs
// and the supply of clusters. It registers them if necessary. They have the same fields as the
// labels of cpu; their attributes begin with the name of the resource. [Labels] lists them after
// all other labels, ordered by name regardless of the order of registration.
func Extended(resource string) (demand, supply *LabelType, err error) {
	if !IsExtended(resource) {
		return nil, nil, fmt.Errorf("%s is no name of a resource: expected one such as nvidia.com/gpu", show.Quote(resource))
	}
	registryLock.Lock()
	defer registryLock.Unlock()
	supply = lookup(Cluster, resource)
	if supply == nil {
		extended := 0
		for _, t := range registry[Cluster] {
			if t.extended {
				extended++
			}
		}
		if extended == MaxExtended {
			return nil, nil, fmt.Errorf("more than %d resources beside cpu, memory and storage, which is the limit", MaxExtended)
		}
		for _, t := range []LabelType{resourceDemand(resource, resource, ""), resourceSupply(resource, "")} {
			t.extended = true
			if err := register(t); err != nil {
				return nil, nil, err
			}
		}
		supply = lookup(Cluster, resource)
	}
	return lookup(Job, resource), supply, nil
}

// IsExtended reports whether a name can be an extended resource: it consists of letters, digits,
// dashes, dots, underscores and slashes, and contains a slash or a dash to distinguish it from
// built-in labels.
func IsExtended(resource string) bool {
	if !strings.ContainsAny(resource, "/-") || len(resource) > 200 {
		return false
	}
	for i := range len(resource) {
		c := resource[i]
		if !(c == '/' || c == '-' || c == '.' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') {
			return false
		}
	}
	return true
}

// Lookup returns the label type with the given name on a kind of element, or nil.
func Lookup(on ElementKind, name string) *LabelType {
	registryLock.RLock()
	defer registryLock.RUnlock()
	return lookup(on, name)
}

func lookup(on ElementKind, name string) *LabelType {
	for _, t := range registry[on] {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Labels returns the label types of a kind of element in order of registration. Callers must not
// change the slice.
func Labels(on ElementKind) []*LabelType {
	registryLock.RLock()
	defer registryLock.RUnlock()
	return registry[on]
}
