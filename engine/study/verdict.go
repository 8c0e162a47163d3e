package study

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"berth/engine/figure"
	"berth/engine/show"
	"berth/engine/stats"
)

// Verdict is what the runs say of a claim.
type Verdict string

// The verdicts. Of one criterion only Agrees, Differs and Undecided are given.
const (
	// Agrees: every number is met within its tolerance, and every direction holds.
	Agrees Verdict = "agrees"
	// Direction: every order and trend holds significantly; numbers are not met, or
	// there are none.
	Direction Verdict = "direction"
	// Differs: some order or trend is contradicted significantly; where only numbers
	// are claimed, one of them is.
	Differs Verdict = "differs"
	// Undecided: neither, with so many seeds.
	Undecided Verdict = "undecided"
)

// Known reports whether it is one of the verdicts.
func (v Verdict) Known() bool {
	return slices.Contains([]Verdict{Agrees, Direction, Differs, Undecided}, v)
}

// Judged is a criterion with what the runs say of it.
type Judged struct {
	ID        string  `json:"id"`
	Verdict   Verdict `json:"verdict"`
	Says      string  `json:"says,omitempty"`
	Source    string  `json:"source,omitempty"`
	Number    bool    `json:"number"` // it is one of a number, not of a direction
	Published string  `json:"published"`
	Ours      string  `json:"ours"`
	N         int     `json:"n"`              // seeds
	More      int     `json:"more,omitempty"` // undecided: so many more seeds would decide with a probability of 0.8, if what is seen stays
	Why       string  `json:"why,omitempty"`  // undecided or differs, in words
}

var infinity = math.Inf(1)

func abs(x float64) float64 { return math.Abs(x) }

// Conclude returns the verdict of a figure from those of its criteria, "" of none.
func Conclude(all []Judged) Verdict {
	if len(all) == 0 {
		return ""
	}
	count := func(number bool, v Verdict) (n int) {
		for i := range all {
			if all[i].Number == number && all[i].Verdict == v {
				n++
			}
		}
		return n
	}
	numbers, met := 0, count(true, Agrees)
	for i := range all {
		if all[i].Number {
			numbers++
		}
	}
	directions, hold := len(all)-numbers, count(false, Agrees)
	switch {
	case count(false, Differs) > 0, directions == 0 && count(true, Differs) > 0:
		return Differs
	case hold == directions && numbers > 0 && met == numbers:
		return Agrees
	case directions > 0 && hold == directions:
		return Direction
	}
	return Undecided
}

// table is a sheet as criteria look at it.
type table struct {
	sheet      *Sheet
	rows       []row
	dimensions []string
}

// find returns the only row with some levels.
func (t *table) find(at map[string]any) (*row, error) {
	var found *row
	for i := range t.rows {
		r := &t.rows[i]
		if r.subject == nil || !t.matches(r, at) {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("more than one cell matches%s: name the level of each factor, and the subject", Operand{At: at}.where())
		}
		found = r
	}
	if found == nil {
		return nil, fmt.Errorf("no run has a figure%s", Operand{At: at}.where())
	}
	return found, nil
}

func (t *table) matches(r *row, at map[string]any) bool {
	for name, level := range at {
		i := slices.Index(t.dimensions, name)
		switch {
		case i >= 0 && r.names[i] != levelName(level):
			return false
		case i < 0 && *r.subject != levelName(level): // the only one of its reports
			return false
		}
	}
	return true
}

// values returns a figure by seed.
func (t *table) values(f Operand) ([]float64, error) {
	r, err := t.find(f.At)
	if err != nil {
		return nil, err
	}
	metric := slices.IndexFunc(t.sheet.plan.metrics, func(m *figure.Figure) bool { return m.Name == f.Metric })
	return t.sheet.observations(r, metric), nil
}

func (t *table) judge(c *Criterion) Judged {
	j := Judged{ID: c.ID, Says: c.Says, Source: c.Source, Number: c.Test.number(), Published: c.Test.String(), Ours: "–", Verdict: Undecided}
	of, err := t.values(Operand{c.Test.Metric, c.Test.At})
	switch c.Test.Kind {
	case Within, Between:
		if err == nil {
			j.number(stats.Defined(of), &c.Test)
		}
	case Ratio, Order:
		var to []float64
		if err == nil {
			to, err = t.values(c.Test.Other())
		}
		if err == nil && c.Test.Kind == Ratio {
			j.number(stats.Defined(quotients(of, to)), &c.Test)
		} else if err == nil {
			j.direction(paired(of, to))
			j.Ours = fmt.Sprintf("%s against %s: %s", estimate(of), estimate(to), j.Ours)
		}
	case Monotone:
		err = t.monotone(&j, &c.Test)
	}
	if err != nil {
		j.Verdict, j.Why = Undecided, err.Error()
	}
	return j
}

