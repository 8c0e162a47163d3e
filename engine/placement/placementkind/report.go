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

// Report is the body of a report of kind "placement": the inputs in brief and the result of
// each strategy.
type Report struct {
	Federation  FederationSummary   `json:"federation"`
	Deployments []DeploymentSummary `json:"deployments"`
	Strategies  []StrategyReport    `json:"strategies"`
	Cancelled   bool                `json:"-"` // strategies or seeds were not run to their end: the report around it is partial
}

// FederationSummary has the size of the federation, before a what-if. Links counts the given
// ones, not those that a star derives; Center is "" unless it is a star. Unpriced has the
// ids of the clusters without prices, after a what-if: with any, costs are not known.
type FederationSummary struct {
	Name     string   `json:"name"`
	Clusters int      `json:"clusters"`
	Links    int      `json:"links"`
	Center   string   `json:"center,omitempty"`
	Unpriced []string `json:"unpriced,omitempty"`
}

// DeploymentSummary is the size of a deployment. Units is the sum of the requests of its jobs
// for the first resource that any of them requests.
type DeploymentSummary struct {
	Name         string  `json:"name"`
	Jobs         int     `json:"jobs"`
	Dependencies int     `json:"dependencies"`
	Units        float64 `json:"units"`

	Unhonoured []format.Unhonoured `json:"unhonoured,omitempty"` // of its input, that bears on where its jobs may run
}

// StrategyReport is the result of one strategy: Deployments and Total with the first seed,
// Summary over all seeds. Total is the cost of the placed deployments. Clusters has the free
// capacity afterwards and needs known nodes. With a what-if, WhatIf compares with the result
// before it.
type StrategyReport struct {
	Strategy    string             `json:"strategy"`
	Seeds       int                `json:"seeds"`
	Deployments []DeploymentReport `json:"deployments"`
	Total       Cost               `json:"total"`
	Joint       *Joint             `json:"joint,omitempty"`
	Summary     *Summary           `json:"summary,omitempty"` // with two seeds or more
	Clusters    []ClusterState     `json:"clusters,omitempty"`
	WhatIf      *Difference        `json:"whatIf,omitempty"`
	Front       *Front             `json:"pareto,omitempty"`

	affinity func() *float64 // of the first job that is tried, over all clusters; nil unless the run was here
}

// Joint is the result of placing all deployments at once. InOrder is the total cost of the same
// strategy placing them one after the other, and Placed counts the deployments that it placed
// then; OrderCosts is InOrder minus the cost of placing them at once, undefined unless both
// placed all.
type Joint struct {
	Status placement.Status `json:"status"`
	Reason string           `json:"reason,omitempty"`
	Certificate
	InOrder    Cost          `json:"inOrder"`
	Placed     int           `json:"placed"`
	OrderCosts figure.Number `json:"orderCosts"`
}

// DeploymentReport is where the jobs of one deployment went. PerUnit and
// PerLink are the node cost by requested unit and the link cost by dependency
// (figures 6.4 to 6.7); they are undefined by nothing.
type DeploymentReport struct {
	Name       string           `json:"name"`
	Status     placement.Status `json:"status"`
	Reason     string           `json:"reason,omitempty"`
	ByNodes    bool             `json:"byNodes,omitempty"` // the reason is the sentence of the only cluster's scheduler
	Placement  Assignment       `json:"placement"`
	Cost       Cost             `json:"cost"`
	PerUnit    figure.Number    `json:"perUnit"`
	PerLink    figure.Number    `json:"perLink"`
	Expansions int64            `json:"expansions"`
	Backtracks int64            `json:"backtracks"`
	Certificate
	Order   []string   `json:"order"`             // ids of the jobs as the search tried them: SJ
	Plan    *Plan      `json:"plan,omitempty"`    // of what was not placed, where jobs before it are preemptible
	Summary *Summary   `json:"summary,omitempty"` // with two seeds or more
	Own     plugin.Own `json:"own,omitzero"`
	Would   []Would    `json:"would,omitempty"` // by job, where nodes are known

	blocked string // id of the first job that found no cluster; "" where all of them did, no search began, or the report was read
}

// Placed says whether there is a placement, be it the best one or not.
func (d *DeploymentReport) Placed() bool {
	return d.Status == placement.Placed || d.Status == placement.BudgetExhausted && d.Placement != nil
}

