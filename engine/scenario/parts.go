package scenario

import (
	"errors"

	"berth/engine/diag"
	"berth/engine/federate/federatekind"
	"berth/engine/qos/qoskind"
)

// Parts returns scenarios that can be run beside each other: one for each
// policy, or for each scheduler with each seed at each point of a sweep. [Join]
// makes one report of theirs. A placement has one part: itself.
func Parts(s Scenario) []Scenario {
	var parts []Scenario
	switch {
	case s.QoS != nil:
		for _, d := range s.QoS.Parts() {
			part := s
			part.QoS = d
			parts = append(parts, part)
		}
	case s.Federate != nil:
		for _, d := range s.Federate.Parts() {
			part := s
			part.Federate = d
			parts = append(parts, part)
		}
	default:
		return []Scenario{s}
	}
	return parts
}

// Join makes the report of a scenario of those of its parts, in their order: the
// same as that of a run of the whole. A report that is nil is of a part that was
// not run; then the whole is partial.
func Join(whole Scenario, parts []*Report) (*Report, error) {
	if whole.QoS == nil && whole.Federate == nil {
		return parts[0], nil
	}
	r := &Report{Version: Version, Engine: Engine, Kind: whole.Kind, Name: whole.Name, Diagnostics: diag.List{}}
	r.joinTimings(parts)
	whole = whole.Clone()
	join := r.joinQoS
	if whole.Federate != nil {
		join = r.joinFederate
	}
	if err := join(whole, parts); err != nil {
		return nil, err
	}
	r.Scenario = whole.Hash()
	return r, nil
}

var errNoPart = errors.New("no part of the scenario was run")

// joinTimings also says whether a part is partial or missing.
func (r *Report) joinTimings(parts []*Report) {
	var timings Timings
	for _, part := range parts {
		if part == nil {
			r.Partial = true
			continue
		}
		r.Partial = r.Partial || part.Partial
		if t := part.Timings; t != nil {
			timings.Reading, timings.Total = max(timings.Reading, t.Reading), max(timings.Total, t.Total)
			timings.Running = append(timings.Running, t.Running...)
			r.Timings = &timings
		}
	}
}

func (r *Report) joinQoS(whole Scenario, parts []*Report) error {
	var bodies []*qoskind.Report
	for _, part := range parts {
		if part != nil {
			bodies = append(bodies, part.QoS)
		}
	}
	if r.QoS = qoskind.Join(bodies); r.QoS == nil {
		return errNoPart
	}
	r.conclude(r.QoS)
	whole.QoS.Identify(r.QoS.Inputs)
	return nil
}

func (r *Report) joinFederate(whole Scenario, parts []*Report) (err error) {
	bodies := make([]*federatekind.Report, len(parts))
	took := make([][]float64, len(parts))
	some := false
	for i, part := range parts {
		if part == nil {
			continue
		}
		bodies[i], some = part.Federate, true
		if t := part.Timings; t != nil && len(t.Running) > 0 {
			took[i] = t.Running[0]
		}
	}
	if !some {
		return errNoPart
	}
	if r.Federate, err = federatekind.Join(whole.Federate, bodies); err != nil {
		return err
	}
	if t := r.Timings; t != nil {
		t.Running = whole.Federate.ByScheduler(took)
	}
	r.conclude(r.Federate)
	whole.Federate.Trace.Identify(r.Federate.Workload.SHA256)
	return nil
}
