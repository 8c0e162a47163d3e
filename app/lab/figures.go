package lab

import (
	"cmp"
	"math"

	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/plugin"
	"berth/engine/scenario"
)

// Subject is a column of a table of figures: a policy or scheduler. Is and Was hold its
// part of the result on screen and of the pinned result; Was is nil if the pinned
// result lacks the subject.
type Subject struct {
	Name    string
	Is, Was any
	Run     *scenario.Report // report with the first seed, for the running time; nil if the time is unknown
}

// FigureTable has a row for each figure, a last row for the running time, and a column for each
// subject. The differences from the pinned result are in the first columns.
func FigureTable(id, caption, first string, figures []figure.Figure, subjects []Subject) *ui.Table {
	t := &ui.Table{ID: id, TestID: id, Caption: caption, Columns: []ui.Column{{Name: first}}}
	time := ui.Row{Cells: []ui.Cell{{Text: "time", Title: "Time of the simulation alone, first seed. Berth times the first short run of a " + first + " twice, because the browser compiles its code during the first"}}}
	for i := range subjects {
		if s := &subjects[i]; s.Was != nil {
			t.Columns, time.Cells = append(t.Columns, DeltaColumn(s.Name)), append(time.Cells, NoDelta)
		}
	}
	for i := range subjects {
		t.Columns, time.Cells = append(t.Columns, ui.Column{Name: subjects[i].Name, Numeric: true}), append(time.Cells, subjects[i].time())
	}
	for i := range figures {
		t.Rows = append(t.Rows, figureRow(&figures[i], subjects))
	}
	t.Rows = append(t.Rows, time)
	return t
}

func figureRow(f *figure.Figure, subjects []Subject) ui.Row {
	cells := []ui.Cell{{Text: f.Label, Title: cmp.Or(f.About, f.Title)}}
	for i := range subjects {
		if s := &subjects[i]; s.Was != nil {
			cells = append(cells, DeltaOf(f.Form, f.Of(s.Was), f.Of(s.Is)))
		}
	}
	for i := range subjects {
		cells = append(cells, ui.InForm(f.Form, f.Of(subjects[i].Is)))
	}
	return ui.Row{Cells: cells}
}

// time returns the running time of the simulation with the first seed.
func (s *Subject) time() ui.Cell {
	if s.Run == nil || s.Run.Timings == nil || len(s.Run.Timings.Running) == 0 || len(s.Run.Timings.Running[0]) == 0 {
		return ui.Figure(math.NaN())
	}
	took := s.Run.Timings.Running[0][0] / 1000
	return ui.Cell{Text: ui.Seconds(took), Value: took}
}

// Counted returns a figure for each counter that the subjects' plug-ins define. own returns the
// counters of a subject.
func Counted[S any](subjects []Subject, about string, own func(S) *plugin.Own) (all []figure.Figure) {
	counters := make([]*plugin.Own, len(subjects))
	for i := range subjects {
		counters[i] = own(subjects[i].Is.(S))
	}
	for _, name := range plugin.Names(counters) {
		all = append(all, figure.Of(figure.Figure{Label: name, About: about, Form: figure.Count}, func(s S) figure.Number {
			if n, ok := own(s).Counter(name); ok {
				return figure.Number(n)
			}
			return figure.Undefined
		}))
	}
	return all
}
