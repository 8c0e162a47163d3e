package workload

import (
	"io"
	"strings"

	"berth/engine/cluster"
)

// spotMemory is what a node of the spot-GPU trace gets, which does not say how much it has.
const spotMemory = 1024 * cluster.Unit // GiB

// spotHosts reads the nodes of Alibaba's spot-GPU trace: cores, and GPUs of a model.
func spotHosts(name string, r io.Reader) ([]cluster.Host, error) {
	columns := []string{"gpu_model", "gpu_capacity_num", "cpu_num", "node_name"}
	lines := newLines(name, r)
	column, err := lines.header(columns, columns)
	if err != nil {
		return nil, err
	}
	var hosts hostList
	err = lines.records(len(column), func(fields []field) error {
		var f fieldReader
		cpu, called := fields[column["cpu_num"]], fields[column["node_name"]]
		h := cluster.Host{Name: called.text, CPU: f.amount(cpu, "cpu_num"), Memory: spotMemory, GPUs: f.devices(fields[column["gpu_capacity_num"]], "gpu_capacity_num")}
		if model := fields[column["gpu_model"]].text; model != "" {
			h.Attributes = []cluster.Attribute{{Key: GPUModel, Value: model}}
		}
		f.capacity(&h, cpu, cpu, "cpu")
		if f.err != nil {
			return f.err
		}
		return hosts.add(h, called.at)
	})
	return hosts.all, err
}

// paiHosts reads pai_machine_spec of the Alibaba trace of 2020, with a header or without:
// cores, GB and GPUs of a model.
func paiHosts(name string, r io.Reader) ([]cluster.Host, error) {
	lines := newLines(name, r)
	var hosts hostList
	err := lines.records(5, func(fields []field) error {
		if fields[2].text == "cap_cpu" {
			return nil
		}
		var f fieldReader
		h := cluster.Host{Name: fields[0].text, CPU: f.amount(fields[2], "cap_cpu"), Memory: f.amount(fields[3], "cap_mem"), GPUs: f.devices(fields[4], "cap_gpu")}
		if model := fields[1].text; model != "" && h.GPUs > 0 {
			h.Attributes = []cluster.Attribute{{Key: GPUModel, Value: model}}
		}
		f.capacity(&h, fields[2], fields[3], "cpu and memory")
		if f.err != nil {
			return f.err
		}
		return hosts.add(h, fields[0].at)
	})
	return hosts.all, err
}

// metaHosts reads machine_meta of the Alibaba trace of 2018: a machine as it was first,
// in cores and per cent of the largest memory, and its failure domains as attributes.
func metaHosts(name string, r io.Reader) ([]cluster.Host, error) {
	lines := newLines(name, r)
	var hosts hostList
	err := lines.records(7, func(fields []field) error {
		var f fieldReader
		if hosts.names[fields[0].text] {
			return nil // it is there once for each time that its state changed
		}
		h := cluster.Host{Name: fields[0].text, CPU: f.amount(fields[4], "cpu_num"), Memory: f.amount(fields[5], "mem_size")}
		f.capacity(&h, fields[4], fields[5], "cpu and memory")
		if f.err != nil {
			return f.err
		}
		for i, key := range []string{"failure_domain_1", FailureDomain} {
			if value := fields[2+i].text; value != "" {
				h.Attributes = append(h.Attributes, cluster.Attribute{Key: key, Value: strings.Clone(value)})
			}
		}
		return hosts.add(h, fields[0].at)
	})
	return hosts.all, err
}
