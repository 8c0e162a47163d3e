package placement

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/wasm/bridge"
	"berth/wasm/graphviz"
)

// Services are the dependencies of the view.
type Services struct {
	lab.Services
	Renderer graphviz.Renderer
}

// View is the placement laboratory.
type View struct {
	app.Compo
	*lab.Lab[*inputs] // a pointer: go-app compares and copies what fields hold
	Renderer          graphviz.Renderer

	result *result // the last one that was got, kept through errors
	shown  int     // number of the strategy whose result is shown

	checks      map[*lab.Source]*check
	regenerates *lab.Source // whose recipe is in the dialog that generates; nil for a new one
	picture     picture
	why         why
	play        play
	carried     carrying
	outlook     outlooks
	asking      asking // of the what-if
	ruling      ruling
	sought      bool // a search has begun beside some result
	beside      beside
	tradeoffs   *tradeoffs // of the last result that they were asked of
	drops       []*drop    // that wait for their turn
	taking      bool       // one is being taken
	nodes       nodes
	inferred    inferred
	pricing     map[string]hourly // prices that were typed in the table
	sensitive   sensitive
	clusterAsk  askCluster
	course      *searching // that the user began and that is under way; nil for none
	improved    *searching // the last one whose inputs the page took
}

// result is what running some inputs gave.
type result struct {
	*lab.Batch[*inputs]
	first *bridge.Result // of the strategy that leads
	all   *bridge.Result // of all strategies; nil until they have run, and a part of them if they were stopped
	best  *searching     // beside the result; nil for none
}

// New returns the view.
func New(s Services) *View {
	v := &View{Renderer: s.Renderer, Lab: &lab.Lab[*inputs]{}}
	v.Services = s.Services
	return v
}

// OnInit begins with nothing.
func (v *View) OnInit() {
	v.Init(lab.System[*inputs]{
		Kind: placementkind.Kind, Inputs: inputsOf, Screen: v.screen,
		Files: lab.Files{
			Arrived: func(graphs []*lab.Source) { v.takeGraphs(graphs, anywhere) }, Limit: limits,
			Reads:  "a graph in DOT, GraphML, GML, GEXF, Mermaid, JSON or CSV, objects of Kubernetes",
			Memory: manifestMemory, Named: ofDOT,
		},
		Checks:  lab.Checks[*inputs]{Look: v.look, Settled: v.checkAll, Control: v.blamed, Repairs: v.repairs(), Opens: true},
		Runs:    lab.Runs[*inputs]{Begins: v.begins, Shown: v.arrive},
		BuiltIn: placement.Names(), Parted: v.parted,
		Tour: []string{
			"Each box is a cluster of machines with the jobs that Berth placed there; lines are links that dependencies use, and cost. Drag a job to another cluster to see what that would cost.",
			"All jobs are placed, for this sum. Behind it is the lowest sum that any placement can have, with a proof where there is one. Show the best moves the jobs there.",
			"This says why a job is where it is: the clusters that were tried before, and why each was refused. Press another job in the picture, or the arrows.",
			"Play the search: each step is a job that is tried on a cluster, refused, placed, or taken back.",
			"These numbers matter most here. Drag one, and the placement follows at once.",
		},
		Places: lab.Places{GoTo: v.goTo, Commands: append(lab.StepCommands("job", v.stepWhy), v.viewCommands()...)},
		Step:   "job",
	})
	v.checks, v.pricing, v.nodes.classes = map[*lab.Source]*check{}, map[string]hourly{}, map[string]string{}
	v.picture.deployment = placementkind.AllDeployments
	v.why.tab = whyRow
	v.play.speed = playSpeeds[1]
	v.outlook.of = v
}

// screen describes the screen to the Lab.
func (v *View) screen() lab.Screen[*inputs] {
	s := lab.Screen[*inputs]{Says: v.sentence(), Read: func(g *lab.Source) lab.Read { return lab.Read{Size: v.sizeText(g)} }}
	nodes := v.pictureView() == nodesView
	if v.result != nil && !nodes {
		s.Dials = v.dials()
	}
	if v.Phase == lab.Done {
		s.Short, s.Place = v.result.stop() != "" || !complete(v.result.report(v.shown)), v.shownPlace()
		if nodes {
			s.Short = v.said() == nil || len(v.said().Waiting) > 0
		}
	}
	return s
}

// Render draws the four panes and the open dialog.
func (v *View) Render() app.UI {
	return v.Workbench(lab.Panes{
		Input: v.inputPane, Result: v.resultPane, Compare: v.comparePane, Why: v.whyPane,
		ResultTools: v.resultTools, WhyTools: v.whyTools,
		Dialogs: []app.UI{v.generateDialog(), v.pasteDialog()},
		Stage: lab.Stage{
			About:   "Where should each service run? Drop Kubernetes YAML or .dot anywhere, or play with this example.",
			Picture: v.resultPane, Card: v.whyCard, Player: v.stagePlayer, Compare: v.compareOnStage, Compares: v.comparesOnStage(),
		},
	})
}
