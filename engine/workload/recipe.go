package workload

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Recipe says how to generate a graph or a workload.
type Recipe struct {
	Generator  string             `json:"generator"` // deployment, federation or jobs
	Preset     string             `json:"preset"`    // thesis or listing; of jobs see JobPresets
	Seed       uint64             `json:"seed"`
	Index      int                `json:"index,omitempty"`      // which of the thesis's ten deployments, from 0
	Parameters map[string]float64 `json:"parameters,omitempty"` // that differ from the preset
}

// Parameter is a figure that a generator takes.
type Parameter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"` // in the preset
	Unit  string  `json:"unit,omitempty"`
	Title string  `json:"title"`
	Hint  string  `json:"hint,omitempty"` // that its field has behind the title
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Whole bool    `json:"whole,omitempty"` // an integer
}

// The generators and their presets: listing has the numbers of the thesis's
// listings 6.2 and 6.3, thesis those that its results show (section 6.4.2), and author,
// of federations alone, also the link prices of the configuration that he published.
const (
	DeploymentGenerator = "deployment"
	FederationGenerator = "federation"
	ThesisPreset        = "thesis"
	ListingPreset       = "listing"
	AuthorPreset        = "author"
)

// presetsOf are the presets of graphs that a generator has.
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

// IndexTitle is what people call the index of a recipe.
const IndexTitle = "which of the thesis's ten"

// Deployments is the number of deployments in the thesis preset.
const Deployments = len(thesisJobs)

const (
	maxNodes  = 1_000_000
	maxEdges  = 2_000_000
	maxFigure = 1e9
)

// Defaults returns the parameters of a generator with the values of a preset,
// in the order in which they are best shown.
func Defaults(generator, preset string) ([]Parameter, error) {
	return Recipe{Generator: generator, Preset: preset}.defaults()
}

func (r Recipe) defaults() ([]Parameter, error) {
	if r.Generator == JobsGenerator {
		return r.jobDefaults()
	}
	if presets := presetsOf(r.Generator); !slices.Contains(presets, r.Preset) {
		return nil, fmt.Errorf("preset: %q is unknown: expected %s", r.Preset, strings.Join(presets, " or "))
	}
	switch r.Generator {
	case DeploymentGenerator:
		return r.deploymentDefaults()
	case FederationGenerator:
		if r.Index != 0 {
			return nil, fmt.Errorf("index: %d is for the thesis's deployments: a federation has none", r.Index)
		}
		return federationDefaults(r.Preset), nil
	}
	return nil, fmt.Errorf("generator: %q is unknown: expected %s, %s or %s", r.Generator, DeploymentGenerator, FederationGenerator, JobsGenerator)
}

func (r Recipe) deploymentDefaults() ([]Parameter, error) {
	request, latency, jobs, dependencies := [2]float64{100, 500}, [2]float64{10, 80}, 5.0, 20.0
	switch {
	case r.Preset == ListingPreset && r.Index != 0:
		return nil, fmt.Errorf("index: %d is for the preset %s: %s has one deployment", r.Index, ThesisPreset, ListingPreset)
	case r.Index < 0 || r.Index >= Deployments:
		return nil, fmt.Errorf("index: %d is not one of the %d deployments: expected 0 to %d", r.Index, Deployments, Deployments-1)
	case r.Preset == ThesisPreset:
		request, latency = [2]float64{100, 956}, [2]float64{20, 80}
		if r.Index == 1 { // "685 units/job"
			request = [2]float64{370, 1000}
		}
		jobs, dependencies = thesisJobs[r.Index], thesisDependencies[r.Index]
	}
	return slices.Concat(
		[]Parameter{
			{"n_nodes", jobs, "", "jobs", "", 1, maxNodes, true},
			{"n_edges", dependencies, "", "dependencies", "before parallel ones are merged", 0, maxEdges, true},
		},
		interval("request", request, "units", "request of a job", 0.01),
		interval("limit", [2]float64{100, 1000}, "units", "limit of a job, at least its request", 0.01),
		interval("latency", latency, "ms", "latency bound of a dependency", 0),
	), nil
}

func federationDefaults(preset string) []Parameter {
	clusters, linkPrice := 50.0, [2]float64{0.1, 0.2}
	switch preset {
	case ListingPreset:
		clusters = 500
	case AuthorPreset: // fed_config.yml of his graph creator; 50 with the centre
		clusters, linkPrice = 49, [2]float64{10, 100}
	}
	return slices.Concat(
		[]Parameter{{"n_nodes", clusters, "", "clusters, without the centre", "", 0, maxNodes - 1, true}},
		interval("amount", [2]float64{1000, 3000}, "units", "capacity of a cluster", 0),
		interval("cost", [2]float64{0.4, 1}, "per unit", "price of a cluster", 0),
		interval("request", [2]float64{100, 1000}, "units", "request that a cluster accepts", 0),
		interval("limit", [2]float64{100, 1500}, "units", "limit that a cluster accepts", 0),
		interval("latency", [2]float64{4, 15}, "ms", "latency of a link to the centre", 0),
		interval("latency_cost", linkPrice, "", "price of a link to the centre", 0),
		[]Parameter{
			{"center_amount", 2000, "units", "capacity of the centre", "", 0, maxFigure, false},
			{"center_cost", 0, "per unit", "price of the centre", "", 0, maxFigure, false},
		},
	)
}

