package qoskind

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/sim"
)

// summarise describes the inputs.
func (e *Prepared) summarise() {
	r, d := &e.report, e.document
	r.Workload = WorkloadSummary{
		Name: d.Workload.Name, Requests: e.seen.Requests, First: seconds(e.seen.First), Last: seconds(e.seen.Last),
		Hopeless: e.seen.Hopeless, Example: e.seen.Example, Ordered: e.seen.Ordered,
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
	r.Classes = e.config.Classes
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

// newSeedReport has the means over runs of the same policy, if they are several. A
// class that a stopped run has not met is left out of its figures.
func newSeedReport(runs []*PolicyReport) *SeedReport {
	if len(runs) < 2 {
		return nil
	}
	s := &SeedReport{Runs: len(runs), Of: figure.Over(figure.Where(ofRun, func(f *figure.Figure) bool { return f.Key != "" }), runs), Classes: []SeedFigures{}}
	class := func(name string) SeedFigures {
		all := []*qos.ClassFigures{}
		for _, p := range runs {
			if c := p.Run.Class(name); c != nil && c.Requests > 0 {
				all = append(all, c)
			}
		}
		return SeedFigures{name, figure.Over(keyed(ClassFigures, false), all)}
	}
	for _, c := range runs[0].Run.Classes {
		s.Classes = append(s.Classes, class(c.Name))
	}
	s.All = class(runs[0].Run.All.Name)
	return s
}
