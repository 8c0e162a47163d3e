package everywhere_test

import (
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

// seeds is how many scenarios of each laboratory are drawn.
const seeds = 200

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

// add adds a case. What its result is, if there is more to say than its bytes, comes first.
func (r *results) add(name any, what string, result []byte) {
	fmt.Fprintf(r, "%v %s%.8x\n", name, what, sha256.Sum256(result))
}

// sameExamples runs every example: none takes longer than a second or two natively.
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

// sameDrawn runs scenarios that are drawn. Nearly all of them have inputs that can be read;
// of the others the errors are compared.
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
		all.add(seed, "", scenario.EncodeReport(r))
	}
	if wrong > seeds/10 {
		t.Errorf("%d of %d inputs are wrong", wrong, seeds)
	}
	golden.Lines(t, "testdata/"+kind+".txt", all.String())
}
