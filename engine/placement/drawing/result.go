package drawing

import (
	"fmt"
	"strings"

	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/show"
)

// Result returns the result .dot of figure 6.2 of the thesis: a graph for each placed deployment,
// in which subgraphs for the clusters hold its jobs. Read as a deployment, the file yields the same
// deployment. Figures of the placement are in tooltips, which every Graphviz tool preserves and
// displays.
func Result(f *graph.Federation, placed []Placed, dialect dot.Dialect) string {
	c := newCanvas(f, placed, Options{})
	c.Reset()
	for _, p := range placed {
		if p.Cluster != nil {
			c.resultGraph(p, dialect)
		}
	}
	return c.String()
}

func (c *canvas) resultGraph(p Placed, dialect dot.Dialect) {
	fmt.Fprintf(c, "graph %s {\n", dot.Quote(p.Name))
	members := make([][]int, len(c.jobs))
	for i, j := range p.Cluster {
		members[j] = append(members[j], i)
	}
	for j := range members {
		c.resultCluster(p, j, members[j], dialect)
	}
	outcome := "placed, cost unknown: no prices"
	if c.problem(p).Priced() {
		node, link := c.problem(p).Costs(p.Cluster)
		outcome = fmt.Sprintf("placed, node cost %s, link cost %s, total cost %s", number(node), number(link), number(node+link))
	}
	fmt.Fprintf(c, "\tgraph [tooltip=%s];\n", dot.Quote(outcome))
	jobs, dependencies := p.Deployment.Jobs(), p.Deployment.Dependencies()
	for k := range dependencies.Len() {
		a, b := p.Deployment.Ends(k)
		_, path := c.slack(p, k)
		fmt.Fprintf(c, "\t%s -- %s [%s];\n", dot.Quote(jobs.ID(a)), dot.Quote(jobs.ID(b)),
			withTooltip(dot.Attributes(dependencies, k, dialect), path))
	}
	c.WriteString("}\n")
}

func (c *canvas) resultCluster(p Placed, j int, members []int, dialect dot.Dialect) {
	clusters, jobs := c.federation.Clusters(), p.Deployment.Jobs()
	fmt.Fprintf(c, "\tsubgraph %s {\n\t\tgraph [%s];\n", dot.Quote("cluster_"+clusters.ID(j)),
		withTooltip(dot.Attributes(clusters, j, dialect), c.used(j)))
	for _, i := range members {
		fmt.Fprintf(c, "\t\t%s [%s];\n", dot.Quote(jobs.ID(i)),
			withTooltip(dot.Attributes(jobs, i, dialect), append([]Property{{Name: "on", Value: clusters.ID(j)}}, c.nodeCost(p, i)...)))
	}
	c.WriteString("\t}\n")
}

// used lists how much of each resource of a cluster the placed jobs use.
func (c *canvas) used(j int) []Property {
	var all []Property
	for _, u := range c.usage {
		if v := c.federation.Clusters().Values(u.supply, j); v != nil {
			all = append(all, Property{"used " + u.supply.Name, number(u.used[j]) + " of " + number(v[u.amount]), u.supply.Fields[u.amount].Unit})
		}
	}
	return all
}

func withTooltip(attributes string, figures []Property) string {
	if len(figures) == 0 {
		return attributes
	}
	tooltip := "tooltip=" + dot.Quote(escape(show.Joined(figures, ", ", func(f Property) string { return strings.TrimSpace(f.Name + " " + f.Value + " " + f.Unit) })))
	if attributes == "" {
		return tooltip
	}
	return attributes + ", " + tooltip
}
