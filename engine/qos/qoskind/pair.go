package qoskind

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/scenario"
	"berth/engine/stats"
)

// PairQuery asks for the comparison of two runs of the same workload.
type PairQuery struct {
	Classes []qos.Class // classes of the report
	// Priority is the number, 1 or 2, of the run under a baseline policy, which determines the
	// contention of each interval; 0 if neither run is.
	Priority int
}

// FirstSide and SecondSide are the names of the files of a comparison: the arrays of its runs.
const (
	FirstSide  = "first"
	SecondSide = "second"
)

// maxTested limits the number of requests in a t-test, which needs 16 bytes for each.
const maxTested = 5_000_000

// Pair compares two runs request by request.
type Pair struct {
	Requests int           // number of requests in both runs
	Classes  []PairOfClass // classes with at least one request
	All      PairOfClass
	// Fairness is figure 9 for the first and the second run; both are nil if neither run is under a
	// baseline policy.
	Fairness [2][]qos.LevelFairness
	// Levels has the number of intervals at each level of contention.
	Levels []LevelCount
}

// PairOfClass is the paired heat map of a class (figure 6). Row r of Bins is an interval of
// availabilities in the second run, column c one in the first run. Both axes cover 0 to 1.
type PairOfClass struct {
	Name      string
	SLO       float64
	Requests  int
	Quadrants qos.Quadrants
	Bins      [][]int
	Test      TTest
}

// TTest is a two-sample t-test with unequal variances on the availabilities (4.4.3). The means
// differ at the 5 % level if |T| > Critical. The figures are undefined for fewer than two requests,
// without any variance, and for more than five million requests.
type TTest struct {
	T        figure.Number
	Freedom  figure.Number
	Critical figure.Number
	Differ   bool
}

// LevelCount is the number of intervals at a level of contention.
type LevelCount struct {
	Level     string
	Intervals int
}

func comparePair(ctx context.Context, q PairQuery, files scenario.Files) (*Pair, error) {
	var arrays [2][]byte
	for i, name := range []string{FirstSide, SecondSide} {
		file, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("there is no file %s", name)
		}
		var err error
		if arrays[i], err = file.Bytes(ctx); err != nil {
			return nil, err
		}
	}
	return Compare(arrays[0], arrays[1], q)
}

// Compare compares two runs request by request, given by their arrays; see [ReadOutcomes]. It
// returns an error if the query is out of range or an array does not fit its classes.
func Compare(first, second []byte, q PairQuery) (*Pair, error) {
	switch {
	case len(q.Classes) == 0 || len(q.Classes) > MaxClasses:
		return nil, fmt.Errorf("classes: found %d, expected 1 to %d", len(q.Classes), MaxClasses)
	case q.Priority < 0 || q.Priority > 2:
		return nil, errors.New("priority: expected 1, 2, or 0 for neither")
	}
	a, err := ReadOutcomes(q.Classes, first)
	if err != nil {
		return nil, err
	}
	b, err := ReadOutcomes(q.Classes, second)
	if err != nil {
		return nil, err
	}
	return compare(a, b, q), nil
}

// compare compares two results, which must include the intervals of figure 9.
func compare(a, b *qos.Result, q PairQuery) *Pair {
	p := &Pair{Requests: min(a.Requests, b.Requests), Classes: []PairOfClass{}, Levels: []LevelCount{}}
	for i, c := range q.Classes {
		if of := pairOfClass(a, b, i); of.Requests > 0 {
			of.Name, of.SLO = c.Name, c.SLO
			p.Classes = append(p.Classes, of)
		}
	}
	p.All = pairOfClass(a, b, -1)
	p.All.Name = "all"
	if q.Priority > 0 {
		p.fairness(a.Intervals, b.Intervals, q)
	}
	return p
}

func pairOfClass(a, b *qos.Result, class int) PairOfClass {
	p := PairOfClass{}
	p.Quadrants, p.Bins = qos.Compare(a, b, class)
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

// fairness groups the intervals of both runs by the contention in the baseline run.
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
