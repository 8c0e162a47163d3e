package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

// hold writes an experiment whose runs wait, and returns its file and its folder.
func hold(t *testing.T, seeds int, fields string) (file, folder string) {
	t.Helper()
	folder = t.TempDir()
	file = filepath.Join(folder, "experiment.json")
	must.Do(t, os.WriteFile(file, fmt.Appendf(nil, `{"version": 1, "kind": "experiment", "experiment": {"seeds": %d,
		"base": {"version": 1, "kind": "held", "held": {"seed": 1, "folder": %q%s}}}}`, seeds, folder, fields), 0o666))
	return file, folder
}

// begun returns how often the runs of each seed have begun.
func begun(t *testing.T, folder string, seeds int) (times []int) {
	t.Helper()
	for seed := range seeds {
		text, err := os.ReadFile(filepath.Join(folder, fmt.Sprint("begun-", seed+1)))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		times = append(times, strings.Count(string(text), "\n"))
	}
	return times
}

func sum(times []int) (n int) {
	for _, k := range times {
		n += k
	}
	return n
}

// release lets all runs end, or only the runs of one seed.
func release(t *testing.T, folder string, seed ...int) {
	t.Helper()
	name := "go"
	for _, s := range seed {
		name = fmt.Sprint("go-", s)
	}
	must.Do(t, os.WriteFile(filepath.Join(folder, name), nil, 0o666))
}

// complete checks that an experiment has every run once.
func complete(t *testing.T, c *child, seeds int) {
	t.Helper()
	out, errs, code := c.wait(t)
	var r study.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != statusPlaced {
		t.Fatalf("status %d, %v: %s%s", code, err, out, errs)
	}
	y := r.Cells[0].Metrics["y"]
	if len(r.Cells) != 1 || r.Cells[0].N != seeds || len(y.Values) != seeds || r.Runs != (study.Count{All: seeds, Done: seeds}) {
		t.Fatalf("got %s", out)
	}
	for i, v := range y.Values {
		if v != figure.Number(2*(i+1)) {
			t.Errorf("seed %d gave %v", i+1, v)
		}
	}
}

func TestKilledWorkersLoseNothing(t *testing.T) {
	const seeds = 6
	at, nats := address(t)
	serverAt(t, at)
	file, folder := hold(t, seeds, "")
	c := start(t, "", "sweep", file, "--nats", nats, "--workers", "0", "--format", "json")
	for killed := range 2 {
		w := start(t, "", "worker", "--nats", nats, "--workers", "2")
		await(t, "two runs more have begun", func() bool { return sum(begun(t, folder, seeds)) == 2*(killed+1) })
		w.kill()
	}
	release(t, folder)
	start(t, "", "worker", "--nats", nats, "--workers", "1")
	complete(t, c, seeds)
}

func TestServerThatRestartsLosesNothing(t *testing.T) {
	const seeds = 5
	at, nats := address(t)
	s := serverAt(t, at)
	file, folder := hold(t, seeds, "")
	c := start(t, "", "sweep", file, "--nats", nats, "--workers", "0", "--format", "json")
	start(t, "", "worker", "--nats", nats, "--workers", "2")
	release(t, folder, 1)
	await(t, "a run has ended and two have begun", func() bool { return sum(begun(t, folder, seeds)) == 3 })
	s.kill()
	release(t, folder) // the results arrive while there is no server
	serverAt(t, at)
	complete(t, c, seeds)
	if times := begun(t, folder, seeds); times[0] != 1 {
		t.Errorf("what had ended before was run again: %v", times)
	}
}

func TestCoordinatorThatRestartsRunsNothingTwice(t *testing.T) {
	const seeds = 6
	file, folder := hold(t, seeds, "")
	store := filepath.Join(folder, "store")
	args := []string{"sweep", file, "--store", store, "--workers", "1", "--format", "json"}
	c := start(t, "", args...)
	release(t, folder, 1)
	release(t, folder, 2)
	await(t, "the third run has begun", func() bool { return begun(t, folder, seeds)[2] == 1 })
	c.kill()
	release(t, folder)
	complete(t, start(t, "", args...), seeds)
	if times := begun(t, folder, seeds); times[0] != 1 || times[1] != 1 || sum(times) != seeds+1 {
		t.Errorf("runs were begun %v times", times)
	}
	complete(t, start(t, "", args...), seeds) // all come from the store
	if times := begun(t, folder, seeds); sum(times) != seeds+1 {
		t.Errorf("what is kept was run again: %v", times)
	}
}

