package drawing

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Limits on the jobs of a cluster, and on the neighbours, in a neighbourhood.
const (
	mostInside     = 40
	mostNeighbours = 40
)

// crossing is a dependency of a job in the middle, or one that crosses clusters.
type crossing struct {
	of         Placed
	dependency int
	left       float64 // fraction of its tightest bound that is left; see [canvas.left]
}

// neighbours draws one job, or the jobs of one cluster, with the jobs at the other end of their
// dependencies. If there are too many, it draws the jobs with the least slack.
func (c *canvas) neighbours() error {
	inside, name, err := c.middle()
	if err != nil {
		return err
	}
	drawn := map[string]bool{}
	var crossings []crossing
	for _, p := range c.placed {
		for k := range p.Deployment.Dependencies().Len() {
			a, b := p.Deployment.Ends(k)
			if inside(p, a) || inside(p, b) {
				x := crossing{of: p, dependency: k}
				if p.Cluster != nil {
					x.left = c.left(p, k)
				}
				crossings = append(crossings, x)
			}
		}
	}
	sort.SliceStable(crossings, func(i, j int) bool { return crossings[i].left < crossings[j].left })
	c.chooseInside(inside, name, crossings, drawn)
	c.drawAround(c.chooseNeighbours(inside, name, crossings, drawn), drawn)
	return nil
}

// middle returns the selection and the name of the jobs whose neighbourhood is drawn.
func (c *canvas) middle() (inside func(Placed, int) bool, name string, err error) {
	if deployment, job, ok := JobOf(c.options.Around); ok {
		for _, p := range c.placed {
			if p.Index == deployment && job >= 0 && job < p.Deployment.Jobs().Len() {
				return func(q Placed, i int) bool { return q.Index == deployment && i == job }, p.Deployment.Jobs().Name(job), nil
			}
		}
	}
	if number, ok := strings.CutPrefix(c.options.Around, "cluster-"); ok {
		if j, err := strconv.Atoi(number); err == nil && j >= 0 && j < len(c.jobs) {
			return func(p Placed, i int) bool { return p.Cluster != nil && int(p.Cluster[i]) == j }, c.federation.Clusters().Name(j), nil
		}
	}
	return nil, "", fmt.Errorf("there is no job or cluster %q to draw the neighbours of", c.options.Around)
}

// chooseInside marks the jobs in the middle to draw, in the order of their tightest dependencies.
func (c *canvas) chooseInside(inside func(Placed, int) bool, name string, crossings []crossing, drawn map[string]bool) {
	total := 0
	for _, p := range c.placed {
		for i := range p.Deployment.Jobs().Len() {
			if inside(p, i) {
				total++
			}
		}
	}
	add := func(p Placed, i int) {
		if len(drawn) < mostInside && inside(p, i) {
			drawn[JobID(p.Index, i)] = true
		}
	}
	for _, x := range crossings {
		a, b := x.of.Deployment.Ends(x.dependency)
		add(x.of, a)
		add(x.of, b)
	}
	for _, p := range c.placed {
		for i := range p.Deployment.Jobs().Len() {
			add(p, i)
		}
	}
	if total > len(drawn) {
		c.drawing.Simplified = true
		c.note("Of the %v jobs on %s, the %v with the least slack are drawn.", total, name, len(drawn))
	}
}

// chooseNeighbours marks the neighbours to draw, and returns the dependencies to draw.
func (c *canvas) chooseNeighbours(inside func(Placed, int) bool, name string, crossings []crossing, drawn map[string]bool) []crossing {
	total, chosen := map[string]bool{}, map[string]bool{}
	for _, x := range crossings {
		a, b := x.of.Deployment.Ends(x.dependency)
		for _, i := range []int{a, b} {
			if id := JobID(x.of.Index, i); !inside(x.of, i) {
				total[id] = true
				if len(chosen) < mostNeighbours && (drawn[JobID(x.of.Index, a)] || drawn[JobID(x.of.Index, b)]) {
					chosen[id] = true
				}
			}
		}
	}
	if len(total) > len(chosen) {
		c.drawing.Simplified = true
		c.note("Of the %v neighbours of %s, the %v with the least slack are drawn.", len(total), name, len(chosen))
	}
	for id := range chosen {
		drawn[id] = true
	}
	return slices.DeleteFunc(crossings, func(x crossing) bool {
		a, b := x.of.Deployment.Ends(x.dependency)
		return !drawn[JobID(x.of.Index, a)] || !drawn[JobID(x.of.Index, b)]
	})
}

// drawAround draws the marked jobs in their clusters, and the given dependencies.
func (c *canvas) drawAround(crossings []crossing, drawn map[string]bool) {
	isDrawn := func(p Placed, i int) bool { return drawn[JobID(p.Index, i)] }
	used := map[int]bool{}
	for _, p := range c.placed {
		for i := range p.Deployment.Jobs().Len() {
			switch {
			case !isDrawn(p, i):
			case p.Cluster == nil:
				c.job(p, i)
			default:
				used[int(p.Cluster[i])] = true
			}
		}
	}
	for j := range c.jobs {
		if used[j] || c.options.Around == ClusterID(j) {
			c.box(j, isDrawn)
		}
	}
	for _, x := range crossings {
		c.dependency(x.of, x.dependency)
	}
	if len(drawn)+len(crossings) > crowd {
		c.pack()
	}
}
