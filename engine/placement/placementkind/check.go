package placementkind

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/input/gap"
	"berth/engine/input/packed"
	"berth/engine/input/workload"
	"berth/engine/placement/graphs"
	"berth/engine/scenario"
)

// Checked is the result of checking a single graph.
type Checked struct {
	Role        dot.Role
	Graphs      []GraphSize // nil if there are errors
	Diagnostics diag.List
	Nodes       bool   // the file has Kubernetes nodes: a deployment with nodes can also serve as a federation
	Unread      string // why the file could not be read; all other fields are then empty
}

// Deployment and Federation report the possible roles of a graph. Manifests with workloads and
// nodes have both.
func (c *Checked) Deployment() bool { return c.Unread != "" || c.Role != dot.Federation }
func (c *Checked) Federation() bool { return c.Unread == "" && (c.Role == dot.Federation || c.Nodes) }

// GraphSize counts jobs and dependencies, or clusters and links.
type GraphSize struct {
	Name  string
	Nodes int
	Edges int
}

// Check reads or generates a single graph within a budget. If role is Unknown, the labels decide,
// and without labels the graph is a deployment.
func Check(ctx context.Context, s GraphSource, role dot.Role, r Reading, b *budget.Budget) Checked {
	var found scenario.Problems
	s.validate("", role, &found)
	if len(found.List) > 0 {
		return Checked{Role: role, Diagnostics: found.List}
	}
	if s.Recipe == nil && gap.Detect([]byte(s.Text)) {
		return checkInstance(s, b)
	}
	if role == dot.Unknown {
		role = roleOf(s)
	}
	c, name := Checked{Role: role}, s.name(role)
	if s.Recipe != nil {
		name = path.Base(name)
	}
	options := r.options()
	options.Budget = b
	var err error
	if role == dot.Federation {
		var f *format.Federation
		if f, c.Diagnostics, err = federationOf(ctx, []GraphSource{s}, options, false); f != nil {
			c.Graphs = []GraphSize{{name, f.Clusters().Len(), f.Links().Len()}}
			c.Nodes = slices.ContainsFunc(f.Members, func(m format.Member) bool { return m.Nodes != nil })
		}
	} else {
		_, c.Nodes = format.Holds([]byte(s.Text))
		var deployments []format.Deployment
		deployments, c.Diagnostics, err = s.deployments(ctx, name, options)
		for _, d := range deployments {
			c.Graphs = append(c.Graphs, GraphSize{d.Name, d.Jobs().Len(), d.Dependencies().Len()})
		}
	}
	if err != nil {
		found.Wrong("recipe", err)
		c.Diagnostics = found.List
	}
	return c
}

// checkInstance reads a generalized assignment problem. It is a federation whose agents are
// clusters.
func checkInstance(s GraphSource, b *budget.Budget) Checked {
	c := Checked{Role: dot.Federation}
	g, err := gap.Read(s.name(c.Role), []byte(s.Text), b)
	if problem, wrong := errors.AsType[*diag.Diagnostic](err); wrong {
		c.Diagnostics = diag.List{*problem}
		return c
	}
	c.Graphs = []GraphSize{{Name: s.name(c.Role), Nodes: g.Agents}}
	return c
}

func roleOf(s GraphSource) dot.Role {
	if s.Recipe == nil && RoleOf(s.Text) == dot.Federation || s.Recipe != nil && s.Recipe.Generator == string(dot.Federation) {
		return dot.Federation
	}
	return dot.Deployment
}

// RoleOf returns the role of a text. If both roles have its format, the content decides: for
// Kubernetes, a file with nodes and without workloads is a federation.
func RoleOf(text string) dot.Role {
	data := []byte(text)
	of := format.DeploymentReader(data)
	if of.Role != nil {
		return of.Role(data)
	}
	if workloads, nodes := format.Holds(data); nodes && !workloads || of.Name != format.FederationReader(data).Name {
		return dot.Federation
	}
	return dot.Deployment
}

// name returns the name of the source in reports and diagnostics.
func (s GraphSource) name(role dot.Role) string { return cmp.Or(s.Name, string(role)) }

// CheckQuery asks for the role of a single graph and its errors. If the graph has neither text nor
// recipe, its text is in a file; see [TextFile].
type CheckQuery struct {
	Source  scenario.Source
	Role    dot.Role // Unknown: the labels decide
	Reading Reading  // as in the document that will contain it
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

// answerPartner generates the counterpart of graphs with one role: clusters for deployments, or
// jobs for the files of a federation.
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
		d := graphs.JobsFor(f.Federation)
		return written(d, dot.Plain, dot.WriteDeployment, d.Jobs(), d.Dependencies())
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
	f := graphs.ClustersFor(deployments...)
	return written(f, dot.Plain, dot.WriteFederation, f.Clusters(), f.Links())
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

func generate[G any](r workload.Recipe, b *budget.Budget, graph func(workload.Recipe) (G, error)) (none G, err error) {
	nodes, edges, err := graphs.Size(r)
	if err = cmp.Or(err, b.Generate(budget.Nodes, nodes), b.Generate(budget.Edges, edges)); err != nil {
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
		return written(f, q.Dialect, dot.WriteFederation, f.Clusters(), f.Links())
	}
	d, err := generate(q.Recipe, load, graphs.Deployment)
	if err != nil {
		return nil, err
	}
	return written(d, q.Dialect, dot.WriteDeployment, d.Jobs(), d.Dependencies())
}

func written[G any](g G, dialect dot.Dialect, write func(io.Writer, G, dot.Dialect) error, nodes, edges *graph.Elements) (*Generated, error) {
	var text bytes.Buffer
	err := write(&text, g, dialect)
	return &Generated{nodes.Len(), edges.Len(), scenario.Export{Data: text.Bytes()}}, err
}
