package sim

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

type (
	event    = Event[Milliseconds]
	progress = Progress[Milliseconds]
)

func TestLastEventsOfATimeComeInTheOrderOfKinds(t *testing.T) {
	var q Agenda[Milliseconds]
	q.PushLast(event{At: 1, Kind: 7})
	q.PushLast(event{At: 1, Kind: 3})
	q.Push(event{At: 2, Kind: 1})
	q.Push(event{At: 1, Kind: 9})
	q.Push(event{At: 1, Kind: 8})
	var kinds []uint32
	for q.Len() > 0 {
		kinds = append(kinds, q.Pop().Kind)
	}
	if want := []uint32{9, 8, 3, 7, 1}; !slices.Equal(kinds, want) {
		t.Errorf("the kinds are %v, want %v", kinds, want)
	}
}

func TestQueueAgreesWithSortingWhenMixed(t *testing.T) {
	r := NewRandom(2, 0)
	var q Agenda[Milliseconds]
	var model []event
	for i := range uint32(20000) {
		if len(model) > 0 && r.IntN(5) < 2 {
			first := 0
			for j, e := range model {
				if e.At < model[first].At {
					first = j
				}
			}
			next, ok := q.Next()
			if got := q.Pop(); !ok || got != next || got != model[first] {
				t.Fatalf("got %v behind %v, want %v", got, next, model[first])
			}
			model = slices.Delete(model, first, first+1)
			continue
		}
		if len(model) < 60 {
			e := event{At: Milliseconds(r.IntN(50)), Kind: i % 3, Ref: i, Mark: i / 2}
			q.Push(e)
			model = append(model, e)
		}
	}
}

func TestDeletingEventsKeepsTheOrderOfTheOthers(t *testing.T) {
	r := NewRandom(3, 0)
	for n := range 200 {
		var q Agenda[Milliseconds]
		var model []event
		for i := range uint32(n) {
			e := event{At: Milliseconds(r.IntN(20)), Ref: i, Mark: uint32(r.IntN(3))}
			q.Push(e)
			model = append(model, e)
		}
		stale := func(e *event) bool { return e.Mark != 0 }
		q.DeleteFunc(stale)
		model = slices.DeleteFunc(model, func(e event) bool { return stale(&e) })
		slices.SortStableFunc(model, func(a, b event) int { return int(a.At - b.At) })
		for i, want := range model {
			if got := q.Pop(); got != want {
				t.Fatalf("%d events: number %d is %v, want %v", n, i, got, want)
			}
		}
		if _, ok := q.Next(); ok || q.Len() != 0 {
			t.Fatalf("%d events: %d are left", n, q.Len())
		}
	}
}

func TestRandomIsSeededAndInRange(t *testing.T) {
	a, b, other := NewRandom(7, 1), NewRandom(7, 1), NewRandom(7, 2)
	differ := false
	var sum, squares, exponential float64
	const n = 100000
	for range n {
		x := a.Float64()
		if x != b.Float64() {
			t.Fatal("equal seeds give different numbers")
		}
		differ = differ || x != other.Float64()
		if x < 0 || x >= 1 {
			t.Fatalf("%v is not in [0, 1)", x)
		}
		z := a.Normal()
		b.Normal()
		sum += z
		squares += z * z
		exponential += a.Exponential()
		b.Exponential()
	}
	if !differ {
		t.Error("two streams of a seed are the same")
	}
	// The bounds are four standard errors: 4/√n, 4·√(2/n), 4/√n.
	if math.Abs(sum/n) > 0.0127 || math.Abs(squares/n-1) > 0.018 || math.Abs(exponential/n-1) > 0.0127 {
		t.Errorf("moments: %v, %v, %v; want about 0, 1, 1", sum/n, squares/n, exponential/n)
	}
}

// The numbers are the ones of the standard library, also behind skipped draws.
func TestNumbersAreOfPCG(t *testing.T) {
	a, want := NewRandom(5, 7), rand.NewPCG(5, 7)
	for skipped := range 700 {
		a.Skip(skipped)
		for range skipped {
			want.Uint64()
		}
		if got, want := a.Uint64(), want.Uint64(); got != want {
			t.Fatalf("%d after %d skipped draws, want %d", got, skipped, want)
		}
	}
}

func TestPermutationHasEachNumberOnce(t *testing.T) {
	p := NewRandom(3, 0).Permutation(100)
	if slices.IsSorted(p) {
		t.Error("the order is not random")
	}
	slices.Sort(p)
	for i, v := range p {
		if i != v {
			t.Fatalf("%d is in place %d", v, i)
		}
	}
}

func TestMonitorStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var seen []progress
	m := NewMonitor(ctx, func(p progress) { seen = append(seen, p) })
	checks := 0
	for i := range 10 * checkEvery {
		if !m.Due(1) {
			continue
		}
		checks++
		if checks == 3 {
			cancel()
		}
		if m.Check(progress{Now: Milliseconds(i), End: 10 * checkEvery}) {
			break
		}
	}
	if checks != 3 || len(seen) != 3 {
		t.Errorf("%d checks and %d reports, want 3 of each", checks, len(seen))
	}
	if got := seen[2].Fraction(); math.Abs(got-0.3) > 0.001 {
		t.Errorf("fraction %v, want 0.3", got)
	}
}

func TestFractionIsTheSmallerPart(t *testing.T) {
	for _, test := range []struct {
		p    progress
		want float64
	}{
		{progress{}, 0},
		{progress{Now: 5, End: 10}, 0.5},
		{progress{Now: 5, End: 10, Requests: 1, RequestsInAll: 4}, 0.25},
		{progress{Now: -5, End: 10}, 0},
		{progress{Now: 20, End: 10, Requests: 4, RequestsInAll: 4}, 1},
	} {
		if got := test.p.Fraction(); got != test.want {
			t.Errorf("%+v: %v, want %v", test.p, got, test.want)
		}
	}
}

func TestQueueDoesNotAllocatePerEvent(t *testing.T) {
	var q Agenda[Milliseconds]
	for i := range 100 {
		q.Push(event{At: Milliseconds(i)})
	}
	r := NewRandom(1, 0)
	if n := testing.AllocsPerRun(1000, func() {
		e := q.Pop()
		e.At += Milliseconds(r.IntN(1000))
		q.Push(e)
	}); n != 0 {
		t.Errorf("%v allocations per event", n)
	}
}

// This is the hold model: the number of events is constant, because each one schedules the next.
func BenchmarkQueue(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 16, 1 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var q Agenda[Milliseconds]
			r := NewRandom(1, 0)
			for range size {
				q.Push(event{At: Milliseconds(r.IntN(1 << 20))})
			}
			for b.Loop() {
				e := q.Pop()
				e.At += Milliseconds(r.IntN(1 << 20))
				q.Push(e)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
