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

// View is the part of an experiment that is drawn.
type View string

const (
	ResultView     View = "result"
	DeploymentView View = "deployment"
	FederationView View = "federation"
	NeighboursView View = "neighbours" // of one job or cluster in the result
)

// DefaultLimit is the number of elements above which a drawing is simplified.
const DefaultLimit = 1000

// Options select a drawing.
type Options struct {
	View   View
	Limit  int    // on elements; 0 means DefaultLimit
	Expand []int  // clusters whose jobs a simplified result shows
	Around string // id of the job or cluster whose neighbours are drawn
	Narrow bool   // the result is for a phone: few columns, with labels that can be read there
}

// Placed is a deployment with the cluster of each job, -1 for a job without one. If the deployment
// was not placed, Cluster is nil, and Core and CoreClusters are the jobs and clusters of the
// conflict set, if one was proved.
type Placed struct {
	Index        int // number of the deployment in the experiment
	Name         string
	Deployment   *graph.Deployment
	Cluster      []int32
	Core         []int
	CoreClusters []int
	Rules        []rule.Rule // of the scenario, in addition to those of the deployment
}

// at returns the cluster of a job, -1 for none.
func (p *Placed) at(job int) int {
	if p.Cluster == nil {
		return -1
	}
	return int(p.Cluster[job])
}

// Drawing is the picture of a placement, or a graph for Graphviz to lay out.
type Drawing struct {
	SVG        string // of a placement, which has no DOT and Layout
	DOT        string
	Layout     string // name of Graphviz's layout engine
	Elements   []Element
	Simplified bool
	Note       string // says what the drawing omits
	Legend     []Key
}

// Element describes one drawn element. Its ID is the id of its g element in the SVG: "job-0-3"
// (deployment, job), "cluster-7", "dependency-0-2", "link-9", or "between-3" for the dependencies
// between two clusters.
type Element struct {
	ID      string
	Kind    string
	Title   string
	Cluster int      // number of the cluster, or of the job's cluster; -1 for others
	Ends    []string // of a dependency or link: the ids of its two ends
	Cost    *float64 // of a placed job with its links; nil without prices
	Figures []Property
}

// Identity is the DOT id of a job or a cluster; "" for other elements.
func (e *Element) Identity() string {
	if len(e.Figures) == 0 || e.Figures[0].Name != "id" {
		return ""
	}
	return e.Figures[0].Value
}

// Property is a named value of an element, formatted for display.
type Property struct {
	Name  string
	Value string
	Unit  string
}

// Draw returns the drawing of a view.
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

// number formats a figure with three significant digits, but with all digits of the whole part.
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

// figures lists the figures of an element's labels.
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
