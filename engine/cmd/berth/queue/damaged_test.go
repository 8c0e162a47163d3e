package queue

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/engine/study"
)

// wrongMessages are damaged messages of runs, with a part of the reason for their refusal.
// SCENARIO is replaced by the scenario of the run.
var wrongMessages = []struct{ data, want string }{
	{"", "unexpected end"},
	{"{", "unexpected end"},
	{"[]", "cannot unmarshal array"},
	{"null", "object not found"},
	{`{"seed":0}`, "object not found"},
	{`{"scenario":null}`, "found null"},
	{`{"scenario":{"version":1,"kind":"dice","dice":{}},"seed":0}`, "throws"},
	{`{"scenario":{"version":9,"kind":"dice","dice":{"throws":3}},"seed":0}`, "version 9 is newer"},
	{`{"scenario":{"version":1,"kind":"chess","chess":{}},"seed":0}`, "chess"},
	{`{"scenario":{"version":1,"kind":"dice","dice":{"throws":4}},"seed":0}`, "it is another scenario's"},
	{`{"scenario":SCENARIO,"seed":1}`, "it is another scenario's"},
	{`{"scenario":SCENARIO,"seed":-1}`, "cannot unmarshal number -1"},
	{`{"scenario":SCENARIO,"files":{"a":1}}`, "cannot unmarshal number"},
	{`{"scenario":SCENARIO}{}`, "after top-level value"},
	{`"` + strings.Repeat("x", 100_000) + `"`, "cannot unmarshal string"},
}

