package federatekind

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Validate adds the errors of a document to p, except errors in the contents of its trace. The
// argument path is the path of the document.
func (d *Document) Validate(path string, p *scenario.Problems) {
	p.Source(path+".trace", &d.Trace, workload.JobsGenerator)
	d.validateMachines(path, p)
	d.validateSchedulers(path, p)
	d.validateLists(path, p)
	before := len(p.List)
	d.checkFigures(path+".", p)
	if len(p.List) > before {
		return
	}
	if d.Window != nil {
		if err := d.Window.Check(); err != nil {
			p.Wrong(path+".window", err)
			return
		}
	}
	d.validateSweep(path, p)
}

func (d *Document) validateSchedulers(path string, p *scenario.Problems) {
	p.Count(path+".schedulers", "scheduler", len(d.Schedulers), MaxSchedulers)
	known := federate.Names()
	if len(d.Policies) > MaxSchedulers {
		p.Add(path+".policies", diag.TooMany, len(d.Policies), "entries", MaxSchedulers)
		return
	}
	for i := range d.Policies {
		t, at := &d.Policies[i], fmt.Sprintf("%s.policies[%d]", path, i)
		p.Written(at, "", t, known)
		known = append(known, t.Name)
	}
	for i, name := range d.Schedulers {
		at := fmt.Sprintf("%s.schedulers[%d]", path, i)
		if !slices.Contains(known, federate.NameOf(name)) {
			p.Add(at, diag.Unknown, scenario.Shorten(name), strings.Join(known, ", "))
		} else if Has(d.Schedulers[:i], name) {
			p.Add(at, diag.NameTwice, federate.NameOf(name))
		}
	}
}

// Has reports whether a list contains a scheduler, under its current or a former name.
func Has(schedulers []string, name string) bool {
	return slices.ContainsFunc(schedulers, func(s string) bool { return federate.NameOf(s) == federate.NameOf(name) })
}

// validateLists checks the lists that the engine ignores or receives in another form.
func (d *Document) validateLists(path string, p *scenario.Problems) {
	validateKeys(path, "capacity.", slices.Sorted(maps.Keys(d.Capacity)), p)
	for _, scheduler := range slices.Sorted(maps.Keys(d.Parameters)) {
		validateKeys(path, "parameters."+scheduler+".", slices.Sorted(maps.Keys(d.Parameters[scheduler])), p)
	}
	p.AtMost(path+".constraints", "tables", len(d.Constraints), MaxTables)
	for i, t := range d.Constraints {
		at := fmt.Sprintf("%s.constraints[%d].machine", path, i)
		p.AtMost(at, "probabilities", len(t.Machine), workload.MaxConstraints)
		for c, x := range t.Machine {
			p.Within(fmt.Sprintf("%s[%d]", at, c), x, 0, 1, "")
		}
	}
	p.AtMost(path+".shares", "shares", len(d.Shares), MaxShares)
	p.AtMost(path+".outages", "outages", len(d.Outages), MaxOutages)
	for i, o := range d.Outages {
		o.validate(fmt.Sprintf("%s.outages[%d]", path, i), p)
	}
}

// validateKeys checks that each name is a known parameter below a path.
func validateKeys(path, below string, names []string, p *scenario.Problems) {
	var known []string
	for _, parameter := range Parameters() {
		if name, found := strings.CutPrefix(parameter.JSONPath(), below); found {
			known = append(known, name)
		}
	}
	slices.Sort(known)
	for _, name := range names {
		if !slices.Contains(known, name) {
			p.Add(path+"."+below+name, unknownParameter, cmp.Or(strings.Join(known, ", "), "none"))
		}
	}
}

func (d *Document) validateSweep(path string, p *scenario.Problems) {
	path += ".sweep"
	if len(d.Sweep) > 2 {
		p.Add(path, tooManySwept, len(d.Sweep))
		return
	}
	before := len(p.List)
	for i := range d.Sweep {
		d.validateParameter(fmt.Sprintf("%s[%d]", path, i), i, p)
	}
	if len(p.List) == before {
		d.validateValues(path, p)
	}
}

// validateValues checks each value once, combined with the first value of the other parameter. It
// does not check all pairs: an invalid pair fails when it runs.
func (d *Document) validateValues(path string, p *scenario.Problems) {
	x, runs := *d, max(1, d.Seeds)*len(d.Schedulers)
	set := func(s Sweep, value int) {
		parameter, _ := swept(s.Parameter)
		_ = parameter.Set(&x, &s.Values[value]) // cannot fail: every parameter has a place in the document
	}
	for _, s := range d.Sweep {
		set(s, 0)
		runs *= len(s.Values)
	}
	if runs > MaxRuns {
		p.Add(path, tooManyRuns, runs, MaxRuns)
		return
	}
	for i, s := range d.Sweep {
		for k, v := range s.Values {
			set(s, k)
			var found scenario.Problems
			x.checkFigures("", &found)
			if len(found.List) > 0 {
				p.Add(fmt.Sprintf("%s[%d].values[%d]", path, i, k), sweptValue, v, found.List[0].Text())
				return
			}
		}
		set(s, 0)
	}
}

func (d *Document) validateParameter(path string, i int, p *scenario.Problems) {
	s := d.Sweep[i]
	row, ok := swept(s.Parameter)
	switch {
	case !ok:
		known := show.Joined(SweepParameters(), ", ", func(x parameter.Parameter) string { return x.Name })
		p.Add(path+".parameter", diag.Unknown, scenario.Shorten(s.Parameter), known)
		return
	case d.unlike() && (row.Name == "workers" || row.Group == CapacityGroup):
		p.Add(path+".parameter", sweptMachines, s.Parameter)
	case i > 0 && d.Sweep[0].Parameter == s.Parameter:
		p.Add(path+".parameter", sweptTwice, s.Parameter)
	}
	p.Count(path+".values", "value", len(s.Values), MaxValues)
	for k, v := range s.Values {
		at := fmt.Sprintf("%s.values[%d]", path, k)
		if math.Abs(v) > 1e9 || row.Whole && v != math.Trunc(v) {
			expected := "a number up to 1e9"
			if row.Whole {
				expected = "a whole number"
			}
			p.Add(at, diag.Unexpected, v, expected)
		} else if slices.Contains(s.Values[:k], v) {
			p.Add(at, diag.NameTwice, v)
		}
	}
}
