package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/engine/figure"
	"berth/engine/show"
	"berth/engine/stats"
)

// cellTable finds the figures that the operands of criteria refer to.
type cellTable struct {
	document *Document
	cells    []Cell
}

// values returns a figure by seed. Exactly one cell must have the levels of f.
func (t *cellTable) values(f Operand) ([]float64, error) {
	var found *Cell
	for i := range t.cells {
		c := &t.cells[i]
		switch {
		case c.N == 0 || !c.At(f.At) || !c.has(f.At):
		case found != nil:
			return nil, fmt.Errorf("more than one cell matches%s: name the level of each factor, and the subject", f.where())
		default:
			found = c
		}
	}
	if found == nil {
		return nil, fmt.Errorf("no run has a figure%s", f.where())
	}
	return found.bySeed(f.Metric), nil
}

// has reports whether the entries of at that are not factors name the subject of the cell.
func (c *Cell) has(at map[string]any) bool {
	for name, level := range at {
		if _, factor := c.Levels[name]; !factor && c.subject != levelName(level) {
			return false
		}
	}
	return true
}

// figure returns the figure of a test by seed, or its mean over the levels of a factor.
func (t *cellTable) figure(test *Test, f Operand) ([]float64, error) {
	if test.Over == "" {
		return t.values(f)
	}
	levels := t.document.levels(test.Over)
	means := make([]float64, t.document.seeds())
	for i := range levels {
		x, err := t.values(f.with(test.Over, levels[i].shown()))
		if err != nil {
			return nil, err
		}
		for seed, v := range x {
			means[seed] += v / float64(len(levels))
		}
	}
	return means, nil
}

func (t *cellTable) judge(c *Criterion) Judged {
	test := &c.Test
	j := Judged{ID: c.ID, Says: c.Says, Source: c.Source, Number: test.number(), Published: test.String(), Ours: "–", Verdict: Undecided, contrary: 1}
	var of, to []float64
	var err error
	if test.Kind != Monotone {
		of, err = t.figure(test, Operand{test.Metric, test.At})
	}
	if err == nil && (test.Kind == Ratio || test.Kind == Order) {
		to, err = t.figure(test, test.Other())
	}
	switch {
	case err != nil:
	case test.Kind == Ratio:
		j.ratio(test, of, to)
	case test.Kind == Order:
		j.direction(test, of, to)
		j.Ours = fmt.Sprintf("%s against %s: %s", estimate(of), estimate(to), j.Ours)
	case test.Kind == Monotone:
		err = t.monotone(&j, test)
	default:
		j.number(test, stats.Defined(of))
	}
	if err != nil {
		j.Verdict, j.Why = Undecided, err.Error()
	}
	return j
}

// correct turns criteria into contradictions if their p-value is below 5 % after Holm's
// correction over all criteria of a document. The correction is needed because any of
// them could have been contradicted by chance.
func correct(all []Judged) {
	p := make([]float64, len(all))
	for i := range all {
		p[i] = all[i].contrary
	}
	for i, corrected := range stats.Holm(p) {
		switch j := &all[i]; {
		case corrected < significant:
			j.Verdict, j.More = Differs, 0
		case p[i] < significant:
			j.Verdict, j.More = Undecided, 0
			j.Why = fmt.Sprintf("contradicted with %s, but not corrected for %d criteria (%s)", pText(p[i]), len(all), pText(corrected))
		}
	}
}

// significant is the significance level of all tests.
const significant = 0.05

// usualLeast is the default of [Test.Least].
const usualLeast = 0.05

// mostPairs is the maximum number of seeds for an estimate from all pairs.
const mostPairs = 500

func estimate(x []float64) string { return figure.EstimateOf(x).String() }

// pText writes a p-value: "p = 0.0372", "p < 0.0001".
func pText(p float64) string {
	if p < 0.0001 {
		return "p < 0.0001"
	}
	return "p = " + figure.Number(math.Round(p*10_000)/10_000).String()
}

// number judges a mean. The criterion is met if the whole interval is inside the band
// (two one-sided tests), and contradicted if the whole interval is outside.
func (j *Judged) number(t *Test, x []float64) {
	j.N, j.Ours = len(x), estimate(x)
	if len(x) == 0 {
		j.Why = "the figure is not defined"
		return
	}
	mean, half := stats.Mean(x), stats.HalfWidth95(x)
	j.inBand(t, mean, mean-half, mean+half, x, func(bound float64) float64 {
		return stats.PairedP(paired(x, slices.Repeat([]float64{bound}, len(x))))
	})
}

// ratio judges the quotient of two means in the same way; the interval comes from
// resampling the seeds. Two figures that are 0 for every seed have the ratio 1.
func (j *Judged) ratio(t *Test, of, to []float64) {
	a, b := bothDefined(of, to)
	j.N = len(a)
	r := stats.RatioOf(a, b, 1)
	if low, high := t.band(); j.N > 1 && low <= 1 && high >= 1 && stats.Mean(a) == 0 && slices.Equal(a, b) {
		j.Ours, j.Found, j.Verdict = "0 against 0", &Found{1, 1, 1}, Agrees
		return
	}
	if j.N == 0 || math.IsNaN(r.Value) {
		j.Why = "the ratio is not defined: there is nothing to divide by"
		return
	}
	j.Ours = interval(r.Value, r.Low, r.High)
	j.inBand(t, r.Value, r.Low, r.High, quotients(a, b), r.P)
}

// interval writes "1.287 [1.274, 1.3]".
func interval(value, low, high float64) string {
	text := figure.Number(value).String()
	if math.IsNaN(low) {
		return text
	}
	end := "∞"
	if !math.IsInf(high, 1) {
		end = figure.Number(high).String()
	}
	return text + " [" + figure.Number(low).String() + ", " + end + "]"
}

