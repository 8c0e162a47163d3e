package placementkind

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berth/engine/dot"
	"berth/engine/figure"
	"berth/engine/input/csv"
	"berth/engine/input/format"
	"berth/engine/placement/drawing"
	"berth/engine/scenario"
	"berth/engine/show"
)

// ExportQuery asks for the first seed's result as a file.
type ExportQuery struct {
	Strategy   int
	Deployment int // number, or AllDeployments
	Format     string
}

// The formats of Export. After "dot-" comes the [dot.Dialect].
const (
	DOTThesis  = "dot-thesis"  // the result graph (figure 6.2), in the thesis's dialect
	DOTPlain   = "dot-plain"   // the result graph with plain attributes
	CSV        = "csv"         // one line for each job, with its cluster
	FiguresCSV = "figures-csv" // costs and steps of each strategy and deployment over its seeds
)

// ErrNothingPlaced is the error if there is no result graph.
var ErrNothingPlaced = errors.New("no deployment was placed, so there is no result to write")

// Export returns a result as a file. The caller names the file.
func (e *Prepared) Export(q ExportQuery) (*scenario.Export, error) {
	file := &scenario.Export{Type: "text/csv"}
	placed, err := e.placed(q.Strategy, q.Deployment)
	if err != nil {
		return file, err
	}
	w, known := format.Writers.Lookup(q.Format)
	switch {
	case q.Format == CSV:
		file.Data = e.placementCSV(placed)
	case q.Format == FiguresCSV:
		file.Data = e.figuresCSV()
	case q.Format != DOTThesis && q.Format != DOTPlain && !known:
		err = fmt.Errorf("unknown format %q; known: %s, %s, %s, %s", q.Format, DOTThesis, DOTPlain, CSV, FiguresCSV)
	case !slices.ContainsFunc(placed, func(p drawing.Placed) bool { return p.Cluster != nil }):
		err = ErrNothingPlaced
	case known:
		file.Type = w.Type
		file.Data, file.Remarks, err = e.written(q.Strategy, placed, w)
	default:
		file.Type = "text/vnd.graphviz"
		dialect := dot.Dialect(strings.TrimPrefix(q.Format, "dot-"))
		file.Data = []byte(drawing.Result(e.world.federation.Federation, placed, dialect))
	}
	return file, err
}

// written returns a result in one of the formats of package format.
func (e *Prepared) written(strategy int, placed []drawing.Placed, w format.Writer) (data []byte, remarks []string, err error) {
	p := format.Placement{Facts: e.facts(strategy)}
	for _, s := range e.document.Deployments {
		if s.Recipe == nil {
			p.Files = append(p.Files, format.File{Name: s.name(dot.Deployment), Text: s.Text})
		}
	}
	for _, one := range placed {
		d := e.world.deployments[one.Index]
		for i, j := range one.Cluster {
			if d.Pods != nil {
				pods := &d.Pods[i]
				p.Jobs = append(p.Jobs, format.PlacedJob{
					Owner: pods.Owner, Cluster: e.world.federation.Clusters().ID(int(j)), Pods: pods.Pods, Tolerations: pods.Tolerations,
				})
			}
		}
	}
	var text bytes.Buffer
	err = w.Write(&text, &p)
	return text.Bytes(), p.Remarks, err
}

// facts returns the known figures of a placement as annotations.
func (e *Prepared) facts(strategy int) [][2]string {
	s := e.report.Strategies[strategy]
	facts := [][2]string{{"berth/strategy", s.Strategy}}
	known := func(name string, x figure.Number) {
		if x.Defined() {
			facts = append(facts, [2]string{name, show.Number(float64(x))})
		}
	}
	known("berth/cost", s.Total.Total)
	if len(s.Deployments) == 1 { // with several deployments, each bound depends on the earlier placements
		known("berth/bound", figure.From(s.Deployments[0].Bound))
		known("berth/gap", figure.From(s.Deployments[0].Gap))
	}
	x := New("", *e.document)
	facts = append(facts, [2]string{"berth/scenario", x.Hash()})
	if link, err := scenario.EncodeLink(x); err == nil && len(link) <= scenario.LongLink {
		facts = append(facts, [2]string{"berth/link", "s=" + link})
	}
	return facts
}

func (e *Prepared) placementCSV(placed []drawing.Placed) []byte {
	rows := [][]string{{"deployment", "job", "name", "cluster", "cluster name"}}
	clusters := e.world.federation.Clusters()
	for _, p := range placed {
		jobs := p.Deployment.Jobs()
		for i, j := range p.Cluster {
			rows = append(rows, []string{p.Name, jobs.ID(i), jobs.Name(i), clusters.ID(int(j)), clusters.Name(int(j))})
		}
	}
	return csv.Table(rows)
}

// Names of the groups of deployments that have their own lines in the CSV of figures.
const (
	allOfThem   = "all that were placed"
	allInCommon = "all that every strategy placed in every run"
)

// figuresCSV returns a line for each strategy and deployment: the mean of each figure over the
// seeds and half the width of its 95 % confidence interval. n is the number of runs that placed the
// deployment; means of costs are over these runs.
func (e *Prepared) figuresCSV() []byte {
	header := []string{"strategy", "deployment", "status", "n", "seeds", "first seed"}
	for _, f := range inCSV() {
		header = append(header, f.Column, f.Column+" half-width")
	}
	r := e.report
	rows := [][]string{header}
	common := r.Common()
	for i := range r.Strategies {
		s := &r.Strategies[i]
		add := func(deployment, status, seeds string, m *Summary, t *Tally) {
			rows = append(rows, append([]string{s.Strategy, deployment, status, seeds, seeds, strconv.FormatUint(e.document.Seed, 10)}, t.cells(m)...))
			row := rows[len(rows)-1]
			switch {
			case m != nil:
				row[3], row[4] = strconv.Itoa(m.Placed+m.PlacedSome), strconv.Itoa(m.Runs)
				if m.Placed < m.Runs {
					row[2] = fmt.Sprintf("placed in %d of %d runs", m.Placed, m.Runs)
				}
			case deployment != allInCommon && !t.Total.Defined():
				row[3] = "0"
			}
		}
		placed := 0
		for k := range s.Deployments {
			d := &s.Deployments[k]
			add(d.Name, string(d.Status), "1", d.Summary, r.TallyOf(s, k))
			if d.Placed() {
				placed++
			}
		}
		if len(s.Deployments) > 1 {
			add(allOfThem, fmt.Sprintf("%d of %d", placed, len(s.Deployments)), "1", s.Summary, r.Tally(s))
			add(allInCommon, fmt.Sprintf("%d of %d", len(common), len(r.Deployments)), strconv.Itoa(s.Seeds), nil, r.TallyIn(s, common))
		}
	}
	return csv.Table(rows)
}

func inCSV() []figure.Figure {
	return figure.Where(Tallied, func(f *figure.Figure) bool { return f.Column != "" })
}

// cells returns the cells of all figures: of one run, or of a summary with its intervals.
func (t *Tally) cells(m *Summary) (cells []string) {
	for _, f := range inCSV() {
		e := t.Estimate(&f, m)
		cells = append(cells, csv.Number(e.Mean), csv.Number(e.HalfWidth))
	}
	return cells
}
