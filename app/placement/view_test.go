//go:build !js

// The view against an engine in process. In a browser the end-to-end tests
// drive the whole page, with the scripts that it needs.

package placement

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/library"
	"berth/app/shell"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/graphviz"
	"berth/wasm/store"
	"berth/wasm/worker/handler"
)

// mounted is a view that is mounted outside a browser too, where go-app calls
// OnPreRender in place of OnMount.
type mounted struct{ View }

func (m *mounted) OnPreRender(ctx app.Context) { m.OnMount(ctx) }

// blank draws nothing: what Graphviz makes of a drawing is tested with it.
type blankRenderer struct{}

func (blankRenderer) Render(context.Context, []byte, graphviz.Options) ([]byte, error) {
	return []byte("<svg></svg>"), nil
}

type bench struct {
	*View
	t      *testing.T
	engine app.TestEngine
}

// open mounts a view whose engine works in this process and waits until it has
// settled.
func open(t *testing.T, change ...func(*Services)) *bench {
	t.Helper()
	s := Services{
		Engine:   bridge.NewPool(2, bridge.Local(func() bridge.Server { return handler.New(nil) })),
		Renderer: blankRenderer{},
		Shelf:    library.NewShelf(func(context.Context) (*store.Store, error) { return store.Memory(), nil }),
	}
	for _, c := range change {
		c(&s)
	}
	m := &mounted{View{Services: s}}
	b := &bench{View: &m.View, t: t, engine: app.NewTestEngine()}
	if err := b.engine.Load(m); err != nil {
		t.Fatal(err)
	}
	b.settle()
	return b
}

// settle waits until nothing is under way.
func (b *bench) settle() { b.engine.ConsumeAll() }

// choose is what choosing a file does once it was read.
func (b *bench) choose(to destination, graphs ...*graph) {
	b.awaitFiles()
	b.arrived(graphs, to)
	b.settle()
}

func (b *bench) wantDone() {
	b.t.Helper()
	if b.phase != done {
		b.t.Fatalf("the phase is %q (%v), want done", b.phase, b.err)
	}
}

const (
	twoJobs     = `graph { a [request=100, limit=200]; b [request=50, limit=60]; a -- b [latency=20] }`
	oneJob      = `graph { solo [request=10, limit=10] }`
	twoClusters = `graph { eu [cpu=120, cpu_cost=1]; us [cpu=500, cpu_cost=2]; eu -- us [latency=10, latency_cost=3] }`
)

// cells are the first two cells of each row of the placement table.
func (b *bench) cells() string {
	var rows []string
	for _, r := range b.picture.rows {
		rows = append(rows, r.Cells[0].Text+"→"+r.Cells[1].Text)
	}
	return strings.Join(rows, " ")
}

func TestOpensWithAnExamplePlaced(t *testing.T) {
	b := open(t)
	b.wantDone()
	if len(b.picture.rows) == 0 || b.result.document.Hash == "" || b.unsaved {
		t.Errorf("%d rows, hash %q, unsaved %v", len(b.picture.rows), b.result.document.Hash, b.unsaved)
	}
	if b.result.all == nil || b.result.all.Hash != b.result.document.Hash {
		t.Error("the report of all strategies does not belong to the scenario that is shared")
	}
	if b.why.explanation == nil || len(b.why.rows) == 0 {
		t.Error("nothing is explained")
	}
}

func TestChosenFilesReplaceTheExample(t *testing.T) {
	b := open(t)
	before := b.result.document.Hash
	b.choose(deployments, textGraph("d.dot", twoJobs))
	b.choose(federation, textGraph("f.dot", twoClusters))
	b.wantDone()
	if got, want := b.cells(), "a→eu b→us"; got != want {
		t.Errorf("placed %q, want %q", got, want)
	}
	if b.result.document.Hash == before || b.inputs.name != "" {
		t.Errorf("hash %s (before %s) and name %q; want another hash and no name", b.result.document.Hash, before, b.inputs.name)
	}
}

func TestSeveralDeploymentsFollowEachOther(t *testing.T) {
	b := open(t)
	b.choose(federation, textGraph("f.dot", twoClusters))
	b.choose(deployments, textGraph("one.dot", oneJob), textGraph("two.dot", twoJobs))
	if got, want := b.cells(), "solo→eu a→eu b→us"; got != want {
		t.Errorf("placed %q, want %q", got, want)
	}
	b.choose(more, textGraph("three.dot", oneJob))
	if got := len(b.picture.deployments); got != 3 {
		t.Errorf("%d deployments after one was added, want 3", got)
	}
	b.moveSource(0, +1)
	b.settle()
	if got := b.picture.rows[0].Cells[4].Text; got != "two.dot" {
		t.Errorf("the first row is of %s, want two.dot", got)
	}
}

