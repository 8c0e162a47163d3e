package queue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/engine/study"
)

// wrongTasks are damaged messages of runs, with a part of the reason for their refusal. HASH,
// ENGINE and SCENARIO are replaced by the run's values.
var wrongTasks = []struct{ data, want string }{
	{"", "EOF"},
	{"{", "unexpected EOF"},
	{"null", `it is for engine ""`},
	{"[]", "cannot unmarshal array"},
	{`{"hash":""}`, `it is for engine ""`},
	{`{"hash":"HASH","kind":"dice","scenario":SCENARIO}`, `unknown field "kind"`},
	{`{"hash":"HASH","engine":"9.9.9","scenario":SCENARIO,"seed":0}`, `it is for engine "9.9.9"`},
	{`{"hash":"q.2.>","engine":"ENGINE","scenario":null}`, `its hash is "q.2.>"`},
	{`{"hash":"HASH","engine":"ENGINE","scenario":null}`, "found null"},
	{`{"hash":"HASH","engine":"ENGINE","scenario":{"version":1,"kind":"dice","dice":{}},"seed":0}`, "throws"},
	{`{"hash":"HASH","engine":"ENGINE","scenario":{"version":9,"kind":"dice","dice":{"throws":3}},"seed":0}`, "version 9 is newer"},
	{`{"hash":"HASH","engine":"ENGINE","scenario":{"version":1,"kind":"chess","chess":{}},"seed":0}`, "chess"},
	{`{"hash":"HASH","engine":"ENGINE","scenario":{"version":1,"kind":"dice","dice":{"throws":4}},"seed":0}`, "it is another scenario's"},
	{`{"hash":"HASH","engine":"ENGINE","scenario":SCENARIO,"seed":1}`, "it is another scenario's"},
	{`{"hash":"HASH","engine":"ENGINE","scenario":SCENARIO,"seed":-1}`, "cannot unmarshal number -1"},
	{`{"hash":"HASH","engine":"ENGINE","scenario":SCENARIO,"files":{"a":1}}`, "cannot unmarshal number"},
	{`{"hash":"HASH","engine":"ENGINE","scenario":SCENARIO}{}`, "it goes on after its end"},
	{`{"hash":"HASH","engine":"ENGINE","seed":0}`, "the server does not have the input HASH"},
	{`"` + strings.Repeat("x", mostTask) + `"`, "expected at most 524288"},
}

// filled puts a run in place of the names in a text.
func filled(text string, run Task) []byte {
	return []byte(strings.NewReplacer("HASH", run.Hash, "ENGINE", run.Engine, "SCENARIO", string(run.Scenario)).Replace(text))
}

// said returns the next message, or "nothing".
func said(told chan string) string {
	select {
	case text := <-told:
		return text
	default:
		return "nothing"
	}
}

// Damaged messages, even one in place of a run of the sweep, stop neither workers nor sweeps. Both
// report the refusal, and the run is submitted again.
func TestDamagedMessages(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	js := embedded(t)
	ours, swept := process(t, js, scenario.Engine, "sweep")
	theirs, worked := process(t, js, scenario.Engine, "worker")
	run := dice(t, 3)
	var publish sync.Once
	got, err := sweep(t, ours, 0, func(study.Job) Task {
		publish.Do(func() {
			for i, wrong := range wrongTasks {
				of := run
				of.Hash = fmt.Sprint("odd", i)
				if i == len(wrongTasks)-2 {
					of = run // replaces the message of the sweep
				}
				if _, err := js.Publish(t.Context(), theirs.subject("runs", of.Hash), filled(wrong.data, of)); err != nil {
					t.Fatal(err)
				}
			}
			worker(t, theirs, carry)
		})
		return run
	}, run)
	if err != nil || got[run.Hash] == nil || got[run.Hash].Error != "" || got[run.Hash].Metrics["sum"][0] != 9 {
		t.Errorf("%v: got %v", err, got[run.Hash])
	}
	for i, wrong := range wrongTasks {
		of := run
		of.Hash = fmt.Sprint("odd", i)
		if i == len(wrongTasks)-2 {
			of = run
		}
		for who, told := range map[string]chan string{"worker": worked, "sweep": swept} {
			if text := said(told); !strings.Contains(text, theirs.subject("runs", of.Hash)) || !strings.Contains(text, string(filled(wrong.want, of))) {
				t.Errorf("the %s says %s\nwant %s: %s", who, text, of.Hash, wrong.want)
			}
		}
	}
	if info, err := ours.stream.Info(t.Context()); err != nil || len(swept)+len(worked) > 0 {
		t.Errorf("%v: %d messages, %d more notices", err, info.State.Msgs, len(swept)+len(worked))
	}
}

// A run that is damaged each time fails after a few times, and leaves no result.
func TestARunThatIsDamagedEachTime(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	q, _ := process(t, embedded(t), scenario.Engine, "ours")
	run, wrong := dice(t, 3), dice(t, 4)
	var times atomic.Int32
	wrong.Hash = run.Hash
	got, err := sweep(t, q, 1, func(study.Job) Task { times.Add(1); return wrong }, run)
	if err != nil || got[run.Hash] == nil || !strings.Contains(got[run.Hash].Error, "damaged 4 times") || times.Load() != 1+mostRefused {
		t.Errorf("%v after %d times: got %v", err, times.Load(), got[run.Hash])
	}
	if r, err := q.result(t.Context(), run.Hash); r != nil || err != nil {
		t.Errorf("%v: kept %v", err, r)
	}
}

