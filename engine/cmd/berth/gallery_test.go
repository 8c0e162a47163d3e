package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/bundle"
	"berth/engine/gallery"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/study"
)

// theirs runs the command lines of a test in a new folder with a trace of the authors.
func theirs(t *testing.T) {
	t.Helper()
	folder(t)
	must.Do(t, os.WriteFile("t.tr", []byte("0 2 10 10 10\n1 2 10 10 10\n"), 0o666))
}

// Files of the authors are inputs and the file of records is an output: none of them may be the
// same file.
func TestGalleryKeepsItsFilesApart(t *testing.T) {
	theirs(t)
	must.Do(t, os.WriteFile("rec.json", []byte("[]\n"), 0o666))
	must.Do(t, os.Symlink("t.tr", "soft.tr"))
	must.Do(t, os.WriteFile("none.json", []byte("{}"), 0o666))
	before := contents(t)
	here := must.Get(os.Getwd())(t)
	const usual = "gallery --figure megha-5 --file trace="
	for line, want := range map[string]string{
		usual + "t.tr --output t.tr":                                                    "--output: t.tr is the input t.tr as well",
		usual + "t.tr --export --output t.tr":                                           "--output: t.tr is the input t.tr as well",
		usual + "t.tr --bundle t.tr":                                                    "--bundle: t.tr is the input t.tr as well",
		usual + "soft.tr --output ./t.tr":                                               "--output: ./t.tr is the input soft.tr as well",
		usual + "t.tr --full --record t.tr":                                             "--record: t.tr is the input t.tr as well",
		usual + "t.tr --full --record rec.json --output rec.json":                       "--record: rec.json is the --output as well",
		usual + "t.tr --full --record ./new.json --output new.json":                     "--record: ./new.json is the --output as well",
		usual + "t.tr --full --record new.json --output " + here + "/new.json":          "is the --",
		usual + "t.tr --full --record new.json --bundle new.json":                       "is the --",
		usual + "t.tr --full --record none/new.json":                                    "--record: none/new.json: no such file",
		usual + "gone.tr --full --record none.json":                                     "gone.tr",
		usual + "t.tr --full --store s --record none.json":                              "none.json:1:1: ",
		usual + "t.tr --full --record -":                                                "--record: standard output is for the report",
		usual + "t.tr --full --record - --output out":                                   "--record: - cannot keep results",
		usual + "t.tr --full --record /dev/null":                                        "--record: /dev/null cannot keep results",
		usual + "t.tr --full --record new.json --nats-creds rec.json --output rec.json": "--output: rec.json is the input rec.json as well",
	} {
		stdout, stderr, code := exec(t, "", strings.Fields(line)...)
		if code != statusBadInput || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("berth %s: status %d, %s%s", line, code, stdout, stderr)
		}
	}
	if after := contents(t); !maps.Equal(after, before) {
		t.Errorf("files have changed: %v", after)
	}
}

// Each figure is added to the content of the file. The new file keeps the permissions and links of
// the old one.
func TestGalleryRecords(t *testing.T) {
	theirs(t)
	must.Do(t, os.Mkdir("links", 0o777))
	must.Do(t, os.Symlink("../rec.json", "links/rec.json"))
	record := func(args string) []gallery.Record {
		t.Helper()
		succeeds(t, "", strings.Fields("gallery --full "+args)...)
		var all []gallery.Record
		must.Do(t, json.Unmarshal([]byte(contents(t)["rec.json"]), &all))
		return all
	}
	if all := record("--figure megha-5 --file trace=t.tr --record rec.json"); len(all) != 1 || all[0].Figure != "megha-5" {
		t.Errorf("in a new file: %v", all)
	}
	must.Do(t, os.Chmod("rec.json", 0o640))
	must.Do(t, os.Link("rec.json", "before.json"))
	if all := record("--figure thesis-4.5 --figure megha-5 --record links/rec.json"); len(all) != 2 || all[0].Figure != "thesis-4.5" {
		t.Errorf("beside another: %v", all)
	}
	files := contents(t)
	info := must.Get(os.Stat("rec.json"))(t)
	if info.Mode() != 0o640 || len(files) != 3 || files["before.json"] == files["rec.json"] {
		t.Errorf("the file is %v; there are %v", info.Mode(), files)
	}
	if link, err := os.Lstat(filepath.Join("links", "rec.json")); err != nil || link.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v: %v", link, err)
	}
}

