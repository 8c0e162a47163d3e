package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/engine/figure"
	"berth/engine/stats"
)

// cellTable finds the figures of the operands of criteria.
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

// across judges a test at each level of a factor. The criterion agrees if the test agrees at all
// of them, and each level may contradict it (Bonferroni's correction).
func (t *cellTable) across(c *Criterion) (j Judged) {
	levels := t.document.levels(c.Test.Across)
	held := 0
	var found, whys []string
	all := Judged{contrary: 1}
	for i := range levels {
		at := *c
		at.Test.Across, at.Test.At = "", Operand{At: c.Test.At}.with(c.Test.Across, levels[i].shown()).At
		j = t.judge(&at)
		found = append(found, levels[i].String()+": "+j.Ours)
		all.N, all.contrary, all.seeds = max(all.N, j.N), min(all.contrary, j.contrary*float64(len(levels))), max(all.seeds, j.seeds)
		if j.Verdict == Agrees {
			held++
		} else {
			whys = append(whys, levels[i].String()+": "+j.Why)
		}
	}
	j.N, j.contrary, j.seeds, j.Found, j.Effect = all.N, all.contrary, all.seeds, nil, nil
	j.Published += ", at each " + c.Test.Across
	j.Ours = fmt.Sprintf("at %d of %d (%s)", held, len(levels), strings.Join(found, "; "))
	j.Verdict, j.Why = Undecided, strings.Join(whys, "; ")
	if held == len(levels) {
		j.Verdict = Agrees
	}
	return j
}

func (t *cellTable) judge(c *Criterion) Judged {
	if c.Test.Across != "" {
		return t.across(c)
	}
	test := &c.Test
	j := Judged{ID: c.ID, Says: c.Says, Source: c.Source, Evidence: c.evidence(), Basis: c.Basis, Number: test.number(), Published: test.String(), Ours: "–", Verdict: Undecided, contrary: 1}
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

// correct turns criteria into contradictions if their p-value is below 5 % after Holm's correction
// over all criteria of a document. Without the correction, any of them could be contradicted by
// chance.
func correct(all []Judged) {
	p := make([]float64, len(all))
	for i := range all {
		p[i] = all[i].contrary
	}
	for i, corrected := range stats.Holm(p) {
		switch j := &all[i]; {
		case corrected < significant:
			j.Verdict = Differs
		case p[i] < significant:
			j.Verdict = Undecided
			j.Why = fmt.Sprintf("contradicted with %s, but not corrected for %d criteria (%s)", pText(p[i]), len(all), pText(corrected))
		}
	}
}

// significant is the significance level of all tests.
const significant = 0.05

// usualLeast is the smallest effect of interest if [Test.Least] is not set.
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

// number judges the figure of the test's statistic. The criterion is met if the whole interval
// is inside the band (two one-sided tests), and contradicted if the whole interval is outside.
func (j *Judged) number(t *Test, x []float64) {
	j.N, j.Ours = len(x), estimate(x)
	if len(x) == 0 {
		j.Why = "the figure is not defined"
		return
	}
	equal := len(x) > 1 && slices.Min(x) == slices.Max(x) // leaves no doubt, whatever the statistic
	switch {
	case t.Statistic == Proportion:
		j.proportion(t, x)
	case t.Statistic == Rank && !equal:
		slices.Sort(x)
		low, high := stats.MedianBetween(x)
		value := stats.Quantile(x, 0.5)
		j.Ours = "median " + interval(value, low, high)
		j.inBand(t, value, low, high, func(bound float64) float64 {
			x := slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return v == bound })
			above := len(slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return v < bound }))
			return stats.BinomialP(above, len(x), 0.5)
		})
	default:
		mean, half := stats.Mean(x), stats.HalfWidth95(x)
		j.inBand(t, mean, mean-half, mean+half, func(bound float64) float64 {
			return stats.PairedP(paired(x, slices.Repeat([]float64{bound}, len(x))))
		})
	}
}

// proportion judges the fraction of the seeds whose figure is 1.
func (j *Judged) proportion(t *Test, x []float64) {
	if slices.ContainsFunc(x, func(v float64) bool { return v != 0 && v != 1 }) {
		j.Why = "the figure is not 0 or 1 with each seed"
		return
	}
	n, k := len(x), 0
	for _, v := range x {
		k += int(v)
	}
	low, high := stats.Proportion(k, n)
	value := float64(k) / float64(n)
	j.Ours = fmt.Sprintf("%d of %d, %s", k, n, interval(value, low, high))
	j.inBand(t, value, low, high, func(bound float64) float64 { return stats.BinomialP(k, n, bound) })
}