// wrongResults returns invalid values for the bucket's key HASH. RESULT is the stored result of
// another run.
func wrongResults(t testing.TB, run Task) map[string][]byte {
	t.Helper()
	sound := func(engine, hash string) []byte {
		r := study.Failed("dice", fmt.Errorf("kept"))
		r.Engine = engine
		data, err := seal(run.Engine, hash, "them", r)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	of := sound(run.Engine, run.Hash)
	return map[string][]byte{
		"EOF":                      nil,
		"unexpected EOF":           of[:len(of)-1],
		"it goes on":               append(bytes.Clone(of), of...),
		"unknown field":            []byte(`{"engine":"` + run.Engine + `","kind":"dice","error":"as before"}`),
		`it is of run "1234"`:      sound(run.Engine, "1234"),
		`it is for engine "9.9.9"`: sound("9.9.9", run.Hash),
		`it is for engine ""`:      []byte(`{"hash":"` + run.Hash + `"}`),
		"its bytes have SHA-256":   bytes.Replace(of, []byte("kept"), []byte("Kept"), 1),
		"expected":                 fmt.Appendf(nil, `{"hash":%q,"engine":%q,"sha256":%q,"result":1}`, run.Hash, run.Engine, sumOf([]byte("1"))),
	}
}

// An invalid result is refused and deleted, and the run is carried out.
func TestDamagedResults(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	js := embedded(t)
	q, told := process(t, js, scenario.Engine, "ours")
	other, heard := process(t, js, scenario.Engine, "theirs")
	run, throws := dice(t, 1), 1
	for want := range wrongResults(t, run) {
		for _, before := range []bool{true, false} { // or while the sweep waits
			run = dice(t, throws)
			throws++
			put := func() {
				if _, err := q.results.Put(t.Context(), run.Hash, wrongResults(t, run)[want]); err != nil {
					t.Fatal(err)
				}
			}
			refused := func(told chan string) {
				if text := said(told); !strings.Contains(text, "run "+run.Hash) || !strings.Contains(text, want) {
					t.Errorf("it says %s, want %s", text, want)
				}
			}
			if before {
				put()
				if r, err := (Kept{other}).Get(t.Context(), run.Hash); r != nil || err != nil {
					t.Errorf("%s: %v, %v", want, r, err)
				}
				refused(heard)
				put()
			}
			var submitted sync.Once
			got, err := sweep(t, q, 1, func(study.Job) Task {
				if !before {
					submitted.Do(put)
				}
				return run
			}, run)
			if err != nil || got[run.Hash] == nil || got[run.Hash].Error != "" {
				t.Errorf("%s: %v: got %v", want, err, got[run.Hash])
			}
			refused(told)
		}
	}
	run = dice(t, 99)
	var times atomic.Int32
	got, err := sweep(t, q, 0, func(study.Job) Task { // each time that it is asked for
		times.Add(1)
		if _, err := q.results.Put(t.Context(), run.Hash, []byte("{}")); err != nil {
			t.Error(err)
		}
		return run
	}, run)
	if err != nil || got[run.Hash] == nil || !strings.Contains(got[run.Hash].Error, "damaged 4 times") || times.Load() != 1+mostRefused {
		t.Errorf("%v after %d times: got %v", err, times.Load(), got[run.Hash])
	}
}

// Inputs in the object store that do not match their hashes are deleted.
func TestDamagedInputs(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	q, _ := process(t, embedded(t), scenario.Engine, "ours")
	put := func(name, text string) {
		if err := q.Put(t.Context(), name, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	run := dice(t, 3)
	name := sumOf([]byte("a text"))
	put(name, "another text")
	put(run.Hash, string(dice(t, 4).Scenario))
	message := filled(`{"hash":"HASH","engine":"ENGINE","seed":0}`, run)
	if _, err := q.file(t.Context(), name); err == nil || !strings.Contains(err.Error(), "the server has another input "+name) {
		t.Error(err)
	}
	if _, err := q.open(t.Context(), run.Hash, message); err == nil || !strings.Contains(err.Error(), "it is another scenario's") {
		t.Error(err)
	}
	put(name, "a text") // which it would not, if there were one
	put(run.Hash, string(run.Scenario))
	if _, err := q.file(t.Context(), name); err != nil {
		t.Error(err)
	}
	if _, err := q.open(t.Context(), run.Hash, message); err != nil {
		t.Error(err)
	}
}

func FuzzTask(f *testing.F) {
	scenario.Register(scenariotest.Dice)
	run := dice(f, 3)
	for _, wrong := range wrongTasks {
		f.Add(filled(wrong.data, run))
	}
	sound, _ := json.Marshal(run)
	f.Add(sound)
	f.Fuzz(func(t *testing.T, data []byte) {
		task, err := readTask(run.Engine, run.Hash, data)
		if err != nil {
			return
		}
		if s, key, err := task.Open(); err == nil && key == run.Hash && s.Body.(*scenariotest.Throws).Throws != 3 {
			t.Errorf("%s is read as %v", data, s)
		}
	})
}

func FuzzResult(f *testing.F) {
	scenario.Register(scenariotest.Dice)
	run := dice(f, 3)
	for _, wrong := range wrongResults(f, run) {
		f.Add(wrong)
	}
	sound, _ := seal(run.Engine, run.Hash, "us", study.Failed("dice", fmt.Errorf("kept")))
	f.Add(sound)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := readResult(run.Engine, run.Hash, data)
		if err != nil {
			return
		}
		again, err := seal(run.Engine, run.Hash, s.Worker, s.result)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readResult(run.Engine, run.Hash, again); err != nil {
			t.Errorf("%s is kept as %s: %v", data, again, err)
		}
	})
}
