package graphs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"berth/engine/graph"
	"berth/engine/input/workload"
)

// Streams of random numbers, so that graphs with the same seed are independent. Deployment i of the
// thesis uses stream deploymentStream + i.
const (
	federationStream = iota
	deploymentStream
)

type figureSource struct {
	*rand.Rand
	values map[string]float64
}

func newSource(seed, stream uint64, values map[string]float64) figureSource {
	return figureSource{rand.New(rand.NewPCG(seed, stream)), values}
}

// within draws a figure from [least, most], rounded to two decimals.
func (s figureSource) within(least, most float64) float64 {
	x := least + float64(s.Float64()*(most-least))
	return min(max(math.Round(x*100)/100, least), most)
}

// figure draws a figure from [min_name, max_name].
func (s figureSource) figure(name string) float64 {
	return s.within(s.values["min_"+name], s.values["max_"+name])
}

// Deployment generates a connected deployment: a random tree over the jobs, then dependencies
// between random pairs. Parallel dependencies are merged. Errors name the parameter and the valid
// values.
func Deployment(r workload.Recipe) (*graph.Deployment, error) {
	values, err := numbers(r, DeploymentGenerator)
	if err != nil {
		return nil, err
	}
	nodes, edges := int(values["n_nodes"]), int(values["n_edges"])
	if err := checkDeployment(values, nodes, edges); err != nil {
		return nil, err
	}
	s := newSource(r.Seed, deploymentStream+uint64(r.Index), values)
	d := graph.NewDeployment()
	for i := range nodes {
		d.Jobs().SetName(d.AddJob(strconv.Itoa(i)), "n"+strconv.Itoa(i))
		request := s.figure("request")
		d.Jobs().Set(i, "cpuOffloading", request, s.within(max(request, values["min_limit"]), values["max_limit"]))
	}
	s.tree(nodes, func(a, b int) { s.dependency(d, a, b) })
	for range edges - (nodes - 1) {
		a := s.IntN(nodes)
		s.dependency(d, a, (a+1+s.IntN(nodes-1))%nodes)
	}
	return d, nil
}

// tree joins n nodes by a uniformly random spanning tree: the edges on which a random walk first
// reaches each node (Broder 1989, Aldous 1990). It takes about n ln n steps.
func (s figureSource) tree(n int, join func(a, b int)) {
	at, seen := s.IntN(n), make([]bool, n)
	seen[at] = true
	for left := n - 1; left > 0; {
		to := s.IntN(n)
		if !seen[to] {
			join(at, to)
			seen[to] = true
			left--
		}
		at = to
	}
}

func checkDeployment(values map[string]float64, nodes, edges int) error {
	switch {
	case values["max_limit"] < values["max_request"]:
		return fmt.Errorf("max_limit: %v is below max_request, %v: expected at least that, since no request exceeds its limit", values["max_limit"], values["max_request"])
	case nodes == 1 && edges > 0:
		return fmt.Errorf("n_edges: %d is too many: a single job has no other to depend on, so expected 0", edges)
	case edges < nodes-1:
		return fmt.Errorf("n_edges: %d is too few: a connected deployment of %d jobs needs at least %d", edges, nodes, nodes-1)
	}
	return nil
}

func (s figureSource) dependency(d *graph.Deployment, a, b int) {
	bound := graph.Label{Type: graph.Lookup(graph.Dependency, "latency"), Values: []float64{s.figure("latency")}}
	if k, merged := d.AddDependency(a, b, bound); !merged {
		d.Dependencies().SetName(k, d.Jobs().Name(a)+"-"+d.Jobs().Name(b))
	}
}

// Federation generates a star: a centre "central" and clusters "0", "1", …, each with one link to
// the centre. Errors name the parameter and the valid values.
func Federation(r workload.Recipe) (*graph.Federation, error) {
	values, err := numbers(r, FederationGenerator)
	if err != nil {
		return nil, err
	}
	s := newSource(r.Seed, federationStream, values)
	f := graph.NewFederation()
	center := f.AddCluster("central")
	s.cluster(f, center, values["center_amount"], values["center_cost"])
	for i := range int(values["n_nodes"]) {
		c := f.AddCluster(strconv.Itoa(i))
		f.Clusters().SetName(c, "n"+strconv.Itoa(i))
		s.cluster(f, c, s.figure("amount"), s.figure("cost"))
	}
	latency := graph.Lookup(graph.Link, "latency")
	for c := 1; c < f.Clusters().Len(); c++ {
		k, _ := f.AddLink(c, center, graph.Label{Type: latency, Values: []float64{s.figure("latency"), s.figure("latency_cost")}})
		f.Links().SetName(k, f.Clusters().Name(c)+"-central")
	}
	_, err = f.SetCenter("central")
	return f, err
}

func (s figureSource) cluster(f *graph.Federation, c int, amount, cost float64) {
	v := s.values
	f.Clusters().Set(c, "cpu", amount, cost, v["min_request"], v["max_request"], v["min_limit"], v["max_limit"])
}

// Mesh converts a star to a mesh with explicit links between all clusters, in the thesis's order.
// It returns any other federation unchanged. More than 2,000,000 links are an error.
func Mesh(f *graph.Federation) (*graph.Federation, error) {
	n := f.Clusters().Len()
	if f.Center() < 0 {
		return f, nil
	}
	if links := n * (n - 1) / 2; links > maxEdges {
		return nil, fmt.Errorf("a full mesh of %d clusters has %d links and the limit is %d: keep the star", n, links, maxEdges)
	}
	mesh := graph.NewFederation()
	mesh.DOTName = f.DOTName
	for c := range n {
		copyLabels(mesh.Clusters(), mesh.AddCluster(f.Clusters().ID(c)), f.Clusters(), c)
	}
	for k := range f.Links().Len() {
		if a, b := f.Ends(k); a == f.Center() || b == f.Center() {
			link, _ := mesh.AddLink(a, b)
			copyLabels(mesh.Links(), link, f.Links(), k)
		}
	}
	for a := range n {
		for b := range a {
			if a != f.Center() && b != f.Center() && f.Connected(a, b) {
				link, _ := mesh.AddLink(a, b, derived(f, a, b)...)
				mesh.Links().SetName(link, f.Clusters().Name(a)+"-"+f.Clusters().Name(b))
			}
		}
	}
	return mesh, nil
}

func copyLabels(to *graph.Elements, i int, from *graph.Elements, k int) {
	to.Copy(i, from, k)
	to.SetName(i, from.Name(k))
}

// derived returns the labels of the path between two clusters of a star.
func derived(f *graph.Federation, a, b int) []graph.Label {
	var labels []graph.Label
	for _, l := range graph.Labels(graph.Link) {
		values := make([]float64, len(l.Fields))
		complete := true
		for i := range l.Fields {
			var ok bool
			values[i], ok = f.Figure(l, i, a, b)
			complete = complete && ok
		}
		if complete {
			labels = append(labels, graph.Label{Type: l, Values: values})
		}
	}
	return labels
}
