package federatekind

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/scenario"
	"berth/engine/workload"
)

// How much slower or faster jobs may arrive: no time overflows.
const (
	minLoad = 0.1
	maxLoad = 1000
)

// Validate adds what is wrong with a document apart from the content of its
// trace; path is its own.
func (d *Document) Validate(path string, p *scenario.Problems) {
	p.Source(path+".trace", &d.Trace, workload.JobsGenerator)
	p.OneOf(path+".preset", d.Preset, DefaultPreset, PaperPreset)
	d.validateSchedulers(path, p)
	d.validateLists(path, p)
	if d.Seeds < 0 || d.Seeds > MaxSeeds {
		p.Add(path+".seeds", "found %d, expected 1 to %d", d.Seeds, MaxSeeds)
	}
	if field, problem := d.check(); problem != "" {
		p.Add(path+"."+field, "%s", problem)
		return
	}
	d.validateSweep(path, p)
}

func (d *Document) validateSchedulers(path string, p *scenario.Problems) {
	p.Count(path+".schedulers", "scheduler", len(d.Schedulers), MaxSchedulers)
	for i, name := range d.Schedulers {
		at := fmt.Sprintf("%s.schedulers[%d]", path, i)
		if _, ok := federate.Lookup(name); !ok {
			p.Add(at, "%q is unknown: expected one of %s", scenario.Shorten(name), strings.Join(federate.Names(), ", "))
		} else if slices.Contains(d.Schedulers[:i], name) {
			p.Add(at, "%s is given twice", name)
		}
	}
}

// validateLists checks what the engine does not see, or not in this form.
func (d *Document) validateLists(path string, p *scenario.Problems) {
	for _, resource := range slices.Sorted(maps.Keys(d.Capacity)) {
		at := path + ".capacity." + resource
		if _, known := capacities[resource]; !known {
			p.Add(at, "unknown; known: %s", strings.Join(slices.Sorted(maps.Keys(capacities)), ", "))
		} else if units := d.Capacity[resource]; !(units > 0 && units <= cluster.MaxAmount.Units()) {
			p.Add(at, "found %v, expected more than 0, at most 1e9", units)
		}
	}
	if len(d.Constraints) > MaxTables {
		p.Add(path+".constraints", "has %d tables, at most %d", len(d.Constraints), MaxTables)
	}
	for i, t := range d.Constraints {
		d.validateTable(fmt.Sprintf("%s.constraints[%d].machine", path, i), t.Machine, p)
	}
	if len(d.Shares) > MaxShares {
		p.Add(path+".shares", "has %d shares, at most %d", len(d.Shares), MaxShares)
	}
	if len(d.Outages) > MaxOutages {
		p.Add(path+".outages", "has %d outages, at most %d", len(d.Outages), MaxOutages)
	}
	for i, o := range d.Outages {
		if !slices.Contains(subjects, o.Subject) {
			p.Add(fmt.Sprintf("%s.outages[%d].subject", path, i), "found %q, expected %s", scenario.Shorten(o.Subject), strings.Join(subjects, ", "))
		}
	}
}

func (d *Document) validateTable(path string, probabilities []float64, p *scenario.Problems) {
	if n := len(probabilities); n > workload.MaxConstraints {
		p.Add(path, "has %d probabilities, at most %d", n, workload.MaxConstraints)
	}
	for c, x := range probabilities {
		p.Within(fmt.Sprintf("%s[%d]", path, c), x, 0, 1, "")
	}
}

// check returns the first field whose figure is wrong whatever the trace, and
// what is wrong with it.
func (d *Document) check() (field, problem string) {
	if d.Load != nil && !(*d.Load >= minLoad && *d.Load <= maxLoad) {
		return "load", fmt.Sprintf("found %v, expected a number from %v to %v", *d.Load, minLoad, maxLoad)
	}
	if len(d.Outages) > MaxOutages || len(d.Shares) > MaxShares {
		return "", "" // told already
	}
	slots := []string{workload.SlotResource}
	c := d.config(slots)
	c.Capacity = []cluster.Amount{cluster.Unit} // validateLists tells of that
	if err := c.Check(&workload.Tasks{Resources: slots}); err != nil {
		return fieldOf(err)
	}
	for _, x := range []struct {
		field string
		time  federate.Time
	}{{"delay", c.Delay}, {"launchDelay", c.LaunchDelay}} {
		if x.time <= 0 {
			return x.field, "found a time of 0 s, expected more: in no time no message arrives"
		}
	}
	return "", ""
}

// fields has what the engine calls a field otherwise than the document.
var fields = map[string]string{"launch-delay": "launchDelay", "pigeon.group-size": "pigeon.groupSize"}

// fieldOf takes an error of the engine apart.
func fieldOf(err error) (field, problem string) {
	field, problem, _ = strings.Cut(err.Error(), ": ")
	if name, other := fields[field]; other {
		field = name
	}
	return field, problem
}

func (d *Document) validateSweep(path string, p *scenario.Problems) {
	path += ".sweep"
	if len(d.Sweep) > 2 {
		p.Add(path, "has %d parameters, at most 2", len(d.Sweep))
		return
	}
	before := len(p.List)
	for i := range d.Sweep {
		d.validateParameter(fmt.Sprintf("%s[%d]", path, i), i, p)
	}
	if n := d.runs(); n > MaxRuns {
		p.Add(path, "the schedulers, seeds and values make %d runs, at most %d", n, MaxRuns)
	}
	if len(p.List) > before || len(d.Sweep) == 0 {
		return
	}
	for _, point := range d.points() {
		x := d.at(point)
		if field, problem := x.check(); problem != "" {
			p.Add(path, "at %s: %s: %s", d.describe(point), field, problem)
			return
		}
	}
}

func (d *Document) validateParameter(path string, i int, p *scenario.Problems) {
	s := d.Sweep[i]
	parameter, ok := lookupParameter(s.Parameter)
	switch {
	case !ok:
		var known []string
		for _, x := range sweepParameters {
			known = append(known, x.Name)
		}
		p.Add(path+".parameter", "%q is unknown: expected one of %s", scenario.Shorten(s.Parameter), strings.Join(known, ", "))
		return
	case i > 0 && d.Sweep[0].Parameter == s.Parameter:
		p.Add(path+".parameter", "%s is swept twice", s.Parameter)
	}
	p.Count(path+".values", "value", len(s.Values), MaxValues)
	for k, v := range s.Values {
		at := fmt.Sprintf("%s.values[%d]", path, k)
		if !parameter.allows(v) {
			p.Add(at, "found %v, expected %s", v, parameter.expected())
		} else if slices.Contains(s.Values[:k], v) {
			p.Add(at, "%v is given twice", v)
		}
	}
}

func (p SweepParameter) expected() string {
	if p.Whole {
		return "a whole number"
	}
	return "a number up to 1e9"
}

// describe names a point: workers 200, gms 3.
func (d *Document) describe(point []float64) string {
	var parts []string
	for i, s := range d.Sweep {
		parts = append(parts, fmt.Sprintf("%s %v", s.Parameter, point[i]))
	}
	return strings.Join(parts, ", ")
}