func TestTheDrawnDeploymentMayGo(t *testing.T) {
	b := open(t)
	b.choose(federation, textGraph("f.dot", twoClusters))
	b.choose(deployments, textGraph("one.dot", oneJob), textGraph("two.dot", twoJobs))
	b.picture.deployment = 1
	b.draw()
	b.settle()
	b.choose(deployments, textGraph("d.dot", oneJob))
	if b.picture.problem != "" || b.picture.deployment != scenario.AllDeployments {
		t.Errorf("deployment %d is drawn: %s", b.picture.deployment, b.picture.problem)
	}
}

func TestDroppedFilesAreToldApart(t *testing.T) {
	b := open(t)
	b.choose(anywhere, textGraph("x", twoClusters), textGraph("y", twoJobs))
	b.wantDone()
	if b.inputs.federation.Name != "x" || len(b.inputs.deployments) != 1 || b.inputs.deployments[0].Name != "y" {
		t.Fatalf("federation %s, deployments %v", b.inputs.federation.Name, names(b.inputs))
	}
	b.choose(anywhere, textGraph("z", oneJob))
	if got := names(b.inputs); len(got) != 2 {
		t.Errorf("deployments %v; a drop goes beside work of one's own", got)
	}
}

func TestADroppedScenarioIsOpened(t *testing.T) {
	b := open(t)
	b.choose(anywhere, textGraph("x.json", string(exampleList[1].Scenario)))
	b.wantDone()
	if b.inputs.name != exampleList[1].Title {
		t.Errorf("opened %q, want %q", b.inputs.name, exampleList[1].Title)
	}
}

func TestRunWaitsForFiles(t *testing.T) {
	b := open(t)
	b.awaitFiles()
	b.run()
	if b.phase != idle || b.call != nil {
		t.Fatalf("it runs while a file is read: %s", b.phase)
	}
	b.arrived([]*graph{textGraph("d.dot", oneJob)}, deployments)
	b.settle()
	b.wantDone()
	if got := b.cells(); !strings.HasPrefix(got, "solo→") {
		t.Errorf("placed %q, want job solo", got)
	}
}

func TestBrokenInputKeepsTheLastResult(t *testing.T) {
	b := open(t)
	shown := b.result
	b.typed(0, "graph { a [request=-1, limit=2] }")
	b.settle()
	if b.phase != failed || b.result != shown {
		t.Fatalf("phase %q, same result %v; want error and true", b.phase, b.result == shown)
	}
	marks := b.checks[b.inputs.deployments[0]].marks()
	if len(marks) == 0 || marks[0].Line != 1 || b.editing != b.inputs.deployments[0] {
		t.Errorf("marks %v, editor open %v", marks, b.editing == b.inputs.deployments[0])
	}
	b.goBack()
	b.settle()
	b.wantDone()
	if b.result != shown {
		t.Error("going back to the inputs of the shown result ran them again")
	}
}

func TestALinkNeverOverwritesWork(t *testing.T) {
	b := open(t)
	other := exampleInputs(exampleList[1])
	link, err := scenario.EncodeLink(other.scenario())
	if err != nil {
		t.Fatal(err)
	}
	b.setOption("seed", "4711", setSeed)
	b.settle()
	b.openLink(linkLead + link)
	b.settle()
	b.wantDone()
	if b.inputs.name != other.name || b.unsaved {
		t.Fatalf("opened %q, unsaved %v; want %q, false", b.inputs.name, b.unsaved, other.name)
	}
	b.goBack()
	b.settle()
	if b.inputs.options.Seed != 4711 || !b.unsaved {
		t.Errorf("undo gave seed %d, unsaved %v; want 4711, true", b.inputs.options.Seed, b.unsaved)
	}
	s, err := b.Shelf.Recorded(t.Context(), b.result.document.Hash)
	if err != nil || s.Placement.Seed != 4711 {
		t.Errorf("the history has seed %v (%v), want 4711", s.Placement, err)
	}
}

func TestABadLinkChangesNothing(t *testing.T) {
	b := open(t)
	b.setOption("seed", "4711", setSeed)
	b.settle()
	generation := b.generation
	for _, link := range []string{"#s=1.%%%", "#s=99.abc", "#s=", "#s=1.AAAA"} {
		if b.openLink(link) || b.generation != generation || b.inputs.options.Seed != 4711 {
			t.Errorf("%s changed the work", link)
		}
	}
}

func TestCancelKeepsWhatWasShown(t *testing.T) {
	block := make(chan struct{})
	defer close(block)
	b := open(t)
	shown := b.result
	b.Engine = bridge.NewPool(2, bridge.Local(func() bridge.Server { return stuck{block} }))
	b.change("seed", func(in *inputs) { in.options.Seed++ })
	b.run()
	b.cancel()
	b.settle()
	if b.phase != idle || b.result != shown || b.call != nil {
		t.Errorf("phase %q, same result %v; want idle, true", b.phase, b.result == shown)
	}
	if b.runsItself() {
		t.Error("a cancelled run starts again by itself")
	}
}

