package qoskind

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/stats"
)

// PairQuery asks for the comparison of two runs of the same workload.
type PairQuery struct {
	Classes []qos.Class // of the report
	Bins    int         // of the heat map, by side; 0 means 20
	// Priority is which run is of a baseline, such as the priority-based policy, and measures
	// the contention of an interval: 1 or 2, 0 if neither is.
	Priority int
}

// MaxBins bounds the bins by side of a heat map.
const MaxBins = 100

// maxTested bounds the values of a t-test: it needs 16 bytes for each.
const maxTested = 5_000_000

// Pair compares two runs request by request.
type Pair struct {
	Requests int           // that both runs have
	Classes  []PairOfClass // with at least one request
	All      PairOfClass
	// Fairness has figure 9, of the first run and of the second; nil if neither
	// is of the priority-based policy.
	Fairness [2][]qos.LevelFairness
	// Levels counts the intervals of each level of contention.
	Levels []LevelCount
}

// PairOfClass is the paired heat map of a class (figure 6). Bins has a row for
// each interval of availability in the second run, from 0 to 1, and in it a
// column for each in the first.
type PairOfClass struct {
	Name      string
	SLO       float64
	Requests  int
	Quadrants qos.Quadrants
	Bins      [][]int
	Test      TTest
}

// TTest is a two-sample t-test with unequal variances of the availabilities
// (4.4.3): the means differ at the 5 % level where |T| is above Critical. It is
// figure.Undefined with fewer than two requests, without any variance, and of more
// than five million requests.
type TTest struct {
	T        figure.Number
	Freedom  figure.Number
	Critical figure.Number
	Differ   bool
}

// LevelCount is how many intervals have a level of contention.
type LevelCount struct {
	Level     string
	Intervals int
}

// Compare pairs two runs.
func Compare(first, second Side, q PairQuery) (*Pair, error) {
	q.Bins = cmp.Or(q.Bins, 20)
	switch {
	case q.Bins < 1 || q.Bins > MaxBins:
		return nil, fmt.Errorf("bins: found %d, expected 1 to %d", q.Bins, MaxBins)
	case len(q.Classes) == 0 || len(q.Classes) > MaxClasses:
		return nil, fmt.Errorf("classes: found %d, expected 1 to %d", len(q.Classes), MaxClasses)
	case q.Priority < 0 || q.Priority > 2:
		return nil, errors.New("priority: expected 1, 2, or 0 for neither")
	}
	a, err := first.result(q.Classes)
	if err != nil {
		return nil, err
	}
	b, err := second.result(q.Classes)
	if err != nil {
		return nil, err
	}
	if q.Priority > 0 {
		a.Intervals, b.Intervals = unpackIntervals(first.Intervals, len(q.Classes)), unpackIntervals(second.Intervals, len(q.Classes))
	}
	return compare(a, b, q), nil
}

// compare pairs two results. Their Intervals are the intervals of figure 9.
func compare(a, b *qos.Result, q PairQuery) *Pair {
	p := &Pair{Requests: min(a.Requests, b.Requests), Classes: []PairOfClass{}, Levels: []LevelCount{}}
	for i, c := range q.Classes {
		if of := pairOfClass(a, b, i, q.Bins); of.Requests > 0 {
			of.Name, of.SLO = c.Name, c.SLO
			p.Classes = append(p.Classes, of)
		}
	}
	p.All = pairOfClass(a, b, -1, q.Bins)
	p.All.Name = "all"
	if q.Priority > 0 {
		p.fairness(a.Intervals, b.Intervals, q)
	}
	return p
}

func pairOfClass(a, b *qos.Result, class, bins int) PairOfClass {
	p := PairOfClass{}
	p.Quadrants, p.Bins = qos.Compare(a, b, class, bins)
	for _, n := range slices.Concat(p.Bins...) {
		p.Requests += n
	}
	p.Test = TTest{T: figure.Undefined, Freedom: figure.Undefined, Critical: figure.Undefined}
	if p.Requests <= maxTested {
		p.Test = test(a.Availabilities(class), b.Availabilities(class))
	}
	return p
}

func test(a, b []float64) TTest {
	t, freedom := stats.Welch(a, b)
	critical := math.NaN()
	if freedom >= 1 {
		critical = stats.StudentT975(int(freedom))
	}
	return TTest{figure.Number(t), figure.Number(freedom), figure.Number(critical), math.Abs(t) > critical}
}

// fairness sorts the intervals by the contention of the baseline.
func (p *Pair) fairness(first, second []qos.Interval, q PairQuery) {
	runs := [2][]qos.Interval{first, second}
	priority := runs[q.Priority-1]
	for i := range runs {
		p.Fairness[i] = qos.ByLevel(runs[i], priority, q.Classes)
	}
	for level := qos.NoContention; level <= qos.HighContention; level++ {
		n := 0
		for i := range priority {
			if qos.Contention(&priority[i], q.Classes) == level {
				n++
			}
		}
		p.Levels = append(p.Levels, LevelCount{level.String(), n})
	}
}
