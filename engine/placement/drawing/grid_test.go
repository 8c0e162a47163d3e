package drawing_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/placement/drawing"
)

// drawn draws a random placement of jobs, with random prices.
func drawn(t *testing.T, r *rand.Rand, jobs, clusters int, narrow bool) string {
	t.Helper()
	d, f := graph.NewDeployment(), graph.NewFederation()
	for j := range clusters {
		f.AddCluster(fmt.Sprint("cluster ", j))
		f.Clusters().Set(j, "cpu", float64(100+r.IntN(100)), r.Float64(), 0, 10, 0, 10)
		if j > 0 {
			f.AddLink(0, j, graph.Label{Type: graph.Lookup(graph.Link, "latency"), Values: []float64{1, 1}})
		}
	}
	must.Get(f.SetCenter(f.Clusters().ID(0)))(t)
	p := drawing.Placed{Name: "d", Deployment: d}
	for i := range jobs {
		d.AddJob(fmt.Sprint("job", i))
		d.Jobs().Set(i, "cpuOffloading", 1, 1)
		p.Cluster = append(p.Cluster, int32(r.IntN(1+r.IntN(clusters))))
		if i > 0 {
			d.AddDependency(r.IntN(i), i, graph.Label{Type: graph.Lookup(graph.Dependency, "latency"), Values: []float64{10}})
		}
	}
	got := must.Get(drawing.Draw(f, []drawing.Placed{p}, drawing.Options{View: drawing.ResultView, Narrow: narrow}))(t)
	return got.SVG
}

// area is a rectangle.
type area struct{ x, y, w, h float64 }

var (
	rectangle = regexp.MustCompile(`<rect x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"`)
	element   = regexp.MustCompile(`<g id="([^"]*)" class="(node job|cluster)[^"]*"><title>([^<]*)</title>(<rect[^>]*>)(<rect[^>]*>)?`)
	line      = regexp.MustCompile(`<title>dependency (\S+) – (\S+)</title><path d="([^"]*)"`)
	corner    = regexp.MustCompile(`(-?[\d.]+),(-?[\d.]+)`) // including the corners of curves, which are round
)

func numbers(texts []string) (all []float64) {
	for _, text := range texts {
		v, _ := strconv.ParseFloat(text, 64)
		all = append(all, v)
	}
	return all
}

func areaOf(rect string) area {
	n := numbers(rectangle.FindStringSubmatch(rect)[1:])
	return area{n[0], n[1], n[2], n[3]}
}

// crosses reports whether a line of one direction runs through the inside of an area.
func (a area) crosses(x, y, toX, toY float64) bool {
	const edge = 0.2 // figures are rounded
	return max(x, toX) > a.x+edge && min(x, toX) < a.x+a.w-edge && max(y, toY) > a.y+edge && min(y, toY) < a.y+a.h-edge
}

// No placement and no price moves a cluster or changes the size of the picture. All clusters are
// drawn, and edges run beside the titles of clusters and jobs.
func TestClustersKeepTheirPlaces(t *testing.T) {
	t.Run("wide", func(t *testing.T) { clustersKeepTheirPlaces(t, false) })
	t.Run("narrow", func(t *testing.T) { clustersKeepTheirPlaces(t, true) })
}

