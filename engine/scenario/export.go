package scenario

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"berth/engine/csv"
	"berth/engine/dot"
	"berth/engine/federate/federatekind"
	"berth/engine/placement/drawing"
)

// ExportQuery asks for a result as a file, of the run of the first seed.
type ExportQuery struct {
	Strategy   int    `json:"strategy"`   // or scheduler
	Deployment int    `json:"deployment"` // AllDeployments for all of them
	Format     string `json:"format"`
	Step       int    `json:"step,omitempty"`  // of matrix-csv
	Which      string `json:"which,omitempty"` // of matrix-csv: CM or NAM
}

// The formats of Export; those of a scenario of kind "federate" are JSON and
// those that its package has.
const (
	DOTThesis  = "dot-thesis"  // the result graph (figure 6.2), in the thesis's dialect
	DOTPlain   = "dot-plain"   // and in plain attributes
	CSV        = "csv"         // one line for each job: where it stands
	FiguresCSV = "figures-csv" // one line for each strategy and deployment: costs and steps
	MatrixCSV  = "matrix-csv"  // CM or NAM before a step, one line for each job
	JSON       = "json"        // the whole report, without timings
)

// Formats lists the formats of Export.
func Formats() []string { return []string{DOTThesis, DOTPlain, CSV, FiguresCSV, MatrixCSV, JSON} }

// ErrNothingPlaced says that there is no result graph.
var ErrNothingPlaced = errors.New("no deployment was placed, so there is no result to write")

// Export returns a result as a file: its name, its media type and its bytes.
// Where a simulation has to be repeated for it, ctx may end that.
func (e *Experiment) Export(ctx context.Context, q ExportQuery) (name, mime string, data []byte, err error) {
	if e.federate != nil {
		return e.exportFederate(ctx, q)
	}
	name = e.fileName(q)
	switch q.Format {
	case DOTThesis, DOTPlain:
		data, err = e.resultDOT(q)
		return name + ".dot", "text/vnd.graphviz", data, err
	case CSV:
		data, err = e.placementCSV(q)
	case FiguresCSV:
		data, err = e.figuresCSV()
	case MatrixCSV:
		name += fmt.Sprintf("-%s-step-%d", q.Which, q.Step)
		data, err = e.matrixCSV(q)
	case JSON:
		if err = e.check(0, 0); err == nil {
			data = EncodeReport(e.report.Untimed())
		}
		return name + ".json", "application/json", data, err
	default:
		err = fmt.Errorf("unknown format %q; known: %s", q.Format, strings.Join(Formats(), ", "))
	}
	return name + ".csv", "text/csv", data, err
}

// fileName tells the results of different strategies and deployments apart.
func (e *Experiment) fileName(q ExportQuery) string {
	parts := []string{"berth"}
	if e.check(q.Strategy, max(0, q.Deployment)) == nil && q.Format != JSON && q.Format != FiguresCSV {
		parts = append(parts, e.scenario.Placement.Strategies[q.Strategy].Name)
		if q.Deployment >= 0 {
			parts = append(parts, strings.TrimSuffix(path.Base(e.deployments[q.Deployment].Name), ".dot"))
		}
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|#`, r) || r <= ' ' {
			return '-'
		}
		return r
	}, strings.Join(parts, "-"))
}

func (e *Experiment) resultDOT(q ExportQuery) ([]byte, error) {
	placed, err := e.placed(q.Strategy, q.Deployment)
	if err != nil {
		return nil, err
	}
	dialect := dot.Plain
	if q.Format == DOTThesis {
		dialect = dot.Thesis
	}
	text := drawing.Result(e.federation, placed, dialect)
	if text == "" {
		return nil, ErrNothingPlaced
	}
	return []byte(text), nil
}

func (e *Experiment) placementCSV(q ExportQuery) ([]byte, error) {
	placed, err := e.placed(q.Strategy, q.Deployment)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"deployment", "job", "name", "cluster", "cluster name"}}
	clusters := e.federation.Clusters()
	for _, p := range placed {
		jobs := p.Deployment.Jobs()
		for i, j := range p.Cluster {
			rows = append(rows, []string{p.Name, jobs.ID(i), jobs.Name(i), clusters.ID(int(j)), clusters.Name(int(j))})
		}
	}
	return csv.Table(rows), nil
}

func (e *Experiment) figuresCSV() ([]byte, error) {
	if err := e.check(0, 0); err != nil {
		return nil, err
	}
	rows := [][]string{{
		"strategy", "deployment", "status", "node cost", "link cost", "total cost",
		"cost per unit", "cost per link", "expansions", "backtracks",
	}}
	for _, s := range e.report.Placement.Strategies {
		for _, d := range s.Deployments {
			rows = append(rows, []string{
				s.Strategy, d.Name, string(d.Status), csv.Number(d.Cost.Node), csv.Number(d.Cost.Link), csv.Number(d.Cost.Total),
				csv.Number(d.PerUnit), csv.Number(d.PerLink), strconv.FormatInt(d.Expansions, 10), strconv.FormatInt(d.Backtracks, 10),
			})
		}
	}
	return csv.Table(rows), nil
}

func (e *Experiment) matrixCSV(q ExportQuery) ([]byte, error) {
	m, err := e.Matrix(MatrixQuery{
		ExplainQuery: ExplainQuery{Strategy: q.Strategy, Deployment: q.Deployment, Step: q.Step}, Which: q.Which,
	})
	if err != nil {
		return nil, err
	}
	rows := [][]string{append([]string{"job"}, m.Columns...)}
	n := len(m.Columns)
	for i, job := range m.Rows {
		row := []string{job}
		for _, v := range m.Values[i*n : (i+1)*n] {
			row = append(row, csv.Number(&v))
		}
		rows = append(rows, row)
	}
	return csv.Table(rows), nil
}

// exportFederate writes a table of the report of a federate scenario, or one of
// all tasks under a scheduler.
func (e *Experiment) exportFederate(ctx context.Context, q ExportQuery) (name, mime string, data []byte, err error) {
	name = "berth-federate-" + q.Format + ".csv"
	switch {
	case q.Format == federatekind.ExportTasks:
		data, err = e.federate.TasksCSV(ctx, q.Strategy)
	case e.report == nil:
		err = errors.New("the scenario has not been run")
	case q.Format == JSON:
		return "berth-federate.json", "application/json", EncodeReport(e.report.Untimed()), nil
	default:
		data, err = e.report.Federate.Export(q.Format)
	}
	return name, "text/csv", data, err
}
