package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"berth/engine/input/workload"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

func example() Input {
	recipe := workload.Recipe{Generator: "deployment", Preset: "listing", Seed: 3}
	return Input{
		Scenario: placementkind.New("three ways to say a graph", placementkind.Document{
			Federation: placementkind.GraphSource{Name: "f.dot", Text: "graph{eu[cpu=1,cpu_cost=1]}"},
			Deployments: []placementkind.GraphSource{
				{Name: "picked.dot"}, {Name: "made", Recipe: &recipe}, {Name: "typed.dot", Text: `graph{"<a>"[request=1,limit=1]}`},
			},
			Strategies: []placementkind.StrategyRun{{Name: "heuristic"}},
		}),
		Texts: map[string]Blob{
			placementkind.DeploymentSlot(0): NewBlob([]byte("graph{b[request=1,limit=1]}")),
			placementkind.DeploymentSlot(9): NewBlob([]byte("of nobody")),
		},
	}
}

func TestTextsTravelBesideTheScenario(t *testing.T) {
	in := example()
	s, files := in.Detach()
	body := must.Get(json.Marshal(s))(t)
	if strings.Contains(string(body), "graph{") {
		t.Errorf("the body has a text in it: %s", body)
	}
	slots := slices.Sorted(maps.Keys(files))
	if want := []string{"deployments/0", "deployments/2", "federation"}; !slices.Equal(slots, want) {
		t.Errorf("the files are %q, expected %q", slots, want)
	}
	if placementkind.Of(in.Scenario).Federation.Text == "" || placementkind.Of(in.Scenario).Deployments[2].Text == "" {
		t.Error("the scenario of the page has lost its texts")
	}

	must.Do(t, Attach(t.Context(), s, files, scenario.NewLoad(0)))
	want := in.Scenario
	placementkind.Of(want).Deployments[0].Text = "graph{b[request=1,limit=1]}"
	if got := scenario.Encode(*s); !bytes.Equal(got, scenario.Encode(want)) {
		t.Errorf("the worker reads\n%s", got)
	}
}

func TestAttachRefusesMoreThanMayBeRead(t *testing.T) {
	s := example().Scenario
	half := NewBlob(make([]byte, scenario.MaxTexts/2+1))
	err := Attach(t.Context(), &s, map[string]Blob{placementkind.FederationSlot: half, placementkind.DeploymentSlot(0): half}, scenario.NewLoad(0))
	if err == nil || !strings.Contains(err.Error(), "256 MiB") {
		t.Errorf("two halves and a bit gave %v", err)
	}
}

// A document includes the text of a packed file if there is room; a text that does not
// fit stays a file.
func TestAttachAllUnpacks(t *testing.T) {
	s := qoskind.New("packed", qoskind.Document{
		Workload: scenario.Source{Name: "w.csv.gz"}, Hosts: scenario.Source{Name: "h.csv"},
		Overheads: &scenario.Source{Name: "o.csv.gz"}, HostEventSource: &scenario.Source{Name: "e.csv.gz"},
	})
	left, err := AttachAll(t.Context(), &s, map[string]Blob{
		qoskind.WorkloadSlot: NewBlob(scenariotest.Packed(string(make([]byte, scenario.MaxBytes+1)))), qoskind.HostsSlot: NewBlob([]byte("name,cpu,memory\n")),
		qoskind.OverheadsSlot: NewBlob(scenariotest.Packed("overhead_s\n1\n")), qoskind.HostEventsSlot: NewBlob(scenariotest.Packed("")),
	})
	if err != nil || !slices.Equal(left, []string{"w.csv.gz"}) {
		t.Fatalf("left %q, %v", left, err)
	}
	for _, text := range []struct{ got, want string }{
		{qoskind.Of(s).Workload.Text, ""}, {qoskind.Of(s).Hosts.Text, "name,cpu,memory\n"}, {qoskind.Of(s).Overheads.Text, "overhead_s\n1\n"}, {qoskind.Of(s).HostEventSource.Text, "\n"},
	} {
		if text.got != text.want {
			t.Errorf("the document has %q, want %q", text.got, text.want)
		}
	}
	_, err = AttachAll(t.Context(), &s, map[string]Blob{qoskind.HostsSlot: NewBlob([]byte("\x1f\x8b\x08"))})
	if err == nil || !strings.HasPrefix(err.Error(), "h.csv: the gzip file is cut off") {
		t.Errorf("a file that is cut off: %v", err)
	}
}

// forgetful is a server that remembers no scenario.
type forgetful struct{ calls *[]Message }

func (f forgetful) Serve(_ context.Context, call Message, send func(Message)) {
	*f.calls = append(*f.calls, call)
	var q CallBody[any]
	m := &placementkind.MatrixData{Which: "CM", Rows: []string{"a"}, Columns: []string{"eu", "us"}, Values: []float64{0.1, math.Inf(1)}}
	reply, _ := call.Reply(KindResult, m, map[string]Blob{AttachmentFile: Moved(m.Attachment())})
	if err := call.DecodeBody(&q); err != nil || q.Scenario == nil {
		reply, _ = call.Reply(KindError, Error{Kind: UnknownScenario}, nil)
	}
	send(reply)
}

func TestQuestionsBringTheScenarioWhereItIsForgotten(t *testing.T) {
	var calls []Message
	p := NewPool(1, Local(func() Server { return forgetful{&calls} }))
	m := must.Get(Ask(t.Context(), p, &Result{Input: example(), Hash: "0123456789abcdef"}, placementkind.MatrixQuestion, placementkind.MatrixQuery{Which: "CM"}))(t)
	if len(calls) != 2 || calls[0].Files != nil || len(calls[1].Files) != 3 {
		t.Errorf("expected a short and a long call, found %+v", calls)
	}
	if calls[0].Scenario != "0123456789abcdef" || calls[1].Scenario != calls[0].Scenario {
		t.Errorf("the calls are about %q and %q", calls[0].Scenario, calls[1].Scenario)
	}
	if m.Which != "CM" || len(m.Rows) != 1 || len(m.Columns) != 2 || !slices.Equal(m.Values, []float64{0.1, math.Inf(1)}) {
		t.Errorf("the matrix came as %+v", m)
	}
}

func TestPackedGraphsAreUnpacked(t *testing.T) {
	const text = "graph{b[request=1,limit=1]}"
	in := example()
	d := placementkind.Of(in.Scenario)
	d.Deployments = append(d.Deployments, placementkind.GraphSource{Name: "more.dot"})
	attach := func(first, second []byte) (string, error) {
		s, files := in.Detach()
		files[placementkind.DeploymentSlot(0)], files[placementkind.DeploymentSlot(3)] = NewBlob(first), NewBlob(second)
		err := Attach(t.Context(), s, files, scenario.NewLoad(0))
		d := placementkind.Of(*s)
		return d.Deployments[0].Text + d.Deployments[3].Text, err
	}
	if got, err := attach(scenariotest.Packed(text), []byte(text)); got != text+text || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	half := scenariotest.Packed(strings.Repeat(" ", scenario.MaxTexts/2))
	for want, files := range map[string][2][]byte{
		"more.dot: the file is a 7-Zip archive":                                            {[]byte(text), []byte("7z\xbc\xaf\x27\x1c")},
		"more.dot: the gzip file is cut off after 3 bytes":                                 {[]byte(text), []byte("\x1f\x8b\x08")},
		"unpacked, the texts have more than 268435456 bytes (256 MiB), which is the limit": {half, half},
	} {
		if _, err := attach(files[0], files[1]); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
