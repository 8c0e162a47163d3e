//go:build !js

// These tests run the view with an engine in the same process. The end-to-end tests run the whole
// page in a browser, with its scripts.

package placement

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/lab/labtest"
	"berth/app/library"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/examples"
	"berth/wasm/bridge"
	"berth/wasm/graphviz"
	"berth/wasm/store"
)

// blank draws nothing, because the tests of Graphviz cover its drawings.
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
		Services: lab.Services{
			Engine: labtest.Engine(2),
			Shelf:  labtest.Shelf(),
			Drafts: labtest.Drafts(),
		},
		Renderer: blankRenderer{},
	}
	for _, c := range change {
		c(&s)
	}
	v := New(s)
	return &bench{View: v, t: t, engine: labtest.Mount(t, v)}
}

// A run of unchanged inputs is answered from the result; one of changed inputs is not.
func TestARunOfTheSameInputsIsAnswered(t *testing.T) {
	b := open(t)
	before := b.result.Batch
	if got := b.Runs.Confirmation(before); got != "" {
		t.Errorf("the first run is answered: %q", got)
	}
	answer, proved := "", b.sentence()
	b.Page.Handle("berth/announce", func(_ app.Context, a app.Action) { answer, _ = a.Value.(string) })
	b.Runs.Run()
	b.wantDone()
	if !strings.Contains(proved, "(proved)") || answer != show.Words("Same input, same result: "+proved) {
		t.Errorf("below %q the answer is %q", proved, answer)
	}
	if got, want := b.Runs.Confirmation(b.result.Batch), "Same input, same result: "+b.sentence(); got != want || b.result.Batch == before {
		t.Errorf("the answer is %q, want %q", got, want)
	}
	b.Edit("phi", func(in *inputs) { in.options.Phi = new(0.5) })
	b.wantDone()
	if got := b.Runs.Confirmation(b.result.Batch); got != "" {
		t.Errorf("other *inputs are answered: %q", got)
	}
}

// settle waits until no work is left.
func (b *bench) settle() { b.engine.ConsumeAll() }

// choose does the same as choosing a file that has been read.
func (b *bench) choose(to destination, graphs ...*lab.Source) {
	b.Files.AwaitFiles()
	b.uploads.takeGraphs(graphs, to)
	b.settle()
}

// wantDone waits until no work is left, and checks that there is a result.
func (b *bench) wantDone() {
	b.t.Helper()
	b.settle()
	if b.Phase != lab.Done {
		b.t.Fatalf("the phase is %q (%v), want done", b.Phase, b.Err)
	}
}

// second is an example that the view does not open by itself.
var second = examples.List()[1]

const (
	twoJobs     = `graph { a [request=100, limit=200]; b [request=50, limit=60]; a -- b [latency=20] }`
	oneJob      = `graph { solo [request=10, limit=10] }`
	twoClusters = `graph { eu [cpu=120, cpu_cost=1]; us [cpu=500, cpu_cost=2]; eu -- us [latency=10, latency_cost=3] }`
)

// place opens a view that places deployments on two clusters.
func place(t *testing.T, all ...*lab.Source) *bench {
	t.Helper()
	b := open(t)
	b.choose(federation, lab.TextSource("f.dot", twoClusters))
	b.choose(deployments, all...)
	return b
}

// cells returns the first two cells of each row of the placement table.
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
	if len(b.picture.rows) == 0 || b.result.Document.Hash == "" || b.Unsaved {
		t.Errorf("%d rows, hash %q, unsaved %v", len(b.picture.rows), b.result.Document.Hash, b.Unsaved)
	}
	if b.result.all == nil || b.result.all.Hash != b.result.Document.Hash {
		t.Error("the report of all strategies does not belong to the scenario that is shared")
	}
	if b.why.explanation == nil || len(b.why.rows) == 0 {
		t.Error("nothing is explained")
	}
}

