package kube_test

import (
	"fmt"
	"testing"

	"berth/engine/kube"
)

// large returns a cluster of 1,000 nodes, and a hundred jobs with 5,000 pods in all.
func large() (*kube.Cluster, []kube.Group) {
	c := &kube.Cluster{}
	for i := range 1000 {
		c.Nodes = append(c.Nodes, node(fmt.Sprint("n", i), 8000, labelled("zone", fmt.Sprint(i%3))))
	}
	var groups []kube.Group
	for i := range 100 {
		g := pods(int64(100+17*i%1500), 50)
		if i%10 == 0 {
			g.Shape.Spread = []kube.Spread{{MaxSkew: 1, MinDomains: 1, Key: "zone", Selector: own}}
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
		if r := kube.NewPacker(c, groups, 0).Pack(all); r.Verdict != kube.Fits {
			b.Fatal(r.Verdict, r.Reason)
		}
	}
}
