package federatekind

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/federate"
	input "berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/scenario"
	"berth/engine/show"
)

// MachinesSlot is the name of the slot that holds the list of machines.
const MachinesSlot = "machines"

// MaxClasses limits the number of classes of machines in a document.
const MaxClasses = 1000

// MachineClass is a number of equal machines.
type MachineClass struct {
	Name       string            `json:"name,omitempty"`
	Count      int               `json:"count"`
	CPU        float64           `json:"cpu,omitempty"`
	Memory     float64           `json:"memory,omitempty"`
	GPUs       int               `json:"gpus,omitempty"`  // whole devices
	Slots      *int              `json:"slots,omitempty"` // number of tasks with a slot request that run at once; nil: 1
	Speed      *float64          `json:"speed,omitempty"` // divides the duration of tasks; nil: 1
	Attributes map[string]string `json:"attributes,omitempty"`
}

// machines describes the workers of a document that lists them, and when they arrive and leave. It
// is empty for other documents.
type machines struct {
	list    []workload.Machine
	changes []federate.Change // on the clock of the trace
	outages []federate.Outage // outages of workers, if the source contains only failures of nodes; list is nil then
	digest  string            // of the text of the source
}

// unlike reports whether the document lists the capacity of each worker, so that workers may
// differ.
func (d *Document) unlike() bool { return d.Machines != nil || d.Classes != nil }

// validateMachines checks the classes. It refuses a document with both Machines and Classes.
func (d *Document) validateMachines(path string, p *scenario.Problems) {
	if d.Machines != nil {
		p.Source(path+".machines", d.Machines)
		if d.Classes != nil {
			p.Add(path+".classes", classesAndMachines)
		}
	}
	if len(d.Classes) > MaxClasses {
		p.Add(path+".classes", diag.TooMany, len(d.Classes), "classes", MaxClasses)
		return
	}
	all := 0
	for i := range d.Classes {
		c, at := &d.Classes[i], fmt.Sprintf("%s.classes[%d]", path, i)
		p.Length(at+".name", c.Name, scenario.MaxSourceName)
		p.Within(at+".count", float64(c.Count), 1, workload.MaxMachines, "")
		p.Within(at+".cpu", c.CPU, 0, cluster.MaxAmount.Units(), "")
		p.Within(at+".memory", c.Memory, 0, cluster.MaxAmount.Units(), "")
		p.Within(at+".gpus", float64(c.GPUs), 0, cluster.MaxGPUs, "")
		p.Within(at+".slots", float64(orOne(c.Slots)), 0, cluster.MaxGPUs, "")
		p.Within(at+".speed", orOne(c.Speed), 1.0/workload.MaxSpeed, workload.MaxSpeed, "")
		all += c.Count
	}
	if all > workload.MaxMachines {
		p.Add(path+".classes", tooManyMachines, all, workload.MaxMachines)
	}
}

func orOne[T int | float64](x *T) T { return *cmp.Or(x, new(T(1))) }

// readMachines reads the list of machines or creates it from the classes.
func (e *Prepared) readMachines(ctx context.Context) error {
	d := e.document
	if d.Machines == nil {
		e.machines.list = machinesOf(d.Classes)
		return nil
	}
	var err error
	holds := func(m machines) bool { return e.env.Unchanged(ctx, MachinesSlot, d.Machines, m.digest) }
	key := struct{ machines string }{scenario.Content(&Document{Trace: *d.Machines})}
	e.machines, err = scenario.OnceIf(ctx, key, holds, func() (m machines, err error) {
		reading, err := e.env.Reading(ctx, MachinesSlot, d.Machines, false)
		if err != nil {
			return m, err
		}
		var events []workload.HostEvent
		m.list, events, err = input.ReadMachines(d.Machines.Name, reading)
		switch {
		case err != nil:
		case m.list == nil:
			m.fail(events)
		default:
			m.move(events)
		}
		if err == nil {
			_, err = io.Copy(io.Discard, reading)
		}
		m.digest, _ = reading.Digest()
		return m, err
	})
	if err != nil {
		return scenario.Wrong(Name+".machines", err)
	}
	if warning := d.Machines.Identify(e.machines.digest); warning != "" {
		e.warnings = append(e.warnings, warning)
	}
	return nil
}

