package qos

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
)

// drawn holds the contents of the charts, with the pinned figures behind the current ones. They are
// made once for each result: a chart compares its input with the last one, and comparing a slice
// with itself costs nothing.
type drawn struct {
	styles           map[string]chart.Style // by title of the run
	deficits         []chart.Box
	penalties        []chart.Bar
	increase         []chart.Bar
	edges            []float64
	counts           map[string][]chart.Counts // by class
	queue, preempted []chart.Series
	work             []chart.Bar     // operations by policy
	demand           [][]chart.Areas // of CPU and memory, by policy

	controllerRows   []ui.Row
	controllerStrips []chart.Strip
}

// charts are the figures and charts of the result.
type charts struct {
	view *View

	columns     []string // labels of the measures in the table of classes; nil before they are looked up
	paired      int      // index of the pair in the heat map
	pairedClass string   // class in the heat map; "" for the class that differs most
}

func (cs *charts) drawn() *drawn {
	return lab.Once(cs.view.Lab, cs.view.Compared("drawn"), func() *drawn { return cs.view.result.draw(cs.view.pinned()) })
}

// draw makes the contents of the charts from the policies so far. was are the policies
// of the pinned result.
func (r *result) draw(was []*qoskind.PolicyReport) *drawn {
	policies := r.policies()
	f := &drawn{styles: r.styles(), counts: map[string][]chart.Counts{}, controllerRows: r.controllerRows(), controllerStrips: r.controllerStrips()}
	for i := range qos.Bins + 1 {
		f.edges = append(f.edges, float64(i)/qos.Bins)
	}
	for _, class := range append(r.classNames(), "all") {
		f.counts[class] = append(f.spread(class, was, true), f.spread(class, policies, false)...)
		for _, p := range policies {
			if c := p.Run.Class(class); c != nil {
				f.addClass(p, c, titled(was, p.Title))
			}
		}
		f.addIncrease(policies, class)
	}
	waiting := func(s *qos.SystemSeries, i int) float64 { return float64(s.Queue[i]) }
	preempted := func(s *qos.SystemSeries, i int) float64 { return float64(s.Preemptions[i]) }
	f.queue = chart.OverPinned(f.overTime(was, waiting), f.overTime(policies, waiting))
	f.preempted = chart.OverPinned(f.overTime(was, preempted), f.overTime(policies, preempted))
	for _, p := range policies {
		f.demand = append(f.demand, demandOf(p, &r.report().Hosts))
		f.work = append(f.work, chart.Bar{Label: p.Title, Value: float64(p.Run.Operations), Style: f.styles[p.Title]})
		if before := titled(was, p.Title); before != nil {
			f.work[len(f.work)-1].Was = new(float64(before.Run.Operations))
		}
	}
	if !slices.ContainsFunc(f.penalties, func(b chart.Bar) bool { return b.Value > 0 }) {
		f.penalties = nil // the sentence in Empty says more than bars of length zero
	}
	return f
}

// spread returns the distribution of a class's availabilities under each policy. If pinned is set,
// it is drawn behind the others.
func (f *drawn) spread(class string, policies []*qoskind.PolicyReport, pinned bool) (all []chart.Counts) {
	for _, p := range policies {
		c := p.Run.Class(class)
		if c == nil {
			continue
		}
		counts := chart.Counts{Name: p.Title, Style: f.styles[p.Title], Values: make([]float64, len(c.Histogram)), Behind: pinned}
		for i, n := range c.Histogram {
			counts.Values[i] = float64(n)
		}
		if pinned {
			counts.Name = chart.PinnedName(p.Title)
		}
		all = append(all, counts)
	}
	return all
}

func (f *drawn) overTime(policies []*qoskind.PolicyReport, of func(s *qos.SystemSeries, i int) float64) (all []chart.Series) {
	for _, p := range policies {
		curve := chart.Series{Name: p.Title, Style: f.styles[p.Title]}
		for i, t := range p.Run.Series.Time {
			curve.Points = append(curve.Points, chart.At((t-p.Run.Start)/3600, of(&p.Run.Series, i)))
		}
		all = append(all, curve)
	}
	return all
}

