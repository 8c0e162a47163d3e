//go:build !js

package lab

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab/labtest"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/examples"
	"berth/wasm/bridge"
)

// board is a view of toys.
type board struct {
	app.Compo
	Lab[*toy]
	kind *scenario.Kind
	runs int
}

func (b *board) OnInit() {
	b.Services = Services{
		Engine: labtest.Engine(1),
		Shelf:  labtest.Shelf(),
		Drafts: labtest.Drafts(),
	}
	b.Init(System[*toy]{
		Kind: b.kind,
		Inputs: func(s *scenario.Scenario) *toy {
			if s == nil {
				return &toy{}
			}
			return &toy{name: s.Name, jobs: []string{"a"}}
		},
		Runs: Runs[*toy]{
			Begins: func(batch *Batch[*toy], p *BatchRun) ([]bridge.Asked, Leading) {
				if p == batch.Parts[0] {
					b.runs++
				}
				return nil, nil
			},
			Shown: func(*Batch[*toy]) {},
		},
		Screen: func() Screen[*toy] { return Screen[*toy]{} },
	})
}

func (b *board) Render() app.UI { return app.Div().Body(b.InputPane(nil, app.Text(""))) }

func mount(t *testing.T, kind *scenario.Kind) (*board, app.TestEngine) {
	t.Helper()
	t.Cleanup(func() { request.scenario = nil })
	b := &board{kind: kind}
	return b, labtest.Mount(t, b)
}

func linkTo(t *testing.T, s scenario.Scenario) string {
	t.Helper()
	link := must.Get(scenario.EncodeLink(s))(t)
	return LinkLead + link
}

func TestAnExampleOfTheKindOpensFirst(t *testing.T) {
	if b, _ := mount(t, placementkind.Kind); b.Inputs.name != examples.List()[0].Title || b.runs != 1 || b.Phase != Done {
		t.Errorf("opened %q, %d runs, phase %q; want the first example, run once", b.Inputs.name, b.runs, b.Phase)
	}
	if b, _ := mount(t, &scenario.Kind{Name: "toys", Path: "/toys"}); !b.Inputs.Blank() || b.runs != 0 {
		t.Errorf("opened %q, %d runs; want nothing: there is no example", b.Inputs.name, b.runs)
	}
}

// The page asks before it loses a run of more than ten seconds, either running or on screen, and
// before no other.
func TestALongRunIsAtStake(t *testing.T) {
	b, _ := mount(t, placementkind.Kind)
	now := time.Now()
	if b.Runs.atStake(now) {
		t.Error("a run of less than ten seconds is at stake")
	}
	b.Runs.shown.lasted = 11 * time.Second
	if !b.Runs.atStake(now) {
		t.Error("the result of a run of 11 s is not at stake")
	}
	b.Phase = Idle
	if b.Runs.atStake(now) {
		t.Error("a result of other inputs is at stake")
	}
	b.Runs.batch = &Batch[*toy]{call: &Call{begun: now.Add(-9 * time.Second)}}
	if b.Runs.atStake(now) || !b.Runs.atStake(now.Add(2*time.Second)) {
		t.Error("a run under way has to be at stake after ten seconds")
	}
	b.Runs.batch, b.Runs.Beside = nil, now.Add(-time.Minute)
	if !b.Runs.atStake(now) {
		t.Error("an improvement under way for a minute is not at stake")
	}
}

// While the page reads a link, it does not ask for a file.
func TestALinkThatIsReadIsAwaited(t *testing.T) {
	b, engine := mount(t, &scenario.Kind{Name: "toys", Path: "/toys"})
	b.Address.OpenLink(LinkLead+"nonsense", func() {}, func() {})
	if got := b.Runs.Pending("Running"); got != "Opening …" {
		t.Errorf("while a link is read the page says %q", got)
	}
	if got := app.HTMLString(b.Runs.Absent("No toys yet.")); !strings.Contains(got, "Opening …") || strings.Contains(got, "No toys yet.") {
		t.Errorf("while a link is read the inputs say %s", got)
	}
	engine.ConsumeAll()
	if got := b.Runs.Pending("Running"); got == "Opening …" {
		t.Error("a link that was read is still awaited")
	}
	if got := app.HTMLString(b.Runs.Absent("No toys yet.")); !strings.Contains(got, "No toys yet.") {
		t.Errorf("without inputs it says %s", got)
	}
}