func TestCoordinatorsShareRuns(t *testing.T) {
	const seeds = 6
	at, nats := address(t)
	serverAt(t, at)
	file, folder := hold(t, seeds, "")
	first := start(t, "", "sweep", file, "--nats", nats, "--workers", "1", "--format", "json")
	second := start(t, "", "sweep", file, "--nats", nats, "--workers", "1", "--format", "json")
	await(t, "both work", func() bool { return sum(begun(t, folder, seeds)) == 2 })
	release(t, folder)
	complete(t, first, seeds)
	complete(t, second, seeds)
	if times := begun(t, folder, seeds); sum(times) != seeds {
		t.Errorf("runs were begun %v times", times)
	}
}

func TestDeadlyRunIsOneRedCell(t *testing.T) {
	golden.Long(t)
	const seeds = 4
	at, nats := address(t)
	serverAt(t, at)
	file, folder := hold(t, seeds, `, "deadly": 2`)
	release(t, folder)
	c := start(t, "", "sweep", file, "--nats", nats, "--workers", "0", "--format", "json")
	for ended := false; !ended; { // restart workers that die
		w := start(t, "", "worker", "--nats", nats, "--workers", "1")
		select {
		case <-w.ended:
		case <-c.ended:
			ended = true
		}
	}
	out, errs, code := c.wait(t)
	var r study.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != statusNotPlaced {
		t.Fatalf("status %d, %v: %s%s", code, err, out, errs)
	}
	if f := r.Cells[0].Failed; r.Cells[0].N != seeds-1 || len(f) != 1 || f[0].Seed != 1 ||
		f[0].Message != "the run was started 4 times, and its worker ended before the run each time" {
		t.Errorf("got %+v", r.Cells[0])
	}
}

func TestInterruptKeepsWhatIsDone(t *testing.T) {
	const seeds = 5
	file, folder := hold(t, seeds, "")
	args := []string{"sweep", file, "--store", filepath.Join(folder, "store"), "--workers", "1", "--format", "json"}
	for range 6 { // more often than a run is attempted
		c := start(t, "", args...)
		release(t, folder, 1)
		before := begun(t, folder, seeds)[1]
		await(t, "the second run has begun", func() bool { return begun(t, folder, seeds)[1] > before })
		must.Do(t, c.Process.Signal(os.Interrupt))
		out, errs, code := c.wait(t)
		var r study.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || code != statusFailed || r.Runs.Done != 1 ||
			!strings.Contains(errs, "interrupted: 1 of 5 runs are done and kept in "+folder) {
			t.Fatalf("status %d, %v: %s%s", code, err, out, errs)
		}
	}
	release(t, folder)
	complete(t, start(t, "", args...), seeds)
	if times := begun(t, folder, seeds); times[0] != 1 {
		t.Errorf("runs were begun %v times", times)
	}
}

func TestStoreServesOneAtATime(t *testing.T) {
	file, folder := hold(t, 2, "")
	store := filepath.Join(folder, "store")
	start(t, "", "sweep", file, "--store", store)
	await(t, "a run has begun", func() bool { return sum(begun(t, folder, 2)) > 0 })
	_, errs, code := start(t, "", "sweep", file, "--store", store).wait(t)
	if code != statusFailed || errs != "berth: "+store+": another berth uses this store: wait until it ends, or let both use one NATS server with --nats\n" {
		t.Errorf("status %d: %s", code, errs)
	}
}

func TestFullServerIsToldClearly(t *testing.T) {
	at, nats := address(t)
	serverAt(t, at+"&most=2000")
	file, folder := hold(t, 50, "")
	release(t, folder)
	_, errs, code := start(t, "", "sweep", file, "--nats", nats).wait(t)
	if code != statusFailed || !strings.Contains(errs, "no space is left for runs and results") {
		t.Errorf("status %d: %s", code, errs)
	}
}