// interval returns the two parameters of a range.
func interval(name string, value [2]float64, unit, title string, least float64) []Parameter {
	return []Parameter{
		{"min_" + name, value[0], unit, "lowest " + title, "", least, maxFigure, false},
		{"max_" + name, value[1], unit, "highest " + title, "", least, maxFigure, false},
	}
}

// values returns the figures of a recipe of a generator by name.
func (r Recipe) values(generator string) (map[string]float64, error) {
	if r.Generator != generator {
		return nil, fmt.Errorf("generator: %q where %q is wanted", r.Generator, generator)
	}
	_, values, err := r.Figures()
	return values, err
}

// Figures returns the parameters of a recipe, and its figures by their names,
// checked.
func (r Recipe) Figures() ([]Parameter, map[string]float64, error) {
	parameters, err := r.defaults()
	if err != nil {
		return nil, nil, err
	}
	values, err := r.Fill(parameters)
	if err != nil {
		return nil, nil, err
	}
	if _, given := r.Parameters["n_edges"]; r.Generator == DeploymentGenerator && !given {
		preset := values["n_edges"] / parameters[0].Value // by job
		values["n_edges"] = defaultEdges(values["n_nodes"], preset)
	}
	return parameters, values, checkIntervals(parameters, values)
}

// Fill returns the figures of a recipe by name: those that it gives, which must
// be among the parameters and within their bounds, and else the preset's.
func (r Recipe) Fill(parameters []Parameter) (map[string]float64, error) {
	values := map[string]float64{}
	for _, p := range parameters {
		values[p.Name] = p.Value
	}
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		i := slices.IndexFunc(parameters, func(p Parameter) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s: there is no such parameter: %s", name, r.has(parameters))
		}
		values[name] = r.Parameters[name]
		if !parameters[i].Allows(values[name]) {
			return nil, fmt.Errorf("%s: %v is out of range: expected %s", name, values[name], parameters[i].Allowed())
		}
	}
	return values, nil
}

// Dependencies returns how many dependencies the generator of a deployment
// draws, parallel ones included; the graph has fewer once those merge.
func (r Recipe) Dependencies() (int, error) {
	values, err := r.values(DeploymentGenerator)
	return int(values["n_edges"]), err
}

// Size returns how many nodes and edges the graph of a recipe has at most.
func (r Recipe) Size() (nodes, edges int, err error) {
	_, values, err := r.Figures()
	nodes, edges = int(values["n_nodes"]), int(values["n_edges"])
	if r.Generator == FederationGenerator {
		return nodes + 1, nodes, err // with the centre, the end of all links
	}
	return nodes, edges, err
}

// defaultEdges follows another number of jobs in proportion.
func defaultEdges(nodes, perNode float64) float64 {
	if nodes < 2 {
		return 0
	}
	return min(max(math.Round(nodes*perNode), nodes-1), maxEdges)
}

// Help is the title with its hint: "users, 0 leaves them open".
func (p Parameter) Help() string {
	if p.Hint == "" {
		return p.Title
	}
	return p.Title + ", " + p.Hint
}

// Allows reports whether the parameter may have a value.
func (p Parameter) Allows(x float64) bool {
	return x >= p.Min && x <= p.Max && (!p.Whole || x == math.Trunc(x))
}

// Allowed says which values the parameter may have: "a number from 0 to 1".
func (p Parameter) Allowed() string {
	what := "a number"
	if p.Whole {
		what = "a whole number"
	}
	return fmt.Sprintf("%s from %.10g to %.10g", what, p.Min, p.Max)
}

// has says which parameters there are.
func (r Recipe) has(parameters []Parameter) string {
	if len(parameters) == 0 {
		return fmt.Sprintf("the generator %s has none with the preset %s", r.Generator, r.Preset)
	}
	names := make([]string, len(parameters))
	for i, p := range parameters {
		names[i] = p.Name
	}
	return fmt.Sprintf("the generator %s has %s", r.Generator, strings.Join(names, ", "))
}

func checkIntervals(parameters []Parameter, values map[string]float64) error {
	for _, p := range parameters {
		rest, ok := strings.CutPrefix(p.Name, "min_")
		if ok && values[p.Name] > values["max_"+rest] {
			return fmt.Errorf("%s: %v is above max_%s, %v: expected at most that", p.Name, values[p.Name], rest, values["max_"+rest])
		}
	}
	return nil
}
