package placement

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement/drawing"
	"berth/engine/show"
)

// mostBetween limits the clusters in the matrix of dependencies.
const mostBetween = 250

// figures holds the contents of the views of clusters and of dependencies.
type figures struct {
	byUse    []int    // clusters, fullest first
	bars     []ui.Row // of the clusters
	foundRow int      // row of the found element in bars, from 1; 0 for none

	between []int // clusters in the matrix, in order of increasing slack
	slack   []float64
	count   []float64
	tight   []ui.Row
}

func figuresOf(o drawing.Overview) figures {
	f := figures{byUse: lab.FirstOf(len(o.Clusters))}
	slices.SortStableFunc(f.byUse, func(a, b int) int {
		_, x := fullest(o, a)
		_, y := fullest(o, b)
		return cmp.Or(cmp.Compare(y, x), cmp.Compare(o.Clusters[b].Jobs, o.Clusters[a].Jobs))
	})
	f.matrix(o)
	f.tight = tightRows(o)
	return f
}

// fullest returns the scarcest resource of a cluster and its used share; resource is −1
// if no job requests any.
func fullest(o drawing.Overview, cluster int) (resource int, share float64) {
	resource = -1
	for r, s := range o.Clusters[cluster].Share {
		if resource < 0 || s > share {
			resource, share = r, s
		}
	}
	return resource, share
}

// useWords describes the use of a cluster's scarcest resource: "98 % of cpu used".
func useWords(o drawing.Overview, cluster int) string {
	r, share := fullest(o, cluster)
	if r < 0 {
		return "nothing requested"
	}
	return ui.Percent(share) + " of " + o.Resources[r] + " used"
}

// mark marks an element as found in drawings and bars; "" unmarks it.
func (p *picture) mark(id string) {
	if p.found != id {
		p.found = id
		p.drawBars()
	}
}

func (p *picture) drawBars() {
	on := p.clusterOf(p.found)
	p.foundRow = slices.Index(p.byUse, on) + 1
	p.bars = barRows(p.Overview, p.byUse, p.found, on)
}

// barRows returns a row for each cluster, with a bar of its scarcest resource and the
// used shares of all resources.
func barRows(o drawing.Overview, order []int, found string, on int) []ui.Row {
	segments := segmentsOf(o, found)
	rows := make([]ui.Row, 0, len(order))
	for _, j := range order {
		c := o.Clusters[j]
		row := ui.Row{Cells: []ui.Cell{ui.Text(c.Name), ui.Figure(float64(c.Jobs))}}
		if r, share := fullest(o, j); r >= 0 {
			row.Cells = append(row.Cells, ui.Cell{Text: ui.Percent(share), Value: share, Title: useWords(o, j), After: bar(segments[j])})
		} else {
			row.Cells = append(row.Cells, undefined())
		}
		for r, share := range c.Share {
			row.Cells = append(row.Cells, ui.Cell{Text: c.Words[r], Value: share})
		}
		if j == on {
			row.Class = "found"
		}
		rows = append(rows, row)
	}
	return rows
}

// segment is the part of a bar that one job takes.
type segment struct {
	share float64
	found bool
}

// segmentsOf returns the segments of each cluster's bar, the largest first.
func segmentsOf(o drawing.Overview, found string) [][]segment {
	all, resource := make([][]segment, len(o.Clusters)), make([]int, len(o.Clusters))
	for j := range resource {
		resource[j], _ = fullest(o, j)
	}
	deployment, job, sought := drawing.JobOf(found)
	for _, d := range o.Jobs {
		for i, j := range d.Cluster {
			if r := resource[j]; r >= 0 {
				all[j] = append(all[j], segment{d.Share[r][i], sought && i == job && d.Deployment == deployment})
			}
		}
	}
	for _, s := range all {
		sort.SliceStable(s, func(i, j int) bool { return s[j].share < s[i].share })
	}
	return all
}

// bar draws segments as SVG, 1000 units wide for a full cluster. Lines separate
// segments that are wide enough.
func bar(segments []segment) ui.Markup {
	const apart = 4
	var lines, mark strings.Builder
	at := 0.0
	for _, s := range segments {
		from, to := 1000*at, 1000*min(1, at+s.share)
		at += s.share
		if to-from >= apart {
			fmt.Fprintf(&lines, "M%.0f,0v14", to)
		}
		if s.found {
			fmt.Fprintf(&mark, `<rect class="found" x="%.1f" width="%.1f" height="14"/>`, from, max(to-from, apart))
		}
	}
	return ui.Markup(fmt.Sprintf(`<svg class="use-bar" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true">`+
		`<rect width="%.1f" height="14"/>%s<path d="%s"/></svg>`, 1000*min(1, at), mark.String(), lines.String()))
}

