package placement_test

import (
	"context"
	"reflect"
	"testing"

	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// A stopped search has the same result as a search with that number of steps. A search that ended
// by itself ends at the same place again, in no more steps. Continuing a search gives the same as
// not stopping it.
func TestAStoppedSearchIsOneWithAsManySteps(t *testing.T) {
	resumable := 0
	stopped, ended := map[string]int{}, map[string]int{}
	for _, name := range []string{"best", "exact"} {
		s, _ := placement.Named(name, nil)
		for i, shape := range placementtest.Shapes {
			for looks := range 6 {
				d, f := shape.Generate(uint64(looks))
				p := problemOf(d, f, false)
				ctx, cancel := context.WithCancel(t.Context())
				told := 0
				o := placement.Options{Phi: 0.05, Steps: 150_000}
				watched := o
				watched.Paused = &placement.Paused{}
				watched.Reached = func(placement.Improvement, []int32) {
					told++
					if told > 1<<(2*looks) {
						cancel()
					}
				}
				got := s.Place(ctx, p, watched)
				cancel()
				switch {
				case got.Status == placement.Cancelled && got.Until != nil:
					got = *got.Until
					stopped[name]++
				case got.Status != placement.Cancelled && got.Certificate != nil && got.Certificate.Steps > 0:
					ended[name]++
				default:
					continue
				}
				ends := got.Certificate.Steps
				o.Steps = 4 * ends
				further := s.Place(t.Context(), p, o)
				o.Paused = watched.Paused
				if resumed := s.Place(t.Context(), p, o); !reflect.DeepEqual(resumed, further) {
					t.Fatalf("%s, shape %d, %d looks: from %d to %d steps\n%+v %+v, in one go\n%+v %+v", name, i, looks, ends, o.Steps, resumed, resumed.Certificate, further, further.Certificate)
				}
				if name == "best" && o.Paused.Begun() {
					resumable++
				}
				o.Steps, o.Paused = ends, nil
				if again := s.Place(t.Context(), p, o); !reflect.DeepEqual(again, got) {
					t.Fatalf("%s, shape %d, %d looks: with %d steps\n%+v %+v, it was\n%+v %+v", name, i, looks, o.Steps, again, again.Certificate, got, got.Certificate)
				}
			}
		}
		if resumable < 10 {
			t.Errorf("only %d could go on", resumable)
		}
		if stopped[name] < 10 || ended[name] < 10 {
			t.Errorf("%s: %d stopped and %d ended: too few to tell", name, stopped[name], ended[name])
		}
	}
}

// A search that is stopped while it tightens its bound continues with that.
func TestASearchStoppedAtItsBoundGoesOnAsInOneGo(t *testing.T) {
	d, f := thesisGraphs(t, 1, 5, 200, nil)
	p := problemOf(d, f, false)
	s, _ := placement.Named("best", nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last placement.Improvement
	same := 0 // number of times without a change
	o := placement.Options{Steps: 400_000}
	watched := o
	watched.Paused = &placement.Paused{}
	watched.Reached = func(now placement.Improvement, cluster []int32) {
		if same++; now != last {
			same, last = 0, now
		}
		if cluster != nil && same == 3 { // other stages change something or end
			cancel()
		}
	}
	stopped := s.Place(ctx, p, watched)
	if same < 3 || stopped.Status != placement.Cancelled || !watched.Paused.Begun() {
		t.Fatalf("the search was not stopped at its bound: %v after %d steps", stopped.Status, last.Steps)
	}
	inOneGo := s.Place(t.Context(), p, o)
	o.Paused = watched.Paused
	if resumed := s.Place(t.Context(), p, o); !reflect.DeepEqual(resumed, inOneGo) {
		t.Errorf("it went on to %v, bound %v; in one go %v, bound %v", resumed.Cost(), resumed.Certificate.Bound, inOneGo.Cost(), inOneGo.Certificate.Bound)
	}
}
