package exact_test

import (
	"math"
	"reflect"
	"runtime"
	"testing"

	"berth/engine/solve"
	"berth/engine/solve/exact"
)

// A tree that stops often gets the same result as one that does not: the lowest cost.
func TestATreeGoesOnWhereItStopped(t *testing.T) {
	stops := 0
	small(t, 20, func(name string, p *solve.Problem) {
		whole, parts := exact.NewTree(p, nil), exact.NewTree(p, nil)
		whole.Run(1e6)
		for steps := int64(1); !parts.Result().Proved; steps += 1 + steps/2 {
			parts.Run(steps)
			stops++
		}
		got, want := parts.Result(), exact.Exhaustive(p)
		if !reflect.DeepEqual(got, whole.Result()) {
			t.Fatalf("%s: %+v, in one go %+v", name, got, whole.Result())
		}
		if math.IsInf(want, 1) != (got.Cluster == nil) || got.Cluster != nil && math.Abs(got.Cost-want) > 1e-9*want {
			t.Fatalf("%s: cost %v, want %v", name, got.Cost, want)
		}
	})
	if stops < 100 {
		t.Errorf("only %d stops: too few to tell", stops)
	}
}

// A placement that is offered between two stops is the best one from then on. A proof then takes
// fewer steps. Unused trees leave no goroutines.
func TestATreeTakesWhatIsOffered(t *testing.T) {
	before := runtime.NumGoroutine()
	var alone, helped int64
	small(t, 20, func(name string, p *solve.Problem) {
		best := minimize(p, nil, 1e6)
		if best.Cluster == nil {
			return
		}
		for _, offered := range []bool{false, true} {
			tree := exact.NewTree(p, nil)
			tree.Run(1)
			if offered {
				tree.Offer(best.Cluster, best.Cost)
				if got := tree.Result().Cost; got > best.Cost {
					t.Fatalf("%s: cost %v, %v was offered", name, got, best.Cost)
				}
			}
			tree.Run(1e6)
			if got := tree.Result(); !got.Proved || got.Cost > best.Cost*(1+1e-9) {
				t.Fatalf("%s: cost %v, proved %t, want %v", name, got.Cost, got.Proved, best.Cost)
			}
			if offered {
				helped += tree.Result().Steps
			} else {
				alone += tree.Result().Steps
			}
		}
		exact.NewTree(p, nil).Run(1)
	})
	if helped >= alone {
		t.Errorf("%d steps with what was offered, %d without", helped, alone)
	}
	for runtime.NumGoroutine() > before {
		runtime.GC()
		runtime.Gosched()
	}
}
