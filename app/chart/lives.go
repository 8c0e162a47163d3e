package chart

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Lives shows every request over time: a strip for each, which runs, waits or is preempted, in a
// band for each class and a panel for each policy. Next to the strip is the availability that the
// request reached, with a mark at the SLO. If strips are thinner than a pixel, each line of pixels
// is the mean of several.
type Lives struct {
	app.Compo

	ID       string
	TestID   string
	Title    string
	Empty    string // message for a chart without figures
	Waiting  bool   // the figures are still being computed
	XLabel   string // "time (s)"
	Controls string // id of the element for the player; "": above the drawing
	Follows  bool   // no own player; it follows the player of another drawing
	Panels   []Panel
	Bands    []Band
	Items    []Life  // in drawing order
	Events   []Event // by time; if empty, the steps are the changes of strips

	// Seek moves the cursor whenever it changes; at first the cursor is at the end.
	Seek float64

	OnPick func(ctx app.Context, p Pick)
}

// Panel is a separate part of the drawing: a policy.
type Panel struct {
	Name string
	Says string // summary of its result: "160 of 256 met their SLO"
}

// Band is a class in each panel.
type Band struct {
	Name  string
	Limit float64 // SLO
}

// Life is a request under a policy. It waits outside of its spans.
type Life struct {
	Panel, Band int
	Label       string
	Reached     float64 // availability
	Arrival     float64
	Spans       []Span // by time
}

// Span is a time in which a request runs or is preempted.
type Span struct {
	From, To  float64
	Preempted bool
}

// Render draws the chart.
func (l *Lives) Render() app.UI {
	n := 0
	for _, d := range l.Items {
		n += len(d.Spans)
	}
	return &plate{
		ID: l.ID, TestID: l.TestID, Title: l.Title, Empty: l.Empty, Of: l, Draw: "lives", Spec: l.spec, Waiting: l.Waiting,
		Header: []string{"policy", "class", "request", "availability", "runs from", "to"}, Rows: l.rows, Cells: 6 * n,
		OnPick: picker(l.OnPick),
	}
}

func (l *Lives) spec() map[string]any {
	n := len(l.Items)
	panel, band, first := make([]int32, n), make([]int32, n), make([]int32, n+1)
	reached, arrival, labels := make([]float64, n), make([]float64, n), make([]string, n)
	var times []float64
	var kinds []uint8
	for i, d := range l.Items {
		panel[i], band[i], reached[i], arrival[i], labels[i] = int32(d.Panel), int32(d.Band), d.Reached, d.Arrival, d.Label
		for _, s := range d.Spans {
			times, kinds = append(times, s.From, s.To), append(kinds, map[bool]uint8{true: 1}[s.Preempted])
		}
		first[i+1] = int32(len(kinds))
	}
	panels, bands := make([]map[string]any, len(l.Panels)), make([]map[string]any, len(l.Bands))
	for i, p := range l.Panels {
		panels[i] = map[string]any{"name": p.Name, "says": p.Says}
	}
	for i, b := range l.Bands {
		bands[i] = named(b.Name, "", i)
		bands[i]["limit"] = b.Limit
	}
	return map[string]any{
		"xLabel": l.XLabel, "follows": l.Follows, "controls": l.Controls, "seek": l.Seek, "panels": panels, "bands": bands,
		"panel": panel, "band": band, "first": first, "reached": reached, "arrival": arrival, "labels": labels,
		"times": times, "kinds": kinds, "events": events(l.Events),
	}
}

func (l *Lives) rows() [][]string {
	var rows [][]string
	for _, d := range l.Items {
		for _, s := range d.Spans {
			if !s.Preempted {
				rows = append(rows, []string{l.Panels[d.Panel].Name, l.Bands[d.Band].Name, fmt.Sprint("request ", d.Label), ui.Exact(d.Reached), ui.Exact(s.From), ui.Exact(s.To)})
			}
		}
	}
	return rows
}
