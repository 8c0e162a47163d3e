package drawing

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"berth/engine/graph"
	"berth/engine/rule"
	"berth/engine/stats"
)

// View is what of an experiment is drawn.
type View string

const (
	ResultView     View = "result"
	DeploymentView View = "deployment"
	FederationView View = "federation"
	NeighboursView View = "neighbours" // of one job or cluster of the result
)

// DefaultLimit is how many elements are drawn before a drawing is simplified.
const DefaultLimit = 1000

// Options choose a drawing.
type Options struct {
	View   View
	Limit  int    // 0: DefaultLimit
	Expand []int  // clusters that a simplified result shows with their jobs
	Around string // id of the job or cluster whose neighbours are drawn
}

// Placed is a deployment with the cluster of each of its jobs, -1 for a job that waits for one.
// Cluster is nil for a deployment that was not placed; Core and CoreClusters are then the jobs and the clusters that
// conflict, if that is proved.
type Placed struct {
	Index        int // among the deployments of the experiment
	Name         string
	Deployment   *graph.Deployment
	Cluster      []int32
	Core         []int
	CoreClusters []int
	Rules        []rule.Rule // of the scenario, beside those of the deployment
}

// at is the cluster of a job, -1 for none.
func (p *Placed) at(job int) int {
	if p.Cluster == nil {
		return -1
	}
	return int(p.Cluster[job])
}

// Drawing is the picture of a placement, or a graph to be laid out by Graphviz.
type Drawing struct {
	SVG        string // of a placement; DOT and Layout are "" then
	DOT        string
	Layout     string // Graphviz's engine
	Elements   []Element
	Simplified bool
	Note       string // what is not drawn
	Legend     []Key
}

// Element describes one drawn element. Its ID is the id of the element's g in
// the SVG: "job-0-3" (deployment, job), "cluster-7", "dependency-0-2",
// "link-9", or "between-3-7" for the dependencies between two clusters.
type Element struct {
	ID      string
	Kind    string
	Title   string
	Cluster int      // the number of the cluster, or of the job's; -1 for others
	Ends    []string // of a dependency or link: the ids of the two elements that it joins
	Cost    *float64 // of a placed job with its links; nil without prices
	Figures []Property
}

// Identity is the DOT id of a job or a cluster, "" of others.
func (e *Element) Identity() string {
	if len(e.Figures) == 0 || e.Figures[0].Name != "id" {
		return ""
	}
	return e.Figures[0].Value
}

// Property is a named value of an element, ready to be shown.
type Property struct {
	Name  string
	Value string
	Unit  string
}

// Draw makes the drawing of a view.
func Draw(f *graph.Federation, placed []Placed, o Options) (Drawing, error) {
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	c := newCanvas(f, placed, o)
	switch o.View {
	case ResultView:
		c.result()
		return c.drawing, nil
	case DeploymentView:
		c.deployments()
	case FederationView:
		c.federationView()
	case NeighboursView:
		if err := c.neighbours(); err != nil {
			return Drawing{}, err
		}
	default:
		return Drawing{}, fmt.Errorf("there is no view %q: use %s, %s, %s or %s", o.View, ResultView, DeploymentView, FederationView, NeighboursView)
	}
	return c.finish(), nil
}

// number writes a figure for people: three significant digits, or all digits of
// the whole part.
func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "∞"
	case v == math.Trunc(v) || math.Abs(v) >= 1000:
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	digits := 3 - int(math.Floor(stats.Log10(math.Abs(v)))) - 1
	return strconv.FormatFloat(v, 'f', min(max(digits, 0), 6), 64)
}

// figures lists what an element's labels say.
func figures(e *graph.Elements, i int) []Property {
	var all []Property
	for _, t := range graph.Labels(e.Kind()) {
		for f, v := range e.Values(t, i) {
			field := &t.Fields[f]
			if field.Optional && v == field.Absent || field.Price && math.IsNaN(v) {
				continue
			}
			all = append(all, Property{strings.ReplaceAll(field.Attrs[0], "_", " "), number(v), field.Unit})
		}
	}
	return all
}