// Certificate bounds the cost of a placement, or proves that there is none. Bound is nil if no
// placement exists, Gap without a placement, and both without prices; then nothing is proved
// optimal.
type Certificate struct {
	Bound    *float64        `json:"bound" optional:"true"` // no placement on what was left costs less
	Gap      *float64        `json:"gap" optional:"true"`   // (total − bound) / bound
	Proved   placement.Proof `json:"proved" optional:"true"`
	Core     []string        `json:"core" optional:"true"`  // the conflict set, of the infeasible, each in words
	CoreText string          `json:"coreText,omitempty"`    // the same in one sentence
	Steps    int64           `json:"steps,omitempty"`       // of strategies that improve: what they took
	Trace    []TracePoint    `json:"trace" optional:"true"` // as above

	CoreJobs     []string `json:"coreJobs,omitempty"` // ids of those in the core
	CoreClusters []string `json:"coreClusters,omitempty"`
}

// certificate reports the certificate of a solution.
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
			r.Trace = append(r.Trace, tracePoint(i))
		}
	}
	return r
}

func tracePoint(i placement.Improvement) TracePoint {
	p := TracePoint{Steps: i.Steps, Cost: figure.Undefined, Bound: i.Bound}
	if !math.IsInf(i.Cost, 1) {
		p.Cost = figure.Number(i.Cost)
	}
	return p
}

// TracePoint is the best cost and bound after some steps; Cost is undefined before the first
// placement.
type TracePoint struct {
	Steps int64         `json:"steps"`
	Cost  figure.Number `json:"cost"`
	Bound float64       `json:"bound"`
}

// Summary is the result of a strategy over its seeds, for one deployment or all of them. Placed
// counts the runs that placed everything, PlacedSome the runs that placed a part. The costs are
// means over the runs that placed something, each of the deployments that it placed: they
// compare only if all runs placed the same.
type Summary struct {
	Runs       int `json:"runs"`
	Placed     int `json:"placed"`
	PlacedSome int `json:"placedSome,omitempty"`

	figure.Estimates `json:"-"` // by key, which JSON has as fields
}

// MarshalJSON writes the estimates behind the counts in the order of [Tallied]. One that
// is not there is left out, and null of a cost.
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

// UnmarshalJSON reads what MarshalJSON wrote.
func (m *Summary) UnmarshalJSON(text []byte) error {
	type counts Summary
	if err := json.Unmarshal(text, (*counts)(m)); err != nil {
		return err
	}
	m.Estimates = figure.Estimates{}
	return m.Read(keyed(), text)
}

// Assignment has the cluster of each job by DOT ids, in file order of the
// jobs. It is written as an object in that order, or null if it is nil.
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
	e.SetEscapeHTML(false) // that is for who encodes the whole to decide
	b.WriteByte('{')
	for i, x := range a {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(x.Job); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(x.Cluster); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON wrote, keeping the order.
func (a *Assignment) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	switch open, err := d.Token(); {
	case err != nil:
		return err
	case open == nil:
		*a = nil
		return nil
	case open != json.Delim('{'):
		return errors.New("a placement is an object of job and cluster ids")
	}
	*a = Assignment{}
	for d.More() {
		var x Assigned
		job, err := d.Token()
		if err != nil {
			return err
		}
		x.Job, _ = job.(string)
		if err := d.Decode(&x.Cluster); err != nil {
			return fmt.Errorf("the cluster of job %q: %w", x.Job, err)
		}
		*a = append(*a, x)
	}
	return nil
}

// ReportOf returns the body of a report of this kind, nil of another.
func ReportOf(r *scenario.Report) *Report { return scenario.As[*Report](r.Body) }

// Subjects returns the strategies.
func (r *Report) Subjects() []string {
	return scenario.Subjects(r.Strategies, func(x *StrategyReport) string { return x.Strategy })
}

// Remarks implements [scenario.ReportBody]: all there is to say is in the
// diagnostics of the graphs.
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

// Told adds up the counters and notes of the strategy over all deployments.
func (s *StrategyReport) Told() (all plugin.Own) {
	for i := range s.Deployments {
		all.Add(&s.Deployments[i].Own)
	}
	return all
}

// Partial implements [scenario.ReportBody].
func (r *Report) Partial() bool { return r.Cancelled }

// Complete reports whether every strategy ran and placed every deployment.
func (r *Report) Complete() bool { return !r.Cancelled && len(r.Left()) == 0 }

// Left says which deployments were not placed, and why.
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
