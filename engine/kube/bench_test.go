package kube_test

import (
	"fmt"
	"testing"

	"berth/engine/kube"
)

// BenchmarkPack packs a hundred jobs with 5,000 pods in all onto 1,000 nodes.
func BenchmarkPack(b *testing.B) {
	c := &kube.Cluster{}
	for i := range 1000 {
		c.Nodes = append(c.Nodes, node(fmt.Sprint("n", i), 8000, labelled("zone", fmt.Sprint(i%3))))
	}
	var groups []kube.Group
	var all []int
	for i := range 100 {
		g := pods(int64(100+17*i%1500), 50)
		if i%10 == 0 {
			g.Shape.Spread = []kube.Spread{{MaxSkew: 1, MinDomains: 1, Key: "zone", Selector: own}}
		}
		groups, all = append(groups, g), append(all, i)
	}
	for b.Loop() {
		if r := kube.NewPacker(c, groups, 0).Pack(all); r.Verdict != kube.Fits {
			b.Fatal(r.Verdict, r.Reason)
		}
	}
}
