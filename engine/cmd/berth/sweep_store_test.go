package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/study"
)

// opened opens a store and returns its warnings.
func opened(t *testing.T, folder string) (*folderStore, string) {
	t.Helper()
	var errs bytes.Buffer
	s := must.Get(openStore(&call{Context: t.Context(), errs: &errs}, folder))(t)
	t.Cleanup(s.close)
	return s, errs.String()
}

// Results whose bytes have changed, or whose line was cut off, are ignored and reported once. The
// others stay, and the store can be used.
func TestDamagedResultsAreLeftOut(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "store")
	s, said := opened(t, folder)
	for i := range 40 {
		must.Do(t, s.Put(t.Context(), fmt.Sprintf("%04d", i), study.Failed("held", fmt.Errorf("kept %d", i))))
	}
	s.close()
	file := filepath.Join(folder, storeFile)
	data := must.Get(os.ReadFile(file))(t)
	lines := bytes.SplitAfter(data, []byte("\n"))
	lines[7][len(lines[7])-10] ^= 1 // still JSON
	lines[20][5] ^= 1
	lines[30][2] = '\n'
	data = bytes.Join(lines, nil)
	must.Do(t, os.WriteFile(file, data[:len(data)-5], 0o666))
	s, again := opened(t, folder)
	if want := folder + ": 5 results are damaged and left out: the sweep repeats these runs\n"; said != "" || again != want { // one result is two lines now
		t.Errorf("said %q, then %q, want %q", said, again, want)
	}
	must.Do(t, s.Put(t.Context(), "0007", study.Failed("held", errors.New("kept again"))))
	s.close()
	s, said = opened(t, folder)
	if said != "" {
		t.Error(said)
	}
	for i := range 40 {
		want := fmt.Sprintf("kept %d", i)
		switch i {
		case 7:
			want = "kept again"
		case 20, 30, 39:
			want = ""
		}
		r, err := s.Get(t.Context(), fmt.Sprintf("%04d", i))
		if err != nil || (r == nil) != (want == "") || r != nil && r.Error != want {
			t.Errorf("%d: %v, %v; want %q", i, r, err, want)
		}
	}
}

// A result under the key of another run is ignored.
func TestResultsUnderAnotherKeyAreLeftOut(t *testing.T) {
	folder := t.TempDir()
	s, _ := opened(t, folder)
	for _, key := range []string{"a", "b"} {
		must.Do(t, s.Put(t.Context(), key, study.Failed("held", errors.New(key))))
	}
	s.close()
	file := filepath.Join(folder, storeFile)
	data := must.Get(os.ReadFile(file))(t)
	must.Do(t, os.WriteFile(file, bytes.Replace(data, []byte("a "), []byte("b "), 1), 0o666))
	s, said := opened(t, folder)
	if r, err := s.Get(t.Context(), "b"); err != nil || r == nil || r.Error != "b" || len(s.at) != 1 || !strings.Contains(said, "1 result is damaged") {
		t.Errorf("%v: %v, %d results: %s", err, r, len(s.at), said)
	}
}

// A result of another engine is ignored. It stays for that engine, and is reported until the run
// has been repeated.
func TestResultsOfAnEarlierEngineAreRepeated(t *testing.T) {
	folder := t.TempDir()
	s, _ := opened(t, folder)
	r := study.Failed("held", errors.New("old"))
	r.Engine = "0.1.0"
	must.Do(t, s.Put(t.Context(), "a", r))
	if got, err := s.Get(t.Context(), "a"); got != nil || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	must.Do(t, s.Put(t.Context(), "b", study.Failed("held", errors.New("new"))))
	s.close()
	s, said := opened(t, folder)
	if want := folder + ": 1 result computed by an earlier engine is left out: the sweep repeats these runs\n"; said != want {
		t.Errorf("said %q, want %q", said, want)
	}
	must.Do(t, s.Put(t.Context(), "a", study.Failed("held", errors.New("again"))))
	s.close()
	s, said = opened(t, folder)
	if got, err := s.Get(t.Context(), "a"); said != "" || len(s.at) != 2 || got == nil || err != nil {
		t.Errorf("said %q; %d results; %v, %v", said, len(s.at), got, err)
	}
	file, err := os.ReadFile(filepath.Join(folder, storeFile))
	if err != nil || !bytes.Contains(file, []byte("0.1.0")) {
		t.Errorf("%s, %v", file, err)
	}
}

// A store accepts lines of any text.
func FuzzStore(f *testing.F) {
	f.Add([]byte("a b {}\n"))
	line, _ := study.Line("k", &study.Result{Engine: "0.1.0", Kind: "held", Error: "it failed"})
	f.Add(line)
	f.Fuzz(func(t *testing.T, data []byte) {
		folder := t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(folder, storeFile), data, 0o666))
		s, _ := opened(t, folder)
		for key := range s.at {
			if _, err := s.Get(t.Context(), key); err != nil {
				t.Error(err)
			}
		}
		s.close()
		if again, said := opened(t, folder); strings.Contains(said, "damaged") || len(again.at) != len(s.at) || len(again.earlier) != len(s.earlier) {
			t.Errorf("%d and %d results, then %d and %d: %s", len(s.at), len(s.earlier), len(again.at), len(again.earlier), said)
		}
	})
}

// A sweep on this machine starts no server, and its store is one file.
func TestALocalSweepStartsNoServer(t *testing.T) {
	const seeds = 3
	file, folder := hold(t, seeds, "")
	release(t, folder)
	store := filepath.Join(folder, "store")
	complete(t, start(t, "", "sweep", file, "--store", store, "--format", "json"), seeds)
	files := must.Get(os.ReadDir(store))(t)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); got != "lock results.txt" {
		t.Errorf("the store has %s", got)
	}
	// Another experiment with more seeds runs only the new ones.
	document := must.Get(os.ReadFile(file))(t)
	must.Do(t, os.WriteFile(file, bytes.Replace(document, []byte(`"seeds": 3`), []byte(`"seeds": 5`), 1), 0o666))
	complete(t, start(t, "", "sweep", file, "--store", store, "--format", "json"), 5)
	if times := begun(t, folder, 5); sum(times) != 5 {
		t.Errorf("runs were begun %v times", times)
	}
}
