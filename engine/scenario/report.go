package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"berth/engine/diag"
	"berth/engine/federate/federatekind"
	"berth/engine/placement"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario/body"
)

// Engine is the version of the engine, which reports carry.
const Engine = "0.1.0"

// Report is the result of a scenario. All but the timings depends on the
// scenario and the engine alone.
type Report struct {
	Version   int                  `json:"version"`
	Engine    string               `json:"engine"`
	Kind      string               `json:"kind"`
	Name      string               `json:"name,omitempty"`
	Scenario  string               `json:"scenario"`          // hash of the inputs
	Results   string               `json:"results"`           // hash of the body below
	Partial   bool                 `json:"partial,omitempty"` // it was stopped before its end, and can be repeated by nobody
	Placement *PlacementReport     `json:"placement,omitempty"`
	QoS       *qoskind.Report      `json:"qos,omitempty"`
	Federate  *federatekind.Report `json:"federate,omitempty"`

	// Notes and Warnings are the diagnostics of the inputs as lines of text.
	Notes       []string  `json:"notes"`
	Warnings    []string  `json:"warnings"`
	Diagnostics diag.List `json:"diagnostics"`

	Timings *Timings `json:"timings,omitempty"`
}

// Timings are what the clock of [Env] said, in milliseconds.
type Timings struct {
	Reading float64     `json:"reading"`           // of all graphs, or generating them
	Placing [][]float64 `json:"placing,omitempty"` // by strategy and deployment: the search alone, of the first seed
	Running [][]float64 `json:"running,omitempty"` // by policy or scheduler, then by point and seed: the simulation alone
	Total   float64     `json:"total"`
}

// PlacementReport has what was placed and how each strategy did it.
type PlacementReport struct {
	Federation  FederationSummary   `json:"federation"`
	Deployments []DeploymentSummary `json:"deployments"`
	Strategies  []StrategyReport    `json:"strategies"`
}

// FederationSummary has the size of the federation. Links counts the given
// ones, not those that a star derives; Center is "" unless it is a star.
type FederationSummary struct {
	Name     string `json:"name"`
	Clusters int    `json:"clusters"`
	Links    int    `json:"links"`
	Center   string `json:"center,omitempty"`
}

// DeploymentSummary has the size of a deployment. Units is what its jobs
// request of the first resource that any of them requests.
type DeploymentSummary struct {
	Name         string  `json:"name"`
	Jobs         int     `json:"jobs"`
	Dependencies int     `json:"dependencies"`
	Units        float64 `json:"units"`
}

// StrategyReport is what one strategy did: Deployments and Total with the
// first seed, Summary over all of them. Total is the cost of what was placed.
type StrategyReport struct {
	Strategy    string             `json:"strategy"`
	Seeds       int                `json:"seeds"`
	Deployments []DeploymentReport `json:"deployments"`
	Total       Cost               `json:"total"`
	Summary     *Summary           `json:"summary,omitempty"` // with two seeds or more
}

// DeploymentReport is where the jobs of one deployment went. PerUnit and
// PerLink are the node cost by requested unit and the link cost by dependency
// (figures 6.4 to 6.7); they are nil where they are not defined.
type DeploymentReport struct {
	Name       string           `json:"name"`
	Status     placement.Status `json:"status"`
	Reason     string           `json:"reason,omitempty"`
	Placement  Assignment       `json:"placement"`
	Cost       Cost             `json:"cost"`
	PerUnit    *float64         `json:"perUnit"`
	PerLink    *float64         `json:"perLink"`
	Expansions int64            `json:"expansions"`
	Backtracks int64            `json:"backtracks"`
	Order      []string         `json:"order"`             // ids of the jobs as the search tried them: SJ
	Summary    *Summary         `json:"summary,omitempty"` // with two seeds or more
}

// Cost is a price in its two parts; all are nil where nothing was placed.
type Cost struct {
	Node  *float64 `json:"node"`
	Link  *float64 `json:"link"`
	Total *float64 `json:"total"`
}

// Summary is what a strategy did over its seeds, for one deployment or for all
// of them together. Placed counts the runs that placed it, or all of them. The
// costs are, as in Total, of what each run placed, and leave out runs that
// placed nothing; so they compare only where all runs placed the same.
type Summary struct {
	Runs       int            `json:"runs"`
	Placed     int            `json:"placed"`
	Node       *body.Estimate `json:"node"`
	Link       *body.Estimate `json:"link"`
	Total      *body.Estimate `json:"total"`
	PerUnit    *body.Estimate `json:"perUnit,omitempty"`
	PerLink    *body.Estimate `json:"perLink,omitempty"`
	Expansions *body.Estimate `json:"expansions"`
	Backtracks *body.Estimate `json:"backtracks"`
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

// Placed reports whether every strategy placed every deployment, every request
// could run, or every task ran to its end.
func (r *Report) Placed() bool {
	if r.QoS != nil {
		return r.QoS.Workload.AllCanRun()
	}
	if r.Federate != nil {
		return r.Federate.Finished()
	}
	if r.Placement == nil {
		return false
	}
	for _, s := range r.Placement.Strategies {
		for _, d := range s.Deployments {
			if d.Status != placement.Placed {
				return false
			}
		}
	}
	return true
}

// Arrays returns what is too long for the report, as bytes by name; it belongs
// to the body of the kind. There is nothing of a placement.
func (e *Experiment) Arrays() map[string][]byte {
	if e.qos == nil {
		return nil
	}
	return e.qos.Arrays()
}
