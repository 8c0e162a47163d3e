package placementkind

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/input/format"
	"berth/engine/input/gap"
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
	switch {
	case of.Role != nil:
		return of.Role(data)
	case of.Name != format.FederationReader(data).Name:
		return dot.Federation
	}
	if workloads, nodes := format.Holds(data); nodes && !workloads {
		return dot.Federation
	}
	return dot.Deployment
}

// name returns the name of the source in reports and diagnostics.
func (s GraphSource) name(role dot.Role) string { return cmp.Or(s.Name, string(role)) }
