package handover

import (
	"context"
	"fmt"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/input/format"
	"berth/engine/input/packed"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// The question about a placement's cluster, and the tool that reads manifest files for QoS.
var (
	ClusterQuestion   = scenario.NewQuestion("placement/service", scenario.Results, cluster)
	ManifestsQuestion = scenario.NewTool("qos/manifests", manifests)
)

// ClusterQuery asks for a cluster of a placement as a QoS scenario.
type ClusterQuery struct {
	Strategy int
	Cluster  string
	Name     string            // name of the scenario
	Classes  map[string]string // service classes by priority class
}

func cluster(e *placementkind.Prepared, _ context.Context, q ClusterQuery) (scenario.Scenario, error) {
	one, err := e.OneCluster(q.Strategy, q.Cluster)
	if err != nil {
		return scenario.Scenario{}, err
	}
	d := qoskind.Document{Policies: qoskind.DefaultPolicies(), Seed: 1}
	PutCluster(one, q.Classes, &d)
	return qoskind.New(q.Name, d), nil
}

// ManifestsQuery asks for the hosts and controllers in manifest files. The files are
// attached to the query under their indexes: see [FileOf].
type ManifestsQuery struct {
	Names   []string
	Classes []qoskind.Class // classes of the document that receives the result
	Horizon float64         // horizon of that document, in seconds
}

// Manifests are parts of a QoS document: Hosts if the files have nodes, Controllers
// if they have workloads.
type Manifests struct {
	Hosts       *scenario.Source
	Controllers []qoskind.Controller
	Horizon     float64
	Notes       []string
	Diagnostics diag.List
}

// FileOf returns the attachment name of file i of a query.
func FileOf(i int) string { return fmt.Sprint(i) }

func manifests(ctx context.Context, q ManifestsQuery, files scenario.Files) (Manifests, error) {
	var nodes, workloads []format.File
	load := scenario.NewLoad(0)
	for i, name := range q.Names {
		file, err := textOf(ctx, name, files[FileOf(i)], load)
		if err != nil {
			return Manifests{}, err
		}
		hasWorkloads, hasNodes := format.Holds([]byte(file.Text))
		if hasNodes {
			nodes = append(nodes, file)
		}
		if hasWorkloads || !hasNodes { // a file of pods alone counts as workloads
			workloads = append(workloads, file)
		}
	}
	one, found := Read(nodes, workloads, load)
	m := Manifests{Diagnostics: found}
	if one == nil {
		return m, nil
	}
	d := qoskind.Document{Classes: q.Classes, Horizon: q.Horizon}
	if nodes != nil {
		hosts := Hosts(one, nodes[0].Name+".csv")
		m.Hosts = &hosts
	}
	if workloads != nil {
		for _, note := range PutControllers(one, nil, &d) {
			m.Notes = append(m.Notes, note.Text)
		}
		m.Controllers, m.Horizon = d.Controllers, d.Horizon
	}
	return m, nil
}

// textOf reads an attached file, decompressing it if necessary.
func textOf(ctx context.Context, name string, file packed.File, b *budget.Budget) (format.File, error) {
	if file == nil {
		return format.File{}, fmt.Errorf("%s is missing from the query", name)
	}
	text, err := packed.TextOf(ctx, file, b)
	if err != nil {
		return format.File{}, fmt.Errorf("%s: %w", name, err)
	}
	return format.File{Name: name, Text: packed.AsText(text)}, nil
}