// small is an experiment of a kind that every engine has.
const small = `{"version": 1, "kind": "experiment", "name": "small", "experiment": {
	"base": {"version": 1, "kind": "qos", "qos": {
		"workload": {"name": "workload.csv"}, "hosts": {"name": "hosts", "recipe": {"generator": "hosts", "preset": "validation", "seed": 1}},
		"policies": [{"name": "qos"}, {"name": "priority"}], "horizon": 600}},
	"factors": [{"name": "margin", "path": "/qos/margin", "levels": [1, 20]}], "seeds": 3, "metrics": ["penalty", "passes"], "compare": "policy",
	"criteria": [{"id": "more", "says": "more passes with a larger margin", "source": "no one", "test": {"kind": "monotone", "metric": "passes", "along": "margin", "at": {"policy": "qos"}}}]}}`

// withWorkload writes small and the file that it names into the current folder.
func withWorkload(t *testing.T, requests int) {
	t.Helper()
	var b strings.Builder
	b.WriteString("id,submit_s,duration_s,cpu,memory,class\n")
	for i := range requests {
		fmt.Fprintf(&b, "%d,%d,300,1,1,%s\n", i, i%60, []string{"gold", "silver", "bronze"}[i%3])
	}
	must.Do(t, os.WriteFile("workload.csv", []byte(b.String()), 0o666))
	must.Do(t, os.WriteFile("small.json", []byte(small), 0o666))
}

func sweepOf(t *testing.T, args ...string) string {
	t.Helper()
	return succeeds(t, "", append([]string{"sweep"}, args...)...)
}

func TestSweepGivesTheSameBytesHoweverItIsRun(t *testing.T) {
	t.Chdir(t.TempDir())
	withWorkload(t, 300)
	for _, format := range []string{"json", "csv", "text"} {
		want := sweepOf(t, "small.json", "--format", format, "--workers", "1")
		if got := sweepOf(t, "small.json", "--format", format, "--workers", "3"); got != want {
			t.Errorf("with three workers\n%s\nwant\n%s", got, want)
		}
		for i := range 2 {
			sweepOf(t, "small.json", "--share", fmt.Sprintf("%d/2", i+1), "--store", fmt.Sprint(format, i))
		}
		if got := sweepOf(t, "small.json", "--format", format, "--merge", format+"0", format+"1"); got != want {
			t.Errorf("in shares\n%s\nwant\n%s", got, want)
		}
	}
	// The report equals the report of berth run.
	out, errs, _ := exec(t, "", "run", "small.json")
	var whole struct{ Experiment json.RawMessage }
	must.Do(t, json.Unmarshal([]byte(out), &whole))
	var run, swept study.Report
	must.Do(t, json.Unmarshal(whole.Experiment, &run))
	must.Do(t, json.Unmarshal([]byte(sweepOf(t, "small.json", "--format", "json")), &swept))
	a, _ := json.Marshal(run.Cells)
	b, _ := json.Marshal(swept.Cells)
	if string(a) != string(b) || errs != "" {
		t.Errorf("berth run gives %s (%s), berth sweep %s", a, errs, b)
	}
}

// The files that an experiment refers to are part of the key of its runs.
func TestSweepNoticesAnotherFile(t *testing.T) {
	t.Chdir(t.TempDir())
	withWorkload(t, 300)
	first := sweepOf(t, "small.json", "--store", "store")
	withWorkload(t, 150)
	second := sweepOf(t, "small.json", "--store", "store")
	if fresh := sweepOf(t, "small.json"); first == second || second != fresh {
		t.Errorf("first\n%sthen\n%swithout a store\n%s", first, second, fresh)
	}
}

