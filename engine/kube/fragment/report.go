package fragment

import (
	"fmt"
	"io"
	"text/tabwriter"

	"berth/engine/figure"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Report is the body of the report of kind "fragment".
type Report struct {
	Nodes     int
	GPUs      int
	Pods      int // number of distinct pods in the input
	Policies  []Result
	cancelled bool // the report is partial; stored in the enclosing report
	Warnings  []string
}

// marks are the percentages of GPUs requested by arrivals at which the text and the figures show
// the curves.
var marks = []int{50, 80, 90, 100, 110, 120, 130}

// Figures lists all measured figures of a policy.
var Figures = figures()

func figures() (all []figure.Figure) {
	of := func(f figure.Figure, value func(*Result) figure.Number) {
		all = append(all, figure.Of(f, value))
	}
	at := func(curve []figure.Number, percent int) figure.Number {
		if percent < len(curve) {
			return curve[percent]
		}
		return figure.Undefined
	}
	for _, percent := range marks {
		of(figure.Figure{Name: fmt.Sprintf("allocated.%d", percent), Label: fmt.Sprintf("allocated at %d %%", percent), Title: fmt.Sprintf("GPUs allocated at %d %%", percent),
			About: fmt.Sprintf("Part of all GPUs that is allocated when pods have asked for %d %% of them", percent), Form: figure.Part, Better: figure.More},
			func(p *Result) figure.Number { return at(p.Allocated, percent) })
	}
	for _, percent := range marks {
		of(figure.Figure{Name: fmt.Sprintf("fragmented.%d", percent), Title: fmt.Sprintf("Free GPUs fragmented at %d %%", percent),
			About: fmt.Sprintf("Part of free GPUs that typical pods cannot use when pods have asked for %d %% of all GPUs", percent), Form: figure.Part, Better: figure.Less},
			func(p *Result) figure.Number { return at(p.Fragmented, percent) })
	}
	of(figure.Figure{Name: "refused", Label: "refused", Title: "Pods refused", About: "Pods for which no node had room", Form: figure.Count, Better: figure.Less},
		func(p *Result) figure.Number { return figure.Number(p.Refused) })
	return all
}

// ReportOf returns the body of a report of kind "fragment", or nil for another kind.
func ReportOf(r *scenario.Report) *Report { return scenario.As[*Report](r.Body) }

// Subjects returns the names of the policies.
func (r *Report) Subjects() []string {
	return scenario.Subjects(r.Policies, func(p *Result) string { return p.Name })
}

// Subject implements [figure.Body].
func (r *Report) Subject(i int) any { return figure.At(r.Policies, i) }

// Remarks implements [scenario.ReportBody].
func (r *Report) Remarks() (notes, warnings []string) { return []string{}, r.Warnings }

// Partial implements [scenario.ReportBody].
func (r *Report) Partial() bool { return r.cancelled }

// Complete implements [scenario.ReportBody]. Refused pods do not make a report incomplete, because
// a full cluster must refuse pods.
func (r *Report) Complete() bool { return !r.cancelled }

// told returns the point of a policy's curve that the headline quotes: at 100 % of the GPUs
// requested, or at the end of a shorter curve.
func told(p *Result) (percent int, allocated figure.Number) {
	percent = min(100, len(p.Allocated)-1)
	if percent < 0 {
		return 0, figure.Undefined
	}
	return percent, p.Allocated[percent]
}

// Sentences says which policy has allocated the most GPUs.
func (r *Report) Sentences() (headline string, details []string) {
	best, most, at := "", figure.Number(-1), 0
	for i := range r.Policies {
		if percent, x := told(&r.Policies[i]); x.Defined() && x > most {
			best, most, at = r.Policies[i].Name, x, percent
		}
	}
	if best == "" {
		return "", nil
	}
	return fmt.Sprintf("%s allocates %s %% of the GPUs when pods have asked for %d %% of them.", best, percent(most), at),
		[]string{fmt.Sprintf("%s with %s.", show.Count(r.Nodes, "node"), show.Count(r.GPUs, "GPU"))}
}

// WriteText implements [scenario.ReportBody].
func (r *Report) WriteText(w io.Writer, _ *scenario.Timings) {
	fmt.Fprintln(w, "GPUs allocated, in per cent, when pods have asked for so many per cent of them")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "policy\t")
	for _, percent := range marks {
		fmt.Fprintf(table, "%d\t", percent)
	}
	fmt.Fprint(table, "refused pods\t\n")
	for i := range r.Policies {
		p := &r.Policies[i]
		fmt.Fprintf(table, "%s\t", p.Name)
		for k := range marks {
			fmt.Fprintf(table, "%s\t", percent(Figures[k].Of(p)))
		}
		fmt.Fprintf(table, "%d\t\n", p.Refused)
	}
	table.Flush() // the caller checks the errors of w
}

// percent formats a share as a percentage.
func percent(x figure.Number) string {
	if !x.Defined() {
		return x.String()
	}
	return fmt.Sprintf("%.2f", 100*float64(x))
}

var _ scenario.Checked = (*Report)(nil)

// Check implements [scenario.Checked]: both curves of a policy have the same length.
func (r *Report) Check(path string, t *scenario.Timings, p *scenario.Problems) {
	for i := range r.Policies {
		p.Fits(fmt.Sprintf("%s.policies[%d].fragmented", path, i), len(r.Policies[i].Fragmented), len(r.Policies[i].Allocated), "there are values of allocated")
	}
	if t != nil {
		p.Times("running", t.Running, len(r.Policies), 0)
	}
}
