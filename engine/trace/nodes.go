package trace

import (
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/csv"
	"berth/engine/workload"
)

// spotMemory is what a node of the spot-GPU trace gets, which does not say how much it has.
const spotMemory = 1024 * cluster.Unit // GiB

// spotHosts reads the nodes of Alibaba's spot-GPU trace: cores, and GPUs of a model.
func spotHosts(name string, r io.Reader) ([]cluster.Host, error) {
	columns := []string{"gpu_model", "gpu_capacity_num", "cpu_num", "node_name"}
	lines := csv.NewLines(name, r)
	column, err := lines.Header(columns, columns)
	if err != nil {
		return nil, err
	}
	var hosts workload.HostList
	err = lines.Records(len(column), func(fields []csv.Field) error {
		var f values
		cpu, called := fields[column["cpu_num"]], fields[column["node_name"]]
		h := cluster.Host{Name: called.Text, CPU: f.Amount(cpu, "cpu_num"), Memory: spotMemory, GPUs: f.Devices(fields[column["gpu_capacity_num"]], "gpu_capacity_num")}
		if model := fields[column["gpu_model"]].Text; model != "" {
			h.Attributes = []cluster.Attribute{{Key: workload.GPUModel, Value: model}}
		}
		f.Capacity(&h, cpu, cpu, "cpu")
		if f.Err != nil {
			return f.Err
		}
		return hosts.Add(h, called.At)
	})
	return hosts.All, err
}

// paiHosts reads pai_machine_spec of the Alibaba trace of 2020, with a header or without:
// cores, GB and GPUs of a model.
func paiHosts(name string, r io.Reader) ([]cluster.Host, error) {
	lines := csv.NewLines(name, r)
	var hosts workload.HostList
	err := lines.Records(5, func(fields []csv.Field) error {
		if fields[2].Text == "cap_cpu" {
			return nil
		}
		var f values
		h := cluster.Host{Name: fields[0].Text, CPU: f.Amount(fields[2], "cap_cpu"), Memory: f.Amount(fields[3], "cap_mem"), GPUs: f.Devices(fields[4], "cap_gpu")}
		if model := fields[1].Text; model != "" && h.GPUs > 0 {
			h.Attributes = []cluster.Attribute{{Key: workload.GPUModel, Value: model}}
		}
		f.Capacity(&h, fields[2], fields[3], "cpu and memory")
		if f.Err != nil {
			return f.Err
		}
		return hosts.Add(h, fields[0].At)
	})
	return hosts.All, err
}

// metaHosts reads machine_meta of the Alibaba trace of 2018: a machine as it was first,
// in cores and per cent of the largest memory, and its failure domains as attributes.
func metaHosts(name string, r io.Reader) ([]cluster.Host, error) {
	lines := csv.NewLines(name, r)
	var hosts workload.HostList
	err := lines.Records(7, func(fields []csv.Field) error {
		var f values
		if hosts.Has(fields[0].Text) {
			return nil // it is there once for each time that its state changed
		}
		h := cluster.Host{Name: fields[0].Text, CPU: f.Amount(fields[4], "cpu_num"), Memory: f.Amount(fields[5], "mem_size")}
		f.Capacity(&h, fields[4], fields[5], "cpu and memory")
		if f.Err != nil {
			return f.Err
		}
		for i, key := range []string{"failure_domain_1", workload.FailureDomain} {
			if value := fields[2+i].Text; value != "" {
				h.Attributes = append(h.Attributes, cluster.Attribute{Key: key, Value: strings.Clone(value)})
			}
		}
		return hosts.Add(h, fields[0].At)
	})
	return hosts.All, err
}