// Files of an experiment are sent over the server, and give the same bytes.
func TestSweepOfFilesOverAServer(t *testing.T) {
	t.Chdir(t.TempDir())
	withWorkload(t, 300)
	at, url := address(t)
	serverAt(t, at)
	want := sweepOf(t, "small.json", "--format", "json")
	if got := sweepOf(t, "small.json", "--format", "json", "--nats", url, "--workers", "2"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := sweepOf(t, "small.json", "--format", "json", "--nats", url, "--workers", "0"); got != want { // from the server
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A text that is too long for a message is sent through the object store.
func TestSweepOfALongText(t *testing.T) {
	golden.Long(t)
	t.Chdir(t.TempDir())
	withWorkload(t, 20_000)
	data := must.Get(os.ReadFile("workload.csv"))(t)
	if len(data) < 256<<10 {
		t.Fatalf("the text has %d bytes", len(data))
	}
	want := sweepOf(t, "small.json", "--format", "csv")
	text, _ := json.Marshal(string(data))
	must.Do(t, os.WriteFile("small.json", []byte(strings.Replace(small, `{"name": "workload.csv"}`, `{"name": "w", "text": `+string(text)+`}`, 1)), 0o666))
	at, url := address(t)
	serverAt(t, at)
	for _, more := range [][]string{nil, {"--nats", url}} {
		if got := sweepOf(t, append([]string{"small.json", "--format", "csv"}, more...)...); got != want {
			t.Errorf("%v: got\n%s\nwant\n%s", more, got, want)
		}
	}
}

func TestSweepOfOneScenario(t *testing.T) {
	t.Chdir(t.TempDir())
	withWorkload(t, 30)
	s := must.Get(scenario.Decode([]byte(small)))(t)
	must.Do(t, os.WriteFile("one.json", scenario.Encode(study.Of(s).Base), 0o666))
	if out := sweepOf(t, "one.json"); !strings.HasPrefix(out, "1 of 1 runs") || !strings.Contains(out, "priority") {
		t.Error(out)
	}
	swept := `{"version": 1, "kind": "federate", "federate": {"trace": {"name": "t", "text": "0 2 2 2 2\n"}, "workers": 4, "gms": 1, "lms": 1,
"schedulers": ["megha"], "seeds": 2, "sweep": [{"parameter": "workers", "values": [2, 4, 8]}]}}`
	must.Do(t, os.WriteFile("swept.json", []byte(swept), 0o666))
	if out := sweepOf(t, "swept.json"); !strings.HasPrefix(out, "6 of 6 runs") {
		t.Error(out)
	}
}

func TestSweepSaysWhatItWouldDo(t *testing.T) {
	t.Chdir(t.TempDir())
	withWorkload(t, 30)
	var plan struct {
		Runs, Share int
		Cells       []struct {
			Levels string
			Runs   []string
		}
	}
	must.Do(t, json.Unmarshal([]byte(sweepOf(t, "small.json", "--dry-run", "--share", "0/4", "--format", "json")), &plan))
	if plan.Runs != 6 || plan.Share != 2 || len(plan.Cells) != 2 || plan.Cells[1].Levels != "margin 20" || len(plan.Cells[1].Runs[2]) != 16 {
		t.Errorf("got %+v", plan)
	}
}

func TestSweepForKubernetes(t *testing.T) {
	t.Chdir(t.TempDir())
	withWorkload(t, 30)
	complains(t, "", `small.json: workload: the file "workload.csv" is a file next to the experiment`, "sweep", "small.json", "--kubernetes", "--image", "berth:1")
	document := strings.Replace(small, `{"name": "workload.csv"}`, `{"name": "w", "recipe": {"generator": "requests", "preset": "validation-1", "seed": 1}}`, 1)
	must.Do(t, os.WriteFile("small.json", []byte(document), 0o666))
	out := sweepOf(t, "small.json", "--kubernetes", "--image", "registry/berth:1", "--workers", "3")
	for _, want := range []string{
		"completionMode: Indexed\n", "completions: 3\n", "backoffLimitPerIndex: 2\n", `image: "registry/berth:1"`,
		"--share, $(JOB_COMPLETION_INDEX)/3, --store, /store/$(JOB_COMPLETION_INDEX)", "\n  experiment.json: |\n    {\n      \"version\": 1,\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	_, config, _ := strings.Cut(out, "experiment.json: |\n")
	config, _, _ = strings.Cut(config, "\n---")
	if s, err := scenario.Decode([]byte(config)); err != nil || study.Of(s) == nil {
		t.Errorf("the document in it: %v", err)
	}
}

func TestSweepRefusesFlagsThatDoNotGoTogether(t *testing.T) {
	t.Chdir(t.TempDir())
	withWorkload(t, 30)
	for line, want := range map[string]string{
		"":                                     "EXPERIMENT.json is missing",
		"small.json other.json":                `unexpected argument "other.json"`,
		"small.json --share 5/4":               "--share",
		"small.json --share half":              "expected I/N",
		"small.json --workers 0":               "--workers 0 leaves the runs to other machines and needs --nats",
		"small.json --workers -1":              "a whole number from 0 to 1024",
		"small.json --store a --nats nats://b": "--store and --nats exclude each other",
		"small.json --nats-creds small.json":   "--nats-creds needs --nats",
		"small.json --kubernetes":              "--kubernetes and --image go together",
		"--merge .":                            "--merge without an experiment needs a --store",
		"small.json --merge .":                 "--merge .: this folder has no store of berth sweep",
		"small.json --nats anna:x@127.0.0.1:1": "nats://127.0.0.1:1: no NATS server answers there",
		"small.json --nats nats://u:pass%zz@b": "--nats: this is not a URL of a NATS server",
		"small.json --format xml":              "expected one of text, csv, json",
	} {
		complains(t, "", want, append([]string{"sweep"}, strings.Fields(line)...)...)
	}
	complains(t, "", "--nats is missing", "worker")
}

func TestGalleryJudgesFigures(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	args := []string{"gallery", "--figure", "qos-5", "--figure", "megha-6", "--store", store}
	out, errs, code := exec(t, "", append(args, "--format", "json")...)
	var got struct {
		Figures []struct {
			ID, Verdict string
			Criteria    []map[string]any
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != statusPlaced {
		t.Fatalf("status %d, %v: %s", code, err, errs)
	}
	if f := got.Figures; len(f) != 2 || f[0].ID != "qos-5" || f[0].Verdict != "agrees" || f[1].Verdict != "direction" || len(f[0].Criteria) == 0 {
		t.Errorf("got %s", out)
	}
	for _, field := range []string{"id", "verdict", "published", "ours", "source"} {
		if text, _ := got.Figures[0].Criteria[0][field].(string); text == "" {
			t.Errorf("a criterion has no %s: %v", field, got.Figures[0].Criteria[0])
		}
	}
	out, errs, code = exec(t, "", args...) // from the store
	if code != statusPlaced || !strings.Contains(out, "\nmegha-6: direction. ") || !strings.HasSuffix(out, "2 figures: 1 agrees, 1 direction, 0 differs, 0 undecided\n") {
		t.Errorf("status %d: %s%s", code, out, errs)
	}
	complains(t, "", `there is no "qos-55"; known: thesis-4.5, thesis-6.3, `, "gallery", "--figure", "qos-55")
}

// The experiment of a gallery entry can be exported, changed and swept.
func TestGalleryExportsExperiments(t *testing.T) {
	out := succeeds(t, "", "gallery", "--figure", "megha-6", "--export")
	again, errs, code := exec(t, out, "sweep", "-")
	if code != statusPlaced || !strings.Contains(again, "\nVerdict: direction; numbers met 0 of 0, directions 3 of 3\n") {
		t.Errorf("status %d: %s%s", code, again, errs)
	}
}

// A file of the authors replaces a generated one.
func TestGalleryOnAuthorsFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("their.tr", []byte("0 1 5 5\n100 1 5 5\n"), 0o666))
	if out, errs, code := exec(t, "", "gallery", "--figure", "megha-6", "--file", "trace=their.tr"); code != statusPlaced || !strings.Contains(out, "megha-6: differs") {
		t.Errorf("on a trace of ours: status %d: %s%s", code, out, errs)
	}
	out, errs, code := exec(t, "", "gallery", "--figure", "qos-8", "--export", "--file", "workload=their.tr", "--file", "overheads=their.tr")
	if code != statusPlaced || strings.Count(out, `"name": "their.tr"`) != 2 {
		t.Errorf("two files: status %d: %s%s", code, out, errs)
	}
	for _, wrong := range []string{"--figure megha-6 --file hosts=their.tr", "--figure megha-6 --file trace=their.tr --file trace=their.tr", "--figure megha-6 --file =their.tr", "--file trace=their.tr", "--figure megha-6 --file trace", "--figure qos-5 --file workload=their.tr", "--record r.json"} {
		if _, errs, code := exec(t, "", append([]string{"gallery"}, strings.Fields(wrong)...)...); code != statusBadInput {
			t.Errorf("%s: status %d: %s", wrong, code, errs)
		}
	}
}
