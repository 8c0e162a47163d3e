package drawing

import (
	"cmp"
	"fmt"
	"slices"

	"berth/engine/dot"
	"berth/engine/show"
)

// result draws the clusters with jobs as boxes, their jobs inside, and the dependencies between the
// jobs.
func (c *canvas) result() {
	total, unplaced := 0, 0
	for _, p := range c.placed {
		if p.Cluster == nil {
			unplaced++
			continue
		}
		total += p.Deployment.Jobs().Len() + p.Deployment.Dependencies().Len()
	}
	used, core := c.usedClusters(), total+len(c.core) <= c.options.Limit && len(c.core) > 0
	if unplaced > 0 {
		fate := " and hidden"
		if core {
			fate = ". Shown: the smallest set of constraints that conflict"
		}
		c.note("%v of %s %s not placed%s.", unplaced, show.Count(len(c.placed), "deployment"), show.Verb(unplaced, "is", "are"), fate)
	}
	if empty := len(c.jobs) - len(used); empty > 0 && total > 0 {
		c.note("%v of %s %s empty and hidden.", empty, show.Count(len(c.jobs), "cluster"), show.Verb(empty, "is", "are"))
	}
	if total+len(used) > c.options.Limit {
		c.simplified(used, total+len(used))
		return
	}
	if total > crowd {
		c.pack()
	}
	for _, j := range used {
		c.box(j, everyJob)
	}
	if core {
		c.coreParts()
	}
	for _, p := range c.placed {
		for k := range p.Deployment.Dependencies().Len() {
			a, b := p.Deployment.Ends(k)
			if p.Cluster != nil || core && c.core[JobID(p.Index, a)] && c.core[JobID(p.Index, b)] {
				c.dependency(p, k)
			}
		}
	}
}

// coreParts draws the conflict set: its unplaced jobs, and its clusters unless result has drawn
// them.
func (c *canvas) coreParts() {
	for j, n := range c.jobs {
		if n == 0 && c.core[ClusterID(j)] {
			c.collapsed(j)
		}
	}
	for _, p := range c.placed {
		for _, i := range p.Core {
			c.job(p, i)
		}
	}
}

// crowd is the number of jobs and dependencies above which dot produces an unreadable strip.
const crowd = 80

// pack lays out the boxes in rows, regardless of the edges between them.
func (c *canvas) pack() {
	c.drawing.Layout = "osage"
	c.WriteString("\tgraph [pack=10, packmode=array_u, splines=line]\n")
}

// usedClusters lists the clusters with jobs, in file order.
func (c *canvas) usedClusters() []int {
	var used []int
	for j, n := range c.jobs {
		if n > 0 {
			used = append(used, j)
		}
	}
	return used
}

// box draws a cluster with those of its jobs for which drawn returns true.
func (c *canvas) box(j int, drawn func(Placed, int) bool) {
	fmt.Fprintf(c, "\tsubgraph cluster_%d {\n\t\tgraph [id=%q, style=\"rounded\", color=%q, fontcolor=%q, label=%s%s]\n",
		j, ClusterID(j), faint, ink, c.bar(j, c.federation.Clusters().Name(j), paper), c.coreStyle(ClusterID(j), "", "rounded"))
	c.clusterElement(j)
	for _, p := range c.placed {
		for i, at := range p.Cluster {
			if int(at) == j && drawn(p, i) {
				c.WriteString("\t")
				c.job(p, i)
			}
		}
	}
	c.WriteString("\t}\n")
}

func everyJob(Placed, int) bool { return true }

func (c *canvas) job(p Placed, i int) {
	style := ""
	if p.Index%len(deploymentColours) > 0 {
		style = fmt.Sprintf(", color=%q", deploymentColours[p.Index%len(deploymentColours)])
	}
	if c.options.View == NeighboursView && c.options.Around == JobID(p.Index, i) {
		style += ", penwidth=3"
	}
	class := fmt.Sprintf("job deployment-%d", p.Index%len(deploymentColours))
	style += c.coreStyle(JobID(p.Index, i), class, "rounded,filled") + c.ruledStyle(JobID(p.Index, i))
	fmt.Fprintf(c, "\t%s [id=%q, class=%q, label=%s%s]\n",
		jobNode(p.Index, i), JobID(p.Index, i), class, dot.Quote(escape(show.Text(p.Deployment.Jobs().Name(i)))), style)
	c.jobElement(p, i)
}

