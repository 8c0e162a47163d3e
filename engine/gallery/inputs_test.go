package gallery_test

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berth/engine/gallery"
	"berth/engine/golden"
	"berth/engine/input/packed"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

// The manifest names each file once, with both bytes and hash or neither, and has
// every file that an entry needs.
func TestManifest(t *testing.T) {
	known := map[string]bool{}
	for _, s := range gallery.Manifest() {
		if known[s.ID] || s.Repository == "" || len(s.Commit) != 40 || s.For == "" || s.Licence == "" || (s.Bytes == nil) != (s.SHA256 == nil) {
			t.Errorf("%+v", s)
		}
		known[s.ID] = true
		if s.SHA256 != nil {
			if sum, err := hex.DecodeString(*s.SHA256); err != nil || len(sum) != 32 {
				t.Errorf("%s: %q is no SHA-256", s.ID, *s.SHA256)
			}
		}
		if url := s.URL(); s.Path != "" && !strings.HasSuffix(url, s.Commit+"/"+s.Path) {
			t.Errorf("%s is fetched from %s", s.ID, url)
		}
	}
	for _, e := range gallery.List() {
		needs, _ := e.Needs()
		for _, id := range needs {
			if !known[id] {
				t.Errorf("%s needs %s, which the manifest does not have", e.ID, id)
			}
		}
	}
}

// Files that the manifest lacks are refused, and without files only a preset counts
// as the authors' input.
func TestInputsWithoutFiles(t *testing.T) {
	files := gallery.AuthorFiles{}
	if files.Take([]byte("something else")) || files.Take(make([]byte, 562)) || len(files) > 0 {
		t.Errorf("taken: %v", files)
	}
	for _, e := range gallery.List() {
		var inputs []string
		for _, on := range e.OnInputs(files) {
			inputs = append(inputs, on.Input)
		}
		want := []string{gallery.Generated}
		if strings.HasPrefix(e.ID, "thesis-6.") {
			want = []string{gallery.Authors, gallery.Generated}
		}
		if !slices.Equal(inputs, want) {
			t.Errorf("%s runs on %v, want %v", e.ID, inputs, want)
		}
	}
}

// authorsFiles returns the available files of the manifest. It skips the test if there are none.
func authorsFiles(t *testing.T) gallery.AuthorFiles {
	t.Helper()
	folder := golden.Data(t)
	files := gallery.AuthorFiles{}
	paths, err := filepath.Glob(filepath.Join(folder, "qos", "*.*"))
	more, err2 := filepath.Glob(filepath.Join(folder, "qos", "phd", "*"))
	if err != nil || err2 != nil || len(paths) == 0 || len(more) == 0 {
		t.Fatalf("%s has no files of the QoS paper and of the thesis", folder)
	}
	for _, path := range append(paths, more...) {
		data := must.Get(os.ReadFile(path))(t)
		files.Take(must.Get(packed.Unpack(data, scenario.MaxBytes))(t))
	}
	return files
}

// Each entry whose files are available runs on them. qos-4 agrees, including with its authors'
// measurements.
func TestAuthorsInputs(t *testing.T) {
	golden.Long(t)
	files := authorsFiles(t)
	for _, id := range []string{"qos-4", "phd-7.1", "phd-7.3", "phd-7.5", "phd-7.6", "phd-7.7"} {
		e, _ := gallery.Lookup(id)
		on := e.OnInputs(files)
		if len(on) != 2 || on[0].Input != gallery.Authors || on[0].Generated {
			t.Fatalf("%s runs on %d inputs, first on %s", id, len(on), on[0].Input)
		}
		s := on[0].Scenario(false)
		if full := on[0].Scenario(true); full.Hash() != s.Hash() {
			t.Errorf("%s has two sizes on the authors' input", id)
		}
		if _, err := scenario.Decode(scenario.Encode(s)); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	e, _ := gallery.Lookup("qos-4")
	on := e.OnInputs(files)[0]
	r := run(t, on.Scenario(true))
	measured := 0
	for _, c := range r.Criteria {
		if strings.HasPrefix(c.ID, "measured-") {
			measured++
		}
	}
	if on.Verdict(r) != study.Agrees || measured != 12 {
		t.Errorf("qos-4 on the authors' input: %s with %d criteria on the measurement: %+v", on.Verdict(r), measured, r.Criteria)
	}
}
