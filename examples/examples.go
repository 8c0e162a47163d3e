package examples

import (
	"embed"
	"fmt"
	"path"
	"slices"

	_ "berth/engine/kinds" // that the examples are of
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/workload"
)

//go:embed *.dot *.graphml kubernetes
var texts embed.FS

// Example is a scenario with its description, which is shown before it is opened.
type Example struct {
	Name        string // short and stable, for links
	Title       string
	Description string // one line
	Scenario    scenario.Scenario
	Before      *scenario.Scenario // of a pair: its result is pinned, and that of Scenario compared with it
}

// thesisSeed is one whose federations of 50 and 100 clusters take just those
// deployments that the thesis's took (section 6.4.2).
const thesisSeed = 14

// List returns all examples, the one to begin with first.
func List() []Example {
	all := []Example{
		example("shop", "An online shop on six clusters",
			"Twelve services with CPU, memory, latency and bandwidth, across Europe, Virginia and Mumbai.",
			files("shop", 20)),
		example("thesis-small", "Eight jobs on a star of twelve clusters",
			"A pair in the thesis's own dialect; links between clusters follow from those to the centre.",
			files("thesis", 20)),
		example("backtracking", "A search that turns back",
			"The cheap site takes two of three jobs and is too far away for the third.",
			files("backtracking", 20)),
	}
	for _, clusters := range []int{50, 100, 200, 500} {
		all = append(all, example(fmt.Sprintf("thesis-%d", clusters), fmt.Sprintf("The thesis's test-bed, %d clusters", clusters),
			"All ten deployments of 5 to 200 jobs, one after the other, as in figures 6.4 to 6.7.",
			testBed(clusters)))
	}
	all = append(all, example("hard", "The thesis's hardest case",
		"200 jobs on a star of 500 clusters, whose 124,750 other links are derived.",
		hard()))
	all = append(all, clusterExamples()...)
	return slices.Concat(all, requestExamples(), masterExamples(), meghaExamples())
}

func example(name, title, description string, p placementkind.Document) Example {
	return Example{Name: name, Title: title, Description: description, Scenario: placementkind.New(title, p)}
}

func strategies(seeds int) []placementkind.StrategyRun {
	return []placementkind.StrategyRun{{Name: "heuristic"}, {Name: "random", Seeds: seeds}}
}

// file is a graph, or what stands for one, in a file of that name.
func file(name string) placementkind.Source {
	text, err := texts.ReadFile(name)
	if err != nil {
		panic(err) // the file is not part of the program
	}
	return placementkind.Source{Name: path.Base(name), Text: string(text)}
}

// files is the pair of graphs of that name.
func files(name string, seeds int) placementkind.Document {
	return placementkind.Document{
		Federation:  file(name + "-federation.dot"),
		Deployments: []placementkind.Source{file(name + "-deployment.dot")},
		Strategies:  strategies(seeds),
		Seed:        1,
	}
}

// testBed is the thesis's experiment on a federation of that size. The budget
// is a fraction of the usual one: where there is no room left the search goes
// through all of it, and finds no more.
func testBed(clusters int) placementkind.Document {
	p := placementkind.Document{Federation: federation(clusters), Strategies: strategies(3), Seed: 1, Budget: 50_000}
	for i := range graphs.Deployments {
		p.Deployments = append(p.Deployments, deployment(i))
	}
	return p
}

func hard() placementkind.Document {
	return placementkind.Document{
		Federation:  federation(500),
		Deployments: []placementkind.Source{deployment(6)},
		Strategies:  strategies(5),
		Seed:        1,
	}
}

func federation(clusters int) placementkind.Source {
	return placementkind.Source{Name: fmt.Sprintf("%d clusters", clusters), Recipe: &workload.Recipe{
		Generator: graphs.FederationGenerator, Preset: graphs.ThesisPreset, Seed: thesisSeed,
		Parameters: map[string]float64{"n_nodes": float64(clusters)},
	}}
}

func deployment(index int) placementkind.Source {
	return placementkind.Source{Name: fmt.Sprintf("deployment %d", index), Recipe: &workload.Recipe{
		Generator: graphs.DeploymentGenerator, Preset: graphs.ThesisPreset, Seed: thesisSeed, Index: index,
	}}
}
