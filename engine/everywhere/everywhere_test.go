package everywhere_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"berth/engine/drawn"
	"berth/engine/federate"
	"berth/engine/golden"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/qos"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/examples"
)

// The numbers of drawn scenarios per laboratory, and of those whose reports are read back.
const seeds, readBack = 200, 40

func TestSameBytes(t *testing.T) {
	t.Run("examples", sameExamples)
	t.Run("placement", func(t *testing.T) { sameDrawn(t, drawn.Placement, placement.Names()) })
	t.Run("qos", func(t *testing.T) { sameDrawn(t, drawn.QoS, qos.Names()) })
	t.Run("federate", func(t *testing.T) { sameDrawn(t, drawn.Federate, federate.Names()) })
	t.Run("formats", sameFormats)
	t.Run("statistics", sameStatistics)
}

// results has lines with the name of a case and the digest of its result.
type results struct{ strings.Builder }

// add adds a case. A word about the result, such as "error ", may come before its digest.
func (r *results) add(name any, what string, result []byte) {
	fmt.Fprintf(r, "%v %s%.8x\n", name, what, sha256.Sum256(result))
}

// run adds a scenario, and returns its report without the name of the engine, which depends on
// these digests. If the inputs are wrong, it adds their errors, and the report is nil.
func (r *results) run(t *testing.T, name any, s scenario.Scenario) *scenario.Report {
	t.Helper()
	report, err := scenario.Run(t.Context(), study.Expand(s), scenario.Env{})
	if _, input := errors.AsType[*scenario.InputError](err); input {
		r.add(name, "error ", []byte(err.Error()))
		return nil
	}
	if err != nil {
		t.Fatalf("%v: %v", name, err)
	}
	report.Engine = ""
	text := scenario.EncodeReport(report)
	if bytes.Contains(text, []byte(scenario.Engine)) {
		t.Errorf("%v: the result has the name of the engine, which is made of the results", name)
	}
	r.add(name, "", text)
	return report
}

// sameExamples runs every example. The slowest, thesis-50 and thesis-100, take about a second each
// natively.
func sameExamples(t *testing.T) {
	var all results
	for _, e := range examples.List() {
		all.run(t, e.Name, e.Scenario)
	}
	golden.Lines(t, "testdata/examples.txt", all.String())
}

// sameDrawn runs drawn scenarios, which together have all given strategies, policies or schedulers.
// At most a tenth of them may have wrong inputs.
func sameDrawn(t *testing.T, draw func(seed uint64) scenario.Scenario, names []string) {
	var all results
	wrong, kind, ran := 0, "", map[string]bool{}
	for seed := range uint64(seeds) {
		s := draw(seed)
		kind = s.Kind
		report := all.run(t, seed, s)
		if report == nil {
			wrong++
			continue
		}
		for _, subject := range report.Body.Subjects() {
			ran[subject] = true
		}
		if seed >= readBack {
			continue
		}
		text := scenario.EncodeReport(report)
		if again, err := scenario.DecodeReport(text); err != nil || !bytes.Equal(scenario.EncodeReport(again), text) {
			t.Errorf("seed %d: the report is not read back as it was: %v", seed, err)
		}
	}
	if wrong > seeds/10 {
		t.Errorf("%d of %d inputs are wrong", wrong, seeds)
	}
	for _, name := range names {
		if !ran[name] {
			t.Errorf("no scenario runs %s", name)
		}
	}
	golden.Lines(t, "testdata/"+kind+".txt", all.String())
}

// The name of the engine is the digest of its golden results, so that a change of results
// changes it. -update writes it after them.
func TestEngineIsNamedAfterItsResults(t *testing.T) {
	was := must.Get(os.ReadFile("../scenario/engine.go"))(t)
	name := digestOf(t, os.DirFS("testdata"))
	golden.Check(t, "../scenario/engine.go", named.ReplaceAllString(string(was), `const Engine = "`+name+`"`))
}

var named = regexp.MustCompile(`const Engine = ".*"`)

// digestOf returns the digest of all golden results of a folder.
func digestOf(t *testing.T, folder fs.FS) string {
	t.Helper()
	files := must.Get(fs.Glob(folder, "*.txt"))(t)
	all := sha256.New()
	for _, name := range files {
		text := must.Get(fs.ReadFile(folder, name))(t)
		fmt.Fprintf(all, "%s %d\n%s", name, len(text), text)
	}
	return fmt.Sprintf("%.5x", all.Sum(nil))
}

// A changed, moved or missing line of any golden file changes the name.
func TestEachResultIsInTheDigest(t *testing.T) {
	folder := func(a, b string) fs.FS {
		return fstest.MapFS{"a.txt": {Data: []byte(a)}, "b.txt": {Data: []byte(b)}}
	}
	seen := map[string]string{}
	for _, files := range [][2]string{{"0 17\n1 23\n", "shop 5e\n"}, {"0 18\n1 23\n", "shop 5e\n"}, {"0 17\n1 23\n", "shop 5f\n"}, {"0 17\n", "1 23\nshop 5e\n"}, {"0 17\n", "shop 5e\n"}, {"", ""}} {
		name := digestOf(t, folder(files[0], files[1]))
		if other, taken := seen[name]; taken || len(name) != 10 {
			t.Errorf("%q has the name %s, as has %s", files, name, other)
		}
		seen[name] = fmt.Sprintf("%q", files)
	}
}