// addClass adds the deficits and the penalty of a class under a policy. was is the policy in the
// pinned result; nil for none.
func (f *drawn) addClass(p *qoskind.PolicyReport, c *qos.ClassFigures, was *qoskind.PolicyReport) {
	if b := &c.Deficits; b.At("count") > 0 {
		at := func(name string) float64 { return 100 * float64(b.At(name)) }
		mean, half := at("mean"), at("halfWidth")
		f.deficits = append(f.deficits, chart.Box{
			Group: c.Name, Name: p.Title, Style: f.styles[p.Title], Count: int(b.At("count")),
			Low: at("min"), Q1: at("p25"), Median: at("p50"), Q3: at("p75"), High: at("max"),
			Mean: mean, MeanLow: max(0, mean-half), MeanHigh: min(100, mean+half), // a deficit is between 0 and 100 points
		})
	}
	bar := chart.Bar{Label: p.Title + ", " + c.Name, Value: float64(c.Penalty), Style: f.styles[p.Title]}
	if was != nil {
		if before := was.Run.Class(c.Name); before != nil {
			bar.Was = new(float64(before.Penalty))
		}
	}
	f.penalties = append(f.penalties, bar)
}

// styles gives each run a style, by title. The first plain run of a policy gets the policy's usual
// style; variants and literal runs get the remaining styles.
func (r *result) styles() map[string]chart.Style {
	styles := map[string]chart.Style{}
	known := qos.Names()
	taken := map[string]bool{} // policies whose usual style is in use
	others := 0
	for _, one := range r.runs {
		run := &one.policy
		if !ownRow(run) && run.Scheduler != qoskind.Literal && !taken[run.Name] {
			taken[run.Name] = true
			styles[run.Title()] = chart.StyleAt(slices.Index(known, run.Name))
			continue
		}
		styles[run.Title()] = chart.StyleAt(len(known) + others)
		others++
	}
	return styles
}

// addIncrease compares the penalties of a class with its penalty under the QoS-driven
// policy (figure 8).
func (f *drawn) addIncrease(policies []*qoskind.PolicyReport, class string) {
	base := reference(policies)
	if base == nil {
		return
	}
	to := base.Run.Class(class)
	for _, p := range policies {
		c := p.Run.Class(class)
		if p == base || !sameTime(p, base) || c == nil || to == nil || !(to.Penalty > 0) {
			continue
		}
		f.increase = append(f.increase, chart.Bar{
			Label: p.Title + ", " + class, Style: f.styles[p.Title], Value: 100 * (float64(c.Penalty)/float64(to.Penalty) - 1),
		})
	}
}

// reference returns the report of the policy that penalties are compared with; nil if
// it did not run.
func reference(policies []*qoskind.PolicyReport) *qoskind.PolicyReport {
	for _, p := range policies {
		if known, _ := qos.Lookup(p.Name); known.Facts.Reference {
			return p
		}
	}
	return nil
}

// demandOf returns the requested and the allocated capacity under a policy over time.
func demandOf(p *qoskind.PolicyReport, hosts *qoskind.HostsSummary) []chart.Areas {
	hours := make([]float64, len(p.Run.Series.Time))
	for i, t := range p.Run.Series.Time {
		hours[i] = (t - p.Run.Start) / 3600
	}
	areas := func(unit string, capacity float64) chart.Areas {
		return chart.Areas{XLabel: "time (h)", YLabel: unit, X: hours, Steps: true, FilledAs: "allocated", OutlinedAs: "requested",
			Rules: []chart.Guide{{Label: "capacity", Value: capacity}}}
	}
	cpu, memory := areas("CPU", hosts.CPU), areas("memory", hosts.Memory)
	for _, c := range p.Run.Series.Classes {
		cpu.Layers = append(cpu.Layers, chart.Layer{Name: c.Name, Values: c.AllocatedCPU})
		cpu.Outlines = append(cpu.Outlines, chart.Layer{Name: c.Name, Values: c.RequestedCPU})
		memory.Layers = append(memory.Layers, chart.Layer{Name: c.Name, Values: c.AllocatedMemory})
		memory.Outlines = append(memory.Outlines, chart.Layer{Name: c.Name, Values: c.RequestedMemory})
	}
	return []chart.Areas{cpu, memory}
}

// overview draws the gains and shortfalls of requests under each policy and, for small runs, every
// instance.
func (cs *charts) overview() []app.UI {
	return []app.UI{
		cs.controllersSummary(),
		cs.pairedFields(),
		app.Div().Class("side-by-side").Body(cs.heatMap(), cs.deficits()),
		cs.view.why.timelineChart(),
	}
}