// filled puts the scenario of a run into a text.
func filled(text string, run task) []byte {
	return []byte(strings.ReplaceAll(text, "SCENARIO", string(run.Scenario)))
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

// Damaged messages, even one that replaces a run of the sweep, stop neither workers nor sweeps. The
// worker reports the refusal, and the run is submitted again.
func TestDamagedMessages(t *testing.T) {
	js := embedded(t)
	ours, swept := process(t, js, scenario.Engine)
	theirs, worked := process(t, js, scenario.Engine)
	run := dice(t, 3)
	subject := func(i int) string {
		if i == len(wrongMessages)-2 {
			return theirs.subject(run.hash) // replaces the message of the sweep
		}
		return theirs.subject(fmt.Sprint("odd", i))
	}
	var publish sync.Once
	got, err := sweep(t, ours, 0, func() task {
		publish.Do(func() {
			for i, wrong := range wrongMessages {
				must.Get(js.Publish(t.Context(), subject(i), filled(wrong.data, run)))(t)
			}
			worker(t, theirs, carry)
		})
		return run
	}, run)
	if err != nil || got[run.hash] == nil || got[run.hash].Error != "" || got[run.hash].Metrics["sum"][0] != 9 {
		t.Errorf("%v: got %v", err, got[run.hash])
	}
	for i, wrong := range wrongMessages {
		if text := said(worked); !strings.Contains(text, subject(i)) || !strings.Contains(text, wrong.want) {
			t.Errorf("the worker says %s\nwant %s: %s", text, subject(i), wrong.want)
		}
	}
	if info, err := ours.stream.Info(t.Context()); err != nil || len(swept)+len(worked) > 0 {
		t.Errorf("%v: %d messages, %d more messages of the processes", err, info.State.Msgs, len(swept)+len(worked))
	}
}

// A run that is damaged every time fails after a few attempts, and leaves no result.
func TestARunThatIsDamagedEachTime(t *testing.T) {
	q, _ := process(t, embedded(t), scenario.Engine)
	run, other := dice(t, 3), dice(t, 4)
	var times atomic.Int32
	got, err := sweep(t, q, 1, func() task { times.Add(1); return other }, run)
	if err != nil || got[run.hash] == nil || !strings.Contains(got[run.hash].Error, "damaged each time") || times.Load() != mostSubmitted {
		t.Errorf("%v after %d times: got %v", err, times.Load(), got[run.hash])
	}
	if r, err := q.Get(t.Context(), run.hash); r != nil || err != nil {
		t.Errorf("%v: kept %v", err, r)
	}
}

// wrongResults returns values that are not valid results of a run.
func wrongResults(t testing.TB, run task) map[string][]byte {
	t.Helper()
	sound := func(engine, hash string) []byte {
		r := study.Failed("dice", fmt.Errorf("kept"))
		r.Engine = engine
		return must.Get(study.Line(hash, r))(t)
	}
	of := sound(scenario.Engine, run.hash)
	return map[string][]byte{
		"nothing":           nil,
		"a part":            of[:len(of)-2],
		"of another run":    sound(scenario.Engine, "1234"),
		"of another engine": sound("9.9.9", run.hash),
		"other bytes":       bytes.Replace(of, []byte("kept"), []byte("Kept"), 1),
	}
}

// A damaged result is refused, and the run is executed.
func TestDamagedResults(t *testing.T) {
	js := embedded(t)
	q, told := process(t, js, scenario.Engine)
	throws := 0
	for what := range wrongResults(t, dice(t, 1)) {
		for _, before := range []bool{true, false} { // before the sweep, or while it waits
			throws++
			run := dice(t, throws)
			put := func() {
				must.Get(q.results.Put(t.Context(), run.hash, wrongResults(t, run)[what]))(t)
			}
			if before {
				put()
				if r, err := (Kept{q}).Get(t.Context(), run.hash); r != nil || err != nil {
					t.Errorf("%s: %v, %v", what, r, err)
				}
			}
			var submitted sync.Once
			got, err := sweep(t, q, 1, func() task {
				if !before {
					submitted.Do(put)
				}
				return run
			}, run)
			if err != nil || got[run.hash] == nil || got[run.hash].Error != "" {
				t.Errorf("%s: %v: got %v", what, err, got[run.hash])
			}
			if text := said(told); !strings.Contains(text, "refused a damaged result of run "+run.hash) {
				t.Errorf("%s: it says %s", what, text)
			}
			for len(told) > 0 { // both the sweep and its worker report it
				<-told
			}
			if r, err := q.Get(t.Context(), run.hash); r == nil || err != nil {
				t.Errorf("%s: kept %v, %v", what, r, err)
			}
		}
	}
}

// Inputs in the object store that do not match their hashes are deleted, so that a sweep uploads
// them again.
func TestDamagedInputs(t *testing.T) {
	q, _ := process(t, embedded(t), scenario.Engine)
	put := func(name, text string) {
		must.Do(t, q.Upload(t.Context(), name, strings.NewReader(text)))
	}
	run := dice(t, 3)
	sum := sha256.Sum256([]byte("a text"))
	name := hex.EncodeToString(sum[:])
	put(name, "another text")
	put(run.hash, string(dice(t, 4).Scenario))
	_, err := q.file(t.Context(), name)
	if err = q.unfetched(t.Context(), name, err); !errors.As(err, new(refused)) || !strings.Contains(err.Error(), name+": the server has another input") {
		t.Error(err)
	}
	if _, _, err := q.open(t.Context(), run.hash, []byte(`{"seed":0}`)); !errors.As(err, new(refused)) || !strings.Contains(err.Error(), "it is another scenario's") {
		t.Error(err)
	}
	put(name, "a text") // does nothing if the server has one
	put(run.hash, string(run.Scenario))
	if _, err := q.file(t.Context(), name); err != nil {
		t.Error(err)
	}
	if _, _, err := q.open(t.Context(), run.hash, []byte(`{"seed":0}`)); err != nil {
		t.Error(err)
	}
}

func FuzzMessage(f *testing.F) {
	run := dice(f, 3)
	for _, wrong := range wrongMessages {
		f.Add(filled(wrong.data, run))
	}
	sound, _ := json.Marshal(run.Inputs)
	f.Add(sound)
	f.Fuzz(func(t *testing.T, data []byte) {
		var in study.Inputs
		if json.Unmarshal(data, &in) != nil {
			return
		}
		if s, key, err := in.Open(); err == nil && key == run.hash && s.Body.(*scenariotest.Throws).Throws != 3 {
			t.Errorf("%s is read as %v", data, s)
		}
	})
}
