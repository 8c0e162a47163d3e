package qos

import (
	"math"

	"berth/engine/figure"
	"berth/engine/plugin"
	"berth/engine/stats"
)

// CommandReport is the output of a simulation on the command line.
type CommandReport struct {
	Headline string          `json:"headline,omitempty"` // the result in one sentence
	Details  []string        `json:"details,omitempty"`  // sentences: the reasons for the result, and possible remedies
	Policies []CommandPolicy `json:"policies"`
	Notes    []string        `json:"notes"`
	Warnings []string        `json:"warnings"`
}

// CommandPolicy has the figures of one policy.
type CommandPolicy struct {
	Name        string        `json:"name"`
	Requests    int           `json:"requests"`
	Events      int64         `json:"events"`
	Passes      int64         `json:"passes"`
	Decisions   int64         `json:"decisions"`
	Operations  int64         `json:"operations"`
	Preemptions int64         `json:"preemptions"`
	Seconds     float64       `json:"seconds"` // wall-clock time, measured by the caller
	Classes     []ClassReport `json:"classes"` // classes with at least one request
	All         Summary       `json:"all"`
	// Controllers is omitted if empty.
	Controllers []ControllerReport `json:"controllers,omitempty"`
	Own         plugin.Own         `json:"own,omitzero"`
}

// ClassReport has the figures of one class.
type ClassReport struct {
	Name string  `json:"name"`
	SLO  float64 `json:"slo"`
	Figures
}

// Summary has the figures of all classes together.
type Summary struct {
	Name string `json:"name"`
	Figures
}

// ControllerReport has the figures of a controller, which count it as one request
// whatever its number of instances (thesis, 7.2.2). The figures of classes count each
// instance.
type ControllerReport struct {
	Name         string  `json:"name"`
	Kind         string  `json:"kind"`
	Class        string  `json:"class"`
	Measure      string  `json:"measure"`
	SLO          float64 `json:"slo"`
	Availability float64 `json:"availability"`
	Met          bool    `json:"met"` // the availability is at least the SLO
	Instances    int     `json:"instances"`
	Preemptions  int     `json:"preemptions"`
}

// Figures are the figures of a set of requests.
type Figures struct {
	Requests     int              `json:"requests"`
	Fulfilled    int              `json:"fulfilled"`
	Availability figure.Quantiles `json:"availability"`
	Deficit      Deficit          `json:"deficit"`
	Penalty      figure.Number    `json:"penalty"` // in CPU-hours
	Gini         figure.Number    `json:"gini"`
}

// Percentiles are the quantiles reported for availabilities.
var Percentiles = []figure.Percentile{
	{Name: "min", Label: "least", Title: "least"},
	{Name: "p5", Label: "5 %", Title: "5th percentile", P: 0.05},
	{Name: "p25", P: 0.25},
	{Name: "p50", Label: "median", Title: "median", P: 0.5},
	{Name: "p75", Title: "75th percentile", P: 0.75},
	{Name: "p95", Label: "95 %", Title: "95th percentile", P: 0.95},
	{Name: "max", P: 1},
}

// Deficit summarises SLO − A over the requests whose SLO was violated.
type Deficit struct {
	Mean figure.Number `json:"mean"`
	Max  figure.Number `json:"max"`
}

// Report returns the figures of a run.
func (r *Result) Report() CommandPolicy { return r.Describe(func(int, []float64) {}) }

// Describe returns the same figures as Report. It also passes the ascending
// availabilities of each class with requests to the callback, and finally of
// all requests with class -1: sorting them is most of the work, and callers may need
// them.
func (r *Result) Describe(each func(class int, sorted []float64)) CommandPolicy {
	p := CommandPolicy{
		Name: r.Policy, Requests: r.Requests, Events: r.Events, Passes: r.Passes, Decisions: r.Decisions,
		Operations: r.Operations, Preemptions: r.Preemptions, Classes: []ClassReport{},
	}
	var all Violations
	fulfilled := 0
	for i := range r.Classes {
		c := &r.Classes[i]
		if c.Requests == 0 {
			continue
		}
		sorted := r.Availabilities(i)
		each(i, sorted)
		p.Classes = append(p.Classes, ClassReport{
			c.Class.Name, c.Class.SLO, figures(sorted, c.Fulfilled, c.Violations),
		})
		fulfilled += c.Fulfilled
		all.add(c.Violations)
	}
	sorted := r.Availabilities(-1)
	each(-1, sorted)
	p.All = Summary{"all", figures(sorted, fulfilled, all)}
	for _, c := range r.Controllers {
		class := &r.Classes[c.Class].Class
		p.Controllers = append(p.Controllers, ControllerReport{
			Name: c.Name, Kind: c.Kind.String(), Class: class.Name, Measure: c.Measure.String(), SLO: class.SLO,
			Availability: c.Availability, Met: c.Availability >= class.SLO, Instances: c.Instances, Preemptions: c.Preemptions,
		})
	}
	return p
}

func (v *Violations) add(w Violations) {
	v.Number += w.Number
	v.Deficit += w.Deficit
	v.Largest = max(v.Largest, w.Largest)
	v.Penalty += w.Penalty
}

func figures(sorted []float64, fulfilled int, v Violations) Figures {
	f := Figures{
		Requests: len(sorted), Fulfilled: fulfilled, Availability: figure.QuantilesOf(sorted, Percentiles),
		Deficit: Deficit{figure.Number(math.NaN()), figure.Number(math.NaN())},
		Penalty: figure.Number(v.Penalty), Gini: figure.Number(stats.Gini(sorted)),
	}
	if v.Number > 0 {
		f.Deficit = Deficit{figure.Number(v.Deficit / float64(v.Number)), figure.Number(v.Largest)}
	}
	return f
}
