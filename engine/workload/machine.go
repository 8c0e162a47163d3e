package workload

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/format/sniff"
)

// Machine is a worker of Federate.
type Machine struct {
	cluster.Host
	Slots int     // for tasks that take a slot
	Speed float64 // the duration of a task is divided by it
}

// Of is what a machine has of a resource type.
func (m *Machine) Of(resource string) cluster.Amount {
	switch resource {
	case SlotResource:
		return cluster.Amount(m.Slots) * cluster.Unit
	case "cpu":
		return m.CPU
	case "memory":
		return m.Memory
	case GPUResource:
		return cluster.Amount(m.GPUs) * cluster.Unit
	}
	return 0
}

// The bounds of machines.
const (
	MaxMachines = 1 << 20
	MaxSpeed    = 1000
)

// FailureDomain is the attribute with the second failure domain of a machine of Alibaba's
// trace of 2018.
const FailureDomain = "failure_domain_2"

// rackKeys are the attributes that name the rack of a machine; the first that it has counts.
var rackKeys = []string{RackKey, "topology.kubernetes.io/rack", "topology.kubernetes.io/zone", FailureDomain}

// Rack is the rack that a machine is in, "" where nothing says it.
func (m *Machine) Rack() string {
	for _, key := range rackKeys {
		if rack, ok := m.Attribute(key); ok {
			return rack
		}
	}
	return ""
}

// MachineOf is a host of one slot at the usual speed.
func MachineOf(h cluster.Host) Machine { return Machine{Host: h, Slots: 1, Speed: 1} }

// ReadMachines reads hosts as [ReadHosts] does. Our table may say how many machines a row
// stands for, how many slots each has, and how fast it is, 1 where it does not, and in which
// rack it is.
func ReadMachines(name string, r io.Reader) ([]Machine, []HostEvent, error) {
	format, r, err := look(name, r, sniff.Hosts)
	if err != nil {
		return nil, nil, err
	}
	if format == "hosts" {
		machines, err := csvMachines(name, r)
		return machines, nil, err
	}
	hosts, events, err := readHosts(format, name, r)
	if err != nil {
		return nil, nil, err
	}
	machines := make([]Machine, len(hosts))
	for i, h := range hosts {
		machines[i] = MachineOf(h)
	}
	return machines, events, nil
}

func csvMachines(name string, r io.Reader) ([]Machine, error) {
	lines := newLines(name, r)
	column, err := lines.header(strings.Split(sniff.MachineColumns, ","), []string{"name", "cpu", "memory"})
	if err != nil {
		return nil, err
	}
	var hosts hostList
	var all []Machine
	err = lines.records(len(column), func(fields []field) error {
		host, err := csvHost(fields, column)
		if err != nil {
			return err
		}
		if err := hosts.add(host, fields[column["name"]].at); err != nil {
			return err
		}
		if i, ok := column[RackKey]; ok && fields[i].text != "" {
			host.Attributes = cluster.SortAttributes(append(host.Attributes, cluster.Attribute{Key: RackKey, Value: strings.Clone(fields[i].text)}))
		}
		m, f, count := MachineOf(host), fieldReader{}, 1
		if i, ok := column["count"]; ok && fields[i].text != "" {
			count = f.devices(fields[i], "count")
		}
		if i, ok := column["slots"]; ok && fields[i].text != "" {
			m.Slots = f.devices(fields[i], "slots")
		}
		if i, ok := column["speed"]; ok && fields[i].text != "" {
			m.Speed = f.amount(fields[i], "speed").Units()
			if !(m.Speed >= 1.0/MaxSpeed && m.Speed <= MaxSpeed) {
				f.fail(fields[i], "speed", fmt.Errorf("%.40q is not from %v to %v", fields[i].text, 1.0/MaxSpeed, MaxSpeed))
			}
		}
		if f.err == nil && len(all)+count > MaxMachines {
			return faultf(0, "there are more than %d machines", MaxMachines)
		}
		all = AppendMachines(all, m, count)
		return f.err
	})
	if err == nil && len(all) == 0 {
		err = diag.Errorf(name, 1, 1, "there are no machines in the file")
	}
	return all, err
}

// AppendMachines adds so many machines that are alike; several have numbers after their
// name.
func AppendMachines(all []Machine, m Machine, count int) []Machine {
	name := m.Name
	for i := range count {
		if count > 1 {
			m.Name = fmt.Sprintf("%s-%d", name, i+1)
		}
		all = append(all, m)
	}
	return all
}

// Conditions are what tasks ask of the attributes of machines: bit c of the constraints
// of a [TaskKind] is the set at c, whose members all have to be met.
type Conditions [][]cluster.Constraint

// of is the set for a task that asks for all these, which it adds if they are new.
func (c *Conditions) of(all []cluster.Constraint, remarks *Remarks) uint64 {
	if len(all) == 0 {
		return 0
	}
	for i, known := range *c {
		if slices.Equal(known, all) {
			return 1 << i
		}
	}
	if len(*c) == MaxConstraints {
		remarks.Unmet++
		return 0
	}
	*c = append(*c, slices.Clone(all))
	return 1 << (len(*c) - 1)
}

// Met are the constraints that a machine satisfies.
func (c Conditions) Met(h *cluster.Host) (set uint64) {
	for i, all := range c {
		if cluster.Allows(all, h) {
			set |= 1 << i
		}
	}
	return set
}

// Without is the workload without the conditions on machines, if it has any.
func (t *Tasks) Without() *Tasks {
	if t.Conditions == nil {
		return t
	}
	x := *t
	x.Conditions, x.Kinds = nil, make([]TaskKind, len(t.Kinds))
	for k := range x.Kinds {
		x.Kinds[k] = TaskKind{Request: t.Kinds[k].Request}
	}
	return &x
}
