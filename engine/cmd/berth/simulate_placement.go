package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"berth/engine/csv"
	"berth/engine/format"
	"berth/engine/kubernetes"
	"berth/engine/placement/placementkind"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/show"
)

// fromPlacementFlags take hosts and controllers from a placement.
type fromPlacementFlags struct {
	scenario, cluster string
	classes           list
}

func (p *fromPlacementFlags) register(f *flag.FlagSet) {
	f.StringVar(&p.scenario, "from-placement", "", "a scenario of a placement, a `FILE`: hosts are the nodes of one of its clusters, controllers its jobs there; what its what-if drains or fails, does so after a quarter of the horizon")
	f.StringVar(&p.cluster, "cluster", "", "with --from-placement, the `ID` of the cluster (default the only one with jobs)")
	f.Var(&p.classes, "class-of", "with manifests, `PRIORITY=CLASS`: the service class of pods of a priority class; may be repeated")
}

// placementHorizon is what is simulated of a placement if --horizon does not say, in
// seconds.
const placementHorizon = 3600

// put places the deployments, and puts hosts, controllers and events into the
// document.
func (p *fromPlacementFlags) put(c *call, d *qoskind.Document) error {
	name, document, s, err := c.scenario(p.scenario)
	if err != nil {
		return err
	}
	files := files{call: c}
	if err := files.besideOf(s, name, filepath.Dir(p.scenario)); err != nil {
		return err
	}
	e, err := scenario.Prepare(c, s, scenario.Env{Beside: files.open})
	if err != nil {
		scenario.Locate(document, err)
		return inFile(name, err)
	}
	if _, err := e.Run(c); err != nil {
		return err
	}
	work, err := scenario.WorkOf[*placementkind.Experiment](e)
	if err != nil {
		return badInputf("%s: %w", name, err)
	}
	one, err := work.OneCluster(p.cluster)
	if err != nil {
		return badInputf("%s: %w", name, err)
	}
	if d.Horizon == 0 {
		d.Horizon = placementHorizon
	}
	d.Hosts = scenario.Source{Name: one.Name + ".csv", Text: string(hostsOf(one))}
	for _, n := range one.Nodes {
		if n.Fails || n.Leaves {
			event := map[bool]string{true: "fail", false: "leave"}[n.Fails]
			d.HostEvents = append(d.HostEvents, qoskind.HostEvent{Time: d.Horizon / 4, Host: n.Name, Event: event})
		}
	}
	return p.controllers(c, one, d)
}

// gib is the unit of memory of such a simulation; that of cpu is a core.
const gib = 1 << 30

// hostsOf writes nodes as hosts. Which of them a job may be on, whatever says so,
// is an attribute for each job: job-3=yes.
func hostsOf(c *placementkind.OneCluster) []byte {
	rows := [][]string{{"name", "cpu", "memory", "attributes"}}
	for _, n := range c.Nodes {
		var attributes []string
		for i := range c.Jobs {
			if c.Jobs[i].Shape.Takes(n.Node) {
				attributes = append(attributes, fmt.Sprintf("job-%d=yes", i))
			}
		}
		rows = append(rows, []string{n.Name, cores(n.CPU), units(n.Memory, gib), strings.Join(attributes, ";")})
	}
	return bytes.TrimPrefix(csv.Table(rows), []byte("\uFEFF"))
}

func cores(thousandths int64) string { return units(thousandths, 1000) }

func units(amount int64, unit float64) string {
	return strconv.FormatFloat(float64(amount)/unit, 'f', -1, 64)
}

// least is what an instance asks for at least: pods may ask for nothing.
const least = 1e-6

// nodes reads the hosts where they are nodes of Kubernetes, nil where they are not.
func (p *simulateFlags) nodes(c *call) (*placementkind.OneCluster, error) {
	if p.hosts == "" || p.hosts == "-" || !beginsAsKubernetes(p.hosts) {
		return nil, nil
	}
	name, data, err := c.text(p.hosts)
	if err != nil {
		return nil, err
	}
	f, found := kubernetes.ReadFederation(name, data, format.Options{})
	if f == nil {
		return nil, &scenario.InputError{Diagnostics: found}
	}
	one := &placementkind.OneCluster{Name: name}
	for i := range f.Nodes {
		one.Nodes = append(one.Nodes, placementkind.NodesOf(f.NodesOf(i))...)
	}
	return one, nil
}

// beginsAsKubernetes looks at the beginning of a file; what cannot be read is for
// others to tell.
func beginsAsKubernetes(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return false
	}
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(file, head)
	return kubernetes.Sniff(head[:n])
}

// fromManifests makes controllers of workloads, on nodes or on other hosts, which do
// not say which of them take a job.
func (p *simulateFlags) fromManifests(c *call, d *qoskind.Document, nodes *placementkind.OneCluster, name string, data []byte) error {
	all, found := kubernetes.ReadDeployment(name, data, format.Options{})
	if all == nil {
		return &scenario.InputError{Diagnostics: found}
	}
	if d.Horizon == 0 {
		d.Horizon = placementHorizon
	}
	one := placementkind.OneCluster{Jobs: placementkind.PodsOf(&all[0])}
	if nodes != nil {
		one.Nodes = nodes.Nodes
		d.Hosts.Text = string(hostsOf(&one))
	}
	return p.placement.controllers(c, &one, d)
}

func (p *fromPlacementFlags) controllers(c *call, one *placementkind.OneCluster, d *qoskind.Document) error {
	classes := map[string]string{}
	for _, row := range p.classes {
		priority, class, ok := strings.Cut(row, "=")
		if !ok {
			return c.misuse("--class-of %s: expected PRIORITY=CLASS", row)
		}
		classes[priority] = class
	}
	known := classNames(d)
	unknown := map[string]bool{}
	for i, j := range one.Jobs {
		class, ok := classes[j.Class]
		switch {
		case ok:
		case slices.Contains(known, j.Class):
			class = j.Class
		default:
			class = known[len(known)-1]
			unknown[j.Class] = true
		}
		q := qoskind.Controller{
			Name: j.Name, Kind: "deployment", Class: class, Replicas: j.Pods,
			CPU: max(least, float64(j.Shape.Requests["cpu"])/1000), Memory: max(least, float64(j.Shape.Requests["memory"])/gib),
			AntiAffinity: j.Shape.Avoids(j.Shape),
		}
		if one.Nodes != nil {
			q.Constraints = []string{fmt.Sprintf("job-%d=yes", i)}
		}
		switch j.Kind {
		case "StatefulSet":
			q.Kind = "statefulset"
		case "Job", "CronJob": // how long they run is not in manifests: as long as the simulation
			q.Kind, q.Replicas, q.Completions, q.Duration = "job", 0, j.Pods, d.Horizon
		}
		d.Controllers = append(d.Controllers, q)
	}
	for _, priority := range slices.Sorted(maps.Keys(unknown)) {
		what := "without a priority class"
		if priority != "" {
			what = "of the priority class " + show.Quote(priority)
		}
		fmt.Fprintf(c.errs, "note: pods %s are of the service class %s; --class-of says otherwise\n", what, known[len(known)-1])
	}
	return nil
}

func classNames(d *qoskind.Document) []string {
	var names []string
	for _, class := range d.Classes {
		names = append(names, class.Name)
	}
	if names == nil {
		for _, class := range qos.GoogleClasses(0) {
			names = append(names, class.Name)
		}
	}
	return names
}