func clustersKeepTheirPlaces(t *testing.T, narrow bool) {
	for _, size := range [][2]int{{12, 6}, {3, 3}, {40, 6}, {40, 20}, {9, 1}, {30, 2}} {
		r := rand.New(rand.NewPCG(1, uint64(size[0])))
		places, box := map[string]area{}, ""
		for range 20 {
			svg := drawn(t, r, size[0], size[1], narrow)
			view, _, _ := strings.Cut(svg[strings.Index(svg, "viewBox"):], ">")
			if box == "" {
				box = view
			}
			titles, clusters := map[string]area{}, 0
			for _, e := range element.FindAllStringSubmatch(svg, -1) {
				at := areaOf(e[4])
				if e[2] == "node job" {
					name, _, _ := strings.Cut(strings.TrimPrefix(e[3], "job "), " ")
					titles[name] = at
					continue
				}
				clusters++
				titles[e[1]] = areaOf(e[5])
				if before, known := places[e[1]]; known && (before.x != at.x || before.y != at.y) {
					t.Fatalf("%v: %s was at %v and is at %v", size, e[1], before, at)
				}
				places[e[1]] = at
			}
			if clusters != size[1] || view != box {
				t.Fatalf("%v: %d clusters in %s, want %s", size, clusters, view, box)
			}
			for _, l := range line.FindAllStringSubmatch(svg, -1) {
				points := corner.FindAllStringSubmatch(l[3], -1)
				for i := range points[1:] {
					from, to := numbers(points[i][1:]), numbers(points[i+1][1:])
					for name, title := range titles {
						if name != l[1] && name != l[2] && title.crosses(from[0], from[1], to[0], to[1]) {
							t.Errorf("%v: the edge from %s to %s runs through %s", size, l[1], l[2], name)
						}
					}
				}
			}
		}
	}
}

// If a job is added or removed, most other jobs of its cluster stay where they are.
func TestJobsKeepTheirPlaces(t *testing.T) {
	d, f := read(t, deployment, federation)
	place := func(cluster ...int32) map[string]area {
		got := must.Get(drawing.Draw(f, []drawing.Placed{{Name: "d", Deployment: d, Cluster: cluster}}, drawing.Options{View: drawing.ResultView}))(t)
		at := map[string]area{}
		for _, e := range element.FindAllStringSubmatch(got.SVG, -1) {
			at[e[1]] = areaOf(e[4])
		}
		return at
	}
	before, after := place(0, 0, 0), place(0, 0, 1)
	for _, job := range []string{"job-0-0", "job-0-1"} {
		if before[job] != after[job] {
			t.Errorf("%s was at %v and is at %v", job, before[job], after[job])
		}
	}
}

// On a phone, 358 pixels wide, the labels of the shop are at least 10 pixels high, whether its jobs
// are placed or wait, and no picture is too long.
func TestNarrowPicturesAreLegible(t *testing.T) {
	const wide, least, longest = 358, 10, 5 // longest limits the height of a picture relative to its width
	file := func(name string) string {
		text := must.Get(os.ReadFile("../../../examples/shop-" + name + ".dot"))(t)
		return string(text)
	}
	d, f := read(t, file("deployment"), file("federation"))
	for _, cluster := range [][]int32{place(t, d, f).Cluster, slices.Repeat([]int32{-1}, d.Jobs().Len())} {
		got := must.Get(drawing.Draw(f, []drawing.Placed{{Name: "shop", Deployment: d, Cluster: cluster}}, drawing.Options{View: drawing.ResultView, Narrow: true}))(t)
		across, _ := viewBox(got.SVG)
		for _, font := range labelSize.FindAllStringSubmatch(got.SVG, -1) {
			if pixels := numbers(font[1:])[0] * wide / across; pixels < least {
				t.Errorf("on %v: a label has %.1f pixels", cluster, pixels)
			}
		}
	}
	for _, size := range [][2]int{{12, 6}, {3, 3}, {40, 20}, {9, 1}, {200, 40}} {
		if across, down := viewBox(drawn(t, rand.New(rand.NewPCG(1, 1)), size[0], size[1], true)); down > longest*across {
			t.Errorf("%v: the picture has %v × %v", size, across, down)
		}
	}
}

var labelSize = regexp.MustCompile(`font-size="([^"]*)"`)

// viewBox is the size of a picture.
func viewBox(svg string) (wide, high float64) {
	fmt.Sscanf(svg[strings.Index(svg, "viewBox"):], `viewBox="0 0 %g %g"`, &wide, &high)
	return wide, high
}