func TestChosenFilesReplaceTheExample(t *testing.T) {
	b := open(t)
	before := b.result.Document.Hash
	b.choose(deployments, lab.TextSource("d.dot", twoJobs))
	b.choose(federation, lab.TextSource("f.dot", twoClusters))
	b.wantDone()
	if got, want := b.cells(), "a→eu b→us"; got != want {
		t.Errorf("placed %q, want %q", got, want)
	}
	if b.result.Document.Hash == before || b.Inputs.name != "" {
		t.Errorf("hash %s (before %s) and name %q; want another hash and no name", b.result.Document.Hash, before, b.Inputs.name)
	}
}

func TestSeveralDeploymentsFollowEachOther(t *testing.T) {
	b := place(t, lab.TextSource("one.dot", oneJob), lab.TextSource("two.dot", twoJobs))
	if got, want := b.cells(), "solo→eu a→eu b→us"; got != want {
		t.Errorf("placed %q, want %q", got, want)
	}
	b.choose(more, lab.TextSource("three.dot", oneJob))
	if got := len(b.picture.deployments); got != 3 {
		t.Errorf("%d deployments after one was added, want 3", got)
	}
	b.uploads.moveSource(0, +1)
	b.settle()
	if got := b.picture.rows[0].Cells[4].Text; got != "two.dot" {
		t.Errorf("the first row is of %s, want two.dot", got)
	}
}

func TestTheDrawnDeploymentMayGo(t *testing.T) {
	b := place(t, lab.TextSource("one.dot", oneJob), lab.TextSource("two.dot", twoJobs))
	b.picture.deployment = 1
	b.picture.draw()
	b.settle()
	b.choose(deployments, lab.TextSource("d.dot", oneJob))
	if b.picture.problem != "" || b.picture.deployment != placementkind.AllDeployments {
		t.Errorf("deployment %d is drawn: %s", b.picture.deployment, b.picture.problem)
	}
}

func TestDroppedFilesAreToldApart(t *testing.T) {
	b := open(t)
	b.choose(anywhere, lab.TextSource("x", twoClusters), lab.TextSource("y", twoJobs))
	b.wantDone()
	if b.Inputs.files[0].Name != "x" || len(b.Inputs.deployments) != 1 || b.Inputs.deployments[0].Name != "y" {
		t.Fatalf("federation %s, deployments %v", b.Inputs.files[0].Name, names(b.Inputs))
	}
	b.choose(anywhere, lab.TextSource("z", oneJob))
	if got := names(b.Inputs); len(got) != 2 {
		t.Errorf("deployments %v; a drop goes beside work of one's own", got)
	}
}

func TestADroppedScenarioIsOpened(t *testing.T) {
	b := open(t)
	b.choose(anywhere, lab.TextSource("x.json", string(scenario.Encode(second.Scenario))))
	b.wantDone()
	if b.Inputs.name != second.Title {
		t.Errorf("opened %q, want %q", b.Inputs.name, second.Title)
	}
}

func TestRunWaitsForFiles(t *testing.T) {
	b := open(t)
	b.Files.AwaitFiles()
	b.Runs.Run()
	if b.Phase != lab.Idle || b.Runs.Busy() {
		t.Fatalf("it runs while a file is read: %s", b.Phase)
	}
	b.uploads.takeGraphs([]*lab.Source{lab.TextSource("d.dot", oneJob)}, deployments)
	b.wantDone()
	if got := b.cells(); !strings.HasPrefix(got, "solo→") {
		t.Errorf("placed %q, want job solo", got)
	}
}

func TestBrokenInputKeepsTheLastResult(t *testing.T) {
	b := open(t)
	shown := b.result
	b.uploads.typed(0, "graph { a [request=-1, limit=2] }")
	b.settle()
	if b.Phase != lab.Failed || b.result != shown {
		t.Fatalf("phase %q, same result %v; want error and true", b.Phase, b.result == shown)
	}
	marks := b.Form.Found(b.Inputs.deployments[0])
	if len(marks) == 0 || marks[0].Line != 1 || b.Files.Editing != b.Inputs.deployments[0] {
		t.Errorf("marks %v, editor open %v", marks, b.Files.Editing == b.Inputs.deployments[0])
	}
	b.GoBack()
	b.wantDone()
	if b.result != shown {
		t.Error("going back to the inputs of the shown result ran them again")
	}
}