// The name of the former result on screen may come from a stranger's scenario, so it is shown as
// plain text.
func TestTheNameOfAFormerResultIsShownPlain(t *testing.T) {
	b, _ := mount(t, placementkind.Kind)
	b.Shown.Inputs = b.Inputs.Clone()
	b.Shown.Inputs.name = "\x1b[31m\u202e" + strings.Repeat("n", 300)
	b.Phase = Idle
	got := b.Runs.Pending("Running")
	if !strings.Contains(got, `still from “\x1b[31m\u202enn`) || len(got) > 400 {
		t.Errorf("says %q, want the name escaped and short", got)
	}
}

// A result of earlier inputs is dimmed in every phase except done, and the status says which result
// it is.
func TestAFormerResultIsMarked(t *testing.T) {
	b, _ := mount(t, placementkind.Kind)
	b.Shown.Inputs = b.Inputs.Clone()
	b.Shown.Inputs.name = "the former"
	for phase, marked := range map[Phase]bool{Idle: true, Running: true, Failed: true, Done: false} {
		b.Phase = phase
		if got := b.Form.Dimmed("figure") != "figure"; got != marked {
			t.Errorf("%s: the result is dimmed: %v, want %v", phase, got, marked)
		}
		got := b.Runs.Pending("Running heuristic")
		if says := strings.Contains(got, "still from “the former”") || strings.Contains(got, "from earlier inputs"); says != marked {
			t.Errorf("%s: the status says %q", phase, got)
		}
	}
}

func TestALinkGoesToTheViewOfItsKind(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	before := b.Inputs
	away := false
	b.Address.OpenLink(linkTo(t, requests("requests", 0)), func() { t.Error("the link was not read") }, func() { away = true })
	engine.ConsumeAll()
	if !away {
		t.Error("the link did not go to another view")
	}
	if !b.Inputs.SameWork(before) || b.Inputs.name != before.name {
		t.Error("the link of another view changed the inputs of this one")
	}
	if b.Opening.takeRequest() {
		t.Error("a view took what another was asked for")
	}
	other, _ := mount(t, qoskind.Kind)
	if other.Inputs.name != "requests" || other.Unsaved || other.runs != 1 {
		t.Errorf("the view of the kind has %q, unsaved %v, %d runs; want requests, false, 1", other.Inputs.name, other.Unsaved, other.runs)
	}
}

func TestADroppedScenarioGoesToTheViewOfItsKind(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	dot := TextSource("g.dot", "graph {}")
	open := func(files ...*Source) (opened bool) {
		b.Files.OpenAmong(files, func() { opened = true }, func([]*Source) {})
		engine.ConsumeAll()
		return opened
	}
	if open(dot, TextSource("x.json", "{}")) {
		t.Error("opened a scenario where there is none")
	}
	second := examples.List()[1]
	if !open(dot, TextSource("second.json", string(scenario.Encode(second.Scenario)))) || b.Inputs.name != second.Title {
		t.Errorf("has %q, want %q", b.Inputs.name, second.Title)
	}
	if !open(TextSource("r.json", string(scenario.Encode(requests("requests", 0))))) {
		t.Error("a scenario of another kind was not opened")
	}
	engine.ConsumeAll()
	if b.Inputs.name != second.Title || request.scenario == nil || request.scenario.Kind != qoskind.Name {
		t.Errorf("has %q, and asked for %v; want %q, and another view to open the scenario", b.Inputs.name, request.scenario, second.Title)
	}
}

