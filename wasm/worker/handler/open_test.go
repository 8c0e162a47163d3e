package handler_test

import (
	"bytes"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/engine/study"
	"berth/wasm/bridge"
	"berth/wasm/store"
	"berth/wasm/worker/handler"
)

func TestOpenReadsScenariosAndLinks(t *testing.T) {
	p := pool(&clock{})
	want := of("heuristic")
	link := must.Get(scenario.EncodeLink(want))(t)
	for name, c := range map[string]struct {
		query    bridge.OpenQuery
		document []byte
	}{
		"document": {bridge.OpenQuery{}, scenario.Encode(want)},
		"link":     {bridge.OpenQuery{Link: "#s=" + link}, nil},
		"draft":    {bridge.OpenQuery{Draft: true}, scenario.Encode(want)},
	} {
		got, err := p.OpenScenario(t.Context(), c.query, c.document)
		if err != nil || !bytes.Equal(scenario.Encode(got), scenario.Encode(want)) {
			t.Errorf("%s: got %s (%v)", name, scenario.Encode(got), err)
		}
	}
}

func TestOpenReadsArchives(t *testing.T) {
	p, from, to := pool(&clock{}), store.Memory(), store.Memory()
	document := scenario.Encode(of("heuristic"))
	must.Do(t, from.Save(t.Context(), store.Entry{Name: "a", Hash: "#", Saved: 1, Scenario: document}))
	must.Do(t, from.PutResult(t.Context(), "#", []byte{0, 255}, 2))
	want, _, err := from.Export(t.Context())
	must.Do(t, err)
	o, err := p.Open(t.Context(), bridge.OpenQuery{}, bridge.Moved(want))
	if err != nil || o.Archive == nil || o.Scenario != nil {
		t.Fatalf("opened %+v (%v)", o, err)
	}
	must.Get(to.Import(t.Context(), o.Archive))(t)
	if got, _, err := to.Export(t.Context()); err != nil || !bytes.Equal(got, want) {
		t.Errorf("imported\n%s (%v), want\n%s", got, err, want)
	}
	packed := scenariotest.Packed(string(want))
	if o, err := p.Open(t.Context(), bridge.OpenQuery{}, bridge.Moved(packed)); err != nil || o.Archive == nil {
		t.Errorf("packed it gives %+v (%v)", o, err)
	}
	if _, err := p.Open(t.Context(), bridge.OpenQuery{}, bridge.Moved(packed[:30])); err == nil || !strings.HasPrefix(err.Error(), "the gzip file is cut off") {
		t.Errorf("cut off: %v", err)
	}
	if _, err := p.OpenScenario(t.Context(), bridge.OpenQuery{}, want); err == nil {
		t.Error("a library was opened as a scenario")
	}
}

func TestOpenRefuses(t *testing.T) {
	p := pool(&clock{})
	for _, c := range []struct {
		query          bridge.OpenQuery
		document, want string
	}{
		{bridge.OpenQuery{}, `{"format": "berth-library", "version": 9}`, "library file: version 9 is newer"},
		{bridge.OpenQuery{}, `{"format": "something"}`, "version: missing"},
		{bridge.OpenQuery{}, ``, ""},
		{bridge.OpenQuery{Link: "#s=9.a"}, ``, "the link is of version 9"},
		{bridge.OpenQuery{Draft: true}, `{"version": 1, "kind": "qos"}`, "the draft has no scenario"},
		{bridge.OpenQuery{Draft: true}, `{"kind": "placement", "placement": null}`, "the draft has no scenario"},
		{bridge.OpenQuery{Draft: true}, `null`, "the draft has no scenario"},
		{bridge.OpenQuery{Draft: true}, `{`, "unexpected end"},
	} {
		_, err := p.Open(t.Context(), c.query, bridge.Moved([]byte(c.document)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v %s: got %v, want %q", c.query, c.document, err, c.want)
		}
	}
}

// A run of a document gives the bytes of the command line: a sweep is an experiment, and
// errors have their positions in the document.
func TestRunOfADocument(t *testing.T) {
	run := func(document string, q bridge.OpenQuery) bridge.Message {
		call := message(t, bridge.MethodRun, "", bridge.CallBody[bridge.RunQuery]{Query: bridge.RunQuery{Open: &q}})
		call.Files = map[string]bridge.Blob{bridge.DocumentFile: bridge.Moved([]byte(document))}
		return serve(t, handler.New(nil), call)[0]
	}
	swept := federated()
	federatekind.Of(swept).Sweep = []federatekind.Sweep{{Parameter: "workers", Values: []float64{4, 6}}}
	link := must.Get(scenario.EncodeLink(swept))(t)
	want := must.Get(scenario.Run(t.Context(), study.Expand(swept), scenario.Env{}))(t)
	for name, answer := range map[string]bridge.Message{
		"document": run(string(scenario.Encode(swept)), bridge.OpenQuery{}), "link": run("", bridge.OpenQuery{Link: "#s=" + link}),
	} {
		got, err := answer.Files[bridge.PrintedReport].Bytes(t.Context())
		if err != nil || !bytes.Equal(got, scenario.EncodeReport(want)) {
			t.Errorf("%s: got %s %s (%v)", name, got, answer.Body, err)
		}
	}
	document := strings.Replace(string(scenario.Encode(federated())), `"megha"`, `"meghaphone"`, 1)
	if e := errorOf(t, run(document, bridge.OpenQuery{})); len(e.Diagnostics) != 1 || e.Diagnostics[0].Line < 10 {
		t.Errorf("an unknown scheduler gives %+v", e)
	}
}
