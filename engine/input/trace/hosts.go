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

const (
	hostColumns    = "name,cpu,memory,attributes,gpus"
	machineColumns = hostColumns + ",count,slots,speed,rack"
)

// ownHosts is Berth's own table of hosts. Semicolons separate attributes: os=linux;disk=ssd. As a
// table of machines it may also have the columns count, slots, speed and rack.
var ownHosts = Format{
	Format: sniff.Format{Name: "hosts", Brief: "CSV", What: "a list of hosts", For: sniff.Hosts, Accept: "CSV with the header " + hostColumns,
		Syntax: sniff.Table, Must: "name,cpu,memory", Fields: hostColumns},
	hosts: func(name string, r io.Reader) ([]cluster.Host, []workload.HostEvent, error) {
		var hosts hostList
		err := ownTable(hostColumns, "name,cpu,memory").each(name, r, nil, func(_ *csv.Lines, cells []csv.Field) error {
			host, err := csvHost(cells)
			if err != nil {
				return err
			}
			return hosts.add(host, cells[0].At)
		})
		return hosts.all, nil, err
	},
}

// csvHost reads the cells of hostColumns.
func csvHost(cells []csv.Field) (cluster.Host, error) {
	var f values
	cpu, memory, attributes := cells[1], cells[2], cells[3]
	h := cluster.Host{Name: cells[0].Text, CPU: f.Amount(cpu, "cpu"), Memory: f.Amount(memory, "memory")}
	f.Capacity(&h, cpu, memory, "cpu and memory")
	h.GPUs = f.Devices(cells[4], "gpus")
	if attributes.Text != "" {
		at := attributes.At
		for part := range strings.SplitSeq(attributes.Text, ";") {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				return h, csv.FaultAt(at, badAttribute, part)
			}
			h.Attributes = append(h.Attributes, cluster.Attribute{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
			at += int32(len(part) + 1)
		}
		h.Attributes = cluster.SortAttributes(h.Attributes)
	}
	return h, f.Err
}

func csvMachines(name string, r io.Reader) (all []workload.Machine, err error) {
	var hosts hostList
	err = ownTable(machineColumns, "name,cpu,memory").each(name, r, nil, func(_ *csv.Lines, cells []csv.Field) error {
		host, err := csvHost(cells)
		if err != nil {
			return err
		}
		if err := hosts.add(host, cells[0].At); err != nil {
			return err
		}
		number, slots, speed, rack := cells[5], cells[6], cells[7], cells[8].Text
		if rack != "" {
			host.Attributes = cluster.SortAttributes(append(host.Attributes, cluster.Attribute{Key: workload.RackKey, Value: strings.Clone(rack)}))
		}
		m, f, count := workload.MachineOf(host), values{}, 1
		if number.Text != "" {
			count = f.Devices(number, "count")
		}
		if slots.Text != "" {
			m.Slots = f.Devices(slots, "slots")
		}
		if speed.Text != "" {
			m.Speed = f.Amount(speed, "speed").Units()
			if !(m.Speed >= 1.0/workload.MaxSpeed && m.Speed <= workload.MaxSpeed) {
				f.Fail(speed, "speed", speedRange.New(speed.Text, 1.0/workload.MaxSpeed, workload.MaxSpeed))
			}
		}
		switch {
		case f.Err != nil:
			return f.Err
		case len(all)+count > workload.MaxMachines:
			return csv.FaultAt(0, diag.MoreThan, workload.MaxMachines, "machines")
		}
		all = workload.AppendMachines(all, m, count)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = diag.New(name, 1, 1, diag.NoneOf, "machines")
	}
	return all, err
}

// hostList collects hosts with unique names.
type hostList struct {
	all   []cluster.Host
	names map[string]bool
}

// has reports whether the list has a host with the name.
func (l *hostList) has(name string) bool { return l.names[name] }

// add adds a host whose name is at byte offset at of its line. A missing or repeated
// name is an error.
func (l *hostList) add(h cluster.Host, at int32) error {
	switch {
	case h.Name == "":
		return csv.FaultAt(at, hostUnnamed)
	case l.names[h.Name]:
		return csv.FaultAt(at, hostTwice, h.Name)
	case l.names == nil:
		l.names = map[string]bool{}
	}
	l.names[h.Name] = true
	l.all = append(l.all, h)
	return nil
}