// The manifest can be listed, with a command that fetches each file. It says which file was not
// available.
func TestGallerySources(t *testing.T) {
	out, errs, code := exec(t, "", "gallery", "--sources")
	if code != statusPlaced || !strings.Contains(out, "SHA-256 41c3e198f4b4d913") || !strings.Contains(out, "no SHA-256 is known") ||
		!strings.Contains(out, "\ncurl -fL -o 'hour-hosts.csv' 'https://raw.githubusercontent.com/giovannifs/") {
		t.Errorf("status %d: %s%s", code, out, errs)
	}
	var got struct{ Sources []map[string]any }
	out, errs, code = exec(t, "", "gallery", "--sources", "--format", "json")
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != statusPlaced || len(got.Sources) != len(gallery.Manifest()) {
		t.Errorf("%v, status %d: %s", err, code, errs)
	}
}

// The gallery refuses a folder without any of the authors' files, and two flags that both replace
// generated input.
func TestGalleryData(t *testing.T) {
	theirs(t)
	must.Do(t, os.Mkdir("their", 0o777))
	must.Do(t, os.WriteFile("their/a.csv.gz", []byte("no gzip"), 0o666))
	for line, want := range map[string]string{
		"gallery --data their": "--data: no file in their is one of the authors' files; berth gallery --sources lists them",
		"gallery --data gone":  "gone: ",
		"gallery --data t.tr --figure megha-5 --file trace=t.tr": "--data: no file in t.tr",
	} {
		if out, stderr, code := exec(t, "", strings.Fields(line)...); code != statusBadInput || out != "" || !strings.Contains(stderr, want) {
			t.Errorf("berth %s: status %d, %s%s", line, code, out, stderr)
		}
	}
}

// With the available authors' files, a figure has two verdicts, and the one on those files counts.
// The files are found in subfolders too, and may be packed.
func TestGalleryHasTwoVerdicts(t *testing.T) {
	data := golden.Data(t)
	var got struct {
		Figures []struct {
			Verdict string
			Inputs  []struct {
				Input, Verdict      string
				Numbers, Directions struct{ Met, Of int }
				Criteria            []json.RawMessage
			}
		}
	}
	out, errs, code := exec(t, "", "gallery", "--figure", "qos-4", "--data", data, "--format", "json")
	must.Do(t, json.Unmarshal([]byte(out), &got))
	if code != statusPlaced || len(got.Figures) != 1 || len(got.Figures[0].Inputs) != 2 {
		t.Fatalf("status %d: %s%s", code, out, errs)
	}
	f := got.Figures[0]
	if in := f.Inputs; in[0].Input != "authors" || in[1].Input != "generated" || f.Verdict != in[0].Verdict || f.Verdict != "agrees" ||
		in[0].Numbers.Of != 20 || in[0].Numbers.Met != 20 || in[0].Directions.Of != 2 || len(in[0].Criteria) != 22 || len(in[1].Criteria) != 9 {
		t.Errorf("%+v", in)
	}
}

// The help has each rule in the program's own words.
func TestGalleryHelpHasTheRules(t *testing.T) {
	out, _, _ := exec(t, "", "gallery", "--help")
	words := strings.Join(strings.Fields(out), " ")
	for _, rules := range study.RuleLists {
		for _, r := range rules {
			if !strings.Contains(words, r.Name+": "+r.Means) {
				t.Errorf("no rule about %s: %s", r.Name, r.Means)
			}
		}
	}
}

// A bundle of a figure says how to cite its paper and Berth, and the check of the bundle covers
// that.
func TestGalleryBundlesSayWhatToCite(t *testing.T) {
	folder(t)
	succeeds(t, "", "gallery", "--figure", "thesis-4.5", "--bundle", "b.zip")
	data := must.Get(os.ReadFile("b.zip"))(t)
	b := must.Get(bundle.Decode(data))(t)
	papers := gallery.Papers()
	if cite := b.Manifest.Cite; !strings.Contains(cite, "lavacca2020") || !strings.HasSuffix(cite, papers[len(papers)-1].BibTeX) || !strings.Contains(cite, "berth2026") {
		t.Errorf("it cites %q", cite)
	}
	if out := succeeds(t, "", "run", "b.zip", "--verify"); !strings.Contains(out, "byte for byte") {
		t.Error(out)
	}
}