// dependency draws a dependency with a style for the fraction of its bound that is left; see
// [canvas.slack].
func (c *canvas) dependency(p Placed, k int) {
	a, b := p.Deployment.Ends(k)
	jobs := p.Deployment.Jobs()
	e := Element{
		ID: fmt.Sprintf("dependency-%d-%d", p.Index, k), Kind: "dependency", Cluster: -1,
		Title: jobs.Name(a) + " – " + jobs.Name(b), Figures: figures(p.Deployment.Dependencies(), k),
		Ends: []string{JobID(p.Index, a), JobID(p.Index, b)},
	}
	class, style := "unplaced", "solid"
	if p.Cluster != nil {
		var path []Property
		class, path = c.slack(p, k)
		e.Figures = append(e.Figures, path...)
		style = slackLines[class]
	}
	c.key(class)
	fmt.Fprintf(c, "\t%s -- %s [id=%q, class=\"dependency %s\", style=%s, color=%q]\n",
		jobNode(p.Index, a), jobNode(p.Index, b), e.ID, class, style, slackColours[class])
	c.element(e)
}

// simplified draws each cluster as one node with counts, unless the reader has expanded it, and the
// dependencies between two clusters as one edge.
func (c *canvas) simplified(used []int, elements int) {
	c.drawing.Simplified = true
	c.note("Simplified: %v elements are more than %v, so clusters stand for their jobs.", elements, c.options.Limit)
	if len(used) > c.options.Limit/2 {
		slices.SortStableFunc(used, func(a, b int) int { return cmp.Compare(c.jobs[b], c.jobs[a]) })
		c.note("Of %v clusters the %v with the most jobs are drawn.", len(used), c.options.Limit/2)
		used = used[:c.options.Limit/2]
	}
	room := c.options.Limit - len(used)
	c.expanded = map[int]bool{}
	for _, j := range used {
		if slices.Contains(c.options.Expand, j) && c.jobs[j] <= room {
			room -= c.jobs[j]
			c.expanded[j] = true
			c.box(j, everyJob)
			continue
		}
		c.expanded[j] = false
		c.collapsed(j)
	}
	c.between(room)
	if len(used) > 20 {
		c.pack()
	}
}

func (c *canvas) collapsed(j int) {
	c.node(j, fmt.Sprintf("%s · %s", c.federation.Clusters().Name(j), show.Count(c.jobs[j], "job")))
}

// node draws a cluster without its jobs.
func (c *canvas) node(j int, title string) {
	fmt.Fprintf(c, "\tc%d [id=%q, class=\"collapsed\", label=%s%s]\n", j, ClusterID(j), c.bar(j, title, fill), c.coreStyle(ClusterID(j), "collapsed", "rounded,filled"))
	c.clusterElement(j)
}

// between draws at most limit edges of a simplified result. Edges that combine the most
// dependencies come first.
func (c *canvas) between(limit int) {
	type pair struct{ a, b end }
	count := map[pair]int{}
	var pairs []pair
	for _, p := range c.placed {
		for k := range p.Deployment.Dependencies().Len() {
			if p.Cluster == nil {
				break
			}
			a, b := p.Deployment.Ends(k)
			e := pair{c.end(p, a), c.end(p, b)}
			if e.a.node == "" || e.b.node == "" {
				continue
			}
			if e.a.node > e.b.node {
				e.a, e.b = e.b, e.a
			}
			count[e]++
			if count[e] == 1 && e.a != e.b {
				pairs = append(pairs, e)
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(count[y], count[x]) })
	if len(pairs) > limit {
		c.note("Of %v connections the %v with the most dependencies are drawn.", len(pairs), limit)
		pairs = pairs[:limit]
	}
	for i, e := range pairs {
		c.key("between")
		id := fmt.Sprintf("between-%d", i)
		fmt.Fprintf(c, "\t%s -- %s [id=%q, class=\"dependency between\", penwidth=%d]\n", e.a.node, e.b.node, id, min(1+count[e]/10, 5))
		c.element(Element{ID: id, Kind: "dependencies", Title: fmt.Sprintf("%s – %s: %s", e.a.title, e.b.title, show.Count(count[e], "dependency")),
			Cluster: -1, Ends: []string{e.a.id, e.b.id}})
	}
}

// end is what represents a job in a simplified result: the DOT node, and the id and title of its
// element.
type end struct{ node, id, title string }

// end returns the end for a job, the zero value if its cluster is not drawn.
func (c *canvas) end(p Placed, job int) end {
	j := int(p.Cluster[job])
	switch expanded, drawn := c.expanded[j]; {
	case expanded:
		return end{jobNode(p.Index, job), JobID(p.Index, job), p.Deployment.Jobs().Name(job)}
	case drawn:
		return end{fmt.Sprintf("c%d", j), ClusterID(j), c.federation.Clusters().Name(j)}
	}
	return end{}
}
