package qoskind

import (
	"fmt"
	"strings"

	"berth/engine/cluster"
	"berth/engine/qos"
	"berth/engine/show"
)

// Misfit compares the requests that fit on no host with the hosts: for each resource, the largest
// request and the largest host.
type Misfit struct {
	CPU        float64
	Memory     float64
	HostCPU    float64
	HostMemory float64
	GPUs       int `json:"gpus,omitempty"`
	HostGPUs   int `json:"hostGPUs,omitempty"`
}

func (e *Prepared) misfit() *Misfit {
	var largest cluster.Resources
	for _, h := range e.everyHost() {
		has := h.Resources()
		largest.Raise(&has)
	}
	asks, host := qos.UnitsOf(e.seen.Most), qos.UnitsOf(largest)
	return &Misfit{asks.CPU, asks.Memory, host.CPU, host.Memory, asks.GPUs, host.GPUs}
}

// text lists the resources that are too small on every host.
func (m *Misfit) text() string {
	var over, larger []string
	for _, resource := range []struct {
		name       string
		asked, has float64
	}{{"CPU", m.CPU, m.HostCPU}, {"memory", m.Memory, m.HostMemory}} {
		if resource.asked > resource.has {
			over = append(over, fmt.Sprintf("%s units of %s, hosts have at most %s", show.Figure(resource.asked), resource.name, show.Figure(resource.has)))
			larger = append(larger, resource.name)
		}
	}
	if m.GPUs > m.HostGPUs {
		over = append(over, fmt.Sprintf("%s, hosts have at most %d", show.Count(m.GPUs, "GPU"), m.HostGPUs))
		larger = append(larger, "GPUs")
	}
	if over == nil {
		return "no single host has the CPU, the memory and the attributes that they ask for; hosts with all of them would help"
	}
	return "the largest asks for " + strings.Join(over, ", and for ") + "; hosts with more " + strings.Join(larger, " and ") + " would help"
}

// scarcity describes the resource whose peak demand exceeds the capacity of all hosts; "" for none.
func scarcity(peak, hosts *qos.Units) string {
	if peak.GPUs > hosts.GPUs {
		return fmt.Sprintf("Requests ask for %s at once, and the hosts have %d", show.Count(peak.GPUs, "GPU"), hosts.GPUs)
	}
	name, asked, has := "CPU", peak.CPU, hosts.CPU
	if peak.Memory*hosts.CPU > asked*hosts.Memory { // report the scarcer resource
		name, asked, has = "memory", peak.Memory, hosts.Memory
	}
	if has == 0 || asked <= has {
		return ""
	}
	return fmt.Sprintf("The peak needs %.0f\u202f%% more capacity: requests ask for %s units of %s at once, and the hosts have %s",
		max(1, 100*(asked/has-1)), show.Figure(asked), name, show.Figure(has))
}