// matrix fills the matrix of slack and counts. It has a row and a column for each
// cluster with dependencies on other clusters.
func (f *figures) matrix(o drawing.Overview) {
	least := map[int]float64{}
	for _, b := range o.Between {
		if b.A != b.B {
			for _, j := range []int{b.A, b.B} {
				if s, ok := least[j]; !ok || b.Slack < s {
					least[j] = b.Slack
				}
			}
		}
	}
	for _, j := range f.byUse {
		if _, ok := least[j]; ok {
			f.between = append(f.between, j)
		}
	}
	slices.SortStableFunc(f.between, func(a, b int) int { return cmp.Compare(least[a], least[b]) })
	f.between = f.between[:min(len(f.between), mostBetween)]
	n, at := len(f.between), map[int]int{}
	for i, j := range f.between {
		at[j] = i
	}
	f.slack, f.count = make([]float64, n*n), make([]float64, n*n)
	for i := range f.slack {
		f.slack[i] = math.NaN()
	}
	for _, b := range o.Between {
		x, known := at[b.A]
		y, both := at[b.B]
		if !known || !both {
			continue
		}
		for _, cell := range []int{x*n + y, y*n + x} {
			f.count[cell] = float64(b.Count)
			if x != y {
				f.slack[cell] = 100 * b.Slack
			}
		}
	}
}

func tightRows(o drawing.Overview) []ui.Row {
	names := overview{Overview: o}
	rows := []ui.Row{}
	for _, t := range o.Tightest {
		var path []string
		for _, f := range t.Path {
			path = append(path, strings.TrimSpace(f.Name+" "+f.Value+" "+f.Unit))
		}
		rows = append(rows, ui.Row{Cells: []ui.Cell{
			ui.Text(names.nameOf(t.Ends[0])), ui.Text(names.nameOf(t.Ends[1])),
			{Text: ui.Percent(t.Slack), Value: t.Slack}, ui.Text(strings.Join(path, ", ")),
		}})
	}
	return rows
}

// figuresSentence names the fullest cluster or the tightest dependency. It returns ""
// for drawings.
func (c *comparison) figuresSentence() string {
	o, f := &c.view.picture.overview, &c.view.picture.figures
	switch view := c.view.picture.pictureView(); {
	case o.run == nil: // the overview has not arrived yet
	case view == clustersView:
		if len(f.byUse) == 0 {
			return "There are no clusters."
		}
		first := f.byUse[0]
		_, most := fullest(o.Overview, first)
		text := fmt.Sprintf("Fullest cluster: %s, %s by %s", show.Text(o.Clusters[first].Name), useWords(o.Overview, first), ui.Counted(o.Clusters[first].Jobs, "job"))
		others := slices.IndexFunc(f.byUse, func(j int) bool { _, share := fullest(o.Overview, j); return share < most }) - 1
		if others > 0 {
			text += "; " + ui.Counted(others, "other") + " " + show.Verb(others, "is", "are") + " as full"
		}
		return text + "."
	case view == dependenciesView:
		if len(o.Tightest) == 0 {
			return "No dependency crosses clusters."
		}
		t := o.Tightest[0]
		return fmt.Sprintf("Tightest dependency: %s – %s, %s of the bound is left.", o.nameOf(t.Ends[0]), o.nameOf(t.Ends[1]), ui.Percent(t.Slack))
	}
	return ""
}

// clusterBars shows how full each cluster is, and which jobs fill it.
func (c *comparison) clusterBars() app.UI {
	if c.view.picture.pictureView() != clustersView {
		return ui.None()
	}
	columns := []ui.Column{{Name: "Cluster"}, {Name: "Jobs", Numeric: true},
		{Name: "Used", Title: "Of the scarcest resource of the cluster; each part of a bar is a job", Numeric: true}}
	for _, r := range c.view.picture.Resources {
		columns = append(columns, ui.Column{Name: show.Capital(r), Numeric: true})
	}
	return &ui.Table{ID: "cluster-rows", TestID: "cluster-bars", Caption: "Clusters; press one to see its jobs and their neighbours",
		Columns: columns, Rows: c.view.picture.bars, Selected: c.view.picture.foundRow,
		OnRow: func(_ app.Context, i int) { c.view.picture.lookAround(drawing.ClusterID(c.view.picture.byUse[i])) }}
}

// matrixOfDependencies shows the slack between any two clusters, and a table of the
// tightest dependencies.
func (c *comparison) matrixOfDependencies() app.UI {
	f, o := &c.view.picture.figures, &c.view.picture.overview
	if c.view.picture.pictureView() != dependenciesView || len(f.between) == 0 {
		return ui.None()
	}
	names := make([]string, len(f.between))
	for i, j := range f.between {
		names[i] = o.Clusters[j].Name
	}
	title := "Slack between clusters, %: the smallest share of a bound that a dependency leaves"
	if all := len(f.between); all == mostBetween {
		title += fmt.Sprintf("; the %d clusters with the smallest slack", all)
	}
	return app.Div().Body(
		&chart.Chart{ID: "slack-matrix", Title: title,
			Of: chart.Heatmap{RowLabel: "cluster", ColumnLabel: "cluster", Rows: names, Columns: names, Values: f.slack, None: "no dependency, or one cluster", More: f.count, MoreLabel: "dependencies"}},
		&ui.Table{ID: "tight-rows", TestID: "tight-dependencies", Caption: "The tightest dependencies; press one to see it drawn",
			Columns: []ui.Column{{Name: "From"}, {Name: "To"}, {Name: "Left", Title: "Share of the tightest bound that the path leaves", Numeric: true}, {Name: "Path", Prose: true}},
			Rows:    f.tight, OnRow: func(_ app.Context, i int) { c.view.picture.bring(o.Tightest[i].Ends[0]) }},
	)
}
