package study

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/figure"
	"berth/engine/scenario"
)

// Criterion is a test of figures, stated before any run.
type Criterion struct {
	ID     string `json:"id"`
	Says   string `json:"says,omitempty"`   // the claim in words
	Source string `json:"source,omitempty"` // where the paper makes the claim: paper, figure, page

	// Evidence says how independent the result is of the paper's numbers; "" means Measured.
	Evidence Evidence `json:"evidence,omitempty"`
	Basis    string   `json:"basis,omitempty"` // for other evidence than Measured: the fitted parameter or the input

	Test Test `json:"test"`
}

// Evidence says how independent a result is of the numbers that it is compared with.
type Evidence string

// The kinds of evidence. Only measured criteria count in a verdict.
const (
	Measured   Evidence = "measured"   // the result follows from a model that does not know the number
	Calibrated Evidence = "calibrated" // a parameter was fitted to the same number
	PutIn      Evidence = "put in"     // the number, or the order, is an input of the model
)

func (c *Criterion) evidence() Evidence { return cmp.Or(c.Evidence, Measured) }

// The kinds of tests. Tests of a number: Within (Value with a tolerance), Between (Low and High)
// and Ratio (like either, for the quotient of two figures with the same seeds). Tests of a
// direction: Order (the figure is larger than To) and Monotone (the figure rises or falls along a
// factor).
const (
	Within   = "within"
	Between  = "between"
	Ratio    = "ratio"
	Order    = "order"
	Monotone = "monotone"
)

// The statistics of a test, which a document chooses before the runs. Mean is the default.
const (
	Mean       = "mean"       // mean over the seeds, Student's t
	Proportion = "proportion" // fraction of the seeds whose figure is 1, for figures 0 and 1; Clopper and Pearson
	Rank       = "rank"       // median over the seeds, sign test; for differences Hodges and Lehmann, Wilcoxon
)

