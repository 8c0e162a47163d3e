package drawing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/placement/drawing"
)

func TestNeighboursGolden(t *testing.T) {
	d, f := read(t, deployment, federation)
	got := must.Get(drawing.Draw(f, []drawing.Placed{place(t, d, f)}, drawing.Options{View: drawing.NeighboursView, Around: "cluster-1"}))(t)
	golden.Check(t, "testdata/neighbours.dot", got.DOT+describe(got))
}

// jobs returns the titles of the drawn jobs.
func jobs(d drawing.Drawing) []string {
	var titles []string
	for _, e := range d.Elements {
		if e.Kind == "job" {
			titles = append(titles, e.Title)
		}
	}
	slices.Sort(titles)
	return titles
}

func TestNeighboursOfAJob(t *testing.T) {
	f, p := large(10000)
	for view, bold := range map[drawing.View]int{drawing.NeighboursView: 1, drawing.DeploymentView: 0} {
		d := must.Get(drawing.Draw(f, []drawing.Placed{p}, drawing.Options{View: view, Around: "job-0-1"}))(t)
		if got := strings.Count(d.DOT, "penwidth=3"); got != bold {
			t.Errorf("%s: %d jobs are bold, want %d", view, got, bold)
		}
	}
	d := must.Get(drawing.Draw(f, []drawing.Placed{p}, drawing.Options{View: drawing.NeighboursView, Around: "job-0-5000"}))(t)
	if got := jobs(d); !slices.Equal(got, []string{"4999", "5000", "5001"}) {
		t.Errorf("%v are drawn", got)
	}
	if got := len(edge.FindAllString(d.DOT, -1)); got != 2 {
		t.Errorf("%d dependencies are drawn", got)
	}
}

// If there are too many neighbours, those with the least slack are drawn, and the drawing says how
// many there are.
func TestNeighboursAreBounded(t *testing.T) {
	d, f := graph.NewDeployment(), graph.NewFederation()
	latency := func(v ...float64) graph.Label {
		return graph.Label{Type: graph.Lookup(graph.Dependency, "latency"), Values: v}
	}
	p := drawing.Placed{Name: "star", Deployment: d}
	for i := range 1001 {
		d.AddJob(fmt.Sprint(i))
		p.Cluster = append(p.Cluster, int32(min(i, 1)))
		if i > 0 {
			d.AddDependency(0, i, latency(float64(2000-i)))
		}
	}
	for _, name := range []string{"hub", "rest"} {
		f.AddCluster(name)
	}
	f.AddLink(0, 1, graph.Label{Type: graph.Lookup(graph.Link, "latency"), Values: []float64{900, 1}})
	for _, around := range []string{"job-0-0", "cluster-0", "cluster-1"} {
		got := must.Get(drawing.Draw(f, []drawing.Placed{p}, drawing.Options{View: drawing.NeighboursView, Around: around}))(t)
		drawn := jobs(got)
		if len(drawn) != 41 || !slices.Contains(drawn, "1000") || slices.Contains(drawn, "900") {
			t.Errorf("%s: %d jobs are drawn: %v", around, len(drawn), drawn)
		}
		if !got.Simplified || !strings.Contains(got.Note, "1\u202f000") {
			t.Errorf("%s: the note is %q", around, got.Note)
		}
	}
}

func TestNeighboursOfNothingAreAnError(t *testing.T) {
	f, p := large(10)
	for _, around := range []string{"", "job-0-10", "job-1-0", "job-0--1", "cluster-1", "cluster--1", "cluster-x"} {
		if _, err := drawing.Draw(f, []drawing.Placed{p}, drawing.Options{View: drawing.NeighboursView, Around: around}); err == nil {
			t.Errorf("%q has neighbours", around)
		}
	}
}
