package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"berth/engine/bundle"
	"berth/engine/must"
	"berth/engine/scenario"
)

// A bundle contains the files of its scenario. In another folder it needs nothing else, gives the
// same report, and is packed again to the same bytes.
func TestBundle(t *testing.T) {
	folder(t, "simulate/scenario.json", "simulate/four.csv", "simulate/hosts.csv", "simulate/overheads.csv")
	must.Do(t, os.WriteFile("scenario.json", []byte(withoutDigests(t)), 0o666))
	report, stderr, code := exec(t, "", "run", "scenario.json", "--bundle", "run.zip")
	if code != statusPlaced || stderr != "" {
		t.Fatalf("status %d, %s", code, stderr)
	}
	if plain, _, _ := exec(t, "", "run", "scenario.json"); plain != report {
		t.Errorf("with a bundle another report is printed:\n%s\n%s", plain, report)
	}
	zip := contents(t)["run.zip"]
	b := must.Get(bundle.Decode([]byte(zip)))(t)
	if string(b.Report) != report {
		t.Errorf("the bundle has another report than is printed:\n%s\n%s", b.Report, report)
	}

	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("run.zip", []byte(zip), 0o666))
	stdout, stderr, code := exec(t, "", "run", "run.zip", "--verify")
	if code != statusPlaced || stderr != "" || strings.Count(stdout, "\n") != 1 || !strings.HasPrefix(stdout, "run.zip: the same, byte for byte: scenario ") {
		t.Errorf("status %d, %s%s", code, stdout, stderr)
	}
	if again, stderr, _ := exec(t, "", "run", "run.zip", "--bundle", "again.zip", "--timings"); !strings.Contains(again, `"timings"`) || stderr != "" {
		t.Errorf("%s\n%s", again, stderr)
	}
	if contents(t)["again.zip"] != zip {
		t.Error("the run of a bundle makes another bundle")
	}
	if stdout, _, code := exec(t, zip, "run", "-", "--verify"); code != statusPlaced || !strings.HasPrefix(stdout, stdin+": the same") {
		t.Errorf("on standard input: status %d, %s", code, stdout)
	}

	b.Manifest.Engine = "0.1.0"
	old := must.Get(b.Encode())(t)
	stdout, stderr, code = exec(t, string(old), "run", "-", "--verify")
	if want := stdin + ": computed by an earlier engine (0.1.0); this one is " + scenario.Engine + ". To bundle its run again, give it to berth run with --bundle.\n"; code != statusNotPlaced || stderr != want || !strings.HasPrefix(stdout, stdin+`: engine: the bundle has "0.1.0", this run has "`) {
		t.Errorf("status %d, %s%s", code, stdout, stderr)
	}
	b.Manifest.Engine = scenario.Engine

	b.Manifest.Results = "0123456789abcdef"
	changed := must.Get(b.Encode())(t)
	stdout, stderr, code = exec(t, string(changed), "run", "-", "--verify")
	if code != statusNotPlaced || !strings.HasPrefix(stdout, stdin+`: hash of the results: the bundle has "0123456789abcdef", this run has "`) || stderr != "" {
		t.Errorf("status %d, %s%s", code, stdout, stderr)
	}
	b.Report = bytes.Replace(b.Report, []byte("0.1"), []byte("0.2"), 1)
	changed = must.Get(b.Encode())(t)
	stdout, _, code = exec(t, string(changed), "run", "-", "--verify")
	if code != statusNotPlaced || !strings.HasPrefix(stdout, stdin+": SHA-256 of report.json: ") {
		t.Errorf("status %d, %s", code, stdout)
	}
	for _, args := range [][]string{{"run", "-"}, {"run", "-", "--verify"}} {
		stdout, stderr, code := exec(t, zip[:len(zip)/2], args...)
		if code != statusBadInput || stdout != "" || !strings.HasPrefix(stderr, stdin+": the zip is damaged: ") {
			t.Errorf("half a bundle: status %d, %s%s", code, stdout, stderr)
		}
	}
}

// withoutDigests writes the scenario of the folder so that it accepts any files.
func withoutDigests(t *testing.T) string {
	t.Helper()
	return regexp.MustCompile(`, *"sha256": "[^"]*"`).ReplaceAllString(contents(t)["scenario.json"], "")
}

// A run that does not fit into a bundle is refused before it starts. A file that has changed since
// the scenario was made causes a warning.
func TestBundleOfOtherFiles(t *testing.T) {
	folder(t, "simulate/scenario.json", "simulate/four.csv", "simulate/hosts.csv", "simulate/overheads.csv")
	if _, stderr, code := exec(t, "", "run", "scenario.json", "--bundle", "run.zip"); code != statusPlaced || !strings.HasPrefix(stderr, "warning: overheads.csv has changed since the scenario was made") {
		t.Errorf("status %d, %s", code, stderr)
	}
	succeeds(t, "", "run", "run.zip", "--verify")
	must.Do(t, os.WriteFile("four.csv", []byte("id\xff\n"), 0o666))
	if _, stderr, code := exec(t, "", "run", "scenario.json", "--bundle", "no.zip"); code != statusBadInput || stderr != "four.csv: a bundle has at most 67108864 bytes of text in UTF-8\n" {
		t.Errorf("status %d, %s", code, stderr)
	}
	if _, ok := contents(t)["no.zip"]; ok {
		t.Error("a bundle is written of what cannot be run")
	}
}

// Workers, shares and the store give the same as running one by one.
func TestBundleOfSweep(t *testing.T) {
	folder(t, "simulate/scenario.json", "simulate/four.csv", "simulate/hosts.csv", "simulate/overheads.csv")
	base := withoutDigests(t)
	must.Do(t, os.WriteFile("experiment.json", []byte(`{"version": 1, "kind": "experiment", "experiment": {"base": `+base+`, "seeds": 2}}`), 0o666))
	for _, line := range []string{
		"sweep experiment.json --bundle out.zip", "gallery --figure qos-5 --bundle out.zip",
	} {
		succeeds(t, "", strings.Fields(line)...)
		succeeds(t, "", "run", "out.zip", "--verify")
	}
	if _, stderr, code := exec(t, "", strings.Fields("sweep experiment.json --share 0/2 --bundle part.zip")...); code != statusFailed || !strings.Contains(stderr, "stopped early") {
		t.Errorf("a share: status %d, %s", code, stderr)
	}
}
