package placement

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/wasm/bridge"
	"berth/wasm/graphviz"
)

// Services are the dependencies of the view.
type Services struct {
	lab.Services
	Renderer graphviz.Renderer
	Narrow   func() bool // whether the window is as narrow as a phone; nil for never
}

// View is the go-app component of the placement laboratory.
type View struct {
	app.Compo
	*lab.Lab[*inputs] // a pointer, because go-app compares and copies the fields of components
	Renderer          graphviz.Renderer
	Narrow            func() bool // see [Services]

	result *result // the last result, which stays while later runs fail
	shown  int     // index of the shown strategy

	carried   carrying
	outlook   outlooks
	sensitive sensitive

	uploads    uploads
	forms      forms
	picture    picture
	why        why
	play       play
	searches   searches
	comparison comparison
	whatIf     whatIfForm
	nodes      nodes
	clusterAsk askCluster
	challenge  challenge
}

// result is a batch with its parts by strategy.
type result struct {
	*lab.Batch[*inputs]
	first *bridge.Result // of the leading strategy
	all   *bridge.Result // of all strategies, possibly partial; nil until it arrives
	best  *searching     // search started by the page; nil for none
}

func New(s Services) *View {
	v := &View{Renderer: s.Renderer, Narrow: s.Narrow, Lab: &lab.Lab[*inputs]{}}
	v.Services = s.Services
	return v
}

// OnInit sets up the view with blank inputs.
func (v *View) OnInit() {
	v.uploads.view, v.forms.view, v.picture.view, v.why.view, v.play.view = v, v, v, v, v
	v.searches.view, v.comparison.view, v.whatIf.view, v.nodes.view, v.clusterAsk.view = v, v, v, v, v
	v.Init(lab.System[*inputs]{
		Kind: placementkind.Kind, Inputs: inputsOf, Screen: v.screen,
		Files: lab.Files{
			Arrived: func(graphs []*lab.Source) { v.uploads.takeGraphs(graphs, anywhere) }, Limit: limits,
			Reads:  "a graph in DOT, GraphML, GML, GEXF, Mermaid, JSON or CSV, objects of Kubernetes",
			Memory: manifestMemory, Named: ofDOT,
		},
		Checks:  lab.Checks[*inputs]{Look: v.uploads.look, Settled: v.uploads.checkAll, Control: v.blamed, Repairs: v.forms.repairs(), Opens: true},
		Runs:    lab.Runs[*inputs]{Begins: v.begins, Shown: v.arrive},
		BuiltIn: placement.Names(), Parted: v.parted,
		Tour: []string{
			"Each box is a cluster of machines with the jobs that Berth placed there; lines are links that dependencies use, and cost. Drag a job to another cluster to see what that would cost.",
			"All jobs are placed, for this sum. Behind it is the lowest sum that any placement can have, with a proof where there is one. Show the best moves the jobs there.",
			"This says why a job is where it is: the clusters that were tried before, and why each was refused. Press another job in the picture, or the arrows.",
			"Play the search: each step is a job that is tried on a cluster, refused, placed, or taken back.",
			"These numbers matter most here. Drag one, and the placement follows at once.",
		},
		Places: lab.Places{GoTo: v.goTo, Commands: append(lab.StepCommands("job", v.why.stepWhy), v.picture.viewCommands()...)},
		Step:   "job",
	})
	v.uploads.checks, v.forms.pricing, v.nodes.classes = map[*lab.Source]*check{}, map[string]hourly{}, map[string]string{}
	v.picture.deployment = placementkind.AllDeployments
	v.why.tab = whyRow
	v.play.speed = playSpeeds[1]
	v.outlook.view, v.challenge.view = v, v
}

// OnMount also redraws the picture when the window becomes narrow or wide.
func (v *View) OnMount(ctx app.Context) {
	v.Lab.OnMount(ctx)
	v.Listen("berth:narrow", func(app.Context, app.Event) {
		if v.result != nil && v.picture.of.View == drawing.ResultView {
			v.picture.draw()
		}
		if v.result != nil && v.play.shown != nil {
			v.play.askPlayed(v.play.step, 0)
		}
	})
}

// screen describes the screen to the Lab.
func (v *View) screen() lab.Screen[*inputs] {
	s := lab.Screen[*inputs]{Says: v.sentence(), Read: func(g *lab.Source) lab.Read { return lab.Read{Size: v.uploads.sizeText(g)} }}
	nodes := v.picture.pictureView() == nodesView
	if v.result != nil && !nodes {
		s.Dials = v.dials()
	}
	if v.Phase == lab.Done {
		s.Short, s.Place = v.result.stop() != "" || !complete(v.result.report(v.shown)), v.shownPlace()
		if nodes {
			s.Short = v.nodes.said() == nil || len(v.nodes.said().Waiting) > 0
		}
	}
	return s
}

// Render draws the workbench or the stage with the panes of this view.
func (v *View) Render() app.UI {
	return v.Workbench(lab.Panes{
		Input: v.uploads.inputPane, Result: v.picture.resultPane, Compare: v.comparison.comparePane, Why: v.why.whyPane,
		ResultTools: v.picture.resultTools, WhyTools: v.why.whyTools,
		Dialogs: []app.UI{v.uploads.generateDialog(), v.uploads.pasteDialog()},
		Stage: lab.Stage{
			About:   "Where should each service run? Drop Kubernetes YAML or .dot anywhere, or play with this example.",
			Picture: v.picture.resultPane, Card: v.why.whyCard, Player: v.play.stagePlayer, Also: v.challenge.button, Compare: v.comparison.compareOnStage, Compares: v.comparison.comparesOnStage(),
		},
	})
}
