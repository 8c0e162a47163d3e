package placement

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement/drawing"
	"berth/engine/show"
)

const findID = "drawing-search"

// mostFound limits the listed matches.
const mostFound = 12

// finding is the state of the search among the jobs and clusters of the shown result. The field is
// a combobox with a list box, as ARIA defines them.
type finding struct {
	sought string
	listed []string // elements that match sought
	at     int      // index of the marked match
	found  string   // the last chosen element; "" for none
	finds  int      // number of elements brought into view so far
}

func (p *picture) findField() app.UI {
	f := &p.finding
	field := app.Input().Type("search").ID(findID).DataSet("testid", findID).DataSet("search", true).Role("combobox").
		Placeholder("Find a job (/)").AutoComplete(false).Spellcheck(false).
		Aria("label", "Find a job or a cluster").Aria("controls", findID+"-list").Aria("expanded", len(f.listed) > 0).Aria("autocomplete", "list").
		OnKeyDown(p.pressInFind).OnKeyUp(p.releaseInFind)
	if len(f.listed) > 0 {
		field.Aria("activedescendant", f.optionID(f.at))
	}
	field = ui.Taking(ui.Showing(field, f.sought), "input", func(_ app.Context, text string) { p.seek(text) }, findID)
	return app.Div().Class("find").Body(field, app.Ul().ID(findID+"-list").Role("listbox").Aria("label", "Jobs and clusters").Hidden(len(f.listed) == 0).Body(
		app.Range(f.listed).Slice(func(i int) app.UI {
			id := f.listed[i]
			return app.Li().ID(f.optionID(i)).Role("option").Aria("selected", i == f.at).
				OnClick(func(app.Context, app.Event) { p.bring(id) }, app.EventScope(id)).
				Text(p.nameOf(id))
		}),
	))
}

func (f *finding) optionID(i int) string { return findID + "-" + strconv.Itoa(i) }

// seek lists the jobs and clusters that match a text.
func (p *picture) seek(text string) {
	f := &p.finding
	f.sought, f.at, f.listed = text, 0, nil
	if p.view.result == nil || strings.Trim(text, "/ ") == "" {
		return
	}
	f.listed = search(p.Overview, text)
	if len(f.listed) == 0 {
		shell.Announce(p.view.Page, "No job or cluster matches.")
	}
}

// search finds clusters and jobs whose names or ids contain a text. Exact matches come
// first, then names that begin with the text.
func search(o drawing.Overview, text string) []string {
	text = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(text, "/"))) // the key "/" opens the search
	var ranked [noMatch][]string
	add := func(id, name string, element func() string) {
		rank := min(rankOf(strings.ToLower(id), text), rankOf(strings.ToLower(name), text))
		if rank < noMatch && len(ranked[rank]) < mostFound {
			ranked[rank] = append(ranked[rank], element())
		}
	}
	for j, c := range o.Clusters {
		add(c.ID, c.Name, func() string { return drawing.ClusterID(j) })
	}
	for _, d := range o.Jobs {
		for i := range d.IDs {
			add(d.IDs[i], d.Names[i], func() string { return drawing.JobID(d.Deployment, i) })
		}
	}
	found := slices.Concat(ranked[:]...)
	return found[:min(len(found), mostFound)]
}

const noMatch = 3

func rankOf(name, text string) int {
	switch {
	case name == text:
		return 0
	case strings.HasPrefix(name, text):
		return 1
	case strings.Contains(name, text):
		return 2
	}
	return noMatch
}

func (p *picture) pressInFind(_ app.Context, e app.Event) {
	f := &p.finding
	key := e.Get("key").String()
	n := len(f.listed)
	switch {
	case key == "Escape" && (n > 0 || f.sought != ""):
		f.sought, f.listed = "", nil
	case n == 0:
		return
	case key == "ArrowDown":
		f.at = (f.at + 1) % n
	case key == "ArrowUp":
		f.at = (f.at + n - 1) % n
	default:
		return
	}
	e.PreventDefault()
}

// releaseInFind chooses the marked match when the user releases Enter. If it reacted to the press,
// the focus would move and another element would receive the release.
func (p *picture) releaseInFind(_ app.Context, e app.Event) {
	if f := &p.finding; e.Get("key").String() == "Enter" && len(f.listed) > 0 {
		p.bring(f.listed[f.at])
	}
}

// bring scrolls a job or a cluster into view, marks it and announces its place.
func (p *picture) bring(id string) {
	f := &p.finding
	f.sought, f.listed = "", nil
	p.mark(id)
	shell.Announce(p.view.Page, p.whereabouts(id))
	if deployment, job, ok := drawing.JobOf(id); ok {
		p.view.comparison.explainJob(deployment, job)
	}
	switch view := p.pictureView(); {
	case view == clustersView && p.foundRow > 0:
		ui.FocusFirst(p.view.Page, `#cluster-rows [data-row="`+strconv.Itoa(p.foundRow-1)+`"] button`)
	case isDrawn(view) && p.element(id) != nil && !p.asked.Waits():
		f.finds++
	default:
		f.finds++
		p.drawAround(id)
	}
}

// wanted is the element that a drawing scrolls into view.
func (f *finding) wanted(view drawing.View) chart.Find {
	if !isDrawn(view) {
		return chart.Find{}
	}
	return chart.Find{ID: f.found, N: f.finds}
}

// nameOf names an element: "job catalogue on Frankfurt".
func (o *overview) nameOf(id string) string {
	if deployment, job, ok := drawing.JobOf(id); ok && deployment < len(o.Jobs) && job < len(o.Jobs[deployment].Names) {
		name := "job " + show.Text(o.Jobs[deployment].Names[job])
		if on := o.clusterOf(id); on >= 0 {
			name += " on " + show.Text(o.Clusters[on].Name)
		}
		return name
	}
	if j := o.clusterOf(id); j >= 0 {
		return "cluster " + show.Text(o.Clusters[j].Name)
	}
	return ""
}

// clusterOf returns the index of a cluster, or of the cluster that a job is on; −1 for none.
func (o *overview) clusterOf(id string) int {
	if deployment, job, ok := drawing.JobOf(id); ok {
		if deployment < len(o.Jobs) && job < len(o.Jobs[deployment].Cluster) {
			return int(o.Jobs[deployment].Cluster[job])
		}
		return -1
	}
	number, _ := strings.CutPrefix(id, "cluster-")
	if j, err := strconv.Atoi(number); err == nil && j < len(o.Clusters) {
		return j
	}
	return -1
}

// whereabouts describes the place of an element and how full its cluster is.
func (p *picture) whereabouts(id string) string {
	o := &p.overview
	text := show.Capital(o.nameOf(id))
	if j := o.clusterOf(id); j >= 0 {
		c := o.Clusters[j]
		text += ": " + useWords(o.Overview, j) + ", " + ui.Counted(c.Jobs, "job") + " there"
	}
	return text + "."
}
