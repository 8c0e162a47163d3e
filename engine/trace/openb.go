package trace

import (
	"cmp"
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/csv"
	"berth/engine/diag"
	"berth/engine/format/sniff"
	"berth/engine/sim"
	"berth/engine/workload"
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

// share is amount in parts of a unit.
func (f *values) share(v csv.Field, name string, parts cluster.Amount) cluster.Amount {
	return f.Amount(v, name) / parts
}

// openbRequests are the pods of a list in the order of their creation.
type openbRequests struct {
	imported
	last sim.Milliseconds // creation of the latest row
}

// newOpenbRequests reads a pod list. A pod runs from when it was scheduled, or was
// created where that is not known, until it was deleted; without a deletion it runs to
// the horizon. Those that were deleted earlier are left out and counted. Its GPUs are of
// one of the models that it names; one that asks for a share of a GPU shares it.
// It may ask for nothing of a resource.
func newOpenbRequests(name string, r io.Reader) (workload.Stream, error) {
	lines, o := csv.NewLines(name, r), &openbRequests{imported: imported{remarks: workload.Remarks{Unit: "pod"}}}
	err := lines.Table(openbPods, openbRequired, func(of func(string) csv.Field) error {
		if len(o.Requests) == maxOpenb {
			return csv.FaultAt(0, diag.MoreThan, maxOpenb, "pods")
		}
		return o.add(lines.Number, of)
	})
	workload.SortBySubmit(o.Requests)
	return o, err
}

// add takes a pod in, whose fields get returns by their columns.
func (o *openbRequests) add(line int, get func(column string) csv.Field) error {
	var f values
	request := workload.Request{
		ID: get("name").Text, Job: int64(len(o.Requests) + 1), Submit: o.created(&f, get("creation_time")),
		CPU: f.share(get("cpu_milli"), "cpu_milli", 1000), Memory: f.share(get("memory_mib"), "memory_mib", 1024), Priority: workload.NoPriority,
		Class: cmp.Or(openbClasses[get("qos").Text], "bronze"), Line: line, Column: 1,
	}
	began := request.Submit
	if scheduled := get("scheduled_time"); scheduled.Text != "" {
		began = f.Seconds(scheduled, "scheduled_time")
	}
	end := workload.MaxTime
	if ended := get("deletion_time"); ended.Text != "" {
		end = f.Seconds(ended, "deletion_time")
	} else {
		o.remarks.Endless++
	}
	if f.Err == nil && end < began {
		o.remarks.LeftOut[workload.DeletedBefore]++
		return nil
	}
	request.Duration = max(end-began, sim.Milliseconds(1))
	request.GPUs = f.Devices(get("num_gpu"), "num_gpu")
	if share := get("gpu_milli"); share.Text != "" && request.GPUs == 1 {
		if amount := f.share(share, "gpu_milli", 1000); amount > 0 && amount < cluster.Unit {
			request.GPUShare = amount
		}
	}
	if models := get("gpu_spec").Text; models != "" && request.GPUs > 0 {
		request.Constraints = []cluster.Constraint{{Key: workload.GPUModel, Op: cluster.In, Value: models}}
	}
	o.Requests = append(o.Requests, request)
	return f.Err
}

// created is the time of a row: a second after the one before where it has none.
func (o *openbRequests) created(f *values, at csv.Field) sim.Milliseconds {
	switch {
	case at.Text != "":
		o.last = f.Seconds(at, "creation_time")
	default:
		if o.remarks.Untimed++; o.remarks.Untimed > 1 {
			o.last += sim.Second
		}
	}
	return o.last
}
