package kube_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"berth/engine/kube"
)

const (
	count = "alibabacloud.com/gpu-count"
	share = "alibabacloud.com/gpu-milli"
)

func gpuNodes(counts ...int64) *kube.Cluster {
	c := &kube.Cluster{}
	for i, n := range counts {
		c.Nodes = append(c.Nodes, node(fmt.Sprint("n", i), 64000, func(node *kube.Node) {
			node.Allocatable[count], node.Allocatable[share] = n, 1000*n
		}))
	}
	return c
}

func gpuPods(pods int, wholes, milli int64) kube.Group {
	return kube.Group{Name: "g", Pods: pods, Shape: &kube.Shape{
		Namespace: "default", Requests: kube.Resources{kube.CPU: 100, count: wholes, share: milli},
	}}
}

// These are the reasons for pods that find no GPU.
func TestPodsTakeDevices(t *testing.T) {
	const lacks, noGPU = "0/1 nodes are available: 1 Insufficient alibabacloud.com/gpu-", "0/1 nodes are available: 1 node(s) had no GPU with enough left."
	packed(t, gpuNodes(2), lacks+"count, 1 Insufficient alibabacloud.com/gpu-milli. 2 of 3 pods fit.", gpuPods(3, 1, 1000))
	packed(t, gpuNodes(2), noGPU+" 2 of 3 pods fit.", gpuPods(3, 1, 600))
	packed(t, gpuNodes(2), noGPU+" 4 of 5 pods fit.", gpuPods(5, 1, 400))
	packed(t, gpuNodes(2), lacks+"milli. 1 of 2 pods fit.", gpuPods(2, 1, 600), gpuPods(1, 1, 0))
	packed(t, gpuNodes(1), "", gpuPods(2, 0, 500))
	c := gpuNodes(2)
	c.Pods = []*kube.Pod{runs(c, gpuPods(1, 1, 600).Shape, 0)}
	packed(t, c, "", gpuPods(1, 1, 0), gpuPods(1, 1, 400))
	c.Pods = append(c.Pods, runs(c, gpuPods(1, 1, 600).Shape, 0))
	packed(t, c, lacks+"milli.", gpuPods(1, 1, 0))
}

// onDevices tries every GPU for every pod, one after the other. A whole GPU has 1000
// thousandths; a pod takes its thousandths from the free ones.
func onDevices(free [][]int64, groups []kube.Group, left []int) bool {
	g := slices.IndexFunc(left, func(n int) bool { return n > 0 })
	if g < 0 {
		return true
	}
	left[g]--
	defer func() { left[g]++ }()
	wholes, milli := groups[g].Shape.Requests[count], groups[g].Shape.Requests[share]
	for n := range free {
		if wholes == 1 && milli < 1000 {
			for d := range free[n] {
				if free[n][d] >= milli {
					free[n][d] -= milli
					found := onDevices(free, groups, left)
					free[n][d] += milli
					if found {
						return true
					}
				}
			}
			continue
		}
		var taken []int
		for d := range free[n] {
			if free[n][d] == 1000 && len(taken) < int(wholes) {
				free[n][d], taken = 0, append(taken, d)
			}
		}
		found := len(taken) == int(wholes) && onDevices(free, groups, left)
		for _, d := range taken {
			free[n][d] = 1000
		}
		if found {
			return true
		}
	}
	return false
}

func TestDevicesAgreeWithTryingEverything(t *testing.T) {
	verdicts, pooled := map[kube.Verdict]int{}, 0
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 7))
		var counts []int64
		var free [][]int64
		room := int64(0)
		for range 1 + r.IntN(3) {
			n := int64(r.IntN(4))
			counts = append(counts, n)
			free = append(free, slices.Repeat([]int64{1000}, int(n)))
			room += 1000 * n
		}
		var groups []kube.Group
		var left, all []int
		for g := range 1 + r.IntN(3) {
			one := gpuPods(1+r.IntN(3), 1, []int64{100, 300, 400, 500, 600, 700}[r.IntN(6)])
			if r.IntN(4) == 0 {
				one = gpuPods(1, int64(1+r.IntN(2)), 1000)
			}
			groups, left, all = append(groups, one), append(left, one.Pods), append(all, g)
			room -= int64(one.Pods) * one.Shape.Amount(share)
		}
		got, want := kube.NewPacker(gpuNodes(counts...), groups, 0).Pack(all), onDevices(free, groups, left)
		if got.Verdict == kube.Unknown || (got.Verdict == kube.Fits) != want {
			t.Fatalf("seed %d: nodes with %v GPUs, %+v: %v, want %v", seed, counts, groups, got, want)
		}
		verdicts[got.Verdict]++
		if room >= 0 && !want {
			pooled++
		}
	}
	if verdicts[kube.Fits] < 500 || verdicts[kube.Cannot] < 500 || pooled < 100 {
		t.Errorf("the cases are too much alike: %v, %d fit only where GPUs are pooled", verdicts, pooled)
	}
}

func TestGPUsOfResources(t *testing.T) {
	for _, test := range []struct {
		r    kube.Resources
		want float64
	}{
		{kube.Resources{"nvidia.com/gpu": 2}, 2},
		{kube.Resources{count: 1, share: 460}, 0.46},
		{kube.Resources{share: 460}, 0.46},
		{kube.Resources{count: 2, share: 500}, 2},
		{kube.Resources{count: 1, share: 1000}, 1},
		{kube.Resources{share: 2000}, 2},
		{kube.Resources{count: 1, share: 460, "nvidia.com/gpu": 1}, 2},
		{kube.Resources{count: -3, share: -1}, 0},
		{kube.Resources{kube.CPU: 5}, 0},
	} {
		if got := test.r.GPUs().Units(); got != test.want {
			t.Errorf("%v takes %v GPUs, want %v", test.r, got, test.want)
		}
	}
}

// QoS gets the whole GPUs that running pods leave free.
func TestWholeGPUsThatAreLeft(t *testing.T) {
	c := gpuNodes(3, 2)
	c.Pods = []*kube.Pod{
		runs(c, gpuPods(1, 1, 600).Shape, 0), runs(c, gpuPods(1, 1, 300).Shape, 0), runs(c, gpuPods(1, 1, 0).Shape, 0), runs(c, gpuPods(1, 2, 0).Shape, 1),
	}
	if got := c.GPUs(); !slices.Equal(got, []int64{1, 0}) {
		t.Errorf("whole GPUs left: %v", got)
	}
}
