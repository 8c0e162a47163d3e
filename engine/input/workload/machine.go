package workload

import (
	"fmt"

	"berth/engine/cluster"
)

// Machine is a worker of Federate: a host on which tasks run.
type Machine struct {
	cluster.Host
	Slots int     // number of tasks with a slot request that run at once
	Speed float64 // durations of tasks are divided by it
}

// Of returns the machine's capacity of a resource type, 0 for an unknown type.
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

// GPUResource is the resource type for GPUs and shares of one.
const GPUResource = "gpus"

// GPUModel is the host attribute with the model of its GPUs.
const GPUModel = "model"

// The limits of a list of machines and of a speed.
const (
	MaxMachines = 1 << 20
	MaxSpeed    = 1000
)

// FailureDomain is the attribute with a machine's second failure domain in Alibaba's
// trace of 2018.
const FailureDomain = "failure_domain_2"

// rackKeys are the attributes that name a machine's rack; the first one present
// counts.
var rackKeys = []string{RackKey, "topology.kubernetes.io/rack", "topology.kubernetes.io/zone", FailureDomain}

// Rack returns the machine's rack, or "" if no attribute names it.
func (m *Machine) Rack() string {
	for _, key := range rackKeys {
		if rack, ok := m.Attribute(key); ok {
			return rack
		}
	}
	return ""
}

// MachineOf returns the host as a machine with one slot and speed 1.
func MachineOf(h cluster.Host) Machine { return Machine{Host: h, Slots: 1, Speed: 1} }

// AppendMachines appends count copies of a machine. Several copies have numbered
// names.
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

// Conditions interprets the constraints of a [TaskKind]: bit c requires all constraints in list c,
// on attributes of the machine.
type Conditions [][]cluster.Constraint

// Met returns the set of conditions that a machine satisfies.
func (c Conditions) Met(h *cluster.Host) (set uint64) {
	for i, all := range c {
		if cluster.Allows(all, h) {
			set |= 1 << i
		}
	}
	return set
}

// Without returns a copy of the workload whose tasks accept every machine. Without conditions it
// returns t itself.
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
