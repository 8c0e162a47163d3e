package workload

import (
	"fmt"
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/csv"
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

// GPUResource is the resource type of tasks that take GPUs, or a share of one.
const GPUResource = "gpus"

// GPUModel is the attribute of hosts that says which GPUs they have.
const GPUModel = "model"

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

func csvMachines(name string, r io.Reader) ([]Machine, error) {
	var hosts HostList
	var all []Machine
	err := csv.NewLines(name, r).Table(strings.Split(sniff.MachineColumns, ","), requiredOfHosts, func(of func(string) csv.Field) error {
		host, err := csvHost(of)
		if err != nil {
			return err
		}
		if err := hosts.Add(host, of("name").At); err != nil {
			return err
		}
		if rack := of(RackKey).Text; rack != "" {
			host.Attributes = cluster.SortAttributes(append(host.Attributes, cluster.Attribute{Key: RackKey, Value: strings.Clone(rack)}))
		}
		m, f, count := MachineOf(host), Values{}, 1
		if v := of("count"); v.Text != "" {
			count = f.Devices(v, "count")
		}
		if v := of("slots"); v.Text != "" {
			m.Slots = f.Devices(v, "slots")
		}
		if v := of("speed"); v.Text != "" {
			m.Speed = f.Amount(v, "speed").Units()
			if !(m.Speed >= 1.0/MaxSpeed && m.Speed <= MaxSpeed) {
				f.Fail(v, "speed", speedRange.New(v.Text, 1.0/MaxSpeed, MaxSpeed))
			}
		}
		if f.Err == nil && len(all)+count > MaxMachines {
			return csv.FaultAt(0, diag.MoreThan, MaxMachines, "machines")
		}
		all = AppendMachines(all, m, count)
		return f.Err
	})
	if err == nil && len(all) == 0 {
		err = diag.New(name, 1, 1, diag.NoneOf, "machines")
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
