package placementkind

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strconv"

	"berth/engine/budget"
	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/input/packed"
	"berth/engine/input/workload"
	"berth/engine/placement/graphs"
	"berth/engine/scenario"
)

// CheckQuery asks for the role of a single graph and its errors. If the graph has neither text nor
// recipe, its text is in a file; see [TextFile].
type CheckQuery struct {
	Source  scenario.Source
	Role    dot.Role // Unknown: the labels decide
	Reading Reading  // as in the document that it is for
}

// TextFile is the name of the file for the graph at an index.
func TextFile(index int) string { return "text/" + strconv.Itoa(index) }

// checkFiles checks several graphs independently.
func checkFiles(ctx context.Context, all []CheckQuery, files scenario.Files) ([]Checked, error) {
	checked := make([]Checked, len(all))
	for i, q := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		load := scenario.NewLoad(0)
		if err := q.read(ctx, files[TextFile(i)], load); err != nil {
			checked[i].Unread = err.Error()
			continue
		}
		checked[i] = Check(ctx, GraphSource(q.Source), q.Role, q.Reading, load)
	}
	return checked, nil
}

// read reads the text from a file, unless file is nil.
func (q *CheckQuery) read(ctx context.Context, file packed.File, load *budget.Budget) error {
	if file != nil {
		text, err := packed.TextOf(ctx, file, load)
		if err != nil {
			return fmt.Errorf("%s: %w", q.Source.Name, err)
		}
		q.Source.Text = packed.AsText(text)
	}
	return nil
}

// answerPartner generates the counterpart of graphs of one role: clusters for deployments, or jobs
// for the files of a federation.
func answerPartner(ctx context.Context, all []CheckQuery, files scenario.Files) (*Generated, error) {
	load := scenario.NewLoad(0)
	var sources []GraphSource
	for i := range all {
		if err := all[i].read(ctx, files[TextFile(i)], load); err != nil {
			return nil, err
		}
		sources = append(sources, GraphSource(all[i].Source))
	}
	options := all[0].Reading.options()
	options.Budget = load
	if all[0].Role == dot.Federation {
		f, found, err := federationOf(ctx, sources, options, false)
		if err = cmp.Or(err, found.Err()); err != nil {
			return nil, err
		}
		return writtenDeployment(graphs.JobsFor(f.Federation), dot.Plain)
	}
	var deployments []*graph.Deployment
	for _, s := range sources {
		some, found, err := s.deployments(ctx, s.name(dot.Deployment), options)
		if err = cmp.Or(err, found.Err()); err != nil {
			return nil, err
		}
		for _, d := range some {
			deployments = append(deployments, d.Deployment)
		}
	}
	return writtenFederation(graphs.ClustersFor(deployments...), dot.Plain)
}

// GenerateQuery asks for the DOT text of a generated graph.
type GenerateQuery struct {
	Recipe  workload.Recipe
	Dialect dot.Dialect
}

// Generated is the text of a generated graph, with its size.
type Generated struct {
	Nodes int
	Edges int
	scenario.Export
}

// generate generates the graph of a recipe within a budget.
func generate[G any](r workload.Recipe, b *budget.Budget, graph func(workload.Recipe) (G, error)) (none G, err error) {
	nodes, edges, err := graphs.Size(r)
	if err == nil {
		err = b.Generate(budget.Nodes, nodes)
	}
	if err == nil {
		err = b.Generate(budget.Edges, edges)
	}
	if err != nil {
		return none, err
	}
	return graph(r)
}

func answerGenerate(_ context.Context, q GenerateQuery, _ scenario.Files) (*Generated, error) {
	load := scenario.NewLoad(0)
	if roleOf(GraphSource{Recipe: &q.Recipe}) == dot.Federation {
		f, err := generate(q.Recipe, load, graphs.Federation)
		if err != nil {
			return nil, err
		}
		return writtenFederation(f, q.Dialect)
	}
	d, err := generate(q.Recipe, load, graphs.Deployment)
	if err != nil {
		return nil, err
	}
	return writtenDeployment(d, q.Dialect)
}

func writtenFederation(f *graph.Federation, dialect dot.Dialect) (*Generated, error) {
	var text bytes.Buffer
	err := dot.WriteFederation(&text, f, dialect)
	return &Generated{f.Clusters().Len(), f.Links().Len(), scenario.Export{Data: text.Bytes()}}, err
}

func writtenDeployment(d *graph.Deployment, dialect dot.Dialect) (*Generated, error) {
	var text bytes.Buffer
	err := dot.WriteDeployment(&text, d, dialect)
	return &Generated{d.Jobs().Len(), d.Dependencies().Len(), scenario.Export{Data: text.Bytes()}}, err
}
