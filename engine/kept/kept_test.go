package kept

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berth/engine/bundle"
	"berth/engine/figure"
	"berth/engine/input/packed"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

// document is a document with the figures that the earlier build computed.
type document struct {
	Seed     uint64          `json:"seed"` // seed with which package drawn drew it
	Hash     string          `json:"hash"`
	Scenario json.RawMessage `json:"scenario"`
	Result   study.Result    `json:"result"`
}

// A document has the same hash and figures as before, and the reports of a laboratory have the same
// paths. New figures and paths may be added.
func TestDocumentsHaveTheirFigures(t *testing.T) {
	for _, lab := range []string{"placement", "qos", "federate"} {
		t.Run(lab, func(t *testing.T) {
			all, paths := documents(t, lab), map[string]bool{}
			if len(all) != 100 {
				t.Errorf("%d documents", len(all))
			}
			for _, d := range all {
				d.compare(t, paths)
			}
			for _, path := range surface(t, "json "+lab) {
				if !paths[path] {
					t.Errorf("no report has %s", path)
				}
			}
		})
	}
}

// compare compares a run with that of the earlier build, and collects the paths of its report.
func (d *document) compare(t *testing.T, paths map[string]bool) {
	s, err := scenario.Decode(d.Scenario)
	if err != nil {
		t.Errorf("seed %d: %v", d.Seed, err)
		return
	}
	if hash := s.Hash(); hash != d.Hash {
		t.Errorf("seed %d: hash %s, was %s", d.Seed, hash, d.Hash)
	}
	report, err := scenario.Run(t.Context(), study.Expand(s), scenario.Env{})
	if err != nil {
		t.Errorf("seed %d: %v", d.Seed, err)
		return
	}
	var tree any
	must.Do(t, json.Unmarshal(scenario.EncodeReport(report), &tree))
	walk("", tree, paths)
	result := study.ResultOf(report)
	if !slices.Equal(result.Subjects, d.Result.Subjects) {
		t.Errorf("seed %d: subjects %q, were %q", d.Seed, result.Subjects, d.Result.Subjects)
	}
	for name, was := range d.Result.Metrics {
		if is := result.Metrics[name]; !slices.EqualFunc(is, was, same) {
			t.Errorf("seed %d: %s is %v, was %v", d.Seed, name, is, was)
		}
	}
}

func same(a, b figure.Number) bool { return a == b || !a.Defined() && !b.Defined() }

// walk collects the paths of all leaves below a value. All elements of a list have one path.
func walk(at string, value any, paths map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			walk(strings.TrimPrefix(at+"."+key, "."), v, paths)
		}
	case []any:
		for _, v := range value {
			walk(at+"[]", v, paths)
		}
	default:
		paths[at] = true
	}
}

// documents returns the 100 documents of a laboratory.
func documents(t *testing.T, lab string) (all []document) {
	t.Helper()
	file, err := os.ReadFile("testdata/" + lab + ".jsonl.gz")
	if err == nil {
		file, err = packed.Unpack(file, packed.MaxText)
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(file) {
		var d document
		must.Do(t, json.Unmarshal(line, &d))
		all = append(all, d)
	}
	return all
}

// surface lists the names of one sort that people and programs rely on: "json qos", "testid".
func surface(t *testing.T, sort string) (all []string) {
	t.Helper()
	text := must.Get(os.ReadFile("testdata/surface.txt"))(t)
	for line := range strings.Lines(string(text)) {
		if what, found := strings.CutPrefix(strings.TrimSpace(line), sort+" "); found {
			all = append(all, what)
		}
	}
	if len(all) == 0 {
		t.Fatalf("nothing of the sort %s", sort)
	}
	return all
}

// Other people's tests find elements of the page by data-testid: each of these names still exists.
func TestPageHasItsNames(t *testing.T) {
	var sources strings.Builder
	for _, folder := range []string{"../../app", "../../web/assets"} {
		must.Do(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			sources.Write(text)
			return err
		}))
	}
	for _, name := range surface(t, "testid") {
		if !writes(sources.String(), name) {
			t.Errorf("nothing has the data-testid %s", name)
		}
	}
}

// writes reports whether a source contains a name, either whole or as two joined parts.
func writes(source, name string) bool {
	if strings.Contains(source, `"`+name+`"`) || strings.Contains(source, "testid="+name) {
		return true
	}
	for i := range name {
		if name[i] == '-' && strings.Contains(source, `"`+name[:i+1]+`"`) && (strings.Contains(source, `"`+name[i+1:]+`"`)) {
			return true
		}
	}
	return false
}

// A link opens the same scenario as before.
func TestLinksOpen(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/links.txt"))(t)
	n := 0
	for line := range strings.Lines(string(text)) {
		hash, link, _ := strings.Cut(strings.TrimSpace(line), " ")
		s, err := scenario.DecodeLink(link)
		if err != nil || s.Hash() != hash {
			t.Errorf("%.40s… opens %s, want %s: %v", link, s.Hash(), hash, err)
		}
		n++
	}
	if n != 24 {
		t.Errorf("%d links", n)
	}
}

// A bundle is intact, and its run gives the same results: only the name of the engine and bytes of
// the report may differ.
func TestBundlesOpen(t *testing.T) {
	for _, name := range []string{"shop", "three-masters"} {
		data := must.Get(os.ReadFile("testdata/" + name + ".zip"))(t)
		b := must.Get(bundle.Decode(data))(t)
		differences, err := b.Verify(t.Context(), scenario.Env{})
		if err != nil || len(differences) == 0 || !strings.HasPrefix(differences[0], "engine") {
			t.Errorf("%s: %q, %v", name, differences, err)
		}
		for _, d := range differences {
			if strings.HasPrefix(d, "hash of the scenario") {
				t.Errorf("%s: %s", name, d)
			}
		}
	}
}
