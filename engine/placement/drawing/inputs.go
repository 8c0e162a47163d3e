package drawing

import (
	"cmp"
	"fmt"
	"strings"

	"slices"
)

// deployments draws the deployments without a placement.
func (c *canvas) deployments() {
	total := 0
	for _, p := range c.placed {
		total += p.Deployment.Jobs().Len() + p.Deployment.Dependencies().Len()
	}
	if total > c.options.Limit {
		c.drawing.Simplified = true
		c.note("Simplified: %v elements are more than %v.", total, c.options.Limit)
	}
	for _, p := range c.placed {
		c.deployment(p, c.options.Limit/len(c.placed))
	}
	if total > 500 {
		c.spread("sfdp")
	}
}

// deployment draws a deployment. Above limit elements, it draws the jobs with the most dependencies
// and the dependencies among them.
func (c *canvas) deployment(p Placed, limit int) {
	n := p.Deployment.Jobs().Len()
	jobs := ascending(n)
	if n+p.Deployment.Dependencies().Len() > limit {
		degree := func(i int) int { jobs, _ := p.Deployment.Neighbours(i); return len(jobs) }
		slices.SortStableFunc(jobs, func(a, b int) int { return cmp.Compare(degree(b), degree(a)) })
		jobs = jobs[:min(n, limit/2)]
		c.note("Of the %v jobs of %s, the %v with the most dependencies are drawn.", n, p.Name, len(jobs))
	}
	drawn := make([]bool, n)
	for _, i := range jobs {
		drawn[i] = true
		c.job(p, i)
	}
	edges := limit - len(jobs)
	for k := range p.Deployment.Dependencies().Len() {
		if a, b := p.Deployment.Ends(k); drawn[a] && drawn[b] && edges > 0 {
			edges--
			c.dependency(p, k)
		}
	}
}

// federationView draws the clusters and as many links as the limit allows.
func (c *canvas) federationView() {
	n, links := c.federation.Clusters().Len(), c.federation.Links().Len()
	shown := min(n, c.options.Limit*2/3)
	if shown < n {
		c.drawing.Simplified = true
		c.note("Simplified: the first %v of %v clusters are drawn.", shown, n)
	}
	for j := range shown {
		c.node(j, c.federation.Clusters().Name(j))
	}
	center := c.federation.Center()
	if center >= 0 {
		c.note("A star: only the links to %s are given; all other paths go through it.", c.federation.Clusters().Name(center))
	}
	room := c.options.Limit - shown
	if center < 0 && links > room {
		c.drawing.Simplified = true
		c.note("The %v links are too many to draw.", links)
		room = 0
	}
	for k := range links {
		a, b := c.federation.Ends(k)
		if star := center >= 0; star && a != center && b != center || a >= shown || b >= shown || room == 0 {
			continue
		}
		room--
		c.link(k, a, b)
	}
	if n <= 40 && links <= 3*n {
		c.spread("neato")
	} else {
		c.spread("sfdp")
	}
}

// spread selects a force-directed layout and prevents it from placing boxes on top of each other.
func (c *canvas) spread(layout string) {
	c.drawing.Layout = layout
	c.WriteString("\tgraph [overlap=prism, overlap_scaling=-3, smoothing=spring, splines=line]\n")
}

func (c *canvas) link(k, a, b int) {
	clusters := c.federation.Clusters()
	id := fmt.Sprintf("link-%d", k)
	c.key("link")
	fmt.Fprintf(c, "\tc%d -- c%d [id=%q, class=\"link\"]\n", a, b, id)
	c.element(Element{ID: id, Kind: "link", Title: clusters.Name(a) + " – " + clusters.Name(b), Cluster: -1,
		Ends: []string{ClusterID(a), ClusterID(b)}, Figures: figures(c.federation.Links(), k)})
}

// escape escapes Graphviz's escape sequences in a name.
func escape(name string) string { return strings.ReplaceAll(name, `\`, `\\`) }
