package kube_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"berth/engine/kube"
)

// local returns volumes by name, given as "NODE SIZE" or "* SIZE", of a class without a
// provisioner.
func local(volumes map[string]string) kube.Objects {
	o := kube.Objects{Classes: map[string]kube.StorageClass{"local": {Name: "local"}}, Volumes: map[string]kube.Volume{}}
	for name, text := range volumes {
		var node string
		v := kube.Volume{Class: "local", Modes: kube.ReadWriteOnce}
		fmt.Sscan(text, &node, &v.Size)
		if node != "*" {
			v.Affinity = on(node)
		}
		o.Volumes[name] = v
	}
	return o
}

func on(nodes ...string) []kube.AffinityTerm {
	return []kube.AffinityTerm{{Fields: []kube.Requirement{{Key: "metadata.name", Operator: "In", Values: nodes}}}}
}

// claims gives each pod a claim of the given size.
func claims(size int64) func(*kube.Shape) {
	return func(s *kube.Shape) {
		s.Uses = append(s.Uses, kube.Use{Name: fmt.Sprint("default/data", size, "-"), Each: true,
			Claim: kube.Claim{Class: "local", Modes: kube.ReadWriteOnce, Size: size}})
	}
}

func only(node string) func(*kube.Shape) {
	return func(s *kube.Shape) { s.Affinity = on(node) }
}

const notFound = "node(s) didn't find available persistent volumes to bind"

// A free volume is for one claim, and a claim gets the smallest volume that fits.
func TestAVolumeIsForOneClaim(t *testing.T) {
	shared := func(s *kube.Shape) { s.Uses = append(s.Uses, kube.Use{Name: "default/shared"}) }
	for _, test := range []struct {
		volumes map[string]string
		groups  []kube.Group
		want    string
	}{
		{map[string]string{"v": "a 10", "w": "b 10"}, []kube.Group{pods(1, 3, claims(5))}, "0/2 nodes are available: 2 " + notFound + ". 2 of 3 pods fit."},
		{map[string]string{"v": "a 10", "w": "a 20"}, []kube.Group{pods(2, 1, claims(5)), pods(1, 1, claims(15))}, ""},
		{map[string]string{"v": "a 10", "w": "a 20"}, []kube.Group{pods(1, 1, claims(15), claims(5))}, ""},
		{map[string]string{"v": "a 10", "w": "b 20"}, []kube.Group{pods(1, 1, claims(15), claims(5))}, "0/2 nodes are available: 2 " + notFound + "."},
		{map[string]string{"v": "* 10", "w": "a 20"}, []kube.Group{pods(3, 1, claims(5), only("a")), pods(1, 1, claims(6), only("b"))}, ""},
		{map[string]string{"v": "* 10"}, []kube.Group{pods(1, 3, shared)}, ""},
		{map[string]string{"v": "a 10"}, []kube.Group{pods(1, 1, shared, only("a")), pods(1, 1, shared, only("b"))}, "0/2 nodes are available: 1 " + notFound + ", 1 node(s) didn't satisfy plugin(s) [NodeAffinity]."},
	} {
		c := &kube.Cluster{Nodes: []kube.Node{node("a", 4000), node("b", 4000)}, Objects: local(test.volumes)}
		c.Claims = map[string]kube.Claim{"default/shared": {Class: "local", Size: 5}}
		packed(t, c, test.want, test.groups...)
	}
}

// These are the requirements on a volume in addition to its size.
func TestWhatAVolumeFits(t *testing.T) {
	b := kube.Node{Name: "b"}
	for name, test := range map[string]struct {
		volume kube.Volume
		claim  kube.Claim
		want   bool
	}{
		"as asked":          {kube.Volume{Size: 5, Modes: kube.ReadWriteOnce | kube.ReadOnlyMany}, kube.Claim{Size: 5, Modes: kube.ReadWriteOnce}, true},
		"another mode":      {kube.Volume{Modes: kube.ReadWriteOnce}, kube.Claim{Modes: kube.ReadWriteMany}, false},
		"a device":          {kube.Volume{Block: true}, kube.Claim{}, false},
		"chosen by labels":  {kube.Volume{Labels: map[string]string{"disk": "ssd"}}, kube.Claim{Marks: kube.Selector{{Key: "disk", Operator: "Exists"}}}, true},
		"not chosen":        {kube.Volume{}, kube.Claim{Marks: kube.Selector{{Key: "disk", Operator: "Exists"}}}, false},
		"taken":             {kube.Volume{Taken: true}, kube.Claim{}, false},
		"of the node":       {kube.Volume{Affinity: on("b")}, kube.Claim{}, true},
		"of another node":   {kube.Volume{Affinity: on("a")}, kube.Claim{}, false},
		"of the only class": {kube.Volume{Class: "local"}, kube.Claim{}, false},
	} {
		o := kube.Objects{Classes: map[string]kube.StorageClass{"": {}}, Volumes: map[string]kube.Volume{"v": test.volume}}
		s := &kube.Shape{Uses: []kube.Use{{Each: true, Claim: test.claim}}}
		if got := kube.NewBinder(&o, false).Bind(s, &b); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// After any sequence of pods, a binder that may rebind accepts one more pod exactly
// if some assignment gives each pod a volume. With every second seed volumes can also
// be provisioned, on one of the nodes.
func TestBinderAgreesWithTryingEverything(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 7))
		volumes := map[string]string{}
		for i := range 1 + r.IntN(4) {
			volumes[fmt.Sprint("v", i)] = fmt.Sprint([]string{"*", "a", "b"}[r.IntN(3)], " ", 1+r.IntN(3))
		}
		o := local(volumes)
		made := seed%2 == 1
		if made {
			o.Classes["local"] = kube.StorageClass{Name: "local", Made: true, Topologies: on("a")}
		}
		nodes := []kube.Node{{Name: "a"}, {Name: "b"}}
		b := kube.NewBinder(&o, false)
		type pod struct {
			size int64
			node int
		}
		var there []pod
		var some func(left []pod, taken map[string]bool) bool
		some = func(left []pod, taken map[string]bool) bool {
			if len(left) == 0 {
				return true
			}
			if made && left[0].node == 0 && some(left[1:], taken) {
				return true
			}
			for name, v := range o.Volumes {
				if taken[name] || v.Size < left[0].size || v.Affinity != nil && v.Affinity[0].Fields[0].Values[0] != nodes[left[0].node].Name {
					continue
				}
				taken[name] = true
				if some(left[1:], taken) {
					return true
				}
				delete(taken, name)
			}
			return false
		}
		for step := range 12 {
			if len(there) > 0 && r.IntN(3) == 0 {
				i := r.IntN(len(there))
				b.Release(pods(1, 1, claims(there[i].size)).Shape, &nodes[there[i].node])
				there = append(there[:i:i], there[i+1:]...)
				continue
			}
			p := pod{int64(1 + r.IntN(3)), r.IntN(2)}
			want := some(append(there[:len(there):len(there)], p), map[string]bool{})
			if got := b.Bind(pods(1, 1, claims(p.size)).Shape, &nodes[p.node]); got != want {
				t.Fatalf("seed %d, step %d: %v, want %v for %v beside %v of %v", seed, step, got, want, p, there, volumes)
			}
			if want {
				there = append(there, p)
			}
		}
	}
}
