package trace

import (
	"berth/engine/cluster"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
)

// The foreign tables with a row for each host. Their extra columns are attributes of the hosts.
var (
	openbNodes = fileFormat{
		Format: sniff.Format{Name: "openb-nodes", Brief: "openb nodes", What: "a list of nodes of openb", For: sniff.Hosts, Too: sniff.Federations,
			Accept: "openb's nodes with the header sn,cpu_milli,memory_mib,gpu,model", Syntax: sniff.Table, Fields: "gpu,model"},
		table: &table{lines: titled, columns: []column{
			{"sn", rowID, plain, tells}, {"cpu_milli", rowCPU, inThousandths, tells}, {"memory_mib", rowMemory, inMebi, tells}, {"gpu", rowGPUs, plain, may},
			{"model", rowModels, plain, may},
		}},
	}
	spotGPU = fileFormat{
		Format: sniff.Format{Name: "spot-gpu", Of: "Alibaba spot-GPU", What: "a list of nodes of Alibaba's spot-GPU trace", For: sniff.Hosts, Syntax: sniff.Table},
		table: &table{lines: titled, columns: []column{
			{"gpu_model", rowModels, plain, tells}, {"gpu_capacity_num", rowGPUs, plain, tells}, {"cpu_num", rowCPU, plain, tells}, {"node_name", rowID, plain, must},
		}},
	}
	paiMachines = fileFormat{
		Format: sniff.Format{Name: "pai-machines", Of: "Alibaba 2020 PAI", What: "pai_machine_spec of the Alibaba trace of 2020", For: sniff.Hosts,
			Syntax: sniff.Table, Fit: sniff.Either(sniff.Header(95, 5, "machine,gpu_type,cap_cpu,cap_mem,cap_gpu"), sniff.Row(60, "*,+,4096,#,64"))},
		table: &table{columns: []column{
			{"machine", rowID, plain, must}, {"gpu_type", rowModels, plain, must}, {"cap_cpu", rowCPU, plain, must}, {"cap_mem", rowMemory, plain, must},
			{"cap_gpu", rowGPUs, plain, must},
		}},
	}
	machineMeta = fileFormat{
		Format: sniff.Format{Name: "machine-meta", Of: "Alibaba 2018", What: "machine_meta of the Alibaba trace of 2018", For: sniff.Hosts,
			Syntax: sniff.Table, Fit: sniff.Either(sniff.Row(95, "*,#,*,*,*,*,USING"), sniff.Row(95, "*,#,*,*,*,*,IMPORT"))},
		table: &table{once: true, columns: []column{ // the file has a row for each change of a machine's state
			{"machine_id", rowID, plain, must}, {"time", unused, plain, may}, {"failure_domain_1", rowExtra, plain, must}, {workload.FailureDomain, rowExtra, plain, must},
			{"cpu_num", rowCPU, plain, must}, {"mem_size", rowMemory, plain, must}, {"status", unused, plain, must},
		}},
	}
)

// spotMemory is the assumed memory of nodes in the spot-GPU trace, which does not
// state it.
const spotMemory = 1024 * cluster.Unit // GiB

// unitParts maps the units of amounts to their number per base unit: 1000 thousandths, 1024 MiB per
// GiB.
var unitParts = map[unit]cluster.Amount{plain: 1, inThousandths: 1000, inMebi: 1024}
