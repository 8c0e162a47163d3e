package placementkind

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"berth/engine/figure"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/placement"
	"berth/engine/plugin"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Report is the body of a report of kind "placement": a summary of the inputs and the result of
// each strategy.
type Report struct {
	Federation  FederationSummary
	Deployments []DeploymentSummary
	Strategies  []StrategyReport
	cancelled   bool // some strategies or seeds did not finish: the report around it is partial
}

// FederationSummary has the size of the federation before a what-if. Links counts only given links,
// not the links derived from a star. Center is "" if the federation is not a star. Unpriced has the
// ids of the clusters without prices after a what-if; if it is not empty, costs are unknown.
type FederationSummary struct {
	Name     string
	Clusters int
	Links    int
	Center   string   `json:"center,omitempty"`
	Unpriced []string `json:"unpriced,omitempty"`
}

// DeploymentSummary is the size of a deployment. Units is the sum of its jobs' requests for the
// first resource that any job requests.
type DeploymentSummary struct {
	Name         string
	Jobs         int
	Dependencies int
	Units        float64

	Unhonoured []format.Unhonoured `json:"unhonoured,omitempty"` // fields of its input that affect where its jobs may run, but are not honoured
}

// StrategyReport is the result of one strategy: Deployments and Total with the first seed, Summary
// over all seeds. Total is the cost of the placed deployments. Clusters has the free capacity
// afterwards, if nodes are known. WhatIf compares with the result before a what-if.
type StrategyReport struct {
	Strategy    string
	Seeds       int
	Deployments []DeploymentReport
	Total       Cost
	Joint       *Joint         `json:"joint,omitempty"`
	Summary     *Summary       `json:"summary,omitempty"` // nil with one seed
	Clusters    []ClusterState `json:"clusters,omitempty"`
	WhatIf      *Difference    `json:"whatIf,omitempty"`
	Front       *Front         `json:"pareto,omitempty"`

	affinity func() figure.Number // mean affinity of the first job to all clusters; nil if the report was read from JSON
}

// Joint is the result of placing all deployments jointly. InOrder and Placed are the total cost and
// the number of placed deployments if the same strategy places one after the other. OrderCosts is
// InOrder minus the cost of the joint placement; it is undefined unless both place all deployments.
type Joint struct {
	Status placement.Status
	Reason string `json:"reason,omitempty"`
	Certificate
	InOrder    Cost
	Placed     int
	OrderCosts figure.Number
}

// DeploymentReport is the placement of one deployment. PerUnit is the node cost per requested unit,
// and PerLink the link cost per dependency (figures 6.4 to 6.7 of the thesis); they are undefined
// if the divisor is 0.
type DeploymentReport struct {
	Name       string
	Status     placement.Status
	Reason     string `json:"reason,omitempty"`
	ByNodes    bool   `json:"byNodes,omitempty"` // Reason is the message of the only cluster's scheduler
	Placement  Assignment
	Cost       Cost
	PerUnit    figure.Number
	PerLink    figure.Number
	Expansions int64
	Backtracks int64
	Certificate
	Order   []string   // ids of the jobs in search order (SJ)
	Plan    *Plan      `json:"plan,omitempty"`    // of an unplaced deployment, if earlier jobs are preemptible
	Summary *Summary   `json:"summary,omitempty"` // nil with one seed
	Own     plugin.Own `json:"own,omitzero"`
	Would   []Would    `json:"would,omitempty"` // by job, if nodes are known

	blocked string // id of the first job that found no cluster; "" if there is none, no search began, or the report was read from JSON
}

// Placed reports whether there is a placement, optimal or not.
func (d *DeploymentReport) Placed() bool {
	return d.Status == placement.Placed || d.Status == placement.BudgetExhausted && d.Placement != nil
}

// Certificate bounds the cost of a placement, or proves that none exists. Bound is nil if no
// placement exists, Gap is nil without a placement. Without prices both are nil, and nothing counts
// as optimal.
type Certificate struct {
	Bound    *float64        `json:"bound" optional:"true"` // no placement on the remaining capacity costs less
	Gap      *float64        `json:"gap" optional:"true"`   // (total − bound) / bound
	Proved   placement.Proof `json:"proved" optional:"true"`
	Core     []string        `json:"core" optional:"true"`  // conflict set of an infeasible problem, each member in words
	CoreText string          `json:"coreText,omitempty"`    // the conflict set in one sentence
	Steps    int64           `json:"steps,omitempty"`       // taken by a strategy that improves
	Trace    []TracePoint    `json:"trace" optional:"true"` // of a strategy that improves

	CoreJobs     []string `json:"coreJobs,omitempty"` // ids of the jobs in the conflict set
	CoreClusters []string `json:"coreClusters,omitempty"`
}

func (e *Prepared) certificate(deployment *graph.Deployment, s placement.Solution) Certificate {
	c := s.Certificate
	r := Certificate{Proved: c.Proved, Steps: c.Steps}
	priced := e.world.priced()
	if priced && !math.IsInf(c.Bound, 0) {
		r.Bound = &c.Bound
	}
	if s.Complete() && r.Bound != nil {
		r.Gap = new(c.Gap(s.Cost()))
	}
	r.CoreText = c.CoreText
	for _, m := range c.Core {
		r.Core = append(r.Core, m.Text)
		if m.Kind == placement.CoreJob {
			r.CoreJobs = append(r.CoreJobs, deployment.Jobs().ID(m.Index))
		} else if m.Kind == placement.CoreCluster {
			r.CoreClusters = append(r.CoreClusters, e.world.federation.Clusters().ID(m.Index))
		}
	}
	for _, i := range c.Trace {
		if priced {
			r.Trace = append(r.Trace, TracePoint{i.Steps, figure.Number(i.Cost), i.Bound})
		}
	}
	return r
}

