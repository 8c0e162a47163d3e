package main

import (
	"fmt"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/input/format"
	"berth/engine/kube/handover"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// fromPlacementFlags are the flags that take hosts and controllers from a placement.
type fromPlacementFlags struct {
	scenario, cluster string
	classes           list
}

func (p *fromPlacementFlags) register(f *flag.FlagSet) {
	f.StringVar(&p.scenario, "from-placement", "", "a scenario of a placement, a `FILE`: the nodes of one cluster become hosts, the jobs placed there controllers; nodes that its what-if drains or fails go down after a quarter of the horizon")
	f.StringVar(&p.cluster, "cluster", "", "with --from-placement, the `ID` of the cluster (default the only one with jobs)")
	f.Var(&p.classes, "class-of", "with manifests, `PRIORITY=CLASS`: the service class of pods of a priority class; may be repeated")
}

// put runs the placement and sets the hosts, controllers and host events of the document.
func (p *fromPlacementFlags) put(c *call, d *qoskind.Document) error {
	from, err := c.scenario(p.scenario)
	if err != nil {
		return err
	}
	e, _, err := c.carryOut(from, scenario.Env{})
	if err != nil {
		return err
	}
	work, err := scenario.WorkOf[*placementkind.Prepared](e)
	if err != nil {
		return badInputf("%s: %w", from.file, err)
	}
	one, err := work.OneCluster(0, p.cluster)
	if err != nil {
		return badInputf("%s: %w", from.file, err)
	}
	classes, err := p.classOf(c)
	if err == nil {
		tellClasses(c, handover.PutCluster(one, classes, d))
	}
	return err
}

// classOf parses the flags that map priority classes to service classes.
func (p *fromPlacementFlags) classOf(c *call) (map[string]string, error) {
	classes := map[string]string{}
	for _, row := range p.classes {
		priority, class, ok := strings.Cut(row, "=")
		if !ok {
			return nil, c.misuse("--class-of %s: expected PRIORITY=CLASS", row)
		}
		classes[priority] = class
	}
	return classes, nil
}

func tellClasses(c *call, notes []handover.Note) {
	for _, note := range notes {
		text := note.Text
		if note.ByClass {
			text += "; change that with --class-of"
		}
		fmt.Fprintf(c.errs, "note: %s\n", text)
	}
}

// fromFiles reads hosts and controllers from Kubernetes manifests, or controllers from JSON. It
// leaves host files in other formats to their readers.
func (p *simulateFlags) fromFiles(c *call, d *qoskind.Document) error {
	var nodes, workloads []format.File
	if beginsAsKubernetes(d.Hosts.Name) {
		name, data, err := c.text(d.Hosts.Name, scenario.MaxBytes)
		if err != nil {
			return err
		}
		nodes = []format.File{{Name: name, Text: string(data)}}
	}
	if p.controllers != "" {
		name, data, err := c.text(p.controllers, scenario.MaxBytes)
		if err != nil {
			return err
		}
		if !format.IsKubernetes(data) {
			if err := qoskind.ReadControllers(data, d); err != nil {
				return inFile(name, err)
			}
		} else {
			workloads = []format.File{{Name: name, Text: string(data)}}
		}
	}
	if nodes == nil && workloads == nil {
		return nil
	}
	one, found := handover.Read(nodes, workloads, c.load(p.memory))
	if one == nil {
		return &scenario.InputError{Diagnostics: found}
	}
	if nodes != nil {
		d.Hosts = handover.Hosts(one, d.Hosts.Name)
	}
	if workloads == nil {
		return nil
	}
	classes, err := p.placement.classOf(c)
	if err == nil {
		tellClasses(c, handover.PutControllers(one, classes, d))
	}
	return err
}

// beginsAsKubernetes reports whether the beginning of a file looks like Kubernetes objects.
func beginsAsKubernetes(name string) bool { return format.IsKubernetes([]byte(headOf(name))) }
