package graphs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// The generators and their presets. Listing has the numbers of listings 6.2 and 6.3 of the thesis,
// and thesis the numbers that match its results (section 6.4.2). Author is only for federations:
// its link prices are from the configuration that the author of the thesis published.
const (
	DeploymentGenerator = "deployment"
	FederationGenerator = "federation"
	ThesisPreset        = "thesis"
	ListingPreset       = "listing"
	AuthorPreset        = "author"
)

func presetsOf(generator string) []string {
	if generator == FederationGenerator {
		return []string{ThesisPreset, ListingPreset, AuthorPreset}
	}
	return []string{ThesisPreset, ListingPreset}
}

// The thesis's ten deployments.
var (
	thesisJobs         = [...]float64{5, 10, 20, 40, 70, 100, 200, 50, 30, 10}
	thesisDependencies = [...]float64{15, 20, 40, 80, 150, 200, 380, 90, 50, 22}
)

// Deployments is the number of deployments in the thesis preset.
const Deployments = len(thesisJobs)

const (
	maxNodes  = 1_000_000
	maxEdges  = 2_000_000
	maxFigure = 1e9
)

// Defaults returns the parameters of a generator with the values of a preset, in display order.
func Defaults(generator, preset string) ([]parameter.Parameter, error) {
	return defaults(workload.Recipe{Generator: generator, Preset: preset})
}

func defaults(r workload.Recipe) ([]parameter.Parameter, error) {
	if presets := presetsOf(r.Generator); !slices.Contains(presets, r.Preset) {
		return nil, fmt.Errorf("preset: %q is unknown: expected %s", r.Preset, strings.Join(presets, " or "))
	}
	switch r.Generator {
	case DeploymentGenerator:
		return deploymentDefaults(r)
	case FederationGenerator:
		if r.Index != 0 {
			return nil, fmt.Errorf("index: %d is for the thesis's deployments: a federation has none", r.Index)
		}
		return federationDefaults(r.Preset), nil
	}
	return nil, fmt.Errorf("generator: %q is unknown: expected %s or %s", r.Generator, DeploymentGenerator, FederationGenerator)
}

func deploymentDefaults(r workload.Recipe) ([]parameter.Parameter, error) {
	request, latency, jobs, dependencies := [2]float64{100, 500}, [2]float64{10, 80}, 5.0, 20.0
	switch {
	case r.Preset == ListingPreset && r.Index != 0:
		return nil, fmt.Errorf("index: %d is for the preset %s: %s has one deployment", r.Index, ThesisPreset, ListingPreset)
	case r.Index < 0 || r.Index >= Deployments:
		return nil, fmt.Errorf("index: %d is not one of the %d deployments: expected 0 to %d", r.Index, Deployments, Deployments-1)
	case r.Preset == ThesisPreset:
		request, latency = [2]float64{100, 956}, [2]float64{20, 80}
		if r.Index == 1 { // its requests average 685 units per job
			request = [2]float64{370, 1000}
		}
		jobs, dependencies = thesisJobs[r.Index], thesisDependencies[r.Index]
	}
	return slices.Concat(
		[]parameter.Parameter{
			{Name: "n_nodes", Title: "jobs", Low: 1, High: maxNodes, Whole: true, Default: jobs},
			{Name: "n_edges", Title: "dependencies", Hint: "before parallel ones are merged", High: maxEdges, Whole: true, Default: dependencies},
		},
		workload.Interval("request", request, "units", "request of a job", 0.01),
		workload.Interval("limit", [2]float64{100, 1000}, "units", "limit of a job, at least its request", 0.01),
		workload.Interval("latency", latency, "ms", "latency bound of a dependency", 0),
	), nil
}

func federationDefaults(preset string) []parameter.Parameter {
	clusters, linkPrice := 50.0, [2]float64{0.1, 0.2}
	switch preset {
	case ListingPreset:
		clusters = 500
	case AuthorPreset: // from fed_config.yml of the author's graph creator; 50 clusters with the centre
		clusters, linkPrice = 49, [2]float64{10, 100}
	}
	return slices.Concat(
		[]parameter.Parameter{{Name: "n_nodes", Title: "clusters, without the centre", High: maxNodes - 1, Whole: true, Default: clusters}},
		workload.Interval("amount", [2]float64{1000, 3000}, "units", "capacity of a cluster", 0),
		workload.Interval("cost", [2]float64{0.4, 1}, "per unit", "price of a cluster", 0),
		workload.Interval("request", [2]float64{100, 1000}, "units", "request that a cluster accepts", 0),
		workload.Interval("limit", [2]float64{100, 1500}, "units", "limit that a cluster accepts", 0),
		workload.Interval("latency", [2]float64{4, 15}, "ms", "latency of a link to the centre", 0),
		workload.Interval("latency_cost", linkPrice, "", "price of a link to the centre", 0),
		[]parameter.Parameter{
			{Name: "center_amount", Unit: "units", Title: "capacity of the centre", High: maxFigure, Default: 2000},
			{Name: "center_cost", Unit: "per unit", Title: "price of the centre", High: maxFigure},
		},
	)
}

// numbers returns the figures of a recipe by name; see [Figures]. A recipe for another generator is
// an error.
func numbers(r workload.Recipe, generator string) (map[string]float64, error) {
	if r.Generator != generator {
		return nil, r.Unwanted(generator)
	}
	_, values, err := Figures(r)
	return values, err
}

// Figures returns the parameters of a recipe, and its checked figures by name.
func Figures(r workload.Recipe) ([]parameter.Parameter, map[string]float64, error) {
	parameters, err := defaults(r)
	if err != nil {
		return nil, nil, err
	}
	values, err := r.Fill(parameters)
	if err != nil {
		return nil, nil, err
	}
	if _, given := r.Parameters["n_edges"]; r.Generator == DeploymentGenerator && !given {
		preset := values["n_edges"] / parameters[0].Default // dependencies per job
		values["n_edges"] = defaultEdges(values["n_nodes"], preset)
	}
	return parameters, values, nil
}

// Dependencies returns the number of dependencies that the generator of a deployment draws.
// Parallel ones are merged, so the graph may have fewer.
func Dependencies(r workload.Recipe) (int, error) {
	values, err := numbers(r, DeploymentGenerator)
	return int(values["n_edges"]), err
}

// Size returns the largest numbers of nodes and edges that the graph of a recipe can have.
func Size(r workload.Recipe) (nodes, edges int, err error) {
	_, values, err := Figures(r)
	nodes, edges = int(values["n_nodes"]), int(values["n_edges"])
	if r.Generator == FederationGenerator {
		return nodes + 1, nodes, err // with the centre, which every link ends at
	}
	return nodes, edges, err
}

// defaultEdges scales the number of dependencies in proportion to the number of jobs.
func defaultEdges(nodes, perNode float64) float64 {
	if nodes < 2 {
		return 0
	}
	return min(max(math.Round(nodes*perNode), nodes-1), maxEdges)
}
