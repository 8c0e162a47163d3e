package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"berth/engine/diag"
	"berth/engine/scenario"
)

// The names of the entries, in their order.
const (
	ScenarioName = "scenario.json"
	ReportName   = "report.json"
	ManifestName = "bundle.json"
)

// Version is the version of the bundles that this package writes.
const Version = 1

// Manifest describes a bundle, with the hashes of its content.
type Manifest struct {
	Version  int     `json:"version"`
	Engine   string  `json:"engine"`   // name of the engine that computed the report
	Scenario string  `json:"scenario"` // hash of the inputs, as in the report
	Results  string  `json:"results"`  // hash of the body of the report
	Files    Digests `json:"files"`
	Verify   string  `json:"verify"` // command that repeats the run and compares the results
	Rerun    string  `json:"rerun"`  // command that runs the unpacked scenario
	// Cite has the citations of the paper that the run reproduces and of Berth, in
	// BibTeX; "" if it reproduces no paper.
	Cite string `json:"cite,omitempty"`
}

// Digests are the SHA-256 of the entries, in hexadecimal.
type Digests struct {
	Scenario string `json:"scenario.json"`
	Report   string `json:"report.json"`
}

// Bundle is a run that others can repeat: its scenario, its report and their manifest.
type Bundle struct {
	Manifest         Manifest
	Scenario, Report []byte // contents of the two entries
}

// New returns the bundle of a scenario, which must contain all its texts, and its report.
// It refuses a run that was stopped early, because it cannot be repeated.
func New(s scenario.Scenario, r *scenario.Report) (*Bundle, error) {
	switch {
	case r.Partial:
		return nil, errors.New("the run was stopped early and cannot be repeated: run it to the end to bundle it")
	case r.Scenario != s.Hash():
		return nil, fmt.Errorf("the report is of the scenario %s, not of %s", r.Scenario, s.Hash())
	}
	b := &Bundle{Scenario: scenario.Encode(s), Report: scenario.EncodeReport(r.Untimed())}
	b.Manifest = Manifest{
		Version: Version, Engine: r.Engine, Scenario: r.Scenario, Results: r.Results, Files: b.digests(),
		Verify: "berth run bundle.zip --verify", Rerun: "berth run " + ScenarioName + " --format json",
	}
	return b, nil
}

func (b *Bundle) digests() Digests {
	return Digests{Scenario: digest(b.Scenario), Report: digest(b.Report)}
}

func digest(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

func (m *Manifest) encode() ([]byte, error) {
	data, err := json.MarshalIndent(m, "", "  ")
	return append(data, '\n'), err
}

func decodeManifest(data []byte) (m Manifest, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, diag.WrongJSON(ManifestName, data, err)
	}
	if d.More() {
		return m, fmt.Errorf("%s: more text follows the object", ManifestName)
	}
	if m.Version != Version {
		return m, fmt.Errorf("%s: the version is %d, expected %d", ManifestName, m.Version, Version)
	}
	return m, nil
}
