package study

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"berth/engine/figure"
	"berth/engine/input/csv"
	"berth/engine/scenario"
	"berth/engine/show"
	tables "berth/engine/table"

	"berth/engine/diag"
)

// WriteText implements [scenario.ReportBody].
func (r *Report) WriteText(w io.Writer, _ *scenario.Timings) {
	of := ""
	if r.Base.Name != "" {
		of = " of " + show.Quote(r.Base.Name)
	}
	fmt.Fprintf(w, "%d of %d runs%s, %d failed\n\n", r.Runs.Done, r.Runs.All, of, r.Runs.Failed)
	r.writeCells(w)
	r.writeFailures(w)
	r.writeComparisons(w)
	r.writeCriteria(w)
}

func (m *MetricSummary) label() string {
	if m.Unit == "" {
		return m.Name
	}
	return m.Name + " [" + m.Unit + "]"
}

// formOf returns the form in which a metric is written.
func (r *Report) formOf(m *MetricSummary) figure.Form {
	if kind, ok := scenario.Lookup(r.Base.Kind); ok {
		if f := figure.Named(kind.Figures, m.Name); f != nil {
			return f.Form
		}
	}
	return figure.Plain
}

// mostColumns is the maximum number of metrics in columns. A report with more metrics has a row for
// each metric.
const mostColumns = 9

func (r *Report) writeCells(w io.Writer) {
	var factors, figures []string
	for _, f := range r.Factors {
		factors = append(factors, show.Text(f.Name))
	}
	figures = append(figures, "n")
	for i := range r.Metrics {
		figures = append(figures, r.Metrics[i].label())
	}
	rows := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	columns := tables.New(strings.Join(factors, ", "), figures...)
	line := func(cells []string) { fmt.Fprintln(rows, strings.Join(cells, "\t")+"\t") }
	line(slices.Concat(factors, figures))
	for i := range r.Cells {
		c := &r.Cells[i]
		var levels []string
		for _, f := range r.Factors {
			levels = append(levels, show.Text(c.Level(f.Name)))
		}
		values := []string{strconv.Itoa(c.N)}
		for k := range r.Metrics {
			m := &r.Metrics[k]
			values = append(values, c.Of(m.Name).In(r.formOf(m)))
		}
		line(slices.Concat(levels, values))
		columns.Add(strings.Join(levels, ", "), values...)
	}
	if len(r.Metrics) > mostColumns {
		columns.Write(w)
		return
	}
	rows.Flush()
}

// Level returns the name of the cell's level of a factor. It is a dash for subjects if no run has
// ended yet.
func (c *Cell) Level(factor string) string { return levelName(c.Levels[factor]) }

func (r *Report) writeFailures(w io.Writer) {
	told := map[string]bool{} // cells of several subjects share their runs
	for _, c := range r.Cells {
		for _, f := range c.Failed {
			at := ""
			for _, factor := range r.Factors {
				if level, ok := c.Levels[factor.Name]; ok && !factor.Subjects {
					at += fmt.Sprintf("%s %s, ", show.Text(factor.Name), show.Text(levelName(level)))
				}
			}
			line := fmt.Sprintf("failed: %sseed +%d: %s\n", at, f.Seed, show.Lines(f.Message))
			if !told[line] {
				if len(told) == 0 {
					fmt.Fprintln(w)
				}
				told[line] = true
				io.WriteString(w, line)
			}
		}
	}
}

func (r *Report) writeComparisons(w io.Writer) {
	for i, c := range r.Comparisons {
		if i == 0 {
			fmt.Fprintf(w, "\nDifferences by %s, paired by seed:\n", show.Text(r.Compare))
		}
		fmt.Fprintf(w, "%s against %s", show.Text(levelName(c.Level)), show.Text(levelName(c.Base)))
		for _, f := range r.Factors {
			if level, ok := c.Levels[f.Name]; ok {
				fmt.Fprintf(w, ", %s %s", show.Text(f.Name), show.Text(levelName(level)))
			}
		}
		fmt.Fprintln(w)
		for k := range r.Metrics {
			m := &r.Metrics[k]
			d := c.Metrics[m.Name]
			fmt.Fprintf(w, "  %s: %s", m.label(), d.in(r.formOf(m)))
			if d.P.Defined() {
				fmt.Fprintf(w, ", %s", pText(float64(d.P)))
			}
			fmt.Fprintln(w)
		}
	}
}

// in formats a difference. For fractions it uses percentage points.
func (d *PairedDifference) in(form figure.Form) string {
	if form != figure.Part || !d.Mean.Defined() {
		return d.Estimate.String()
	}
	points := figure.Estimate{N: d.N, Mean: 100 * d.Mean, HalfWidth: 100 * d.HalfWidth}
	return points.String() + " percentage points"
}

func (r *Report) writeCriteria(w io.Writer) {
	if len(r.Criteria) == 0 {
		return
	}
	fmt.Fprintf(w, "\nVerdict: %s; %s\n", r.Verdict, Tallied(Tallies(r.Criteria)))
	for i := range r.Criteria {
		c := &r.Criteria[i]
		fmt.Fprintf(w, "  %s: %s%s. Expected %s, found %s (n %d)", show.Text(c.ID), c.Verdict, c.NotMeasured(), show.Text(c.Published), show.Text(c.Ours), c.N)
		if c.Why != "" {
			fmt.Fprintf(w, ": %s", show.Text(c.Why))
		}
		fmt.Fprintln(w)
	}
}

