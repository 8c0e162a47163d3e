package drawing

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"berth/engine/dot"
	"berth/engine/show"
)

// result draws all clusters as boxes, their jobs inside, and the dependencies between the jobs.
func (c *canvas) result() {
	total, unplaced := 0, 0
	for _, p := range c.placed {
		total += p.Deployment.Jobs().Len() + p.Deployment.Dependencies().Len()
		if p.Cluster == nil {
			unplaced++
		}
	}
	core := len(c.core) > 0 && len(c.core) <= c.options.Limit
	if unplaced > 0 {
		fate := " and hidden"
		if core {
			fate = ". Shown: the smallest set of constraints that conflict"
		}
		c.note("%v of %s %s not placed%s.", unplaced, show.Count(len(c.placed), "deployment"), show.Verb(unplaced, "is", "are"), fate)
	}
	var s *scene
	if clusters := len(c.jobs); total+clusters > c.options.Limit {
		s = c.simplified(total + clusters)
	} else {
		s = c.newScene(ascending(clusters), true)
		for j := range clusters {
			s.cluster(j)
		}
	}
	s.waiting(core)
	for _, p := range c.placed {
		for k := range p.Deployment.Dependencies().Len() {
			i, j := p.Deployment.Ends(k)
			a, b := s.ends[JobID(p.Index, i)], s.ends[JobID(p.Index, j)]
			if !c.drawing.Simplified && a != nil && b != nil && (p.Cluster == nil || p.at(i) >= 0 && p.at(j) >= 0) {
				s.dependency(p, k)
			}
		}
	}
	s.costs()
	c.drawing.SVG, c.drawing.Layout, c.drawing.Legend = s.svg(), "", c.legend()
}

// ascending returns the numbers from 0 to n−1.
func ascending(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// crowd is the number of jobs and dependencies above which dot produces an unreadable strip.
const crowd = 80

// pack lays out the boxes in rows, regardless of the edges between them.
func (c *canvas) pack() {
	c.drawing.Layout = "osage"
	c.WriteString("\tgraph [pack=10, packmode=array_u, splines=line]\n")
}

// box draws a cluster with the jobs for which drawn returns true.
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

// dependency draws a dependency.
func (c *canvas) dependency(p Placed, k int) {
	a, b := p.Deployment.Ends(k)
	e, class := c.dependencyElement(p, k)
	style := cmp.Or(slackLines[class], "solid")
	fmt.Fprintf(c, "\t%s -- %s [id=%q, class=\"dependency %s\", style=%s, color=%q]\n",
		jobNode(p.Index, a), jobNode(p.Index, b), e.ID, class, style, slackColours[class])
}

// dependencyElement describes a dependency. Its class depends on the fraction of its bound that is
// left; see [canvas.slack].
func (c *canvas) dependencyElement(p Placed, k int) (e Element, class string) {
	a, b := p.Deployment.Ends(k)
	jobs := p.Deployment.Jobs()
	e = Element{
		ID: fmt.Sprintf("dependency-%d-%d", p.Index, k), Kind: "dependency", Cluster: -1,
		Title: jobs.Name(a) + " – " + jobs.Name(b), Figures: figures(p.Deployment.Dependencies(), k),
		Ends: []string{JobID(p.Index, a), JobID(p.Index, b)},
	}
	class = "unplaced"
	if p.at(a) >= 0 && p.at(b) >= 0 {
		var path []Property
		class, path = c.slack(p, k)
		e.Figures = append(e.Figures, path...)
	}
	c.key(class)
	c.element(e)
	return e, class
}

// simplified draws each cluster without its jobs, unless the reader has expanded it, and the
// dependencies between two clusters as one edge.
func (c *canvas) simplified(elements int) *scene {
	c.drawing.Simplified = true
	c.note("Simplified: %v elements are more than %v, so clusters stand for their jobs.", elements, c.options.Limit)
	drawn := ascending(len(c.jobs))
	if most := 2 * c.options.Limit / 3; len(drawn) > most {
		c.note("Of %v clusters the %v with the most jobs are drawn.", len(drawn), most)
		slices.SortStableFunc(drawn, func(a, b int) int { return cmp.Compare(c.jobs[b], c.jobs[a]) })
		drawn = drawn[:most]
		slices.Sort(drawn)
	}
	s, room := c.newScene(drawn, false), c.options.Limit-len(drawn)
	for _, j := range drawn {
		if s.opened[j] = slices.Contains(c.options.Expand, j) && c.jobs[j] <= room; s.opened[j] {
			room -= c.jobs[j]
		} else {
			s.collapsed(j)
		}
	}
	for _, j := range drawn {
		if s.opened[j] {
			s.cluster(j)
		}
	}
	s.between(room)
	return s
}

// node draws a cluster without its jobs.
func (c *canvas) node(j int, title string) {
	fmt.Fprintf(c, "\tc%d [id=%q, class=\"collapsed\", label=%s%s]\n", j, ClusterID(j), c.bar(j, title, fill), c.coreStyle(ClusterID(j), "collapsed", "rounded,filled"))
	c.clusterElement(j)
}

// between draws at most limit edges of a simplified result. Edges that combine the most
// dependencies come first.
func (s *scene) between(limit int) {
	type pair struct{ a, b *end }
	count := map[pair]int{}
	var pairs []pair
	for _, p := range s.placed {
		for k := range p.Deployment.Dependencies().Len() {
			i, j := p.Deployment.Ends(k)
			e := pair{s.end(p, i), s.end(p, j)}
			if e.a == nil || e.b == nil {
				continue
			}
			if e.a.id > e.b.id {
				e.a, e.b = e.b, e.a
			}
			count[e]++
			if count[e] == 1 && e.a != e.b {
				pairs = append(pairs, e)
			}
		}
	}
	sort.SliceStable(pairs, func(i, j int) bool { return count[pairs[j]] < count[pairs[i]] })
	if len(pairs) > limit {
		s.note("Of %v connections the %v with the most dependencies are drawn.", len(pairs), limit)
		pairs = pairs[:limit]
	}
	for i, e := range pairs {
		s.key("between")
		id := fmt.Sprintf("between-%d", i)
		title := fmt.Sprintf("%s – %s: %s", e.a.title, e.b.title, show.Count(count[e], "dependency"))
		s.join(e.a, e.b, "dependency between", id, "dependencies "+show.Text(title), fmt.Sprintf(` stroke="%s" stroke-width="%d"`, faint, min(1+count[e]/10, 5)))
		s.element(Element{ID: id, Kind: "dependencies", Title: title, Cluster: -1, Ends: []string{e.a.id, e.b.id}})
	}
}

// end returns the end of a job's edges in a simplified result: the job or its cluster; nil if
// neither is drawn.
func (s *scene) end(p Placed, job int) *end {
	if own := s.ends[JobID(p.Index, job)]; own != nil {
		return own
	}
	return s.ends[ClusterID(p.at(job))]
}