// TracePoint is the best cost and bound after some steps. Before the first placement, Cost is +Inf,
// and null in JSON.
type TracePoint struct {
	Steps int64
	Cost  figure.Number
	Bound float64
}

// Summary is the result of a strategy over its seeds, for one deployment or for all. Placed counts
// the runs that placed everything, PlacedSome the runs that placed only a part. The costs are means
// over the runs that placed something, each over its placed deployments, so they are comparable
// only if all runs placed the same.
type Summary struct {
	Runs       int
	Placed     int
	PlacedSome int `json:"placedSome,omitempty"`

	figure.Estimates `json:"-"` // by key; in JSON each is a field
}

// MarshalJSON writes the counts and then the estimates in the order of [Tallied]. It omits a
// missing estimate, except that a missing cost is null.
func (m *Summary) MarshalJSON() ([]byte, error) {
	o := figure.NewObject("runs", m.Runs, "placed", m.Placed)
	o.PutSome("placedSome", m.PlacedSome)
	for _, f := range keyed() {
		if e, known := m.Estimates[f.Key]; known {
			o.Put(f.Key, e)
		} else if f.Form == figure.Price {
			o.Put(f.Key, nil)
		}
	}
	return o.MarshalJSON()
}

// UnmarshalJSON reads the output of MarshalJSON.
func (m *Summary) UnmarshalJSON(text []byte) error {
	type counts Summary
	if err := json.Unmarshal(text, (*counts)(m)); err != nil {
		return err
	}
	m.Estimates = figure.Estimates{}
	return m.Read(keyed(), text)
}

// Assignment has the cluster of each job, by DOT ids, in file order of the jobs. In JSON it is an
// object in that order, or null if it is nil.
type Assignment []Assigned

// Assigned is one job and its cluster.
type Assigned struct{ Job, Cluster string }

// MarshalJSON writes {"job": "cluster", …}.
func (a Assignment) MarshalJSON() ([]byte, error) {
	if a == nil {
		return []byte("null"), nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the encoder of the whole document escapes HTML if needed
	b.WriteByte('{')
	for i, x := range a {
		if i > 0 {
			b.WriteByte(',')
		}
		_ = e.Encode(x.Job) // a string has no error
		b.WriteByte(':')
		_ = e.Encode(x.Cluster)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads the output of MarshalJSON and keeps the order.
func (a *Assignment) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	open, err := d.Token()
	if err != nil || open == nil {
		*a = nil
		return err
	}
	if open != json.Delim('{') {
		return errors.New("a placement is an object of job and cluster ids")
	}
	*a = Assignment{}
	for d.More() {
		job, _ := d.Token() // a string: the JSON is valid
		x := Assigned{Job: job.(string)}
		if err := d.Decode(&x.Cluster); err != nil {
			return fmt.Errorf("the cluster of job %q: %w", x.Job, err)
		}
		*a = append(*a, x)
	}
	return nil
}

// ReportOf returns the body of a report of this kind, nil for another kind.
func ReportOf(r *scenario.Report) *Report { return scenario.As[*Report](r.Body) }

// Subjects returns the names of the strategies.
func (r *Report) Subjects() []string {
	return scenario.Subjects(r.Strategies, func(x *StrategyReport) string { return x.Strategy })
}

// Remarks implements [scenario.ReportBody]: it returns the notes of the strategies and warns about
// strategies that are listed twice.
func (r *Report) Remarks() (notes, warnings []string) {
	for i := range r.Strategies {
		s := &r.Strategies[i]
		own := s.Told()
		for _, text := range own.Notes {
			notes = append(notes, s.Strategy+": "+text)
		}
		if slices.ContainsFunc(r.Strategies[:i], func(before StrategyReport) bool { return before.Strategy == s.Strategy }) {
			warnings = append(warnings, s.Strategy+" is listed twice: leave one out")
		}
	}
	return notes, warnings
}

// Told sums the counters and collects the notes of the strategy over all deployments.
func (s *StrategyReport) Told() (all plugin.Own) {
	for i := range s.Deployments {
		all.Add(&s.Deployments[i].Own)
	}
	return all
}

// Partial implements [scenario.ReportBody].
func (r *Report) Partial() bool { return r.cancelled }

// Complete reports whether every strategy ran and placed every deployment.
func (r *Report) Complete() bool { return !r.cancelled && len(r.Left()) == 0 }

// Left lists the deployments that were not placed, with reasons.
func (r *Report) Left() []string {
	var lines []string
	for _, s := range r.Strategies {
		for _, d := range s.Deployments {
			if !d.Placed() {
				lines = append(lines, fmt.Sprintf("%s: %s with %s: %s", show.Text(d.Name), d.Status, s.Strategy, d.Reason))
			}
		}
	}
	return lines
}
