package qoskind

import (
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/sim"
	"berth/engine/stats"
)

// summarise describes the inputs.
func (e *Prepared) summarise() {
	r, d := &e.report, e.document
	r.Workload = WorkloadSummary{
		Name: d.Workload.Name, Requests: e.seen.Requests, First: seconds(e.seen.First), Last: seconds(e.seen.Last),
		Hopeless: e.seen.Hopeless, Example: e.seen.Example, Ordered: e.seen.Ordered, LeftOut: r.Workload.LeftOut,
		Instances: e.instances, HopelessControllers: e.seen.HopelessControllers,
		Sample: r.Workload.Sample, Admission: r.Workload.Admission,
	}
	if e.seen.Hopeless > 0 {
		r.Workload.Misfit = e.misfit()
	}
	r.Hosts = HostsSummary{Name: d.Hosts.Name, Hosts: len(e.input.Hosts), Events: len(e.input.HostEvents)}
	var cpu, memory cluster.Amount
	for _, h := range e.input.Hosts {
		cpu += h.CPU
		memory += h.Memory
		r.Hosts.GPUs += h.GPUs
	}
	r.Hosts.CPU, r.Hosts.Memory = cpu.Units(), memory.Units()
	r.Alpha = e.config.Alpha / 1000
	if e.config.Alpha < 0 {
		r.Alpha = meanOverhead(r.Overheads)
	}
	for i := range e.config.Classes {
		c := &e.config.Classes[i]
		r.Classes = append(r.Classes, ClassSummary{c.Name, c.SLO, c.Importance, seconds(c.Margin), c.Limit})
	}
	if r.Inputs == nil {
		r.Inputs = []InputDigest{}
	}
}

func (e *Prepared) misfit() *Misfit {
	m := &Misfit{CPU: e.seen.CPU.Units(), Memory: e.seen.Memory.Units(), GPUs: e.seen.GPUs}
	for _, h := range e.everyHost() {
		m.HostCPU, m.HostMemory = max(m.HostCPU, h.CPU.Units()), max(m.HostMemory, h.Memory.Units())
		m.HostGPUs = max(m.HostGPUs, h.GPUs)
	}
	return m
}

func summariseOverheads(name string, set []sim.Milliseconds) OverheadSummary {
	o := OverheadSummary{Name: name, Count: len(set)}
	var sum sim.Milliseconds
	for _, v := range set {
		sum += v
	}
	if len(set) > 0 {
		o.Mean = float64(sum) / float64(len(set)) / 1000
		o.Min, o.Max = seconds(slices.Min(set)), seconds(slices.Max(set))
	}
	return o
}

