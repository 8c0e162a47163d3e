package kinds_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"berth/engine/drawn"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

// reported returns scenarios with their reports: the small ones, and drawn ones of the kinds
// with a part for each subject and seed.
func reported(t *testing.T) map[*scenario.Scenario][]byte {
	t.Helper()
	all, reports := small(), map[*scenario.Scenario][]byte{}
	all = append(all, drawn.Federate(14)) // the second scheduler starts the tasks of gangs one by one
	for seed := range uint64(10) {
		all = append(all, drawn.QoS(seed), drawn.Federate(seed))
	}
	for i := range all {
		r, err := scenario.Run(t.Context(), all[i], scenario.Env{})
		if _, wrong := errors.AsType[*scenario.InputError](err); wrong && i >= len(small()) {
			continue
		}
		must.Do(t, err)
		reports[&all[i]] = scenario.EncodeReport(r)
	}
	return reports
}

// If the parts run elsewhere, their reports make the report of the whole. The parts do not read
// inputs that a worker has already read for the check.
func TestPartsMakeTheWhole(t *testing.T) {
	for s, want := range reported(t) {
		ctx, read := scenario.Share(t.Context(), &scenario.Shared{}), 0
		env := scenario.Env{Progress: func(p scenario.Progress) {
			if p.Phase == "reading" {
				read++
			}
		}}
		must.Get(scenario.Prepare(ctx, *s, env))(t)
		before := read
		var reports []*scenario.Report
		for _, part := range scenario.Parts(*s) {
			r := must.Get(scenario.Run(ctx, part.Scenario, env))(t)
			reports = append(reports, must.Get(scenario.DecodeReport(scenario.EncodeReport(r)))(t)) // as through the bridge
		}
		together := must.Get(scenario.Join(*s, reports))(t)
		if got := scenario.EncodeReport(together); !bytes.Equal(got, want) {
			t.Errorf("%s %s: the parts give\n%.2000s\nthe whole\n%.2000s", s.Kind, s.Name, got, want)
		}
		if read != before {
			t.Errorf("%s %s: the parts read the inputs again", s.Kind, s.Name)
		}
	}
}

// The document may refer to its texts, packed or not. The report is the same, and it has the digests
// of the texts; the caller's document is not changed. Each text is read once for all runs. If one
// has changed, a worker reads it again, and the report says so.
func TestTextsBesideTheDocument(t *testing.T) {
	for s, want := range reported(t) {
		cut, texts := s.Clone(), map[string]string{}
		for _, slot := range cut.Slots() {
			if !slot.Whole && slot.Source.Text != "" {
				texts[slot.Name], slot.Source.Text = slot.Source.Text, ""
			}
		}
		hash := cut.Hash()
		for name, text := range texts {
			if _, err := scenario.Prepare(t.Context(), cut, scenario.Env{}); err == nil || !strings.Contains(err.Error(), ": the file it refers to was not found") {
				t.Errorf("%s %s without texts: %v", s.Kind, s.Name, err)
			}
			ctx, file, opened := scenario.Share(t.Context(), &scenario.Shared{}), "", 0
			env := scenario.Env{Beside: func(slot string) (io.Reader, int64, error) {
				if slot != name {
					return strings.NewReader(texts[slot]), int64(len(texts[slot])), nil
				}
				opened++
				return strings.NewReader(file), int64(len(file)), nil
			}}
			digested := cut
			for _, file = range []string{string(scenariotest.Packed(text)), text} {
				opened = 0
				e := must.Get(scenario.Prepare(ctx, cut, env))(t)
				r := must.Get(e.Run(ctx))(t)
				if got := scenario.EncodeReport(r); !bytes.Equal(got, want) || opened != 1 {
					t.Errorf("%s %s with the file %s, opened %d times:\n%.2000s\nwith texts\n%.2000s", s.Kind, s.Name, name, opened, got, want)
				}
				digested.Body = must.Get(scenario.WorkOf[scenario.Work](e))(t).Document()
			}
			file += "\n"
			r := must.Get(scenario.Run(ctx, digested, env))(t)
			if _, warnings := r.Body.Remarks(); !strings.Contains(strings.Join(warnings, "\n"), " has changed since the scenario was made") || cut.Hash() != hash {
				t.Errorf("%s %s with another file %s: %q", s.Kind, s.Name, name, warnings)
			}
		}
	}
}
