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

// ownHosts is Berth's own table of hosts. Semicolons separate attributes: os=linux;disk=ssd. As a
// table of machines it may also have the columns count, slots, speed and rack.
var ownHosts = fileFormat{
	Format: sniff.Format{Name: "hosts", Brief: "CSV", What: "a list of hosts", For: sniff.Hosts, Syntax: sniff.Table},
	table:  &table{lines: own, columns: machineTable[:5]},
}

var machineTable = []column{
	{"name", rowID, plain, tells}, {"cpu", rowCPU, plain, tells}, {"memory", rowMemory, plain, tells}, {"attributes", rowAttributes, plain, may}, {"gpus", rowGPUs, plain, may},
	{"count", rowCount, plain, may}, {"slots", rowSlots, plain, may}, {"speed", rowSpeed, plain, may}, {"rack", rowRack, plain, may},
}

// machines reads a table with machines that are alike in each row. Extra columns are attributes of
// the machines.
func (t *table) machines(name string, r io.Reader) ([]workload.Machine, error) {
	all, known := []workload.Machine{}, hostNames{}
	err := t.each(name, r, &workload.Remarks{}, func(rows *rowsOf, cells []csv.Field) error {
		m, count, err := rows.machine(cells, known)
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

// machine returns the machine of a row, and how many of them there are: none if it was given before
// and only the first row counts.
func (r *rowsOf) machine(cells []csv.Field, known hostNames) (m workload.Machine, count int, err error) {
	var f values
	var of [rowExtra + 1]csv.Field // the cells by their meaning
	m, count = workload.MachineOf(cluster.Host{Memory: spotMemory}), 1
	for i, c := range r.columns {
		v := cells[i]
		switch of[c.is] = v; c.is {
		case rowID:
			m.Name = v.Text
		case rowCPU:
			m.CPU = f.Amount(v, c.name) / unitParts[c.unit]
		case rowMemory:
			m.Memory = f.Amount(v, c.name) / unitParts[c.unit]
		case rowGPUs:
			m.GPUs = f.Devices(v, c.name)
		case rowAttributes:
			if f.Err == nil {
				m.Attributes, f.Err = r.attributes(i, v)
			}
		case rowExtra, rowRack:
			if v.Text != "" {
				m.Attributes = append(m.Attributes, cluster.Attribute{Key: c.name, Value: strings.Clone(v.Text)})
			}
		}
		if v.Text == "" {
			continue
		}
		switch c.is {
		case rowCount:
			count = f.Devices(v, c.name)
		case rowSlots:
			m.Slots = f.Devices(v, c.name)
		case rowSpeed:
			if m.Speed = f.Amount(v, c.name).Units(); !(m.Speed >= 1.0/workload.MaxSpeed && m.Speed <= workload.MaxSpeed) {
				f.Fail(v, c.name, speedRange.New(v.Text, 1.0/workload.MaxSpeed, workload.MaxSpeed))
			}
		}
	}
	if r.once && known[m.Name] {
		return workload.Machine{}, 0, nil
	}
	needed := "cpu and memory"
	if r.lines == terms {
		needed = "cpu and ram"
	}
	if f.Capacity(&m.Host, of[rowCPU], of[rowMemory], needed); f.Err != nil {
		return m, 0, f.Err
	}
	if model := of[rowModels].Text; model != "" && m.GPUs > 0 {
		m.Attributes = append(m.Attributes, cluster.Attribute{Key: workload.GPUModel, Value: model})
	}
	m.Attributes = cluster.SortAttributes(m.Attributes)
	if err := known.add(m.Name, of[rowID].At); err != nil {
		return m, 0, r.Wrong(err, "")
	}
	return m, count, nil
}

// attributes returns the attributes in a cell.
func (r *rowsOf) attributes(column int, v csv.Field) (all []cluster.Attribute, err error) {
	switch {
	case r.lines == terms:
		return termAttributes(r.term[column])
	case v.Text == "":
		return nil, nil
	}
	at := v.At
	for part := range strings.SplitSeq(v.Text, ";") {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, csv.FaultAt(at, badAttribute, part)
		}
		all = append(all, cluster.Attribute{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
		at += int32(len(part) + 1)
	}
	return all, nil
}

// hostNames are the names of hosts, which are unique.
type hostNames map[string]bool

// add adds the name at byte offset at of its line. A missing or repeated name is an error.
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
