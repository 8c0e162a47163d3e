package main

import (
	"bytes"
	"fmt"
	"math"

	flag "github.com/spf13/pflag"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/parameter"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
)

var convert = &command{
	name: "convert", group: filesGroup, summary: "write manifests, nodes or topologies as .dot",
	use: "FILE…", args: []string{"FILE…"},
	examples: `  berth convert manifests.yaml > deployment.dot
  berth convert eu=nodes-eu.yaml us=nodes-us.yaml > federation.dot`,
	details: `Berth recognises files by their content: Kubernetes YAML or JSON, Clusters of
Karmada, GraphML and GML of the Internet Topology Zoo, and .dot. It joins several
files of a federation by the ids of the clusters, and writes one graph for each
deployment. NAME=FILE names the cluster of a file of nodes. The output has only the
total amounts of each cluster, because .dot has no nodes of clusters.`,
	setUp: flagged[convertFlags](),
}

type convertFlags struct {
	role, dialect string
	read          readFlags
	reading       format.Reading
}

func (p *convertFlags) register(_ *call, f *flag.FlagSet) {
	choose(f, &p.role, "role", "what the files are, if their content does not say", "", string(dot.Deployment), string(dot.Federation))
	choose(f, &p.dialect, "dialect", "how to write labels", string(dot.Plain), string(dot.Thesis))
	p.read.register(f, &p.reading)
	parameterFlags(f, &p.reading, placementkind.ReadingParameters(), (*parameter.Parameter).ParseBounded)
}

func (p *convertFlags) run(c *call, names []string) (err error) {
	if len(names) == 0 {
		return c.misuse("FILE is missing")
	}
	files := make([]format.File, len(names))
	for i, name := range names {
		files[i], err = c.named(name)
		if err != nil {
			return err
		}
	}
	var text bytes.Buffer
	var found diag.List
	o, dialect := c.options(false), dot.Dialect(p.dialect)
	p.read.finish()
	o.Reading = p.reading
	if p.role == string(dot.Federation) || p.role == "" && placementkind.RoleOf(files[0].Text) == dot.Federation {
		found, err = convertFederation(&text, files, o, dialect)
	} else {
		found, err = convertDeployments(&text, files, o, dialect)
	}
	if len(found.Errors()) > 0 {
		return &scenario.InputError{Diagnostics: found}
	}
	for _, d := range found {
		fmt.Fprintf(c.errs, "%s: %s\n", d.Severity, d)
	}
	if err != nil {
		return badInput{err}
	}
	return c.write(text.Bytes())
}

func convertFederation(to *bytes.Buffer, files []format.File, o format.Options, dialect dot.Dialect) (diag.List, error) {
	f, found := format.ReadFederation(files, o)
	if f == nil || len(found.Errors()) > 0 {
		return found, nil
	}
	warn := func(code *diag.Code, args ...any) {
		found = append(found, diag.Diagnostic{Severity: diag.Warning, File: files[0].Name, Code: code, Args: args})
	}
	hosts, tainted := 0, 0
	for _, m := range f.Members {
		if m.Nodes != nil {
			hosts += len(m.Nodes.Nodes)
		}
		if len(m.Taints) > 0 {
			tainted++
		}
	}
	if tainted > 0 {
		warn(taintsLeftOut, show.Count(tainted, "cluster"))
	}
	if hosts > 0 {
		warn(hostsLeftOut, show.Count(hosts, "host"))
	}
	unpriced := len(f.Unpriced())
	f.FillPrices(true)
	if unpriced > 0 {
		warn(pricesUnknown, show.Count(unpriced, "cluster"))
	}
	bare := explicit(f.Clusters(), graph.Lookup(graph.Cluster, "cpu"), 0, 0, 0, math.Inf(1), 0, math.Inf(1))
	if bare > 0 {
		warn(amountsUnknown, show.Count(bare, "cluster"), show.Verb(bare, "has", "have"))
	}
	if islands := graph.Islands(f.Federation); len(islands) > 1 && f.Links().Len() > 0 {
		warn(clustersApart, len(islands))
	}
	if f.Links().Len() == 0 && f.Clusters().Len() > 1 {
		warn(linksUnknown)
	}
	return found, dot.WriteFederation(to, f.Federation, dialect)
}

func convertDeployments(to *bytes.Buffer, files []format.File, o format.Options, dialect dot.Dialect) (diag.List, error) {
	var found diag.List
	for _, file := range files {
		all, diagnostics := format.ReadDeployments(file.Name, []byte(file.Text), o)
		found = append(found, diagnostics...)
		for _, d := range all {
			explicit(d.Jobs(), graph.Lookup(graph.Job, "cpuOffloading"), 0, 0)
			if err := dot.WriteDeployment(to, d.Deployment, dialect); err != nil {
				return found, fmt.Errorf("%s: %w", show.Text(file.Name), err)
			}
		}
	}
	return found, nil
}

// explicit adds a label to elements without labels, because .dot requires at least one. It returns
// the number of these elements.
func explicit(all *graph.Elements, label *graph.LabelType, values ...float64) (bare int) {
	for i := range all.Len() {
		if len(all.Labels(i)) == 0 {
			all.SetLabel(label, i, values)
			bare++
		}
	}
	return bare
}