// stuck is an engine that never answers.
type stuck struct{ block chan struct{} }

func (s stuck) Serve(ctx context.Context, _ bridge.Message, _ func(bridge.Message)) {
	select {
	case <-s.block:
	case <-ctx.Done():
	}
}

func TestAPanicOfTheEngineIsAMessage(t *testing.T) {
	b := open(t)
	b.Engine = bridge.NewPool(1, bridge.Local(func() bridge.Server { return broken{} }))
	b.setOption("seed", "4711", setSeed)
	b.settle()
	if b.phase != failed || b.err == nil || b.inputs.options.Seed != 4711 || b.result == nil {
		t.Errorf("phase %q, error %v, seed %d; want error, a message, and the inputs kept", b.phase, b.err, b.inputs.options.Seed)
	}
}

// broken is an engine that answers every call as one that panicked.
type broken struct{}

func (broken) Serve(_ context.Context, call bridge.Message, send func(bridge.Message)) {
	m, _ := call.Reply(bridge.KindError, bridge.Error{Kind: bridge.Fault, Message: "the engine failed"}, nil)
	send(m)
}

func TestBlockedStorageBreaksNothing(t *testing.T) {
	refused := errors.New("no storage here")
	b := open(t, func(s *Services) {
		s.Shelf = library.NewShelf(func(context.Context) (*store.Store, error) { return nil, refused })
	})
	b.wantDone()
	if again := b.Shelf.Refusal(t.Context()); again != "" {
		t.Errorf("told a second time: %s", again)
	}
	s, err := b.Shelf.Recorded(t.Context(), b.result.document.Hash)
	if err != nil || s.Name != b.inputs.name {
		t.Errorf("the history in memory has %q (%v), want %q", s.Name, err, b.inputs.name)
	}
}

func TestStepsOfTheExplanation(t *testing.T) {
	b := open(t)
	b.choose(federation, textGraph("f.dot", twoClusters))
	b.choose(deployments, textGraph("d.dot", twoJobs))
	if got, want := headOf(b.why.explanation), "job a: 1st of 2 in SJ (y = 150), on cluster eu"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.nextStep()
	b.nextStep() // stays at the last
	b.settle()
	if b.why.step != 1 || b.why.explanation.Job != "b" {
		t.Errorf("step %d explains %s, want 1 and b", b.why.step, b.why.explanation.Job)
	}
	if b.why.row != 1 || b.why.element != "job-0-1" {
		t.Errorf("job b is row %d and element %s, want 1 and job-0-1", b.why.row, b.why.element)
	}
	b.explainRow(b.page, 0)
	b.settle()
	if b.why.explanation.Job != "a" {
		t.Errorf("the first row explains %s, want a", b.why.explanation.Job)
	}
	b.selectWhy(b.page, whyCM)
	b.settle()
	if m := b.why.matrix; m == nil || len(m.Values) != 4 || len(m.Rows) != 2 {
		t.Errorf("the whole CM is %v, want 2 by 2", m)
	}
}

func TestOptionsRefuseNonsense(t *testing.T) {
	b := open(t)
	for _, c := range []struct {
		text string
		set  setter
	}{
		{"-1", setPhi}, {"x", setPhi}, {"NaN", setPhi}, {"0", setSeeds}, {"1001", setSeeds}, {"-3", setSeed}, {"0", setBudget}, {"1.5", setBudget},
	} {
		generation := b.generation
		if b.setOption("field", c.text, c.set); b.generation != generation || !strings.Contains(b.trouble, c.text) {
			t.Errorf("%q was taken: %s", c.text, b.trouble)
		}
	}
}

func TestWhatIsNotPlacedIsNoSuccess(t *testing.T) {
	b := open(t)
	b.choose(federation, textGraph("f.dot", twoClusters))
	b.choose(deployments, textGraph("d.dot", oneJob), textGraph("e.dot", `graph { huge [request=9000, limit=9000] }`))
	b.wantDone()
	if got := b.mark(); got != shell.Partial {
		t.Errorf("the mark is %q, want %q", got, shell.Partial)
	}
	b.openWhy(1, 0)
	b.settle()
	if e := b.why.explanation; b.why.problem != "" || e.Job != "huge" || e.Cluster != "" {
		t.Errorf("the step that failed is not explained: %v, %s", e, b.why.problem)
	}
	if text, _ := b.headline(); !strings.HasPrefix(text, "incomplete: placed 1 of 2 jobs") {
		t.Errorf("the headline is %q", text)
	}
}