// bySeed writes the values separated by spaces, "–" for undefined.
func (a *Aggregate) bySeed() string {
	var values []string
	for _, v := range a.Values {
		values = append(values, cmp.Or(csv.Number(v), "–"))
	}
	return strings.Join(values, " ")
}

// CSV returns a table with one row for each metric of each cell. The last column has the
// values by seed.
func (r *Report) CSV() []byte {
	var header []string
	for _, f := range r.Factors {
		header = append(header, f.Name)
	}
	rows := [][]string{append(header, "metric", "unit", "n", "mean", "half_width_95", "failed", "values")}
	for i := range r.Cells {
		c := &r.Cells[i]
		var levels []string
		for _, f := range r.Factors {
			level := ""
			if v, ok := c.Levels[f.Name]; ok {
				level = levelName(v)
			}
			levels = append(levels, level)
		}
		for _, m := range r.Metrics {
			a := c.Of(m.Name)
			rows = append(rows, append(levels[:len(levels):len(levels)],
				m.Name, m.Unit, strconv.Itoa(a.N), csv.Number(a.Mean), csv.Number(a.HalfWidth), strconv.Itoa(len(c.Failed)), a.bySeed()))
		}
	}
	return csv.Table(rows)
}

// variedByBase is the code for a factor that the base varies, too.
const variedByBase = "varied-by-base"

// Errors of documents and reports.
var (
	noSecondFigure = &diag.Code{Name: diag.IsMissing, Words: "missing: %s has a second figure there"}
	otherTest      = &diag.Code{Name: diag.IsMisplaced, Words: "does not belong in a test of kind %s"}
	onlyMonotone   = &diag.Code{Name: diag.IsMisplaced, Words: `"along" and "falling" belong in a test of kind %s`}
	unknownFactor  = &diag.Code{Name: diag.IsUnknown, Words: "there is no factor %q"}
	oneLevel       = &diag.Code{Name: "too-few-levels", Words: "the factor %s has one level, expected two at least"}
	namedLevel     = &diag.Code{Name: diag.IsConflict, Words: "the test names a level of %s; expected none, since it takes all its levels"}
	noSuchFactor   = &diag.Code{Name: diag.IsUnknown, Words: "there is no such factor; subjects are called %q"}
	unknownLevel   = &diag.Code{Name: diag.IsUnknown, Words: "the factor has no level %q"}
	basisNeeded    = &diag.Code{Name: diag.IsConflict, Words: "expected a basis for other evidence than %s, and only there"}
	otherStatistic = &diag.Code{Name: diag.IsMisplaced, Words: "found %s in a test of kind %s"}
	leastRange     = &diag.Code{Name: diag.IsMisplaced, Words: "found %v in a test of kind %s; expected 0 to 1000 in one of a direction"}
	noNumbers      = &diag.Code{Name: diag.IsMisplaced, Words: "a test of kind %s has no numbers"}
	valueAndBounds = &diag.Code{Name: diag.IsConflict, Words: `has a "value" and bounds; expected one of them`}
	noBound        = &diag.Code{Name: diag.IsMissing, Words: `missing: expected "low", "high" or both`}
	toleranceAlone = &diag.Code{Name: diag.IsConflict, Words: `expected a "value" with either "relative" or "absolute"`}
	emptyBand      = &diag.Code{Name: diag.IsEmpty, Words: "reaches from %v to %v, expected a band that is not empty"}
	levelFields    = &diag.Code{Name: diag.IsConflict, Words: `expected a "label" with a "value" or a "patch"`}
	nestedStudy    = &diag.Code{Name: "nested-experiment", Words: "an experiment cannot be the base of another: expected a scenario of another kind"}
	seedsRange     = &diag.Code{Name: diag.IsOutOfRange, Words: "found %d, expected 1 to %d"}
	tooManyRuns    = &diag.Code{Name: diag.IsTooMany, Words: "the levels and seeds make %.0f runs, at most %d"}
	zipLevels      = &diag.Code{Name: diag.IsCounts, Words: "has %d levels and the first factor %d: with the design zip there are as many of each"}
	noPatch        = &diag.Code{Name: diag.IsMissing, Words: `expected {"label": …, "patch": {…}}, or a "path" of the factor`}
	patchAndPath   = &diag.Code{Name: diag.IsConflict, Words: `has a "patch" though the factor has a "path"; expected one of them`}
	levelTwice     = &diag.Code{Name: diag.IsTwice, Words: "the level %s is given twice: leave one out"}
	zipOfBase      = &diag.Code{Name: variedByBase, Words: "the base varies %s itself, in all combinations: with the design zip expected it among the factors instead"}
	nameOfBase     = &diag.Code{Name: variedByBase, Words: "the base varies %s itself: expected another name for the factor %q"}
	nameTwice      = &diag.Code{Name: diag.IsTwice, Words: "the name %q is given twice"}
	runCounts      = &diag.Code{Name: diag.IsCounts, Words: "of %d runs %d are done, and %d of these have failed"}
	noSubjects     = &diag.Code{Name: diag.IsMissing, Words: "found none, and no error"}
)
