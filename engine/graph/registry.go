package graph

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"berth/engine/show"
)

// ElementKind is what a label stands on.
type ElementKind uint8

// The four kinds of element: jobs and dependencies make a deployment,
// clusters and links a federation.
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

// LabelKind says what part a label plays in a placement.
type LabelKind uint8

const (
	Demand LabelKind = iota // of a job or dependency; must be hosted by a Supply label
	Supply                  // of a cluster or link
	Policy                  // a figure without a counterpart
)

// Operator compares a demand with what supplies it.
type Operator uint8

const (
	AtMost  Operator = iota // demand <= supply
	AtLeast                 // demand >= supply
)

// Holds reports whether the demand may be met by the supply.
func (o Operator) Holds(demand, supply float64) bool {
	if o == AtMost {
		return demand <= supply
	}
	return demand >= supply
}

// Derivation says how the figures of links become one of the path over them.
type Derivation uint8

const (
	Sum Derivation = iota
	Narrowest
)

// Derive returns the figure of a path over two legs.
func (d Derivation) Derive(a, b float64) float64 {
	if d == Narrowest {
		return min(a, b)
	}
	return a + b
}

// Neutral is the figure of a path without links.
func (d Derivation) Neutral() float64 {
	if d == Narrowest {
		return math.Inf(1)
	}
	return 0
}

// MaxFigure is the largest figure of a label: with it, products and sums of
// figures stay finite.
const MaxFigure = 1e100

// Field is one figure of a label, between 0 and [MaxFigure].
type Field struct {
	Name     string     // in the thesis's dialect: "request" in "cpuOffloading - request:1"
	Attrs    []string   // plain attributes; the first is the one that is written
	Unit     string     // empty for a pure number or a price
	Flag     bool       // 0 or 1
	Word     bool       // a Flag that plain attributes write as true or false
	Optional bool       // may be missing, and then is
	Absent   float64    // this (may be +Inf)
	Price    bool       // per unit of the consumed figure on clusters, one-off on links
	Per      string     // of a Price on links: it is paid for each unit of this field of the dependency's label of the same name
	Adds     bool       // of dependencies: two parallel ones have the sum
	Through  Derivation // of links: how it adds up through the centre of a star
}

// Comparison is one constraint between a demand and the label that hosts it.
type Comparison struct {
	Demand, Supply string // names of fields
	Op             Operator
	Reason         string // what a refusal is called
	Consumes       bool   // the demand is taken from the supply
}

// LabelType describes one label. Labels of the same name on different kinds of
// element are different types.
type LabelType struct {
	Name        string
	On          ElementKind
	Kind        LabelKind
	Fields      []Field
	HostedBy    string       // of a Demand: the Supply label it is compared with
	Comparisons []Comparison // of a Demand
	Ordered     [2]string    // two fields; the first must not exceed the second
	Shortest    string       // of a link: among parallels the one with the smallest of this field is kept

	index    int
	extended bool
}

// Field returns the position of the named field, or -1.
func (t *LabelType) Field(name string) int {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// Price returns the position of the field that is a price, or -1.
func (t *LabelType) Price() int {
	return slices.IndexFunc(t.Fields, func(f Field) bool { return f.Price })
}

// Host returns the label type that hosts the demand t, nil where t is none.
func (t *LabelType) Host() *LabelType {
	if t.Kind != Demand {
		return nil
	}
	return Lookup(t.On+Cluster-Job, t.HostedBy)
}

// merged returns the figure of two parallel dependencies that become one: the one that
// is harder to meet, or the sum.
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
	registryLock sync.RWMutex // an input may bring resources of its own
)

func init() {
	for _, t := range builtin {
		if err := Register(t); err != nil {
			panic(err)
		}
	}
}

// Register adds a label type. It is meant for package initialisation: graphs
// that were built before do not know the new type. A type that is registered
// already, or one without fields, is an error.
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

// MaxExtended bounds how many resources may come with inputs.
const MaxExtended = 100

// Extended returns the labels of a resource that an input brings along, such as
// nvidia.com/gpu: what jobs ask of it and what clusters have. Their fields are
// those of cpu, and their attributes begin with the name of the resource. They are
// listed behind all others in the order of their names, whichever came first.
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

// IsExtended reports whether a resource may come with an input: its name is of
// letters, digits, dashes, dots and underscores, and has a slash or a dash that no
// label of our own has.
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

// Lookup returns the label type of that name on that kind of element, or nil.
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

// Labels returns the label types of a kind of element, in the order of their
// registration. The slice must not be changed.
func Labels(on ElementKind) []*LabelType {
	registryLock.RLock()
	defer registryLock.RUnlock()
	return registry[on]
}