// move appends the machines that first appear in the events, and records when machines arrive and
// leave.
func (m *machines) move(events []workload.HostEvent) {
	place := make(map[string]int32, len(m.list))
	for i := range m.list {
		place[m.list[i].Name] = int32(i)
	}
	for i := range events {
		e := &events[i]
		at, known := place[e.Host]
		if !known {
			at = int32(len(m.list))
			place[e.Host] = at
			m.list = append(m.list, workload.MachineOf(cluster.Host{Name: e.Host, CPU: e.CPU, Memory: e.Memory, GPUs: e.GPUs}))
		}
		m.changes = append(m.changes, federate.Change{At: federate.Time(e.At) * federate.Millisecond, Worker: at, There: e.Up})
	}
	sort.SliceStable(m.changes, func(i, j int) bool { return m.changes[i].At < m.changes[j].At })
}

// FailuresAssumed tells users how Berth reads a table of failures, which contains no machines, only
// names of nodes.
const FailuresAssumed = "the nodes of the table of failures count as workers in the order in which they first fail, nodes beyond the last worker do not count, and its first event is at the start"

// fail turns the failures of nodes into outages. It merges failures of a node that touch or
// overlap.
func (m *machines) fail(events []workload.HostEvent) {
	type node struct {
		worker, failures int // number of failures under way
		since            federate.Time
	}
	nodes := map[string]*node{}
	slices.SortStableFunc(events, func(a, b workload.HostEvent) int {
		if a.At == b.At && a.Up != b.Up { // starts come first, so that failures that touch count as overlapping
			return map[bool]int{false: -1, true: 1}[a.Up]
		}
		return cmp.Compare(a.At, b.At)
	})
	for _, e := range events {
		at, n := federate.Time(e.At)*federate.Millisecond, nodes[e.Host]
		switch {
		case n == nil:
			nodes[e.Host] = &node{len(nodes), 1, at}
		case !e.Up:
			if n.failures++; n.failures == 1 {
				n.since = at
			}
		default:
			if n.failures--; n.failures == 0 && at > n.since {
				m.outages = append(m.outages, federate.Outage{Subject: federate.WorkerOutage, Index: n.worker, At: n.since, Duration: at - n.since})
			}
		}
	}
}

func machinesOf(classes []MachineClass) (all []workload.Machine) {
	for i := range classes {
		c := &classes[i]
		m := workload.Machine{Host: cluster.Host{Name: c.Name, GPUs: c.GPUs}, Slots: orOne(c.Slots), Speed: orOne(c.Speed)}
		m.CPU, _ = cluster.ToAmount(c.CPU) // within bounds, by validateMachines
		m.Memory, _ = cluster.ToAmount(c.Memory)
		for _, key := range slices.Sorted(maps.Keys(c.Attributes)) {
			m.Attributes = append(m.Attributes, cluster.Attribute{Key: key, Value: c.Attributes[key]})
		}
		all = workload.AppendMachines(all, m, c.Count)
	}
	return all
}

// put replaces the workers of a configuration by the machines. It limits the numbers of masters to
// the number of machines.
func (m *machines) put(c *federate.Config, resources []string) error {
	for _, o := range m.outages {
		if o.Index < c.Workers {
			c.Outages = append(c.Outages, o)
		}
	}
	if m.list == nil {
		return nil
	}
	c.Workers, c.Changes = len(m.list), m.changes
	c.GMs, c.LMs = min(c.GMs, c.Workers), min(c.LMs, c.Workers)
	c.Capacity, c.Classes, c.ClassOf = make([]cluster.Amount, len(resources)), nil, make([]uint16, len(m.list))
	number, key := map[string]int{}, []byte(nil)
	for w := range m.list {
		machine := &m.list[w]
		class := federate.WorkerClass{Capacity: make([]cluster.Amount, len(resources)), Speed: machine.Speed}
		key = fmt.Append(key[:0], machine.Speed)
		for r, resource := range resources {
			class.Capacity[r] = machine.Of(resource)
			c.Capacity[r] = max(c.Capacity[r], class.Capacity[r])
			key = fmt.Append(key, " ", int64(class.Capacity[r]))
		}
		at, known := number[string(key)]
		if !known {
			at = len(c.Classes)
			number[string(key)] = at
			c.Classes = append(c.Classes, class)
		}
		if at > maxKinds {
			return diag.At("machines", tooManyKinds, maxKinds)
		}
		c.ClassOf[w] = uint16(at)
	}
	return nil
}

// maxKinds limits the number of distinct kinds of machines, because ClassOf has 16 bits.
const maxKinds = 1<<16 - 1

// unmet returns a warning with the number of tasks that request attributes of hosts although no
// list of machines has these attributes.
func unmet(load *workload.Tasks) string {
	n := 0
	for _, kind := range load.KindOf {
		if load.Kinds[kind].Constraints != 0 {
			n++
		}
	}
	return fmt.Sprintf("what %s of the attributes of hosts does not count: it needs a list of machines", show.Count(n, "task")+" "+show.Verb(n, "asks", "ask"))
}
