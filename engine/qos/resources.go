package qos

import (
	"fmt"

	"berth/engine/cluster"
	"berth/engine/input/workload"
)

// Units are amounts of resources in the units of inputs and reports.
type Units struct {
	CPU    float64 `json:"cpu"`
	Memory float64 `json:"memory"`
	GPUs   int     `json:"gpus,omitempty"` // rounded up to whole devices
}

// UnitsOf converts resources.
func UnitsOf(r cluster.Resources) Units {
	return Units{r.CPU.Units(), r.Memory.Units(), int((r.GPUs + cluster.Unit - 1) / cluster.Unit)}
}

// asked returns the demand of a request. It returns an error if the number of GPUs is out of range.
func asked(r *workload.Request) (asks cluster.Resources, err error) {
	if r.GPUs < 0 || r.GPUs > cluster.MaxGPUs {
		err = fmt.Errorf("it asks for %d GPUs; expected 0 to %d", r.GPUs, cluster.MaxGPUs)
	}
	return cluster.Resources{CPU: r.CPU, Memory: r.Memory, GPUs: r.Devices()}, err
}

// HostOf returns the host that an event adds, with the capacities given in the event.
func HostOf(e *workload.HostEvent) cluster.Host {
	return cluster.Host{Name: e.Host, CPU: e.CPU, Memory: e.Memory, GPUs: e.GPUs}
}

func checkHost(h *cluster.Host) error {
	if h.CPU <= 0 || h.Memory <= 0 || h.CPU > cluster.MaxAmount || h.Memory > cluster.MaxAmount {
		return fmt.Errorf("the host %.40q needs cpu and memory, above 0 and up to 1e9 each", h.Name)
	}
	if h.GPUs < 0 || h.GPUs > cluster.MaxGPUs {
		return fmt.Errorf("the host %.40q has %d GPUs; expected 0 to %d", h.Name, h.GPUs, cluster.MaxGPUs)
	}
	return nil
}

// Asks returns the demand of a request.
func (s *State) Asks(r Ref) *cluster.Resources { return &s.instances[r].asks }

// Room returns the capacity of a host and its free resources.
func (s *State) Room(h int) *cluster.Room { return &s.hosts[h].Room }
