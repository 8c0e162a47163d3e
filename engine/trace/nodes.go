package trace

import (
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/csv"
	"berth/engine/workload"
)

// spotMemory is the assumed memory of nodes in the spot-GPU trace, which does not
// state it.
const spotMemory = 1024 * cluster.Unit // GiB

// host adds a machine to a list. The model of its GPUs becomes an attribute unless it
// is "".
func (f *values) host(hosts *workload.HostList, h cluster.Host, model string, name, cpu, memory csv.Field, needed string) error {
	f.Capacity(&h, cpu, memory, needed)
	if model != "" {
		h.Attributes = append(h.Attributes, cluster.Attribute{Key: workload.GPUModel, Value: model})
	}
	if f.Err != nil {
		return f.Err
	}
	h.Name = name.Text
	return hosts.Add(h, name.At)
}

// openbHosts reads nodes of openb: CPU in thousandths of cores, memory in MiB, GPUs
// and their model.
func openbHosts(name string, r io.Reader) (hosts workload.HostList, err error) {
	err = csv.NewLines(name, r).Table(openbNodes, openbNodes[:3], func(of func(string) csv.Field) error {
		var f values
		cpu, memory := of("cpu_milli"), of("memory_mib")
		h := cluster.Host{CPU: f.share(cpu, "cpu_milli", 1000), Memory: f.share(memory, "memory_mib", 1024), GPUs: f.Devices(of("gpu"), "gpu")}
		return f.host(&hosts, h, of(workload.GPUModel).Text, of("sn"), cpu, memory, "cpu and memory")
	})
	return hosts, err
}

// spotHosts reads nodes of Alibaba's spot-GPU trace: CPU in cores, GPUs and their
// model.
func spotHosts(name string, r io.Reader) (hosts workload.HostList, err error) {
	columns := []string{"gpu_model", "gpu_capacity_num", "cpu_num", "node_name"}
	err = csv.NewLines(name, r).Table(columns, columns, func(of func(string) csv.Field) error {
		var f values
		cpu := of("cpu_num")
		h := cluster.Host{CPU: f.Amount(cpu, "cpu_num"), Memory: spotMemory, GPUs: f.Devices(of("gpu_capacity_num"), "gpu_capacity_num")}
		return f.host(&hosts, h, of("gpu_model").Text, of("node_name"), cpu, cpu, "cpu")
	})
	return hosts, err
}

// paiHosts reads pai_machine_spec of the Alibaba trace of 2020, with or without a
// header: CPU in cores, memory in GB, GPUs and their model.
func paiHosts(name string, r io.Reader) (hosts workload.HostList, err error) {
	err = csv.NewLines(name, r).Records(5, func(fields []csv.Field) error {
		if fields[2].Text == "cap_cpu" {
			return nil
		}
		var f values
		h := cluster.Host{CPU: f.Amount(fields[2], "cap_cpu"), Memory: f.Amount(fields[3], "cap_mem"), GPUs: f.Devices(fields[4], "cap_gpu")}
		model := fields[1].Text
		if h.GPUs == 0 {
			model = ""
		}
		return f.host(&hosts, h, model, fields[0], fields[2], fields[3], "cpu and memory")
	})
	return hosts, err
}

// metaHosts reads machine_meta of the Alibaba trace of 2018. It uses the first row of
// each machine: CPU in cores, memory in percent of the largest one, and failure
// domains as attributes.
func metaHosts(name string, r io.Reader) (hosts workload.HostList, err error) {
	err = csv.NewLines(name, r).Records(7, func(fields []csv.Field) error {
		if hosts.Has(fields[0].Text) {
			return nil // a machine has a row for each change of its state
		}
		var f values
		h := cluster.Host{CPU: f.Amount(fields[4], "cpu_num"), Memory: f.Amount(fields[5], "mem_size")}
		for i, key := range []string{"failure_domain_1", workload.FailureDomain} {
			if value := fields[2+i].Text; value != "" {
				h.Attributes = append(h.Attributes, cluster.Attribute{Key: key, Value: strings.Clone(value)})
			}
		}
		return f.host(&hosts, h, "", fields[0], fields[4], fields[5], "cpu and memory")
	})
	return hosts, err
}
