package workload

import (
	"reflect"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/must"
	"berth/engine/sim"
)

func TestValidationWorkloads(t *testing.T) {
	count := map[string]int{}
	for i, r := range Validation1(1) {
		count[r.Class]++
		if r.Submit != sim.Milliseconds(i)*sim.Second || r.Check() != nil {
			t.Fatalf("request %d is %+v", i, r)
		}
	}
	if want := map[string]int{"gold": 80, "silver": 80, "bronze": 96}; !reflect.DeepEqual(count, want) {
		t.Errorf("got %v, want %v", count, want)
	}
	if reflect.DeepEqual(Validation1(1), Validation1(2)) || !reflect.DeepEqual(Validation1(1), Validation1(1)) {
		t.Error("the order does not depend on the seed alone")
	}
	if n := len(Validation2(1)); n != 221 {
		t.Errorf("%d requests in the second one, want 221", n)
	}
}

func TestGoogleLikeIsInOrderAndReproducible(t *testing.T) {
	g := GoogleLike{Requests: 20000, Length: 2 * sim.Day, Seed: 3}
	a, err := ReadAll(g.Stream())
	b, _ := ReadAll(g.Stream())
	if err != nil || len(a) != g.Requests || !reflect.DeepEqual(a, b) {
		t.Fatalf("%d requests, %v; equal again: %t", len(a), err, reflect.DeepEqual(a, b))
	}
	if !slices.IsSortedFunc(a, func(x, y Request) int { return int(x.Submit - y.Submit) }) {
		t.Error("the requests are not in order")
	}
	last := a[len(a)-1].Submit
	if last < g.Length*8/10 || last > g.Length {
		t.Errorf("the last request comes at %v h of %v h", last/sim.Hour, g.Length/sim.Hour)
	}
	for _, r := range a {
		if r.Check() != nil {
			t.Fatalf("%+v", r)
		}
	}
}

// Requests of 1, 2 and 3 CPUs run over [0, 10), [5, 15) and [10, 20) s: 3 CPUs from 5 s, and 5 from
// 10 s, when the first has just ended. Each uses 1 unit of memory, so at most 2.
func TestPeakDemand(t *testing.T) {
	var all []Request
	for i := range 3 {
		all = append(all, Request{Submit: sim.Milliseconds(i) * 5000, Duration: 10000, CPU: cluster.Amount(i+1) * cluster.Unit, Memory: cluster.Unit})
	}
	got, err := PeakDemand(&Slice{Requests: all})
	if want := (Peak{CPU: 5 * cluster.Unit, Memory: 2 * cluster.Unit}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for range 10 { // their sum does not fit into 64 bits
		all = append(all, Request{Submit: sim.Hour, Duration: 1, CPU: cluster.Unit, Memory: cluster.MaxAmount})
	}
	if got, err := PeakDemand(&Slice{Requests: all}); err == nil {
		t.Errorf("%+v of too much", got)
	}
}

func TestSize(t *testing.T) {
	pool := GoogleHosts(2000, 1)
	peak := Peak{CPU: 100 * cluster.Unit, Memory: 120 * cluster.Unit}
	var whole map[string]bool
	for _, part := range []float64{1, 0.9, 0.8} {
		hosts := must.Get(Size(pool, peak, part, 5))(t)
		names := map[string]bool{}
		var memory cluster.Amount
		for _, h := range hosts {
			names[h.Name] = true
			memory += h.Memory
			if whole != nil && !whole[h.Name] {
				t.Fatalf("%v N has the host %s, which N has not", part, h.Name)
			}
		}
		if len(names) != len(hosts) {
			t.Error("a host is there twice")
		}
		if at := memory.Units(); at < part*120 || at > part*120+1 {
			t.Errorf("%v N has %v of memory, want %v and at most one host more", part, at, part*120)
		}
		if part == 1 {
			whole = names
		}
	}
	if _, err := Size(pool[:3], peak, 1, 5); err == nil {
		t.Error("three hosts were enough")
	}
	if _, err := Size(pool, peak, 1.1, 5); err == nil {
		t.Error("a part of 1.1 was taken")
	}
}
