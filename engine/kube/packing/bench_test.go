package packing_test

import (
	"fmt"
	"testing"

	"berth/engine/kube/packing"
)

// large is a cluster of 1,000 nodes with a hundred jobs of 5,000 pods in all.
func large() (*packing.Cluster, []packing.Group) {
	c := &packing.Cluster{}
	for i := range 1000 {
		c.Nodes = append(c.Nodes, node(fmt.Sprint("n", i), 8000, labelled("zone", fmt.Sprint(i%3))))
	}
	var groups []packing.Group
	for i := range 100 {
		g := pods(int64(100+17*i%1500), 50)
		if i%10 == 0 {
			g.Shape.Spread = []packing.Spread{{MaxSkew: 1, MinDomains: 1, Key: "zone", Selector: own}}
		}
		groups = append(groups, g)
	}
	return c, groups
}

func BenchmarkPack(b *testing.B) {
	c, groups := large()
	var all []int
	for g := range groups {
		all = append(all, g)
	}
	for b.Loop() {
		if r := packing.NewPacker(c, groups, 0).Pack(all); r.Verdict != packing.Fits {
			b.Fatal(r.Verdict, r.Reason)
		}
	}
}
