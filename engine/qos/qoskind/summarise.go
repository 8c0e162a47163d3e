package qoskind

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/sim"
)

// summarise adds the description of the inputs to the report.
func (e *Prepared) summarise() {
	r, d := &e.report, e.document
	r.Workload = WorkloadSummary{
		Name: d.Workload.Name, Requests: e.seen.Requests, First: seconds(e.seen.First), Last: seconds(e.seen.Last),
		Hopeless: e.seen.Hopeless.N, Example: e.seen.Hopeless.First, Ordered: e.seen.Ordered, LeftOut: r.Workload.LeftOut,
		Instances: e.instances, HopelessControllers: e.seen.HopelessControllers.N,
		Sample: r.Workload.Sample, Admission: r.Workload.Admission,
	}
	if e.seen.Hopeless.N > 0 {
		r.Workload.Misfit = e.misfit()
	}
	r.Hosts = HostsSummary{Name: d.Hosts.Name, Hosts: len(e.input.Hosts), Events: len(e.input.HostEvents)}
	var all cluster.Resources
	for i := range e.input.Hosts {
		has := e.input.Hosts[i].Resources()
		all.Add(&has)
	}
	r.Hosts.Units = qos.UnitsOf(all)
	r.Alpha = e.config.Alpha / 1000
	if e.config.Alpha < 0 {
		r.Alpha = meanOverhead(r.Overheads)
	}
	r.Classes = e.config.Classes
	if r.Inputs == nil {
		r.Inputs = []InputDigest{}
	}
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

// meanOverhead returns the mean over all overheads, or 0 if there are none.
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

// newSeedReport returns the means over several runs of one policy, or nil for a single run. The
// means of a class exclude a stopped run that has no requests of the class.
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
