package handover

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"berth/engine/input/csv"
	"berth/engine/input/format"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Horizon is the default length of the simulation in seconds.
const Horizon = 3600

// PutCluster adds a cluster of a placement to a QoS document: hosts, failing or
// leaving hosts, and controllers. classes maps priority classes to service classes.
// The notes describe differences between the simulation and the cluster.
func PutCluster(c *placementkind.OneCluster, classes map[string]string, d *qoskind.Document) (notes []Note) {
	d.Horizon = cmp.Or(d.Horizon, Horizon)
	d.Hosts = Hosts(c, c.Name+".csv")
	for _, n := range c.Nodes {
		if n.Fails || n.Leaves {
			event := map[bool]string{true: "fail", false: "leave"}[n.Fails]
			d.HostEvents = append(d.HostEvents, qoskind.HostEvent{Time: d.Horizon / 4, Host: n.Name, Event: event})
		}
	}
	return PutControllers(c, classes, d)
}

// gib is the unit of memory in the simulation, in bytes; the unit of CPU is a core.
const gib = 1 << 30

// Hosts returns the nodes of a cluster as a host list, a source with the given name. Each host has
// an attribute such as job-3=yes for every job that it accepts by its taints, selectors and
// affinity.
func Hosts(c *placementkind.OneCluster, name string) scenario.Source {
	rows := [][]string{{"name", "cpu", "memory", "attributes"}}
	devices := slices.ContainsFunc(c.Nodes, func(n placementkind.PlacedNode) bool { return n.GPUs > 0 })
	if devices {
		rows[0] = append(rows[0], "gpus")
	}
	for _, n := range c.Nodes {
		var attributes []string
		for i := range c.Jobs {
			if c.Jobs[i].Shape.Takes(n.Node) {
				attributes = append(attributes, attribute(i))
			}
		}
		rows = append(rows, []string{n.Name, units(n.CPU, 1000), units(n.Memory, gib), strings.Join(attributes, ";")})
		if devices {
			rows[len(rows)-1] = append(rows[len(rows)-1], strconv.FormatInt(n.GPUs, 10))
		}
	}
	return scenario.Source{Name: name, Text: string(bytes.TrimPrefix(csv.Table(rows), []byte("\uFEFF")))}
}

// attribute returns the attribute of the hosts that accept a job.
func attribute(job int) string { return fmt.Sprintf("job-%d=yes", job) }

func units(amount int64, unit float64) string {
	return strconv.FormatFloat(float64(amount)/unit, 'f', -1, 64)
}

// least is the minimum demand of an instance. A pod may request nothing, but a simulated request
// must request something.
const least = 1e-6

// PutControllers adds the jobs of a cluster to a document as controllers. If the
// cluster has no nodes, they may run on any host.
func PutControllers(c *placementkind.OneCluster, classes map[string]string, d *qoskind.Document) (notes []Note) {
	d.Horizon = cmp.Or(d.Horizon, Horizon)
	known := d.ClassNames()
	unknown := map[string]bool{}
	for i, j := range c.Jobs {
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
			GPUs:         j.Shape.Requests.GPUs().Units(),
			AntiAffinity: j.Shape.Avoids(j.Shape),
		}
		if c.Nodes != nil {
			q.Constraints = []string{attribute(i)}
		}
		switch j.Owner.Kind {
		case "StatefulSet":
			q.Kind = "statefulset"
		case "Job", "CronJob": // manifests do not state the duration of a Job, so it runs for the whole simulation
			q.Kind, q.Replicas, q.Completions, q.Duration = "job", 0, j.Pods, d.Horizon
		}
		d.Controllers = append(d.Controllers, q)
	}
	for _, x := range differences {
		if i := slices.IndexFunc(c.Jobs, func(j format.Pods) bool { return x.of(j.Shape) }); i >= 0 {
			notes = append(notes, Note{Text: fmt.Sprintf(x.says, show.Quote(c.Jobs[i].Name))})
		}
	}
	for _, priority := range slices.Sorted(maps.Keys(unknown)) {
		notes = append(notes, lowestClass(priority, known[len(known)-1]))
	}
	return notes
}
