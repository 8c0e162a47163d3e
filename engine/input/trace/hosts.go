package trace

import (
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
)

// ownHosts is Berth's own table of hosts. Semicolons separate attributes: os=linux;disk=ssd. For
// Federate, it may also have the columns count, slots, speed and rack.
var ownHosts = fileFormat{
	Format: sniff.Format{Name: "hosts", Brief: "CSV", What: "a list of hosts", For: sniff.Hosts, Syntax: sniff.Table},
	table:  &table{lines: own, columns: machineTable[:5]},
}

var machineTable = []column{
	{"name", rowID, plain, tells}, {"cpu", rowCPU, plain, tells}, {"memory", rowMemory, plain, tells}, {"attributes", rowAttributes, plain, may}, {"gpus", rowGPUs, plain, may},
	{"count", rowCount, plain, may}, {"slots", rowSlots, plain, may}, {"speed", rowSpeed, plain, may}, {"rack", rowRack, plain, may},
}

// machines reads a table whose rows describe one or more identical machines each. Extra columns are
// attributes of the machines.
func (t *table) machines(name string, r io.Reader) ([]workload.Machine, error) {
	all, known := []workload.Machine{}, hostNames{}
	err := t.each(name, r, &workload.Remarks{}, func(rows *rowsOf) error {
		m, count, err := rows.machine(known)
		switch {
		case err != nil:
			return err
		case len(all)+count > workload.MaxMachines:
			return csv.FaultAt(0, diag.MoreThan, workload.MaxMachines, "machines")
		}
		all = workload.AppendMachines(all, m, count)
		return nil
	})
	return all, err
}

// machine returns the machine that a row describes, and the number of such machines. The number is
// 0 for a repeated name if only the first row of each machine counts.
func (r *rowsOf) machine(known hostNames) (m workload.Machine, count int, err error) {
	var f values
	name, cpu, memory, attributes := r.with[rowID], r.with[rowCPU], r.with[rowMemory], r.with[rowAttributes]
	m, count = workload.MachineOf(cluster.Host{Name: name.Text, CPU: f.Amount(cpu) / unitParts[cpu.unit], Memory: spotMemory}), 1
	if memory != absent {
		m.Memory = f.Amount(memory) / unitParts[memory.unit]
	}
	if f.Err == nil && attributes.Text != "" {
		m.Attributes, f.Err = r.attributes(attributes)
	}
	m.GPUs = f.Devices(r.with[rowGPUs])
	if c := r.with[rowCount]; c.Text != "" {
		count = f.Devices(c)
	}
	if c := r.with[rowSlots]; c.Text != "" {
		m.Slots = f.Devices(c)
	}
	if c := r.with[rowSpeed]; c.Text != "" {
		if m.Speed = f.Amount(c).Units(); !(m.Speed >= 1.0/workload.MaxSpeed && m.Speed <= workload.MaxSpeed) {
			f.Fail(c, speedRange.New(c.Text, 1.0/workload.MaxSpeed, workload.MaxSpeed))
		}
	}
	if r.once && known[m.Name] {
		return workload.Machine{}, 0, nil
	}
	needed := "cpu and memory"
	if r.lines == terms {
		needed = "cpu and ram"
	}
	if f.Capacity(&m.Host, cpu, memory, needed); f.Err != nil {
		return m, 0, f.Err
	}
	for i := range r.cells {
		if c := &r.cells[i]; (c.is == rowExtra || c.is == rowRack) && c.Text != "" {
			m.Attributes = append(m.Attributes, cluster.Attribute{Key: c.name, Value: strings.Clone(c.Text)})
		}
	}
	if model := r.with[rowModels].Text; model != "" && m.GPUs > 0 {
		m.Attributes = append(m.Attributes, cluster.Attribute{Key: workload.GPUModel, Value: model})
	}
	m.Attributes = cluster.SortAttributes(m.Attributes)
	if err := known.add(m.Name, name.At); err != nil {
		return m, 0, r.Wrong(err, "")
	}
	return m, count, nil
}

func (r *rowsOf) attributes(c *cell) (all []cluster.Attribute, err error) {
	if r.lines == terms {
		return termAttributes(c.value)
	}
	at := c.At
	for part := range strings.SplitSeq(c.Text, ";") {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, csv.FaultAt(at, badAttribute, part)
		}
		all = append(all, cluster.Attribute{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
		at += int32(len(part) + 1)
	}
	return all, nil
}

// hostNames is a set of host names, which must be unique.
type hostNames map[string]bool

// add adds a name, which is at byte offset at of its line. A missing or repeated name is an error.
func (l hostNames) add(name string, at int32) error {
	switch {
	case name == "":
		return csv.FaultAt(at, hostUnnamed)
	case l[name]:
		return csv.FaultAt(at, hostTwice, name)
	}
	l[name] = true
	return nil
}
