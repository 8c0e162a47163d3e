package bundle

import (
	"context"
	"fmt"

	"berth/engine/scenario"
)

// Verify runs the scenario of a bundle again and returns a line for each difference, with both
// hashes; nil if this run gives the same bytes. If entries differ from the manifest, it returns
// those differences and does not run. An error means that the scenario cannot run.
func (b *Bundle) Verify(ctx context.Context, env scenario.Env) ([]string, error) {
	if d := b.damage(); d != nil {
		return d, nil
	}
	s, err := scenario.Decode(b.Scenario)
	if err != nil {
		return nil, err
	}
	r, err := scenario.Run(ctx, s, env)
	if err != nil {
		scenario.Locate(b.Scenario, err)
		return nil, err
	}
	return b.Manifest.Differences(s, r)
}

// damage lists the entries that differ from the manifest.
func (b *Bundle) damage() []string {
	var d differences
	is := b.digests()
	d.compare("SHA-256 of "+ScenarioName, "the manifest has", b.Manifest.Files.Scenario, "the entry has", is.Scenario)
	d.compare("SHA-256 of "+ReportName, "the manifest has", b.Manifest.Files.Report, "the entry has", is.Report)
	return d
}

// Differences compares a repeated run with the bundle. A different engine counts as one
// difference: the report of the repeated run is compared as if the engine of the bundle
// had written it.
func (was *Manifest) Differences(s scenario.Scenario, r *scenario.Report) ([]string, error) {
	same := *r
	same.Engine = was.Engine
	again, err := New(s, &same)
	if err != nil {
		return nil, err
	}
	now := &again.Manifest
	var d differences
	const bundled, here = "the bundle has", "this run has"
	d.compare("engine", bundled, was.Engine, here, r.Engine)
	d.compare("hash of the scenario", bundled, was.Scenario, here, now.Scenario)
	d.compare("hash of the results", bundled, was.Results, here, now.Results)
	d.compare("SHA-256 of "+ScenarioName, bundled, was.Files.Scenario, here, now.Files.Scenario)
	d.compare("SHA-256 of "+ReportName, bundled, was.Files.Report, here, now.Files.Report)
	return d, nil
}

// differences collects a line for each difference.
type differences []string

func (d *differences) compare(what, where, a, elsewhere, b string) {
	if a != b {
		*d = append(*d, fmt.Sprintf("%s: %s %.64q, %s %.64q", what, where, a, elsewhere, b))
	}
}
