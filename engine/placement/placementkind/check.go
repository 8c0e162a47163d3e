package placementkind

import (
	"context"
	"errors"
	"path"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/format"
	"berth/engine/gap"
	"berth/engine/scenario"
)

// Checked is the result of a look at a single graph.
type Checked struct {
	Role        dot.Role    `json:"role"`
	Graphs      []GraphSize `json:"graphs"` // none if there are errors
	Diagnostics diag.List   `json:"diagnostics"`
	Nodes       bool        `json:"nodes,omitempty"`  // of a deployment: it has nodes, too, and is a federation as well
	Unread      string      `json:"unread,omitempty"` // why the file could not be looked at; all else is empty then
}

// Deployment and Federation report the possible roles of a graph: manifests may have both
// workloads and nodes.
func (c *Checked) Deployment() bool { return c.Unread != "" || c.Role != dot.Federation }
func (c *Checked) Federation() bool { return c.Unread == "" && (c.Role == dot.Federation || c.Nodes) }

// GraphSize counts jobs and dependencies, or clusters and links.
type GraphSize struct {
	Name  string `json:"name"`
	Nodes int    `json:"nodes"`
	Edges int    `json:"edges"`
}

// Check reads or generates a single graph within a budget. With the role Unknown its labels
// decide the role, and without any the graph is read as a deployment.
func Check(ctx context.Context, s Source, role dot.Role, r Reading, b *budget.Budget) Checked {
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
	if s.Recipe != nil {
		return checkRecipe(s, role, b)
	}
	c := Checked{Role: role}
	options := r.options()
	options.Budget = b
	if role == dot.Federation {
		f, diagnostics := federationOf(ctx, []format.File{{Name: s.name(role), Text: s.Text}}, options, false)
		c.Diagnostics = diagnostics
		if f != nil {
			c.Graphs = []GraphSize{{s.name(role), f.Clusters().Len(), f.Links().Len()}}
		}
		return c
	}
	_, c.Nodes = format.Holds([]byte(s.Text))
	deployments, diagnostics := deploymentsOf(ctx, format.File{Name: s.name(role), Text: s.Text}, options)
	c.Diagnostics = diagnostics
	for _, d := range deployments {
		c.Graphs = append(c.Graphs, GraphSize{d.Name, d.Jobs().Len(), d.Dependencies().Len()})
	}
	return c
}

// checkInstance reads a generalized assignment problem, which replaces the federation:
// its agents are clusters.
func checkInstance(s Source, b *budget.Budget) Checked {
	c := Checked{Role: dot.Federation}
	g, err := gap.Read(s.name(c.Role), []byte(s.Text), b)
	if problem, wrong := errors.AsType[*diag.Diagnostic](err); wrong {
		c.Diagnostics = diag.List{*problem}
		return c
	}
	c.Graphs = []GraphSize{{Name: s.name(c.Role), Nodes: g.Agents}}
	return c
}

func roleOf(s Source) dot.Role {
	role := dot.Deployment
	switch {
	case s.Recipe == nil && RoleOf(s.Text) == dot.Federation,
		s.Recipe != nil && s.Recipe.Generator == dot.Federation.String():
		role = dot.Federation
	}
	return role
}

// RoleOf returns the role of a text: of DOT by its labels; a federation if only federations have
// its format, or if it has nodes and no workload; else a deployment.
func RoleOf(text string) dot.Role {
	data := []byte(text)
	if name := format.FederationReader(data).Name; name != "dot" && name != format.DeploymentReader(data).Name {
		return dot.Federation
	} else if name == "dot" {
		return dot.Detect(data)
	}
	if workloads, nodes := format.Holds(data); nodes && !workloads {
		return dot.Federation
	}
	return dot.Deployment
}

func checkRecipe(s Source, role dot.Role, b *budget.Budget) Checked {
	c := Checked{Role: role}
	g, err := generated(*s.Recipe, role, b)
	if err != nil {
		var found scenario.Problems
		found.Wrong("recipe", err)
		c.Diagnostics = found.List
		return c
	}
	c.Graphs = []GraphSize{{path.Base(s.name(role)), g.Nodes, g.Edges}}
	return c
}

// name returns the name of the source in reports and diagnostics.
func (s Source) name(role dot.Role) string {
	if s.Name == "" {
		return role.String()
	}
	return s.Name
}