// Test is a test of a metric in a cell. A factor that neither At nor Over names must have
// a single level.
type Test struct {
	Kind   string         `json:"kind"`
	Metric string         `json:"metric"`
	At     map[string]any `json:"at,omitempty"` // levels by factor

	Statistic string `json:"statistic,omitempty"` // "" means Mean

	To *Operand `json:"to,omitempty"` // for Order the smaller figure, otherwise the denominator

	// Over, if not "", is a factor: the figure of a seed is its mean over the levels of the factor.
	Over string `json:"over,omitempty"`

	Along   string `json:"along,omitempty"` // for Monotone: the factor along which the figure changes
	Falling bool   `json:"falling,omitempty"`

	// Across, if not "", is a factor over whose levels the paper's text makes the same claim, such
	// as a range of loads. The test is judged at each level.
	Across string `json:"across,omitempty"`

	Value    *float64 `json:"value,omitempty"`
	Relative *float64 `json:"relative,omitempty"` // tolerance as a fraction of Value
	Absolute *float64 `json:"absolute,omitempty"`
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`

	// Least is the smallest effect that the paper's number or text allows for a direction. It is a
	// fraction of the figure that the test compares with. Without it, effects below usualLeast
	// decide nothing.
	Least *float64 `json:"least,omitempty"`
}

// Operand is a metric in a cell. It inherits missing fields and levels from the test.
type Operand struct {
	Metric string         `json:"metric,omitempty"`
	At     map[string]any `json:"at,omitempty"`
}

func (t *Test) names(factor string) bool {
	_, at := t.At[factor]
	if t.To != nil {
		_, to := t.To.At[factor]
		at = at || to
	}
	return at || t.Along == factor
}

// number reports whether the test is about a number, not a direction.
func (t *Test) number() bool { return t.Kind == Within || t.Kind == Between || t.Kind == Ratio }

func (t *Test) metrics() []string {
	if t.To == nil {
		return []string{t.Metric}
	}
	return []string{t.Metric, t.Other().Metric}
}

// Other returns To, completed by the test.
func (t *Test) Other() Operand {
	f := Operand{Metric: t.Metric, At: map[string]any{}}
	maps.Copy(f.At, t.At)
	if t.To.Metric != "" {
		f.Metric = t.To.Metric
	}
	maps.Copy(f.At, t.To.At)
	return f
}

// band returns the bounds of a number; a missing bound is infinite.
func (t *Test) band() (low, high float64) {
	if t.Value != nil {
		tolerance := 0.0
		switch {
		case t.Relative != nil:
			tolerance = *t.Relative * math.Abs(*t.Value)
		case t.Absolute != nil:
			tolerance = *t.Absolute
		}
		return *t.Value - tolerance, *t.Value + tolerance
	}
	low, high = math.Inf(-1), math.Inf(1)
	if t.Low != nil {
		low = *t.Low
	}
	if t.High != nil {
		high = *t.High
	}
	return low, high
}

func (d *Document) validateCriteria(path string, kind *scenario.Kind, p *scenario.Problems) {
	if len(d.Criteria) > MaxCriteria {
		p.Add(path+".criteria", diag.TooMany, len(d.Criteria), "criteria", MaxCriteria)
		return
	}
	for i := range d.Criteria {
		c, at := &d.Criteria[i], fmt.Sprintf("%s.criteria[%d]", path, i)
		p.Length(at+".id", c.ID, maxLabel)
		switch {
		case c.ID == "":
			p.Add(at+".id", diag.Missing)
		case slices.ContainsFunc(d.Criteria[:i], func(e Criterion) bool { return e.ID == c.ID }):
			p.Add(at+".id", diag.Two, "criteria", c.ID)
		}
		p.Length(at+".says", c.Says, 1000)
		p.Length(at+".source", c.Source, 1000)
		p.Length(at+".basis", c.Basis, 1000)
		switch {
		case !slices.Contains([]Evidence{"", Measured, Calibrated, PutIn}, c.Evidence):
			p.Add(at+".evidence", diag.UnexpectedText, scenario.Shorten(string(c.Evidence)), fmt.Sprintf("%s, %s, %s", Measured, Calibrated, PutIn))
		case (c.evidence() == Measured) != (c.Basis == ""):
			p.Add(at+".basis", basisNeeded, Measured)
		}
		d.validateTest(at+".test", &c.Test, kind, p)
	}
}

func (d *Document) validateTest(path string, t *Test, kind *scenario.Kind, p *scenario.Problems) {
	kinds := []string{Within, Between, Ratio, Order, Monotone}
	if !slices.Contains(kinds, t.Kind) {
		p.Add(path+".kind", diag.UnexpectedText, scenario.Shorten(t.Kind), strings.Join(kinds, ", "))
		return
	}
	statistics := []string{"", Mean, Proportion, Rank}
	if !slices.Contains(statistics, t.Statistic) {
		p.Add(path+".statistic", diag.UnexpectedText, scenario.Shorten(t.Statistic), strings.Join(statistics[1:], ", "))
	} else if t.Statistic == Proportion && t.Kind != Within && t.Kind != Between || t.Statistic == Rank && t.Kind == Ratio {
		p.Add(path+".statistic", otherStatistic, t.Statistic, t.Kind)
	}
	checkMetric(path+".metric", t.Metric, kind, p)
	d.validateLevels(path+".at", t.At, kind, p)
	switch two := t.Kind == Ratio || t.Kind == Order; {
	case two && t.To == nil:
		p.Add(path+".to", noSecondFigure, t.Kind)
	case !two && t.Kind != Monotone && t.To != nil:
		p.Add(path+".to", otherTest, t.Kind)
	case t.To != nil:
		checkMetric(path+".to.metric", t.Other().Metric, kind, p)
		d.validateLevels(path+".to.at", t.To.At, kind, p)
	}
	for field, factor := range map[string]string{".over": t.Over, ".across": t.Across} {
		if factor != "" {
			d.validateVarying(path+field, factor, p)
			if t.names(factor) || t.Over == t.Across {
				p.Add(path+field, namedLevel, factor)
			}
		}
	}
	if t.Kind == Monotone {
		d.validateVarying(path+".along", t.Along, p)
	} else if t.Along != "" || t.Falling {
		p.Add(path, onlyMonotone, Monotone)
	}
	d.validateBand(path, t, p)
}

// validateVarying checks a factor whose levels a test compares or averages.
func (d *Document) validateVarying(path, name string, p *scenario.Problems) {
	switch levels := d.levels(name); {
	case levels == nil:
		p.Add(path, unknownFactor, scenario.Shorten(name))
	case len(levels) < 2:
		p.Add(path, oneLevel, name)
	}
}

// levels returns the levels of a factor, nil for an unknown factor.
func (d *Document) levels(factor string) []Level {
	i := slices.IndexFunc(d.Factors, func(f Factor) bool { return f.Name == factor })
	if i < 0 {
		return nil
	}
	return d.Factors[i].Levels
}

// validateLevels checks levels by factor. It cannot check subjects, because only a run
// shows which ones there are.
func (d *Document) validateLevels(path string, at map[string]any, kind *scenario.Kind, p *scenario.Problems) {
	for _, name := range slices.Sorted(maps.Keys(at)) {
		switch levels := d.levels(name); {
		case levels == nil && name != subjectOf(kind):
			p.Add(scenario.Field(path, name), noSuchFactor, subjectOf(kind))
		case levels != nil && !slices.ContainsFunc(levels, func(l Level) bool { return l.String() == levelName(at[name]) }):
			p.Add(scenario.Field(path, name), unknownLevel, scenario.Shorten(levelName(at[name])))
		}
	}
}

func (d *Document) validateBand(path string, t *Test, p *scenario.Problems) {
	tolerance, bounds := t.Relative != nil || t.Absolute != nil, t.Low != nil || t.High != nil
	if t.Least != nil && (t.number() || !(*t.Least >= 0 && *t.Least <= 1000)) {
		p.Add(path+".least", leastRange, *t.Least, t.Kind)
	}
	switch {
	case !t.number() && (t.Value != nil || tolerance || bounds):
		p.Add(path, noNumbers, t.Kind)
	case t.Kind == Within && t.Value == nil, t.Kind == Ratio && t.Value == nil && !bounds:
		p.Add(path+".value", diag.Missing)
	case t.Kind == Between && t.Value != nil, t.Value != nil && bounds:
		p.Add(path+".value", valueAndBounds)
	case t.Kind == Between && !bounds:
		p.Add(path+".low", noBound)
	case t.Value == nil && tolerance, t.Relative != nil && t.Absolute != nil:
		p.Add(path, toleranceAlone)
	case t.number():
		if low, high := t.band(); !(low <= high) {
			p.Add(path, emptyBand, low, high)
		}
	}
}

// String describes the expected result: "3.87 ± 10 %", "larger than at policy priority, by at
// least 5 %".
func (t *Test) String() string {
	digits := func(x float64) string { return figure.Number(x).String() }
	least := ", by at least " + digits(100*t.least()) + " %"
	switch {
	case t.Kind == Monotone && t.Falling:
		return "falls along " + t.Along + least
	case t.Kind == Monotone:
		return "rises along " + t.Along + least
	case t.Kind == Order:
		return "larger than " + t.Other().String() + least
	case t.Relative != nil:
		return digits(*t.Value) + " ± " + digits(100**t.Relative) + " %"
	case t.Absolute != nil:
		return digits(*t.Value) + " ± " + digits(*t.Absolute)
	case t.Value != nil:
		return digits(*t.Value)
	case t.High == nil:
		return "at least " + digits(*t.Low)
	case t.Low == nil:
		return "at most " + digits(*t.High)
	}
	return digits(*t.Low) + " to " + digits(*t.High)
}

func (f Operand) with(factor string, level any) Operand {
	at := map[string]any{factor: level}
	for name, level := range f.At {
		if name != factor {
			at[name] = level
		}
	}
	f.At = at
	return f
}

// String describes the operand, such as "fulfilled at hosts 62, contention low".
func (f Operand) String() string { return f.Metric + f.where() }

// where lists the levels of the operand: " at hosts 62, contention low"; "" for none.
func (f Operand) where() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(f.At)) {
		parts = append(parts, " "+name+" "+levelName(f.At[name]))
	}
	if parts == nil {
		return ""
	}
	return " at" + strings.Join(parts, ",")
}