// The error about an invalid scenario has the file's name, the field and the line. The page does
// not take the file for an input of another format.
func TestAScenarioWithAMistakeChangesNothing(t *testing.T) {
	good := TextSource("g.dot", "graph {}")
	for _, test := range []struct{ text, want string }{
		{"{\"version\": 1,\n\"kind\": \"qos\",\n\"qos\": {\"wrkload\": {}}}", "x.json:3:20: qos.wrkload: unknown field"},
		{"{\"version\": 1,\n\"knid\": \"qos\", \"qos\": {}}", "x.json:2:9: knid: unknown field"},
		{"{\"version\": 1,\n\"kind\": \"experimnt\", \"name\": \"x\"}", `x.json:2:9: kind: unknown kind "experimnt"; known: `},
		{`{"version": 1, "kind": "qos", "qos": {`, "x.json:1:"},
	} {
		b, engine := mount(t, placementkind.Kind)
		before := b.Inputs
		var rest []*Source
		b.Files.OpenAmong(b.Files.Own([]*Source{good, TextSource("x.json", test.text)}), func() { t.Error("a scenario was opened") }, func(left []*Source) { rest = left })
		engine.ConsumeAll()
		if !strings.Contains(b.Complaint, test.want) || !strings.HasSuffix(b.Complaint, "Berth left it out.") {
			t.Errorf("%s: said %q, want %q", test.text, b.Complaint, test.want)
		}
		if len(rest) != 1 || rest[0] != good || !b.Inputs.SameWork(before) {
			t.Errorf("%s: %d files are left", test.text, len(rest))
		}
	}
}

// A draft arrives from the browser's storage. An edit before its arrival is kept, and
// Undo restores the draft.
func TestADraftNeverReplacesAnEdit(t *testing.T) {
	b, _ := mount(t, placementkind.Kind)
	b.Edit("seed", seed(7))
	draft := requests("earlier work", 0)
	b.Lab.Draft.start(&draft, true)
	if b.Inputs.seed != 7 {
		t.Error("the draft replaced the edit")
	}
	b.GoBack()
	if b.Inputs.name != "earlier work" {
		t.Errorf("Undo gave %q, want the draft", b.Inputs.name)
	}
}

// failing is an engine that refuses every input.
type failing struct{}

func (failing) Serve(_ context.Context, call bridge.Message, send func(bridge.Message)) {
	m, _ := call.Reply(bridge.KindError, bridge.Error{Message: "asked to " + string(call.Method)}, nil)
	send(m)
}

// The engine decodes foreign input; the page never does.
func TestThePageDecodesNothingItself(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	before := b.Inputs
	b.Engine = bridge.NewPool(1, bridge.Local(func() bridge.Server { return failing{} }))
	document := scenario.Encode(examples.List()[1].Scenario)
	b.Files.OpenAmong([]*Source{TextSource("s.json", string(document))}, func() { t.Error("a file was opened") }, func([]*Source) {})
	b.Address.OpenLink(linkTo(t, examples.List()[1].Scenario), func() {}, func() {})
	engine.ConsumeAll()
	if !b.Inputs.SameWork(before) || !strings.Contains(b.Complaint, "asked to open") {
		t.Errorf("complained %q; want what the engine said, and the inputs as they were", b.Complaint)
	}
}

// The last of several links counts, in whatever order they are decoded.
func TestTheLastLinkCounts(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	none := func() {}
	before := b.Inputs.name
	b.Address.OpenLink(linkTo(t, examples.List()[1].Scenario), none, none)
	b.Address.OpenLink(linkTo(t, examples.List()[2].Scenario), none, none)
	engine.ConsumeAll()
	if b.Inputs.name != examples.List()[2].Title {
		t.Errorf("has %q, want the second link's", b.Inputs.name)
	}
	b.GoBack()
	if b.Inputs.name != before {
		t.Errorf("before that there was %q, want %q: the first link was opened too", b.Inputs.name, before)
	}
}

func TestWorkThatGivesWayIsKept(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	b.Edit("seed", seed(7))
	engine.ConsumeAll()
	b.Opening.GiveWay("open example", &toy{name: "other", jobs: []string{"b"}})
	engine.ConsumeAll()
	if b.Unsaved || b.Inputs.name != "other" {
		t.Errorf("has %q, unsaved %v; want other, false", b.Inputs.name, b.Unsaved)
	}
	kept := labtest.Recorded(t, b.Shelf, (&toy{name: examples.List()[0].Title, seed: 7}).Input().Scenario.Hash())
	if qoskind.Of(kept).Seed != 7 {
		t.Errorf("the history has %v, want the inputs with seed 7", kept)
	}
	b.GoBack()
	if b.Inputs.seed != 7 || !b.Unsaved {
		t.Errorf("undo gave seed %d, unsaved %v; want 7, true", b.Inputs.seed, b.Unsaved)
	}
}

