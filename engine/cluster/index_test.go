package cluster

import (
	"testing"

	"berth/engine/sim"
)

// best is the specification of Index.Best: it looks at every host.
func best(hosts []node, cpu, memory Amount, accept func(int) bool) int {
	found := -1
	for i, h := range hosts {
		if h.cpu >= cpu && h.memory >= memory && accept(i) && (found < 0 || h.score > hosts[found].score) {
			found = i
		}
	}
	return found
}

func TestIndexAgreesWithLookingAtAll(t *testing.T) {
	r := sim.NewRandom(1, 0)
	for _, n := range []int{1, 2, 3, 7, 64, 100} {
		x := NewIndex(n)
		hosts := make([]node, n)
		for i := range hosts {
			hosts[i] = node{cpu: absent, memory: absent, score: -1}
		}
		for step := range 3000 {
			i := r.IntN(n)
			if r.IntN(10) == 0 {
				hosts[i] = node{cpu: absent, memory: absent, score: -1}
				x.Remove(i)
			} else {
				hosts[i] = node{cpu: Amount(r.IntN(20)), memory: Amount(r.IntN(20)), score: float64(r.IntN(5)-2) / 4}
				x.Set(i, hosts[i].cpu, hosts[i].memory, hosts[i].score)
			}
			cpu, memory, modulus := Amount(r.IntN(22)), Amount(r.IntN(22)), 1+r.IntN(3)
			accept := func(p int) bool { return p%modulus == 0 }
			if got, want := x.Best(cpu, memory, accept), best(hosts, cpu, memory, accept); got != want {
				t.Fatalf("%d hosts, step %d: got %d, want %d", n, step, got, want)
			}
			all := func(int) bool { return true }
			if got, want := x.Best(cpu, memory, nil), best(hosts, cpu, memory, all); got != want {
				t.Fatalf("%d hosts, step %d: got %d, want %d of all", n, step, got, want)
			}
		}
	}
}

func TestConstraints(t *testing.T) {
	h := &Host{Attributes: SortAttributes([]Attribute{{"os", "linux"}, {"cores", "8"}, {"disk", "ssd"}, {"disk", "hdd"}})}
	for text, want := range map[Constraint]bool{
		{"os", Equal, "linux"}:       true,
		{"os", NotEqual, "linux"}:    false,
		{"disk", Equal, "hdd"}:       true, // the last of two values counts
		{"cores", Greater, "7"}:      true,
		{"cores", Greater, "8"}:      false,
		{"cores", Less, "8.5"}:       true,
		{"gpu", Equal, ""}:           true, // missing: "" for = and ≠
		{"gpu", NotEqual, ""}:        false,
		{"gpu", NotEqual, "a100"}:    true,
		{"gpu", Less, "1"}:           true, // missing: 0 for < and >
		{"gpu", Greater, "0"}:        false,
		{"gpu", Greater, "-1"}:       true,
		{"os", Greater, "0"}:         false, // not a number
		{"cores", Less, "seventeen"}: false,
	} {
		if got := text.Allows(h); got != want {
			t.Errorf("%v: %t, want %t", text, got, want)
		}
	}
}

// A host of 4 CPU and 8 GB has 1 CPU and 4 GB in use: least requested is (3/4 + 4/8)/2 = 0.625,
// balanced is 1 − |1/4 − 4/8| = 0.75, and the mean is 0.6875.
func TestScore(t *testing.T) {
	if got := Score(4*Unit, 8*Unit, Unit, 4*Unit); got != 0.6875 {
		t.Errorf("got %v, want 0.6875", got)
	}
	if got := Score(4, 8, 0, 0); got != 1 {
		t.Errorf("an empty host has %v, want 1", got)
	}
}

func TestParseAmount(t *testing.T) {
	for text, want := range map[string]Amount{"0.375": 375e6, "1": Unit, "1e3": 1000 * Unit, "0.1": 1e8, "0": 0} {
		if got, err := ParseAmount(text); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "-1", "NaN", "Inf", "1e10"} {
		if got, err := ParseAmount(text); err == nil {
			t.Errorf("%q: %d, want an error", text, got)
		}
	}
	// Ten tenths are exactly one, because amounts are integers.
	tenth, _ := ParseAmount("0.1")
	if 10*tenth != Unit {
		t.Error("ten tenths are not one")
	}
}

func BenchmarkIndex(b *testing.B) {
	const n = 9100
	x := NewIndex(n)
	r := sim.NewRandom(1, 0)
	set := func(p int) {
		cpu, memory := Amount(r.IntN(1000)), Amount(r.IntN(1000))
		x.Set(p, cpu, memory, Score(1000, 1000, 1000-cpu, 1000-memory))
	}
	for i := range n {
		set(i)
	}
	for b.Loop() {
		set(max(0, x.Best(Amount(r.IntN(300)), Amount(r.IntN(300)), nil)))
	}
}