// deficits draws the deficits of the requests that missed their SLO (figure 7), as
// violins once their distribution is known.
func (cs *charts) deficits() app.UI {
	boxes := slices.Clone(cs.drawn().deficits)
	for _, one := range cs.view.result.there() {
		for _, spread := range lab.KnowOf(cs.view.Lab, one.Result, qoskind.SpreadQuestion, qoskind.PolicyQuery{}).Answer {
			for i := range boxes {
				if b := &boxes[i]; b.Group == spread.Name && b.Name == one.policy.Title() {
					b.Shape = spread.Shape
				}
			}
		}
	}
	return &chart.Chart{ID: "qos-deficits", Title: "Deficit of requests that missed their SLO", Empty: "Every request met its SLO, so there is no deficit.",
		Of: chart.Boxes{Unit: "percentage points", Items: boxes}}
}

// penalties draws the penalties for the deficits (figure 8).
func (cs *charts) penalties() []app.UI {
	f := cs.drawn()
	return []app.UI{
		&chart.Chart{ID: "qos-increase", Title: "Penalty above that of the QoS-driven policy", Empty: cs.view.result.noIncrease(),
			Of: chart.Bars{Unit: "%", Items: f.increase}},
		&chart.Chart{ID: "qos-penalties", Title: "Penalty", Empty: cs.view.result.noPenalties(),
			Of: chart.Bars{Unit: "CPU-hours", Items: f.penalties}},
	}
}

// noPenalties explains why there are no penalties.
func (r *result) noPenalties() string {
	if r.report().Met() {
		return "No penalties: every request met its SLO."
	}
	text := "No penalties: the requests that missed their SLO never ran, and a penalty grows with the time that a request runs."
	for _, p := range r.policies() {
		if counterfactual := p.Run.Missed.Counterfactual(); counterfactual != "" {
			return strings.TrimSpace(text + " " + show.Capital(p.Spoken()) + ": " + counterfactual)
		}
	}
	return text
}

// noIncrease explains why penalties cannot be compared with the QoS-driven policy.
func (r *result) noIncrease() string {
	policies := r.policies()
	base := reference(policies)
	switch {
	case base == nil:
		return "Berth compares penalties with those of the QoS-driven policy: run it, too."
	case len(policies) == 1:
		return "Run another policy, too, to compare its penalties with those of the QoS-driven one."
	case base.Run.All.Penalty > 0:
		return "Runs that were stopped cannot be compared."
	}
	var owed []string
	for _, p := range policies {
		if p != base && p.Run.All.Penalty > 0 {
			owed = append(owed, p.Spoken()+" "+ui.Number(float64(p.Run.All.Penalty))+" CPU-hours")
		}
	}
	if owed == nil {
		return r.noPenalties()
	}
	return "The QoS-driven policy has no penalty, " + strings.Join(owed, ", ") + ": there is no percentage above zero."
}

// demand draws the requested and the allocated capacity over time, by class (figures 1
// and 2).
func (cs *charts) demand() (all []app.UI) {
	for i, one := range cs.view.result.policies() {
		cpu, memory := cs.drawn().demand[i][0], cs.drawn().demand[i][1]
		all = append(all,
			&chart.Chart{ID: fmt.Sprintf("qos-demand-%d-cpu", i), Title: "CPU under " + one.Title, Of: cpu},
			&chart.Chart{ID: fmt.Sprintf("qos-demand-%d-memory", i), Title: "Memory under " + one.Title, Of: memory})
	}
	return all
}

// queue draws the waiting requests, the preemptions and the operations of the policies
// (thesis, figure 7.5).
func (cs *charts) queue() []app.UI {
	f := cs.drawn()
	return []app.UI{
		&chart.Chart{ID: "qos-queue", Title: "Requests that wait, over time",
			Of: chart.Lines{XLabel: "time (h)", YLabel: "requests", Steps: true, Plain: true, Series: f.queue}},
		&chart.Chart{ID: "qos-preemptions", Title: "Preemptions so far",
			Of: chart.Lines{XLabel: "time (h)", YLabel: "preemptions", Plain: true, Series: f.preempted}},
		&chart.Chart{ID: "qos-operations", Title: "Operations: the feasibility and score of a host for a request",
			Of: chart.Bars{Unit: "operations", Items: f.work}},
	}
}

// slug makes a name valid as part of an element's id.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, name)
}
