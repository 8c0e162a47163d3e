package scenario

import (
	"encoding/json"
	"fmt"
	"reflect"

	"berth/engine/diag"
)

// Report is the result of a scenario. Everything except the timings depends only on the
// scenario and the engine. The body of a report from [Prepared.Run] or [Join] must not be
// changed, because its JSON is cached.
type Report struct {
	Version  int        `json:"version"`
	Engine   string     `json:"engine"`
	Kind     string     `json:"kind"`
	Name     string     `json:"name,omitempty"`
	Scenario string     `json:"scenario"`           // hash of the inputs: see [Scenario.Hash]
	Results  string     `json:"results"`            // hash of the body
	Partial  bool       `json:"partial,omitempty"`  // the run was stopped early, so it is not repeatable
	Headline string     `json:"headline,omitempty"` // the result in one sentence
	Details  []string   `json:"details,omitempty"`  // further sentences: the reasons, and what would help
	Body     ReportBody `json:"-"`                  // in JSON, a field with the name of the kind

	// Notes and Warnings are the diagnostics of the inputs as lines of text.
	Notes       []string  `json:"notes"`
	Warnings    []string  `json:"warnings"`
	Diagnostics diag.List `json:"diagnostics"`

	Timings *Timings `json:"timings,omitempty"`

	encoded json.RawMessage // cached JSON of the body; nil until needed
	missing bool            // some parts have not run
}

// Timings are durations in milliseconds, measured with [Env.Now].
type Timings struct {
	Reading float64     `json:"reading"`           // reading or generating all inputs
	Placing [][]float64 `json:"placing,omitempty"` // by strategy and deployment: the search with the first seed
	Running [][]float64 `json:"running,omitempty"` // by policy or scheduler, then by point and seed: the simulation
	Total   float64     `json:"total"`
}

// MarshalJSON implements [json.Marshaler].
func (r *Report) MarshalJSON() ([]byte, error) {
	if r.encoded != nil {
		return withBody(*r, r.Kind, r.encoded)
	}
	return withBody(*r, r.Kind, r.Body)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (r *Report) UnmarshalJSON(data []byte) error {
	type plain Report
	if err := json.Unmarshal(data, (*plain)(r)); err != nil {
		return err
	}
	return readBody(data, r.Kind, &r.Body, func(k *Kind) ReportBody { return k.Report() })
}

func newReport(s Scenario) *Report {
	return &Report{Version: Version, Engine: Engine, Kind: s.Kind, Name: s.Name, Diagnostics: diag.List{}}
}

// Conclude returns the report of a scenario that ran without [Prepared.Run] and whose
// inputs gave no diagnostics. It equals the report of Run.
func Conclude(s Scenario, body ReportBody) (*Report, error) {
	r := newReport(s)
	r.Scenario = s.Hash()
	return r, r.conclude(body)
}

// Untimed returns the report without timings, which are the only part that differs
// between runs. It shares its body.
func (r *Report) Untimed() *Report {
	untimed := *r
	untimed.Timings = nil
	return &untimed
}

// Complete reports whether everything was placed, could run, or ended.
func (r *Report) Complete() bool { return r.Body != nil && r.Body.Complete() }

// Left lists the incomplete parts of the result.
func (r *Report) Left() []string {
	if b, ok := r.Body.(interface{ Left() []string }); ok {
		return b.Left()
	}
	var lines []string
	for _, warning := range r.Warnings {
		lines = append(lines, "warning: "+warning)
	}
	return lines
}

// Detach returns a copy of the report without its body, and the body in binary form.
func (r *Report) Detach() (head *Report, body []byte) {
	head = new(*r)
	head.Body, head.encoded = nil, nil
	return head, appendBinary(nil, reflect.ValueOf(r.Body).Elem())
}

// Restore adds the body that Detach has removed from a report.
func (r *Report) Restore(body []byte) error {
	kind, known := Lookup(r.Kind)
	if !known {
		return fmt.Errorf("a report of the unknown kind %q", r.Kind)
	}
	r.Body = kind.Report()
	return FromBinary(body, r.Body)
}

// conclude adds the body, its sentences and remarks, and its hash.
func (r *Report) conclude(body ReportBody) error {
	r.describe(body)
	return r.sign()
}

// describe adds the body, its sentences and remarks.
func (r *Report) describe(body ReportBody) {
	r.Body = body
	notes, warnings := body.Remarks()
	r.Notes = append(lines(r.Diagnostics.Notes()), notes...)
	r.Warnings = append(lines(r.Diagnostics.Warnings()), warnings...)
	r.Partial = r.Partial || body.Partial()
	if b, ok := body.(interface{ Sentences() (string, []string) }); ok {
		r.Headline, r.Details = b.Sentences()
	}
}

// sign adds the hash of the body.
func (r *Report) sign() (err error) {
	if r.missing {
		return nil // this report will be replaced, so its hash is not needed
	}
	r.encoded, err = compact(r.Body)
	r.Results = hashOf(indent(r.encoded))
	return err
}

// lines returns diagnostics as text. The result is never nil, because JSON needs an array.
func lines(diagnostics diag.List) []string {
	all := make([]string, len(diagnostics))
	for i, d := range diagnostics {
		all[i] = d.String()
	}
	return all
}
