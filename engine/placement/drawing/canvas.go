package drawing

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/show"
)

// Colours of an exported picture. On the page, the style sheet overrides them by class.
const (
	ink    = "#1f2933"
	paper  = "#ffffff"
	fill   = "#e6f0f8"
	accent = "#0072b2"
	faint  = "#7b8794"
)

// canvas collects the DOT text and the elements of one drawing.
type canvas struct {
	strings.Builder
	federation *graph.Federation
	placed     []Placed
	options    Options
	usage      []usage // by resource
	jobs       []int   // by cluster: number of jobs
	capacity   *placement.Capacity
	problems   map[int]*placement.Problem // by Index of the deployment; see [canvas.problem]
	keys       map[string]bool            // signs that occur in the drawing
	core       map[string]bool            // ids of the elements of the conflict set
	ruled      map[string][]string        // by id of a job: the rules that name it
	drawing    Drawing
}

// usage is the amount of a resource that the placed jobs use on each cluster.
type usage struct {
	demand, supply  *graph.LabelType
	request, amount int
	used            []float64
}

func newCanvas(f *graph.Federation, placed []Placed, o Options) *canvas {
	c := &canvas{federation: f, placed: placed, options: o, jobs: make([]int, f.Clusters().Len()), keys: map[string]bool{}, core: map[string]bool{}, problems: map[int]*placement.Problem{}}
	c.usage, c.capacity = usages(f, placed), placement.NewCapacity(f, placement.CapacityOptions{})
	for _, p := range placed {
		for _, j := range p.Cluster {
			if j >= 0 {
				c.jobs[j]++
			}
		}
		for _, i := range p.Core {
			c.core[JobID(p.Index, i)] = true
		}
		for _, j := range p.CoreClusters {
			c.core[ClusterID(j)] = true
		}
	}
	c.rule()
	c.drawing.Layout = "dot"
	fmt.Fprintf(c, "graph berth {\n\tgraph [bgcolor=transparent, fontname=\"Helvetica\", fontsize=12, nodesep=0.15, ranksep=0.45, outputorder=edgesfirst]\n")
	fmt.Fprintf(c, "\tnode [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11, height=0.3, margin=\"0.09,0.04\", color=%q, fillcolor=%q, fontcolor=%q]\n", accent, fill, ink)
	fmt.Fprintf(c, "\tedge [fontname=\"Helvetica\", fontsize=9, color=%q]\n", faint)
	return c
}

// usages sums the requests of the placed jobs, for each resource that one of them requests.
func usages(f *graph.Federation, placed []Placed) []usage {
	var all []usage
	for _, t := range graph.Labels(graph.Job) {
		for _, k := range t.Comparisons {
			if !k.Consumes || !slices.ContainsFunc(placed, func(p Placed) bool { return p.Deployment.Jobs().Carriers(t) > 0 }) {
				continue
			}
			u := usage{demand: t, supply: t.Host(), request: t.Field(k.Demand), amount: t.Host().Field(k.Supply), used: make([]float64, f.Clusters().Len())}
			for _, p := range placed {
				for i, j := range p.Cluster {
					if v := p.Deployment.Jobs().Values(t, i); v != nil && j >= 0 {
						u.used[j] += v[u.request]
					}
				}
			}
			all = append(all, u)
		}
	}
	return all
}

// problem returns the problem of a deployment, which provides its costs. It is created on first
// use.
func (c *canvas) problem(p Placed) *placement.Problem {
	if c.problems[p.Index] == nil {
		c.problems[p.Index] = placement.NewProblem(p.Deployment, c.capacity)
	}
	return c.problems[p.Index]
}

// nodeCost returns the cost of a placed job on its cluster as a property; nil if prices are
// missing.
func (c *canvas) nodeCost(p Placed, job int) []Property {
	if !c.problem(p).Priced() {
		return nil
	}
	return []Property{{Name: "node cost", Value: number(c.problem(p).NodeCost(int32(job), int(p.Cluster[job])))}}
}

func (c *canvas) finish() Drawing {
	c.WriteString("}\n")
	c.drawing.DOT, c.drawing.Legend = c.String(), c.legend()
	return c.drawing
}

func (c *canvas) note(format string, args ...any) {
	for i := range args {
		if n, ok := args[i].(int); ok {
			args[i] = show.Group(strconv.Itoa(n))
		}
	}
	if c.drawing.Note != "" {
		c.drawing.Note += " "
	}
	c.drawing.Note += fmt.Sprintf(format, args...)
}

// rule collects the rules that name each job. A rule that applies to all jobs is not collected.
func (c *canvas) rule() {
	c.ruled = map[string][]string{}
	for _, p := range c.placed {
		for _, r := range slices.Concat(p.Deployment.Rules, p.Rules) {
			if len(r.Jobs) == 0 {
				continue
			}
			for _, i := range p.Deployment.Chosen(r.Jobs) {
				c.ruled[JobID(p.Index, i)] = append(c.ruled[JobID(p.Index, i)], r.String())
			}
		}
	}
}