// ratio judges the quotient of two means like number. The interval comes from resampling the seeds.
// Two figures that are 0 for every seed have the ratio 1.
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
	j.inBand(t, r.Value, r.Low, r.High, r.P)
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
// hypothesis that the true value is at a bound of the band, or beyond it.
func (j *Judged) inBand(t *Test, value, from, to float64, p func(bound float64) float64) {
	j.Found = &Found{figure.Number(value), figure.Number(from), figure.Number(to)}
	low, high := t.band()
	j.power(min(math.Abs(value-low), math.Abs(value-high)), (to-from)/2)
	switch {
	case math.IsNaN(from):
		j.Why = "too few seeds for an interval"
	case from >= low && to <= high:
		j.Verdict = Agrees
	case to < low, from > high:
		j.contrary = p(min(max(value, low), high))
		j.Why = fmt.Sprintf("by %s", figure.Number(max(low-value, value-high)).String())
	case value < low, value > high:
		j.Why = "outside the tolerance, but the interval reaches into it"
	default:
		j.Why = "inside the tolerance, but the interval reaches beyond it"
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
	center, p := t.center(d)
	j.power(math.Abs(center), stats.HalfWidth95(d))
	e := effectOf(a, b, d)
	j.Effect, j.Ours = &e, estimate(d)+" more"
	if t.Statistic == Rank {
		e.Relative = relative(center, stats.Quantile(slices.Sorted(slices.Values(b)), 0.5))
		j.Ours = "median " + figure.Number(center).String() + " more"
	}
	if e.P.Defined() {
		j.Ours += ", " + pText(float64(e.P))
		if len(d) < 30 || t.Statistic == Rank {
			j.Ours += fmt.Sprintf(" (Wilcoxon %s)", pText(float64(e.Wilcoxon)))
		}
	}
	below, belowP := t.center(t.below(d, b))
	short := float64(e.Relative) < t.least() // false for an undefined effect
	switch {
	case len(d) < 2:
		j.Why = "too few seeds for an interval"
	case center == 0 && slices.Min(d) == slices.Max(d):
		j.contrary, j.Why = 0, "the figures are equal with every seed"
	case below < 0 && belowP < significant && (t.Least != nil || short && float64(e.Relative) <= -t.least()):
		j.contrary, j.Why = belowP, "the opposite holds at the 5 % level"
		if center > 0 {
			j.Why = "the effect is smaller: " + percent(float64(e.Relative))
		}
	case p < significant && center > 0 && !short:
		j.Verdict = Agrees
	case p < significant:
		j.Why = fmt.Sprintf("the effect, %s, is smaller than %s", percent(float64(e.Relative)), percent(t.least()))
	default:
		j.Why = "neither direction is significant"
	}
}

// power estimates, from half the width of an interval, the number of seeds with which 80 % of all
// experiments would detect the distance. It assumes that intervals shrink with the root of the
// number of seeds.
func (j *Judged) power(distance, half float64) {
	const times = 1 + 0.8416212335729143/1.959963984540054 // quantiles of the normal distribution for 80 % and 97.5 %
	j.seeds = 2
	if half > 0 {
		part := times * half / distance
		j.seeds = max(2, int(min(math.Ceil(float64(j.N)*part*part), math.MaxInt32)))
	}
}

func percent(fraction float64) string { return figure.Number(100*fraction).String() + " %" }

// center returns the center of differences by the statistic of the test, and the p-value of the
// hypothesis that it is 0. Equal differences leave no doubt, so their p-value is 0 unless they
// are 0.
func (t *Test) center(d []float64) (center, p float64) {
	switch {
	case t.Statistic != Rank || len(d) < 2 || slices.Min(d) == slices.Max(d):
		return stats.Mean(d), stats.PairedP(d)
	case len(d) > mostPairs:
		return stats.Quantile(slices.Sorted(slices.Values(d)), 0.5), stats.Wilcoxon(d)
	}
	return stats.HodgesLehmann(d), stats.Wilcoxon(d)
}

// below returns the differences d minus the smallest effect that the paper allows over the
// figures b. Without such an effect it returns d.
func (t *Test) below(d, b []float64) []float64 {
	if t.Least == nil {
		return d
	}
	x := slices.Clone(d)
	for i := range x {
		x[i] -= float64(*t.Least * math.Abs(b[i]))
	}
	return x
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
	e.Relative = relative(stats.Mean(d), stats.Mean(b))
	if len(d) <= mostPairs {
		e.HodgesLehmann = figure.Number(stats.HodgesLehmann(d))
	}
	return e
}

// relative returns a difference as a fraction of a figure, undefined if the figure is 0.
func relative(difference, of float64) figure.Number {
	if of == 0 {
		return figure.Undefined
	}
	return figure.Number(difference / math.Abs(of))
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

// quotients linearises the quotient of the means of two figures (delta method): the mean of the
// returned values is the quotient, and their deviation gives its standard error. Quotients of
// single seeds would have too much weight where the denominator is small.
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
		center, p := test.center(paired(bothDefined(steps[k], steps[k-1])))
		p *= float64(len(steps) - 1) // Bonferroni's correction for the number of steps
		if center < 0 && p < significant {
			j.Verdict, j.contrary = Undecided, min(j.contrary, p)
			j.Why = fmt.Sprintf("the step to %s goes in the other direction", levels[k].String())
		}
	}
	return nil
}