// The page keeps a button's first handler.
func TestAnExportIsOfTheLastMenu(t *testing.T) {
	b, _ := mount(t, placementkind.Kind)
	b.Shown = &Work[*toy]{}
	saved := 0
	for result := range 3 {
		b.Exports.Menu(Export{Name: "figures", Do: func() { saved = result }})
	}
	if b.Exports.do("figures"); saved != 2 {
		t.Errorf("the export is of result %d, want the last, 2", saved)
	}
}

// Writing a file may take as long as a run. If the user cancels the export, the worker stops writing.
func TestACancelledExportReachesItsRun(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	for _, cancel := range []func(){b.Exports.cancelExport, func() {
		b.Exports.Export("", func(context.Context) (*scenario.Export, error) { return &scenario.Export{}, nil })
	}} {
		begun, heard := make(chan bool), make(chan error, 1)
		b.Exports.Export("", func(ctx context.Context) (*scenario.Export, error) {
			close(begun)
			<-ctx.Done()
			heard <- ctx.Err()
			return nil, ctx.Err()
		})
		<-begun
		cancel()
		engine.ConsumeAll()
		if err := <-heard; err == nil || b.Exports.writing != nil || b.Complaint != "" {
			t.Errorf("the writer heard %v, is still waited for: %v, complaint %q", err, b.Exports.writing != nil, b.Complaint)
		}
	}
}

// silent is an engine that answers only when it is stopped.
type silent struct{}

func (silent) Serve(ctx context.Context, call bridge.Message, send func(bridge.Message)) {
	<-ctx.Done()
	m, _ := call.Reply(bridge.KindError, bridge.Error{Message: "stopped"}, nil)
	send(m)
}

// Without a call the phase is never Running, after any sequence of operations, such as a comparison
// that replaces a run, or a late error.
func TestNothingRunsWithoutACall(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	b.Engine = bridge.NewPool(1, bridge.Local(func() bridge.Server { return silent{} }))
	var calls []*Call
	last := func() *Call { return calls[len(calls)-1] }
	steps := []func(){
		func() {
			b.Runs.Run()
			if b.Runs.call != nil {
				calls = append(calls, b.Runs.call)
			}
		},
		func() { calls = append(calls, b.Runs.NewCall()) },
		func() { b.Edit("seed", seed(len(calls))) },
		func() { b.Runs.Failed(last(), errors.New("syntax error")) },
		func() { b.finished(last().generation, &Work[*toy]{Inputs: b.Inputs}, 0) },
		func() { b.Runs.End(last()) },
		func() { b.Runs.End(calls[0]) },
		func() { b.show(last().generation, &Work[*toy]{Inputs: b.Inputs}) },
		b.Runs.Cancel, b.GoBack, b.Files.AwaitFiles, b.Files.FilesRead,
	}
	random := rand.New(rand.NewPCG(1, 2))
	steps[0]()
	for range 600 {
		i := random.IntN(len(steps))
		if i == len(steps)-1 && b.reading == 0 {
			continue // nothing is being decoded
		}
		steps[i]()
		if b.Phase == Running && b.Runs.call == nil {
			t.Fatalf("step %d left a run without a call", i)
		}
	}
	b.Runs.Cancel()
	engine.ConsumeAll()
}

// The progress of a call appears only after a delay, and never after the call has ended.
func TestOnlyCallsThatTakeLongAreFollowed(t *testing.T) {
	b, _ := mount(t, placementkind.Kind)
	c := b.Runs.NewCall()
	if b.Runs.TakesLong() {
		t.Error("a call that has just begun is followed")
	}
	c.long = true
	if !b.Runs.TakesLong() {
		t.Error("a call that takes long is not followed")
	}
	b.Runs.End(c)
	if b.Runs.TakesLong() {
		t.Error("a call that has ended is followed")
	}
}