// ruledStyle returns the style of a second outline for a job that rules name, "" for others.
func (c *canvas) ruledStyle(id string) string {
	if c.ruled[id] == nil {
		return ""
	}
	c.key("ruled")
	return ", peripheries=2"
}

// coreStyle returns the style of an element of the conflict set, "" for others. class and shape are
// its normal class and style.
func (c *canvas) coreStyle(id, class, shape string) string {
	if !c.core[id] {
		return ""
	}
	c.key("core")
	return fmt.Sprintf(", class=%q, style=%q, color=%q, penwidth=3", strings.TrimSpace(class+" core"), shape+",dashed", coreColour)
}

func (c *canvas) element(e Element) { c.drawing.Elements = append(c.drawing.Elements, e) }

// clusterElement adds a cluster with its labels and the usage of each resource.
func (c *canvas) clusterElement(j int) {
	clusters := c.federation.Clusters()
	e := Element{ID: ClusterID(j), Kind: "cluster", Title: clusters.Name(j), Cluster: j}
	e.Figures = append(e.Figures, Property{Name: "id", Value: clusters.ID(j)}, Property{Name: "jobs", Value: fmt.Sprint(c.jobs[j])})
	e.Figures = append(e.Figures, c.used(j)...)
	e.Figures = append(e.Figures, figures(clusters, j)...)
	c.element(e)
}

func (c *canvas) jobElement(p Placed, i int) {
	jobs := p.Deployment.Jobs()
	e := Element{ID: JobID(p.Index, i), Kind: "job", Title: jobs.Name(i)}
	e.Figures = append(e.Figures, Property{Name: "id", Value: jobs.ID(i)}, Property{Name: "deployment", Value: p.Name})
	if e.Cluster = p.at(i); e.Cluster >= 0 {
		e.Figures = append(e.Figures, Property{Name: "cluster", Value: c.federation.Clusters().Name(e.Cluster)})
		e.Figures = append(e.Figures, c.nodeCost(p, i)...)
	}
	e.Figures = append(e.Figures, figures(jobs, i)...)
	for _, text := range c.ruled[e.ID] {
		e.Figures = append(e.Figures, Property{Name: "rule", Value: text})
	}
	c.element(e)
}

// ClusterID returns the id of a cluster's element.
func ClusterID(j int) string { return fmt.Sprintf("cluster-%d", j) }

// JobID returns the id of a job's element.
func JobID(deployment, job int) string { return fmt.Sprintf("job-%d-%d", deployment, job) }

// JobOf returns the deployment and the job of an element by its id; ok is false for other elements.
func JobOf(id string) (deployment, job int, ok bool) {
	numbers, ok := strings.CutPrefix(id, "job-")
	first, second, both := strings.Cut(numbers, "-")
	deployment, err := strconv.Atoi(first)
	job, err2 := strconv.Atoi(second)
	return deployment, job, ok && both && err == nil && err2 == nil
}
func jobNode(deployment, job int) string { return fmt.Sprintf("j%d_%d", deployment, job) }

// share returns how much of the first resource of a cluster is used, in percent. ok is false if the
// cluster lacks the resource.
func (c *canvas) share(j int) (percent int, ok bool) {
	if len(c.usage) == 0 {
		return 0, false
	}
	u := c.usage[0]
	v := c.federation.Clusters().Values(u.supply, j)
	if v == nil || v[u.amount] == 0 {
		return 0, false
	}
	return int(100*u.used[j]/v[u.amount] + 0.5), true
}

// bar returns the HTML-like label of a cluster: a title over a bar of the usage, on a background
// that hides edges behind it. The bar is at least as wide as the title, because Graphviz would
// otherwise stretch it unevenly.
func (c *canvas) bar(j int, title, ground string) string {
	percent, known := c.share(j)
	title = show.Words(title)
	const least, letter, figure = 110, 6, 8 // least and letter are in points; figure is the number of letters in " · 100 %"
	width := max(least, letter*(utf8.RuneCountInString(title)+figure))
	text := html.EscapeString(title)
	if !known {
		return fmt.Sprintf(`<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="1" CELLPADDING="0" BGCOLOR="%s"><TR><TD>%s</TD></TR></TABLE>>`, ground, text)
	}
	c.key("bar")
	filled, colour := min(max(percent*width/100, 1), width-1), accent // Graphviz requires a width above 0
	if percent == 0 {
		colour = paper
	}
	return fmt.Sprintf(`<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="1" CELLPADDING="0" BGCOLOR="%s"><TR><TD ALIGN="LEFT">%s · %d %%</TD></TR><TR><TD>`+
		`<TABLE BORDER="1" COLOR="%s" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"><TR><TD WIDTH="%d" HEIGHT="6" FIXEDSIZE="TRUE" BGCOLOR="%s"></TD>`+
		`<TD WIDTH="%d" HEIGHT="6" FIXEDSIZE="TRUE"></TD></TR></TABLE></TD></TR></TABLE>>`, ground, text, percent, faint, filled, colour, width-filled)
}