// meanOverhead is the mean of all overheads, 0 of none.
func meanOverhead(sets []OverheadSummary) float64 {
	var sum float64
	n := 0
	for _, s := range sets {
		sum += float64(s.Mean * float64(s.Count))
		n += s.Count
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// newRun describes the result of one simulation.
func newRun(result *qos.Result, seed uint64) Run {
	classes := map[int]*ClassFigures{-1: {}}
	var deficits []float64
	p := result.Describe(func(class int, sorted []float64) {
		f := &ClassFigures{}
		of := deficits
		if class >= 0 {
			of = deficitsOf(sorted, result.Classes[class].Class.SLO)
			deficits = append(deficits, of...)
		}
		slices.Sort(of)
		f.describe(sorted, of)
		classes[class] = f
	})
	r := Run{
		Seed: seed, Start: seconds(result.Start), End: seconds(result.End), Partial: result.Partial,
		Requests: p.Requests, Events: p.Events, Passes: p.Passes, Decisions: p.Decisions, Operations: p.Operations,
		Preemptions: p.Preemptions, Hopeless: result.Hopeless, MeanQueue: figure.Number(result.MeanQueue()),
		Classes: []ClassFigures{}, All: *classes[-1], Intervals: len(result.Intervals), Series: newSeries(result),
		Controllers: p.Controllers, Own: result.Own,
		Peak: Peak{result.Peak.RequestedCPU.Units(), result.Peak.RequestedMemory.Units(), result.PeakGPUs},
	}
	r.All.Name, r.All.Figures = p.All.Name, p.All.Figures
	for i := range result.Classes {
		c, f := &result.Classes[i], classes[i]
		v := &c.Violations
		r.Missed.Preempted += v.Preempted
		r.Missed.NeverRan += v.NeverRan
		r.Missed.Waived += figure.Number(v.Waived)
		r.Missed.Late += v.Number - v.Preempted - v.NeverRan
		if f == nil {
			continue
		}
		f.Name, f.SLO, f.Figures = c.Class.Name, c.Class.SLO, p.Classes[len(r.Classes)].Figures
		f.Preemptions, f.Migrations, f.Overhead, f.Ran = c.Preemptions, c.Migrations, seconds(c.Overhead), seconds(c.Run)
		r.Classes = append(r.Classes, *f)
		r.All.Preemptions += f.Preemptions
		r.All.Migrations += f.Migrations
		r.All.Overhead += f.Overhead
		r.All.Ran += f.Ran
	}
	r.Migrations, r.Overhead = r.All.Migrations, r.All.Overhead
	return r
}

// deficitsOf returns SLO − A of those below it.
func deficitsOf(sorted []float64, slo float64) []float64 {
	var deficits []float64
	for _, a := range sorted {
		if a < slo {
			deficits = append(deficits, slo-a)
		}
	}
	return deficits
}

func (f *ClassFigures) describe(sorted, deficits []float64) {
	f.MeanHalfWidth = figure.Number(stats.HalfWidth95(sorted))
	f.Histogram = stats.Histogram(sorted, 0, 1, Bins)
	f.Deficits = figure.SampleOf(deficits, deficitPoints)
}

// deficitPoints are the quantiles that are told of deficits.
var deficitPoints = append(append(slices.Clone(qos.Percentiles[:len(qos.Percentiles)-1]),
	figure.Percentile{Name: "p99", Title: "99th percentile", P: 0.99}), qos.Percentiles[len(qos.Percentiles)-1])

// newSeries thins out what was recorded over time, keeping the last point.
func newSeries(result *qos.Result) Series {
	s := Series{Time: []float64{}, Queue: []int{}, Preemptions: []int64{}, Classes: []DemandSeries{}}
	var shown []int
	for i := range result.Classes {
		if result.Classes[i].Requests > 0 {
			shown = append(shown, i)
			s.Classes = append(s.Classes, DemandSeries{
				Name: result.Classes[i].Class.Name, RequestedCPU: []float64{}, RequestedMemory: []float64{},
				AllocatedCPU: []float64{}, AllocatedMemory: []float64{},
			})
		}
	}
	points := result.Points
	step := max(1, (len(points)+MaxPoints-2)/(MaxPoints-1))
	for i := 0; i < len(points); i += step {
		s.add(&points[i], shown)
	}
	if last := len(points) - 1; last >= 0 && last%step != 0 {
		s.add(&points[last], shown)
	}
	return s
}

// Waiting returns how many requests wait on average over time until the end, and the
// most that do, both as drawn: each point holds until the next. Both are NaN without
// points.
func (s *Series) Waiting(end float64) (mean, most float64) {
	sum, span := 0.0, 0.0
	for i, n := range s.Queue {
		next := end
		if i+1 < len(s.Time) {
			next = s.Time[i+1]
		}
		sum += float64(float64(n) * (next - s.Time[i]))
		span += next - s.Time[i]
		most = max(most, float64(n))
	}
	if span <= 0 {
		return math.NaN(), math.NaN()
	}
	return sum / span, most
}

func (s *Series) add(p *qos.Point, shown []int) {
	s.Time = append(s.Time, seconds(p.At))
	s.Queue = append(s.Queue, p.Queue)
	s.Preemptions = append(s.Preemptions, p.Preemptions)
	for k, i := range shown {
		c, d := &s.Classes[k], &p.Classes[i]
		c.RequestedCPU = append(c.RequestedCPU, d.RequestedCPU.Units())
		c.RequestedMemory = append(c.RequestedMemory, d.RequestedMemory.Units())
		c.AllocatedCPU = append(c.AllocatedCPU, d.AllocatedCPU.Units())
		c.AllocatedMemory = append(c.AllocatedMemory, d.AllocatedMemory.Units())
	}
}

// newSeedReport has the means over runs of the same policy, if they are several. A
// class that a stopped run has not met is left out of its figures.
func newSeedReport(runs []Run) *SeedReport {
	if len(runs) < 2 {
		return nil
	}
	s := &SeedReport{
		Runs:        len(runs),
		Preemptions: over(runs, func(r *Run) figure.Number { return figure.Number(r.Preemptions) }),
		Migrations:  over(runs, func(r *Run) figure.Number { return figure.Number(r.Migrations) }),
		Overhead:    over(runs, func(r *Run) figure.Number { return figure.Number(r.Overhead) }),
		Classes:     []SeedFigures{},
		All:         seedFigures("all", runs, func(r *Run) *ClassFigures { return &r.All }),
	}
	for _, c := range runs[0].Classes {
		s.Classes = append(s.Classes, seedFigures(c.Name, runs, func(r *Run) *ClassFigures {
			i := slices.IndexFunc(r.Classes, func(f ClassFigures) bool { return f.Name == c.Name })
			if i < 0 {
				return &ClassFigures{}
			}
			return &r.Classes[i]
		}))
	}
	s.Controllers = seedControllers(runs)
	return s
}

func seedFigures(name string, runs []Run, of func(*Run) *ClassFigures) SeedFigures {
	each := func(value func(*ClassFigures) figure.Number) figure.Estimate {
		return over(runs, func(r *Run) figure.Number {
			f := of(r)
			if f.Requests == 0 {
				return figure.Undefined
			}
			return value(f)
		})
	}
	return SeedFigures{
		Name:         name,
		Fulfilled:    each(func(f *ClassFigures) figure.Number { return figure.Number(float64(f.Fulfilled) / float64(f.Requests)) }),
		Availability: each(func(f *ClassFigures) figure.Number { return f.Availability.Mean }),
		Deficit:      each(func(f *ClassFigures) figure.Number { return f.Deficit.Mean }),
		Penalty:      each(func(f *ClassFigures) figure.Number { return f.Penalty }),
		Gini:         each(func(f *ClassFigures) figure.Number { return f.Gini }),
	}
}

// over estimates the mean of a figure where it is defined.
func over(runs []Run, value func(*Run) figure.Number) figure.Estimate {
	x := make([]float64, len(runs))
	for i := range runs {
		x[i] = float64(value(&runs[i]))
	}
	return figure.EstimateOf(x)
}

// CommandFigures returns the figures of a run as the command line prints them.
func (p *PolicyReport) CommandFigures(took float64) qos.CommandPolicy {
	r := &p.Run
	f := qos.CommandPolicy{
		Name: p.Name, Requests: r.Requests, Events: r.Events, Passes: r.Passes, Decisions: r.Decisions,
		Operations: r.Operations, Preemptions: r.Preemptions, Seconds: took, Classes: []qos.ClassReport{},
		All: qos.Summary{Name: r.All.Name, Figures: r.All.Figures}, Controllers: r.Controllers, Own: r.Own,
	}
	for _, c := range r.Classes {
		f.Classes = append(f.Classes, qos.ClassReport{Name: c.Name, SLO: c.SLO, Figures: c.Figures})
	}
	return f
}
