package placementkind

import (
	"berth/engine/kube/manifest"
	"encoding/json"
	"fmt"
	"strings"

	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Pool is a node type that can be added, with its price, in the format of pools.yaml.
type Pool struct {
	Type        string            `json:"type"`
	Allocatable map[string]string `json:"allocatable"` // quantities per node
	Labels      map[string]string `json:"labels,omitempty"`
	Taints      []kube.Taint      `json:"taints,omitempty"`
	Price       float64           `json:"price"` // per node and hour
	Minimum     int               `json:"minimum,omitempty"`
	Maximum     int               `json:"maximum,omitempty"` // 0 means no limit
}

// MaxPools limits the pools of a document.
const MaxPools = 200

// NewPool converts a node type to a pool.
func NewPool(p *kube.NodeType) Pool {
	out := Pool{Type: p.Type, Allocatable: map[string]string{}, Labels: p.Template.Labels, Taints: p.Template.Taints, Price: p.Price, Minimum: p.Minimum, Maximum: p.Maximum}
	for resource, amount := range p.Template.Allocatable {
		out.Allocatable[resource] = kube.Quantity(resource, amount)
	}
	return out
}

// poolsOf converts pools to node types; nil if there are none.
func poolsOf(pools []Pool) ([]kube.NodeType, error) {
	if len(pools) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(pools)
	if err != nil {
		return nil, err
	}
	all, found := manifest.ReadPools("pools", text, format.Options{})
	if all == nil {
		return nil, &scenario.InputError{Diagnostics: found}
	}
	return all, nil
}

func (r *graphReader) pools() {
	var err error
	if r.e.world.pools, err = poolsOf(r.e.document.Pools); err != nil {
		r.found.Wrong("placement.pools", err)
	}
}

const addPool = "add pool TYPE ×3, or add pool CLUSTER/TYPE ×3"

// addPool applies the what-if that adds nodes of a pool to a cluster.
func (w *world) addPool(words []string) error {
	count, err := counted(words[1:])
	if err != nil || len(words) > 2 {
		return fmt.Errorf("expected %s", addPool)
	}
	at, kind, several := -1, words[0], false
	for i := range w.federation.Listed() {
		if of, is := strings.CutPrefix(words[0], w.federation.Clusters().ID(i)+"/"); is {
			at, kind, several = i, of, false
			break
		}
		at, several = i, at >= 0
	}
	switch {
	case at < 0:
		return errNoNodes
	case several:
		return fmt.Errorf("several clusters have nodes: write add pool CLUSTER/%s", kind)
	}
	c := w.federation.Members[at].Nodes
	for i := range w.pools {
		if w.pools[i].Type != kind {
			continue
		}
		for k := 0; count > 0; k++ {
			n := w.pools[i].Node(k)
			if _, _, err := w.node(n.Name); err == nil {
				continue // the name is taken
			}
			c.Nodes = append(c.Nodes, n)
			count--
		}
		return nil
	}
	return fmt.Errorf("there is no pool %s: pools are given with --pools, or in the table of the page", show.Quote(kind))
}
