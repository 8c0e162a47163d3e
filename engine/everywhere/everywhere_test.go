package everywhere_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"berth/engine/drawn"
	"berth/engine/golden"
	_ "berth/engine/kinds"
	_ "berth/engine/readers"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/engine/written"
	"berth/examples"
)

// The numbers of scenarios of each laboratory that are drawn, and whose reports are read
// back.
const seeds, readBack = 200, 40

func init() { written.Register() } // drawn scenarios may have policies that are written as text

func TestSameBytes(t *testing.T) {
	t.Run("examples", sameExamples)
	t.Run("placement", func(t *testing.T) { sameDrawn(t, drawn.Placement) })
	t.Run("qos", func(t *testing.T) { sameDrawn(t, drawn.QoS) })
	t.Run("federate", func(t *testing.T) { sameDrawn(t, drawn.Federate) })
	t.Run("statistics", sameStatistics)
}

// results are lines with the name of a case and the digest of its result.
type results struct{ strings.Builder }

// add adds a case. A word on the result, such as "error ", may come before its digest.
func (r *results) add(name any, what string, result []byte) {
	fmt.Fprintf(r, "%v %s%.8x\n", name, what, sha256.Sum256(result))
}

// sameExamples runs every example. None is left out: the slowest, thesis-50 and thesis-100,
// take about a second each natively.
func sameExamples(t *testing.T) {
	var all results
	for _, e := range examples.List() {
		r, err := scenario.Run(t.Context(), study.Expand(e.Scenario), scenario.Env{})
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		all.add(e.Name, "", scenario.EncodeReport(r))
	}
	golden.Lines(t, "testdata/examples.txt", all.String())
}

// sameDrawn runs scenarios that are drawn. Where the inputs are wrong, the errors are
// compared; at most a tenth of the scenarios may have such inputs.
func sameDrawn(t *testing.T, draw func(seed uint64) scenario.Scenario) {
	var all results
	wrong, kind := 0, ""
	for seed := range uint64(seeds) {
		s := draw(seed)
		kind = s.Kind
		r, err := scenario.Run(t.Context(), study.Expand(s), scenario.Env{})
		if _, input := errors.AsType[*scenario.InputError](err); input {
			all.add(seed, "error ", []byte(err.Error()))
			wrong++
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		report := scenario.EncodeReport(r)
		all.add(seed, "", report)
		if seed >= readBack {
			continue
		}
		if again, err := scenario.DecodeReport(report); err != nil || !bytes.Equal(scenario.EncodeReport(again), report) {
			t.Errorf("seed %d: the report is not read back as it was: %v", seed, err)
		}
	}
	if wrong > seeds/10 {
		t.Errorf("%d of %d inputs are wrong", wrong, seeds)
	}
	golden.Lines(t, "testdata/"+kind+".txt", all.String())
}