// quotients returns, by seed, what the quotient of the means of two figures varies
// by: their mean is the quotient, and their deviation gives its standard error (the
// delta method). Single quotients would weigh most where the denominator is small.
func quotients(a, b []float64) []float64 {
	q := make([]float64, len(a))
	for i := range q {
		q[i] = a[i] + b[i] // NaN if one is
	}
	var x, y []float64
	for i, v := range q {
		if !math.IsNaN(v) {
			x, y = append(x, a[i]), append(y, b[i])
		}
	}
	mean := stats.Mean(y)
	ratio := stats.Mean(x) / mean
	for i := range q {
		q[i] = ratio + (a[i]-float64(ratio*b[i]))/mean
		if mean == 0 {
			q[i] = math.NaN()
		}
	}
	return q
}

func estimate(x []float64) string { return figure.EstimateOf(x).String() }

// number judges whether a mean is in the band of a test. Outside of it, the whole
// confidence interval has to be, for the number to be missed.
func (j *Judged) number(x []float64, t *Test) {
	j.N, j.Ours = len(x), estimate(x)
	if len(x) == 0 {
		j.Why = "the figure is not defined"
		return
	}
	low, high := t.band()
	mean := stats.Mean(x)
	distance := max(low-mean, mean-high)
	switch half := stats.HalfWidth95(x); {
	case distance <= 0:
		j.Verdict = Agrees
	case distance > half:
		j.Verdict = Differs
		j.Why = fmt.Sprintf("by %s", figure.Number(distance).String())
	default:
		j.undecided(distance, x)
	}
}

// direction judges whether differences are above 0.
func (j *Judged) direction(d []float64) {
	j.N = len(d)
	if len(d) == 0 {
		j.Ours, j.Why = "–", "the figures are not defined for the same seeds"
		return
	}
	mean, p := stats.Mean(d), stats.PairedP(d)
	j.Ours = estimate(d) + " more"
	if !math.IsNaN(p) {
		j.Ours += ", p = " + figure.Number(p).String()
	}
	switch {
	case p < 0.05 && mean > 0:
		j.Verdict = Agrees
	case p < 0.05 && mean < 0:
		j.Verdict = Differs
		j.Why = "the opposite holds at the 5 % level"
	default:
		j.Verdict = Undecided
		j.undecided(abs(mean), d)
	}
}

// The quantiles of the normal distribution for a significance of 5 % and a power of
// 80 %.
const powerQuantiles = 1.959963984540054 + 0.8416212335729143

// mostMore is the largest number of further seeds that is told.
const mostMore = 1_000_000

// undecided says how many more seeds would tell a distance from 0.
func (j *Judged) undecided(distance float64, x []float64) {
	s := stats.Deviation(x)
	if math.IsNaN(s) {
		j.Why = "one seed gives no interval"
		return
	}
	if s == 0 {
		j.Why = "all seeds give the same difference"
		return
	}
	need := math.Ceil(powerQuantiles * powerQuantiles * s * s / (distance * distance))
	if need > mostMore || math.IsNaN(need) {
		j.Why = fmt.Sprintf("not even %d more seeds would decide", mostMore)
		return
	}
	j.More = max(1, int(need)-len(x))
	j.Why = fmt.Sprintf("%s would decide", show.Count(j.More, "more seed"))
}

// along returns the figure of a trend at one level, or its quotient.
func (t *table) along(test *Test, level any) ([]float64, error) {
	at := func(f Operand) Operand {
		f.At = maps.Clone(f.At)
		if f.At == nil {
			f.At = map[string]any{}
		}
		f.At[test.Along] = level
		return f
	}
	x, err := t.values(at(Operand{test.Metric, test.At}))
	if err != nil || test.To == nil {
		return x, err
	}
	y, err := t.values(at(test.Other()))
	if err != nil {
		return nil, err
	}
	return quotients(x, y), nil
}

// monotone judges a trend: the last level against the first has to differ
// significantly, and no step may go the other way significantly.
func (t *table) monotone(j *Judged, test *Test) error {
	i := slices.IndexFunc(t.sheet.plan.document.Factors, func(f Factor) bool { return f.Name == test.Along })
	var steps [][]float64
	var means []string
	for k := range t.sheet.plan.document.Factors[i].Levels {
		x, err := t.along(test, t.sheet.plan.document.Factors[i].Levels[k].shown())
		if err != nil {
			return err
		}
		means = append(means, estimate(x))
		if test.Falling {
			for s := range x {
				x[s] = -x[s]
			}
		}
		steps = append(steps, x)
	}
	j.direction(paired(steps[len(steps)-1], steps[0]))
	j.Ours = strings.Join(means, ", ")
	for k := 1; k < len(steps); k++ {
		d := paired(steps[k], steps[k-1])
		if p := stats.PairedP(d); p < 0.05 && stats.Mean(d) < 0 {
			j.Verdict, j.More = Differs, 0
			j.Why = fmt.Sprintf("the step to %s goes in the other direction", t.sheet.plan.document.Factors[i].Levels[k].String())
		}
	}
	return nil
}
