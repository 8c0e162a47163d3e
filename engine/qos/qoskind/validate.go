package qoskind

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/sim"
)

// maxSeconds is the largest time in a document.
const maxSeconds = float64(workload.MaxTime / sim.Second)

// The names of the schedulers.
const (
	Fast    = "fast"
	Literal = "literal"
	Counted = "counted" // fast, with the number of operations that literal would take
)

// Validate implements [scenario.Document]. It does not read the contents of the sources.
func (d *Document) Validate(path string, p *scenario.Problems) {
	if d.hasWorkload() {
		p.Source(path+".workload", &d.Workload, RequestsGenerator)
	}
	p.Source(path+".hosts", &d.Hosts, HostsGenerator)
	d.validateOverheads(path, p)
	if (d.Sample != nil || d.Admission != nil || d.Window != nil) && !d.hasWorkload() {
		p.Add(path+".workload", noWorkload)
	}
	if w := d.Window; w != nil && w.To > 0 && w.To <= w.From { // the parameters check everything else
		p.Wrong(path+".window", w.Check())
	}
	if d.Admission != nil {
		d.Admission.validate(path+".admission", p)
	}
	validateClasses(path+".classes", d.Classes, p)
	d.validatePolicies(path, p)
	p.Parameters(path, d, parameters)
	p.Parameters(path, d, documentParameters)
	d.ValidateControllers(path+".controllers", p)
	d.validateHostEvents(path, p)
}

func (d *Document) validateOverheads(path string, p *scenario.Problems) {
	for _, s := range []struct {
		field  string
		source *scenario.Source
	}{{".overheads", d.Overheads}, {".overheadsHot", d.Hot}, {".overheadsCold", d.Cold}} {
		if s.source != nil {
			p.Source(path+s.field, s.source, OverheadsGenerator)
		}
	}
	switch {
	case d.Overheads != nil && (d.Hot != nil || d.Cold != nil):
		p.Add(path+".overheads", overheadsTwice)
	case (d.Hot == nil) != (d.Cold == nil):
		p.Add(path, overheadsHalf)
	}
}

// validateClasses validates a table of classes, whose path is at.
func validateClasses(at string, classes []Class, p *scenario.Problems) {
	if len(classes) == 0 {
		return
	}
	p.Count(at, "class", len(classes), MaxClasses)
	names := map[string]bool{}
	for i := range classes {
		c, at := &classes[i], fmt.Sprintf("%s[%d]", at, i)
		switch {
		case c.Name == "":
			p.Add(at+".name", diag.Missing)
		case names[c.Name]:
			p.Add(at+".name", classTwice, scenario.Shorten(c.Name))
		}
		names[c.Name] = true
		c.validate(at, p)
	}
}

func (c *Class) validate(at string, p *scenario.Problems) {
	p.Length(at+".name", c.Name, 200)
	p.Row(at, c, ClassFields)
	if n := len(c.Priorities); n != 0 && n != 2 {
		p.Add(at+".priorities", priorityCount, show.Count(n, "number"))
	} else if n == 2 && c.Priorities[0] > c.Priorities[1] {
		p.Add(at+".priorities", priorityOrder, c.Priorities)
	}
	if len(c.Bonus) > MaxBonus {
		p.Add(at+".bonus", diag.TooMany, len(c.Bonus), "rows", MaxBonus)
		return
	}
	for i, b := range c.Bonus {
		p.Within(fmt.Sprintf("%s.bonus[%d].below", at, i), b.Below, 0, 1, "")
		p.Within(fmt.Sprintf("%s.bonus[%d].credit", at, i), b.Credit, 0, 1e6, "")
		if i > 0 && b.Below <= c.Bonus[i-1].Below {
			p.Add(fmt.Sprintf("%s.bonus[%d].below", at, i), bonusOrder, b.Below, c.Bonus[i-1].Below)
		}
	}
}

func (d *Document) validatePolicies(path string, p *scenario.Problems) {
	p.Count(path+".policies", "policy", len(d.Policies), MaxPolicies)
	for i := range d.Policies {
		r, at := &d.Policies[i], fmt.Sprintf("%s.policies[%d]", path, i)
		if r.Policy != nil {
			p.Written(at, r.Name, r.Policy, qos.Names())
		} else if r.Name == "" {
			p.Add(at+".name", diag.MissingName, strings.Join(qos.Names(), ", "))
		}
		p.OneOf(at+".name", r.Name, qos.Names()...)
		p.Length(at+".label", r.Label, MaxLabel)
		p.OneOf(at+".scheduler", r.Scheduler, Fast, Literal, Counted)
		if r.HybridLimit < 0 || r.HybridLimit > 1e9 {
			p.Add(at+".hybridLimit", hybridRange, r.HybridLimit)
		}
		if plug, known := qos.Lookup(r.Name); known {
			if _, err := parameter.Complete(plug.Parameters, r.Parameters); err != nil {
				p.Wrong(at+".parameters", err)
			}
		}
		if slices.ContainsFunc(d.Policies[:i], func(before PolicyRun) bool { return before.Title() == r.Title() }) {
			p.Add(at, diag.NameTwice, r.Title())
		}
		if s := r.Savings; s != nil {
			p.Parameters(at, r, runParameters)
			if s.ScoreCaching && s.CacheValidity == 0 && r.NeedsValidity() {
				p.Add(at+".savings.cacheValidity", noValidity, scenario.Shorten(r.PolicyName()))
			}
		}
	}
}

func (d *Document) validateHostEvents(path string, p *scenario.Problems) {
	if d.HostEventSource != nil {
		p.Source(path+".hostEventSource", d.HostEventSource)
	}
	if len(d.HostEvents) > MaxHostEvents {
		p.Add(path+".hostEvents", diag.TooMany, len(d.HostEvents), "entries", MaxHostEvents)
		return
	}
	for i := range d.HostEvents {
		e, at := &d.HostEvents[i], fmt.Sprintf("%s.hostEvents[%d]", path, i)
		p.Row(at, e, HostEventFields)
		if e.Host == "" {
			p.Add(at+".host", diag.Missing)
		}
		p.Length(at+".host", e.Host, 200)
	}
}

// Title returns the label or, if there is none, the name of the policy with its parameters and
// options, such as "hybrid(50) literal".
func (r *PolicyRun) Title() string {
	if r.Label != "" {
		return r.Label
	}
	policy, _ := qos.Lookup(r.Name)
	title := parameter.Title(r.PolicyName(), policy.Parameters, r.given())
	if r.Scheduler == Literal || r.Scheduler == Counted {
		title += " " + r.Scheduler
	}
	if r.Savings != nil {
		title += r.Savings.String()
	}
	return title
}
