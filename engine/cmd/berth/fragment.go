package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/kube/fragment"
	"berth/engine/parameter"
)

var fragmentCommand = &command{
	name: "fragment", group: modelsGroup, summary: "fill a cluster with pods that share GPUs, and measure what is left",
	use: "--nodes NODES.csv --pods PODS.csv",
	examples: `  # Fragmentation gradient descent and best fit on the lists of openb
  berth fragment --nodes openb_node_list_gpu_node.csv --pods openb_pod_list_default.csv --policy fgd --policy best-fit --format text`,
	details: `Pods arrive in random order and never leave, until all that have arrived have asked for
--arrive times the GPUs of all nodes; if the list has fewer, more are drawn from it.
Berth measures how much of the GPUs is allocated by then, and how much of what is free
the typical pods of the list cannot use. The nodes are a list of hosts and the pods a
list of requests in any format that berth simulate reads, such as the lists of openb;
times in them do not matter. JSON has parts of the whole, by whole per cent of the GPUs
that pods have asked for, and null where nothing is free.`,
	setUp: flagged[fragmentFlags](),
}

type fragmentFlags struct {
	laboratory
	document fragment.Document
}

func (p *fragmentFlags) register(c *call, f *flag.FlagSet) {
	d := &p.document
	f.StringVar(&d.Nodes.Name, "nodes", "", "the nodes, a `FILE`")
	f.StringVar(&d.Pods.Name, "pods", "", "the pods, a `FILE`")
	f.Var((*list)(&d.Policies), "policy", "the `NAME` of a policy; may be repeated: "+strings.Join(fragment.Names(), ", ")+" (default all)")
	parameterFlags(f, d, fragment.Parameters(), (*parameter.Parameter).ParseBounded)
	seed(f, &d.Seed)
	p.laboratory.register(f, fragment.Parameters(), "json", "text")
	c.writes(f, "output", insteadOfStandard)
}

func (p *fragmentFlags) run(c *call, _ []string) error {
	d := &p.document
	if err := cmp.Or(c.required("nodes", d.Nodes.Name, "pods", d.Pods.Name), c.distinct("policy", d.Policies)); err != nil {
		return err
	}
	for _, name := range d.Policies {
		if _, err := fragment.Lookup(name); err != nil {
			return c.misuse("--policy: %v", err)
		}
	}
	if len(d.Policies) == 0 {
		d.Policies = fragment.Names()
	}
	keepWithin(p.memory, 1)
	_, report, err := conduct(c, &p.laboratory, fragment.New("", *d), func(*fragment.Prepared) {})
	if err != nil {
		return err
	}
	r := fragment.ReportOf(report)
	return c.conclude(p.output, r, func(w io.Writer) {
		fmt.Fprintf(w, "%s\n\n", report.Headline)
		r.WriteText(w, nil)
	}, r.Partial(), true)
}
