package examples_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/examples"
)

// The size of a thumbnail, in its own units.
const thumbWide, thumbHigh = 120, 72

// briefly lists examples of every kind that take only a moment.
var briefly = []string{"shop", "thesis-small", "backtracking", "thesis-50", "validation-1", "validation-2", "deployments", "stale", "three-masters", "four-shares"}

const thumbnails = "../web/assets/thumbnails.svg"

// Thumbnails are drawn from the results of the examples. Those that take only a moment are drawn
// again here; "go test -update" draws all of them.
func TestThumbnails(t *testing.T) {
	kept := must.Get(os.ReadFile(thumbnails))(t)
	var sheet strings.Builder
	sheet.WriteString(`<svg xmlns="http://www.w3.org/2000/svg">` + "\n")
	for _, e := range examples.List() {
		if slices.Contains(briefly, e.Name) || golden.Updates() {
			sheet.WriteString(thumbnailOf(t, e))
			continue
		}
		begin := fmt.Sprintf("<symbol id=%q", e.Name)
		_, rest, found := strings.Cut(string(kept), begin)
		if !found {
			t.Fatalf("example %s has no thumbnail: go test -update draws it", e.Name)
		}
		picture, _, _ := strings.Cut(rest, "\n")
		sheet.WriteString(begin + picture + "\n")
	}
	golden.Check(t, thumbnails, sheet.String()+"</svg>\n")
}

func thumbnailOf(t *testing.T, e examples.Example) string {
	t.Helper()
	if varied, ok := e.Scenario.Body.(scenario.Varied); ok {
		e.Scenario.Body = varied.Varies().Base // one point of a sweep
	}
	r, err := scenario.Run(t.Context(), e.Scenario, scenario.Env{})
	if err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	var s sketch
	switch body := r.Body.(type) {
	case *placementkind.Report:
		s.clusters(body)
	case *qoskind.Report:
		s.classes(body)
	case *federatekind.Report:
		s.waits(body)
	}
	if s.Len() == 0 {
		t.Errorf("the thumbnail of %s is empty", e.Name)
	}
	return fmt.Sprintf("<symbol id=%q viewBox=\"0 0 %d %d\">%s</symbol>\n", e.Name, thumbWide, thumbHigh, s.String())
}

// sketch is a thumbnail under construction, in the colours of the page.
type sketch struct{ strings.Builder }

func (s *sketch) box(x, y, wide, high float64, attributes string) {
	fmt.Fprintf(s, `<rect x="%.4g" y="%.4g" width="%.4g" height="%.4g" %s/>`, x, y, wide, high, attributes)
}

func filled(color string) string { return fmt.Sprintf(`fill="var(--%s)"`, color) }

// clusters draws clusters as boxes with their jobs as dots, the fullest first.
func (s *sketch) clusters(r *placementkind.Report) {
	jobs, order := map[string]int{}, []string{}
	for _, d := range r.Strategies[0].Deployments {
		for _, a := range d.Placement {
			if jobs[a.Cluster]++; jobs[a.Cluster] == 1 {
				order = append(order, a.Cluster)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(jobs[b], jobs[a]) })
	columns := min(4, max(2, int(math.Ceil(math.Sqrt(float64(len(order)))))))
	rows := min(3, max(1, (len(order)+columns-1)/columns))
	wide, high := float64(thumbWide)/float64(columns), float64(thumbHigh)/float64(rows)
	for i, cluster := range order[:min(len(order), columns*rows)] {
		left, top := wide*float64(i%columns)+2, high*float64(i/columns)+2
		s.box(left, top, wide-4, high-4, `rx="4" fill="none" stroke="var(--line-strong)"`)
		across := int((wide - 8) / 7) // number of dots in a line
		for k := range min(jobs[cluster], across*int((high-8)/7)) {
			s.box(left+4+float64(7*(k%across)), top+4+float64(7*(k/across)), 5, 5, `rx="2" `+filled("series-1"))
		}
	}
	if len(order) == 0 {
		s.box(2, 2, thumbWide-4, thumbHigh-4, `rx="4" fill="none" stroke="var(--bad)"`)
	}
}

// classes draws a bar for the mean availability of each class under two policies, with the SLO as a
// mark.
func (s *sketch) classes(r *qoskind.Report) {
	policies := r.Policies[:min(len(r.Policies), 2)]
	high := float64(thumbHigh) / float64(len(policies))
	for i, p := range policies {
		step := (high - 6) / float64(len(p.Run.Classes))
		for k, c := range p.Run.Classes {
			color := fmt.Sprint("series-", k%8+1)
			if slices.Contains([]string{"gold", "silver", "bronze"}, c.Name) {
				color = c.Name
			}
			top := high*float64(i) + 3 + step*float64(k)
			s.box(4, top, max(0.5, 110*float64(c.Availability.Mean)), max(1, step-2), filled(color))
			s.box(3+110*c.SLO, top-1, 2, max(1, step), filled("ink"))
		}
	}
}

// waits draws, for each scheduler, the fraction of all tasks that waited at most a time. The time
// axis is logarithmic.
func (s *sketch) waits(r *federatekind.Report) {
	least, most := math.Inf(1), 0.0
	for _, x := range r.Schedulers {
		if d := x.Distribution; len(d.Lower) > 0 {
			least, most = min(least, d.Lower[0]), max(most, d.Upper)
		}
	}
	for i, x := range r.Schedulers {
		d := &x.Distribution
		at := func(wait float64) float64 { return 4 + 112*math.Log2(wait/least)/math.Log2(most/least) }
		part := func(n int) float64 { return 68 - 64*float64(n)/float64(max(1, x.Tasks)) }
		sum, line := d.Zero, fmt.Sprintf("M4 %.4gH", part(d.Zero))
		for k, n := range d.Count {
			if n > 0 {
				sum += n
				line += fmt.Sprintf("%.4gV%.4gH", at(d.Lower[k]), part(sum))
			}
		}
		fmt.Fprintf(s, `<path d="%s116" fill="none" stroke="var(--series-%d)" stroke-width="2"/>`, line, i%8+1)
	}
}