// inBand judges a value by its confidence interval, [from, to]. p returns the p-value of the
// hypothesis that the true value is at a bound of the band, or beyond it. If the interval does
// not decide, inBand estimates from the observations how many more seeds would.
func (j *Judged) inBand(t *Test, value, from, to float64, observations []float64, p func(bound float64) float64) {
	j.Found = &Found{figure.Number(value), figure.Number(from), figure.Number(to)}
	low, high := t.band()
	distance := max(low-value, value-high) // negative inside the band
	switch {
	case math.IsNaN(from):
		j.Why = "one seed gives no interval"
	case from >= low && to <= high:
		j.Verdict = Agrees
	case to < low, from > high:
		j.contrary = p(min(max(value, low), high))
		j.Why = fmt.Sprintf("by %s", figure.Number(distance).String())
	default:
		j.undecided(math.Abs(distance), observations)
	}
}

// direction judges whether a figure is larger than another with the same seeds.
func (j *Judged) direction(t *Test, of, to []float64) {
	a, b := bothDefined(of, to)
	d := paired(a, b)
	j.N = len(d)
	if len(d) == 0 {
		j.Ours, j.Why = "–", "the figures are not defined for the same seeds"
		return
	}
	mean, e := stats.Mean(d), effectOf(a, b, d)
	j.Effect, j.Ours = &e, estimate(d)+" more"
	if e.P.Defined() {
		j.Ours += ", " + pText(float64(e.P))
		if len(d) < 30 {
			j.Ours += fmt.Sprintf(" (Wilcoxon %s)", pText(float64(e.Wilcoxon)))
		}
	}
	switch {
	case float64(e.P) < significant && math.Abs(float64(e.Relative)) < t.least():
		j.Why = fmt.Sprintf("the effect, %s %%, is smaller than %s %%", figure.Number(100*e.Relative).String(), figure.Number(100*t.least()).String())
	case float64(e.P) < significant && mean > 0:
		j.Verdict = Agrees
	case float64(e.P) < significant:
		j.contrary, j.Why = float64(e.P), "the opposite holds at the 5 % level"
	default:
		j.undecided(math.Abs(mean), d)
	}
}

// least is the smallest effect of interest of the test.
func (t *Test) least() float64 {
	if t.Least != nil {
		return *t.Least
	}
	return usualLeast
}

func effectOf(a, b, d []float64) Effect {
	e := Effect{
		P: figure.Number(stats.PairedP(d)), Wilcoxon: figure.Number(stats.Wilcoxon(d)), Relative: figure.Undefined,
		HodgesLehmann: figure.Undefined, CliffsDelta: figure.Number(stats.CliffsDelta(a, b)),
	}
	if base := math.Abs(stats.Mean(b)); base > 0 {
		e.Relative = figure.Number(stats.Mean(d) / base)
	}
	if len(d) <= mostPairs {
		e.HodgesLehmann = figure.Number(stats.HodgesLehmann(d))
	}
	return e
}

// bothDefined returns the values of two figures for the seeds where both are defined.
func bothDefined(a, b []float64) (x, y []float64) {
	for i := range a {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			x, y = append(x, a[i]), append(y, b[i])
		}
	}
	return x, y
}

// quotients linearises the quotient of the means of two figures (delta method): the mean
// of the returned values is the quotient, and their deviation gives its standard error.
// Quotients of single seeds would weigh most where the denominator is small.
func quotients(a, b []float64) []float64 {
	x, y := bothDefined(a, b)
	mean := stats.Mean(y)
	ratio := stats.Mean(x) / mean
	q := make([]float64, len(a))
	for i := range q {
		q[i] = ratio + (a[i]-float64(ratio*b[i]))/mean // NaN if a[i] or b[i] is NaN
		if mean == 0 {
			q[i] = math.NaN()
		}
	}
	return q
}

// powerQuantiles is the sum of the quantiles of the normal distribution for a
// significance of 5 % and a power of 80 %.
const powerQuantiles = 1.959963984540054 + 0.8416212335729143

// mostMore is the largest number of further seeds in a message.
const mostMore = 1_000_000

// undecided estimates how many more seeds would show that a distance is not 0.
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

// along returns the figure of a trend, or its quotient, at one level.
func (t *cellTable) along(test *Test, level any) ([]float64, error) {
	x, err := t.figure(test, Operand{test.Metric, test.At}.with(test.Along, level))
	if err != nil || test.To == nil {
		return x, err
	}
	y, err := t.figure(test, test.Other().with(test.Along, level))
	if err != nil {
		return nil, err
	}
	return quotients(x, y), nil
}

// monotone judges a trend. The last level must differ significantly from the first, and
// no step may go significantly in the other direction.
func (t *cellTable) monotone(j *Judged, test *Test) error {
	levels := t.document.levels(test.Along)
	var steps [][]float64
	var means []string
	for k := range levels {
		x, err := t.along(test, levels[k].shown())
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
	j.direction(test, steps[len(steps)-1], steps[0])
	j.Ours = strings.Join(means, ", ")
	for k := 1; k < len(steps); k++ {
		step := Judged{contrary: 1}
		step.direction(test, steps[k], steps[k-1])
		if p := min(1, step.contrary*float64(len(steps)-1)); p < significant { // Bonferroni's correction for the number of steps
			j.Verdict, j.contrary = Undecided, min(j.contrary, p)
			j.Why = fmt.Sprintf("the step to %s goes in the other direction", levels[k].String())
		}
	}
	return nil
}