func TestALinkNeverOverwritesWork(t *testing.T) {
	b := open(t)
	other := must.Get(scenario.Decode(scenario.Encode(second.Scenario)))(t)
	link := must.Get(scenario.EncodeLink(other))(t)
	b.Form.SetOption("seed", "first seed", "4711", setSeed)
	b.settle()
	b.Address.OpenLink(lab.LinkLead+link, func() { t.Error("the link was not read") }, func() {})
	b.wantDone()
	if b.Inputs.name != other.Name || b.Unsaved {
		t.Fatalf("opened %q, unsaved %v; want %q, false", b.Inputs.name, b.Unsaved, other.Name)
	}
	b.GoBack()
	b.settle()
	if b.Inputs.options.Seed != 4711 || !b.Unsaved {
		t.Errorf("undo gave seed %d, unsaved %v; want 4711, true", b.Inputs.options.Seed, b.Unsaved)
	}
	s := labtest.Recorded(t, b.Shelf, b.result.Document.Hash)
	if placementkind.Of(s).Seed != 4711 {
		t.Errorf("the history has seed %v, want 4711", placementkind.Of(s))
	}
}

func TestABadLinkChangesNothing(t *testing.T) {
	b := open(t)
	b.Form.SetOption("seed", "first seed", "4711", setSeed)
	b.settle()
	before := b.Shown
	for _, link := range []string{"#s=1.%%%", "#s=99.abc", "#s=", "#s=1.AAAA"} {
		failed := false
		b.Address.OpenLink(link, func() { failed = true }, func() {})
		b.settle()
		if !failed || b.Shown != before || b.Phase != lab.Done || b.Inputs.options.Seed != 4711 {
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
	b.Change("seed", func(in *inputs) { in.options.Seed++ })
	b.Runs.Run()
	b.Runs.Cancel()
	b.settle()
	if b.Phase != lab.Idle || b.result != shown || b.Runs.Busy() {
		t.Errorf("phase %q, same result %v; want idle, true", b.Phase, b.result == shown)
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
	b.Form.SetOption("seed", "first seed", "4711", setSeed)
	b.settle()
	if b.Phase != lab.Failed || b.Err == nil || b.Inputs.options.Seed != 4711 || b.result == nil {
		t.Errorf("phase %q, error %v, seed %d; want error, a message, and the inputs kept", b.Phase, b.Err, b.Inputs.options.Seed)
	}
}

// broken is an engine that panics at every call.
type broken struct{}

func (broken) Serve(_ context.Context, call bridge.Message, send func(bridge.Message)) {
	m, _ := call.Reply(bridge.KindError, bridge.Error{Kind: bridge.Fault, Message: "the engine failed"}, nil)
	send(m)
}

func TestBlockedStorageBreaksNothing(t *testing.T) {
	refused := errors.New("no storage here")
	b := open(t, func(s *Services) {
		s.Shelf = library.NewShelf(s.Engine, func(context.Context) (*store.Store, error) { return nil, refused })
	})
	b.wantDone()
	s := labtest.Recorded(t, b.Shelf, b.result.Document.Hash)
	if s.Name != b.Inputs.name {
		t.Errorf("the history in memory has %q, want %q", s.Name, b.Inputs.name)
	}
}

func TestStepsOfTheExplanation(t *testing.T) {
	b := place(t, lab.TextSource("d.dot", twoJobs))
	if got, want := headOf(b.why.explanation), "job a: 1st of 2 in SJ (y = 150), on cluster eu"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.why.stepWhy(+1)
	b.why.stepWhy(+1) // stays at the last step
	if got := b.shownPlace(); len(got) != 0 {
		t.Errorf("before the next job is explained the address leads to %v, want the first", got)
	}
	b.settle()
	if got, want := b.shownPlace().Encode(), "job=b"; got != want {
		t.Errorf("the address leads to %q, want %q", got, want)
	}
	if b.why.step != 1 || b.why.explanation.Job != "b" {
		t.Errorf("step %d explains %s, want 1 and b", b.why.step, b.why.explanation.Job)
	}
	if b.why.row != 1 || b.why.element != "job-0-1" {
		t.Errorf("job b is row %d and element %s, want 1 and job-0-1", b.why.row, b.why.element)
	}
	b.comparison.explainRow(b.Page, 0)
	b.settle()
	if b.why.explanation.Job != "a" {
		t.Errorf("the first row explains %s, want a", b.why.explanation.Job)
	}
	b.why.selectWhy(b.Page, whyCM)
	b.settle()
	if m := b.why.matrix; m == nil || len(m.Values) != 4 || len(m.Rows) != 2 {
		t.Errorf("the whole CM is %v, want 2 by 2", m)
	}
}

func TestOptionsRefuseNonsense(t *testing.T) {
	b := open(t)
	setOption := func(name string) lab.Setter[*inputs] {
		return lab.SetParameter(placementkind.ParameterNamed(name), documentOf)
	}
	for _, c := range []struct {
		text string
		set  lab.Setter[*inputs]
	}{
		{"-1", setOption("phi")}, {"x", setOption("phi")}, {"NaN", setOption("phi")}, {"0", setSeeds}, {"1001", setSeeds}, {"-3", setSeed}, {"0", setOption("budget")}, {"1.5", setOption("budget")},
	} {
		before := b.Inputs
		b.Form.SetOption("field", "it", c.text, c.set)
		if !b.Inputs.SameWork(before) || !strings.Contains(b.Form.Wrong("field"), c.text) {
			t.Errorf("%q was taken: %s", c.text, b.Form.Wrong("field"))
		}
	}
}

func TestWhatIsNotPlacedIsNoSuccess(t *testing.T) {
	b := place(t, lab.TextSource("d.dot", oneJob), lab.TextSource("e.dot", `graph { huge [request=9000, limit=9000] }`))
	b.wantDone()
	if got := b.Status().State; got != shell.Partial {
		t.Errorf("the mark is %q, want %q", got, shell.Partial)
	}
	b.why.openWhy(1, 0)
	b.settle()
	if e := b.why.explanation; b.why.problem != "" || e.Job != "huge" || e.Cluster != "" {
		t.Errorf("the step that failed is not explained: %v, %s", e, b.why.problem)
	}
	if text := b.sentence(); !strings.HasPrefix(text, "incomplete: placed 1 of 2 jobs") {
		t.Errorf("the headline is %q", text)
	}
}

// If some deployments were not placed, the page shows the costs of the others. It compares costs
// only of deployments that every strategy placed.
func TestCostsCompareForWhatAllPlaced(t *testing.T) {
	golden.Long(t)
	b := open(t)
	i := slices.IndexFunc(examples.List(), func(e examples.Example) bool { return e.Name == "thesis-50" })
	b.Opening.GiveWay("open", inputsOf(&examples.List()[i].Scenario))
	b.wantDone()
	r := b.result.body()
	placed := r.Common()
	if len(placed) == 0 || len(placed) == len(r.Deployments) {
		t.Fatalf("every strategy placed %d of %d", len(placed), len(r.Deployments))
	}
	page, costs := app.HTMLString(b.comparison.comparison()), tallied(placementkind.OfCost)
	for _, want := range []string{
		fmt.Sprintf("Only the %d of %d deployments that every strategy placed in every run: deployment 0", len(placed), len(r.Deployments)),
		costs[2].of(&r.Strategies[0], r), costs[2].of(&r.Strategies[1], r), common()[2].of(&r.Strategies[1], r),
	} {
		if !strings.Contains(page, want) || want == "–" {
			t.Errorf("the comparison lacks %q", want)
		}
	}
	if rows := b.picture.deployments; len(rows) != 10 || rows[0].Cells[12].Text == "–" {
		t.Errorf("the deployments have no times: %v", rows)
	}
	details := b.headline().details
	if got := strings.Join(details, " "); !strings.Contains(got, "The first one not placed is deployment ") || !strings.Contains(got, "search steps may find one") && !strings.Contains(got, "would help") {
		t.Errorf("the headline says neither why nor what would help: %q", got)
	}
}

func TestRandomSaysWhichSeedIsDrawnAndWhatWasNotTried(t *testing.T) {
	b := open(t)
	b.picture.show(1)
	b.settle()
	if got := b.why.candidatesCaption(); !strings.HasPrefix(got, "Clusters in the random order of seed 1") {
		t.Errorf("the clusters are called %q", got)
	}
	chosen := slices.IndexFunc(b.why.rows, func(r ui.Row) bool { return r.Class == "chosen" })
	for i, row := range b.why.rows {
		if row.Class == "" && i > chosen && row.Cells[5].Text != notTried {
			t.Errorf("row %d behind the chosen one says %q", i, row.Cells[5].Text)
		}
	}
	for what, text := range map[string]string{"table": b.comparison.drawnSeed(), "comparison": b.result.caption()} {
		if !strings.Contains(text, "seed 1") {
			t.Errorf("the %s does not say which seed it is of: %q", what, text)
		}
	}
	if got := b.Status().Message; !strings.HasPrefix(got, "with the first of 20 seeds placed 12 of 12 jobs") {
		t.Errorf("the headline is %q", got)
	}
}

// A file for another laboratory is offered to that laboratory, and a file that none reads is
// refused. Neither changes the inputs.
func TestWrongFilesAreRecognisedByTheirContent(t *testing.T) {
	b := open(t)
	before := b.cells()
	for _, file := range []struct{ name, text, complaint string }{
		{"jobs.tr", "0 2 5 4 6\n", ""},
		{"requests.csv", "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\n", ""},
		{"letter.txt", "Dear reader,", "letter.txt is neither a graph in DOT, GraphML, GML, GEXF, Mermaid, JSON or CSV, objects of Kubernetes nor a scenario. Nothing was changed."},
		{"photo.dot", "\x89PNG\x00", "photo.dot: found a picture in PNG: choose the graph of the picture. Nothing was changed."},
		{"binary.dot", "a\x00b", "binary.dot is not text. Nothing was changed."},
		{"mesh.dot", "version https://git-lfs.github.com/spec/v1\n", "mesh.dot: found a Git LFS pointer: it names a file that Git stores elsewhere; fetch that with git lfs pull. Nothing was changed."},
		{"web.yaml", "kind: Deployment\nmetadata: {name: a}\n", "web.yaml: found YAML of Kubernetes without apiVersion: add the line apiVersion: apps/v1 for a Deployment, v1 for a Node or Pod. Nothing was changed."},
	} {
		for _, to := range []destination{anywhere, deployments, federation} {
			b.Complaint = ""
			b.choose(to, b.Files.Own([]*lab.Source{lab.TextSource(file.name, file.text)})...)
			if b.Complaint != file.complaint || b.cells() != before || len(b.Inputs.deployments) != 1 {
				t.Errorf("%s: %q, %d deployments", file.name, b.Complaint, len(b.Inputs.deployments))
			}
		}
	}
	b.Complaint = ""
	if own := b.Files.Own([]*lab.Source{lab.TextSource("binary.dot", "a\x00b"), lab.TextSource("a.dot", oneJob)}); len(own) != 1 || b.Complaint != "binary.dot is not text. Berth left it out." {
		t.Errorf("%d of two files are taken: %q", len(own), b.Complaint)
	}
	if own := b.Files.Own([]*lab.Source{lab.TextSource("mistake.dot", "grph {"), lab.TextSource("a.txt", oneJob)}); len(own) != 2 {
		t.Errorf("%d of a graph with a mistake and a graph of any name are taken", len(own))
	}
}

// Jobs are found by their names, and by their ids if those differ.
func TestJobsAreFoundByName(t *testing.T) {
	b := open(t)
	b.drop(lab.TextSource("mine.dot", `graph { a [label="shop", request=100, limit=200]; b [request=50, limit=60] }`))
	b.drop(lab.TextSource("federation.dot", `graph { eu [cpu=500, cpu_cost=1, label="Milan"] }`))
	b.wantDone()
	var names []string
	for _, c := range b.Things {
		names = append(names, c.Name)
	}
	if want := []string{"Job shop (a) on Milan", "Job b on Milan"}; !slices.Equal(names, want) {
		t.Errorf("found are %q, want %q", names, want)
	}
}
