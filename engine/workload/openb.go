package workload

import (
	"cmp"
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/format/sniff"
	"berth/engine/sim"
)

// The lists of openb, the trace of GPU clusters of Alibaba of 2023: CSV whose
// columns may have any order. cpu is in thousandths, memory in MiB, times are in
// seconds.
var (
	openbNodes    = strings.Split(sniff.OpenbNodes, ",")
	openbPods     = strings.Split(sniff.OpenbPods, ",")
	openbRequired = []string{"name", "cpu_milli", "memory_mib"}
)

// openbClasses are the service classes of openb's qos.
var openbClasses = map[string]string{"Guaranteed": "gold", "LS": "gold", "Burstable": "silver", "BE": "bronze"}

// maxOpenb bounds the pods of a list, which is put into the order of submission.
const maxOpenb = 2_000_000

// GPUModel is the attribute of hosts that says which GPUs they have.
const GPUModel = "model"

// openbHosts reads a node list: cpu in cores, memory in GiB, GPUs, their model as an
// attribute.
func openbHosts(name string, r io.Reader) ([]cluster.Host, error) {
	lines := newLines(name, r)
	column, err := lines.header(openbNodes, openbNodes[:3])
	if err != nil {
		return nil, err
	}
	var hosts hostList
	err = lines.records(len(column), func(fields []field) error {
		var f fieldReader
		sn, cpu, memory := fields[column["sn"]], fields[column["cpu_milli"]], fields[column["memory_mib"]]
		h := cluster.Host{Name: sn.text, CPU: f.share(cpu, "cpu_milli", 1000), Memory: f.share(memory, "memory_mib", 1024)}
		f.capacity(&h, cpu, memory, "cpu and memory")
		if i, ok := column["gpu"]; ok {
			h.GPUs = f.devices(fields[i], "gpu")
		}
		if i, ok := column[GPUModel]; ok && fields[i].text != "" {
			h.Attributes = []cluster.Attribute{{Key: GPUModel, Value: fields[i].text}}
		}
		if f.err != nil {
			return f.err
		}
		return hosts.add(h, sn.at)
	})
	return hosts.all, err
}

// share is amount in parts of a unit.
func (f *fieldReader) share(v field, name string, parts cluster.Amount) cluster.Amount {
	return f.amount(v, name) / parts
}

// openbRequests are the pods of a list in the order of their creation.
type openbRequests struct {
	Slice
	remarks Remarks
	last    sim.Milliseconds // creation of the latest row
}

// newOpenbRequests reads a pod list. A pod runs from when it was scheduled, or was
// created where that is not known, until it was deleted; without a deletion it runs to
// the horizon. Those that were deleted earlier are left out and counted. Its GPUs are of
// one of the models that it names; one that asks for a share of a GPU shares it.
// It may ask for nothing of a resource.
func newOpenbRequests(name string, r io.Reader) (Source, error) {
	lines := newLines(name, r)
	column, err := lines.header(openbPods, openbRequired)
	if err != nil {
		return nil, err
	}
	o := &openbRequests{remarks: Remarks{Unit: "pod"}}
	err = lines.records(len(column), func(fields []field) error {
		if len(o.Requests) == maxOpenb {
			return faultf(0, "there are more than %d pods", maxOpenb)
		}
		return o.add(lines.number, func(of string) field {
			if i, ok := column[of]; ok {
				return fields[i]
			}
			return field{}
		})
	})
	SortBySubmit(o.Requests)
	return o, err
}

// add takes a pod in, whose fields get returns by their columns.
func (o *openbRequests) add(line int, get func(column string) field) error {
	var f fieldReader
	request := Request{
		ID: get("name").text, Job: int64(len(o.Requests) + 1), Submit: o.created(&f, get("creation_time")),
		CPU: f.share(get("cpu_milli"), "cpu_milli", 1000), Memory: f.share(get("memory_mib"), "memory_mib", 1024), Priority: NoPriority,
		Class: openbClass(get("qos").text), Line: line, Column: 1,
	}
	began := request.Submit
	if scheduled := get("scheduled_time"); scheduled.text != "" {
		began = f.seconds(scheduled, "scheduled_time")
	}
	end := MaxTime
	if ended := get("deletion_time"); ended.text != "" {
		end = f.seconds(ended, "deletion_time")
	} else {
		o.remarks.Endless++
	}
	if f.err == nil && end < began {
		o.remarks.LeftOut[DeletedBefore]++
		return nil
	}
	request.Duration = max(end-began, sim.Milliseconds(1))
	request.GPUs = f.devices(get("num_gpu"), "num_gpu")
	if share := get("gpu_milli"); share.text != "" && request.GPUs == 1 {
		if amount := f.share(share, "gpu_milli", 1000); amount > 0 && amount < cluster.Unit {
			request.GPUShare = amount
		}
	}
	if models := get("gpu_spec").text; models != "" && request.GPUs > 0 {
		request.Constraints = []cluster.Constraint{{Key: GPUModel, Op: cluster.In, Value: models}}
	}
	o.Requests = append(o.Requests, request)
	return f.err
}

// created is the time of a row: a second after the one before where it has none.
func (o *openbRequests) created(f *fieldReader, at field) sim.Milliseconds {
	switch {
	case at.text != "":
		o.last = f.seconds(at, "creation_time")
	default:
		if o.remarks.Untimed++; o.remarks.Untimed > 1 {
			o.last += sim.Second
		}
	}
	return o.last
}

func openbClass(qos string) string { return cmp.Or(openbClasses[qos], "bronze") }

// Remarks implements [Remarked].
func (o *openbRequests) Remarks() *Remarks { return &o.remarks }
