package scenario

import (
	"errors"

	"berth/engine/dot"
	"berth/engine/scenario/simulate"
)

// Parts returns scenarios that can be run beside each other, one for each
// policy. [Join] makes one report of theirs. A placement has one part: itself.
func Parts(s Scenario) []Scenario {
	if s.QoS == nil {
		return []Scenario{s}
	}
	var parts []Scenario
	for _, d := range s.QoS.Parts() {
		part := s
		part.QoS = d
		parts = append(parts, part)
	}
	return parts
}

// Join makes the report of a scenario of those of its parts, in their order: the
// same as that of a run of the whole. A report that is nil is of a part that was
// not run; then the whole is partial.
func Join(whole Scenario, parts []*Report) (*Report, error) {
	r := &Report{Version: Version, Engine: Engine, Kind: whole.Kind, Name: whole.Name, Diagnostics: dot.Diagnostics{}}
	var timings Timings
	var bodies []*simulate.Report
	for _, part := range parts {
		if part == nil {
			r.Partial = true
			continue
		}
		if whole.QoS == nil {
			return part, nil
		}
		r.Partial = r.Partial || part.Partial
		bodies = append(bodies, part.QoS)
		if t := part.Timings; t != nil {
			timings.Reading, timings.Total = max(timings.Reading, t.Reading), max(timings.Total, t.Total)
			timings.Running = append(timings.Running, t.Running...)
			r.Timings = &timings
		}
	}
	if r.QoS = simulate.Join(bodies); r.QoS == nil {
		return nil, errors.New("no part of the scenario was run")
	}
	r.Notes, r.Warnings = r.QoS.Remarks()
	r.Results = hash(indented(r.QoS))
	whole = whole.Clone()
	whole.QoS.Identify(r.QoS.Inputs)
	r.Scenario = whole.Hash()
	return r, nil
}
