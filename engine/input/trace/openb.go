package trace

import (
	"cmp"
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// The columns of openb's lists. openb is Alibaba's trace of GPU clusters of 2023, in
// CSV with columns in any order. CPU is in thousandths of cores, memory in MiB, times
// in seconds.
var (
	openbPods     = strings.Split(sniff.OpenbPods, ",")
	openbRequired = []string{"name", "cpu_milli", "memory_mib"}
)

// openbClasses maps openb's qos to service classes.
var openbClasses = map[string]string{"Guaranteed": "gold", "LS": "gold", "Burstable": "silver", "BE": "bronze"}

// maxOpenb limits the number of pods, since they are sorted by submission.
const maxOpenb = 2_000_000

// openbRequests reads pods as requests.
type openbRequests struct {
	imported
	last sim.Milliseconds // creation time of the latest row
}

// newOpenbRequests reads a list of pods. A pod runs from its scheduling, or from its
// creation if that is unknown, to its deletion; without a deletion it runs to the
// horizon. Pods deleted before they were scheduled are omitted and counted. The GPUs
// must be of one of the models that the pod names; a pod that asks for a fraction of
// a GPU shares it. Amounts may be 0.
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

// add adds a pod; get returns its fields by column.
func (o *openbRequests) add(line int, get func(column string) csv.Field) error {
	var f values
	request := workload.Request{
		ID: get("name").Text, Job: int64(len(o.Requests) + 1), Submit: o.created(&f, get("creation_time")),
		CPU: f.Amount(get("cpu_milli"), "cpu_milli") / 1000, Memory: f.Amount(get("memory_mib"), "memory_mib") / 1024, Priority: workload.NoPriority,
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
		o.remarks.LeftOut[workload.Withdrawn]++
		return nil
	}
	request.Duration = max(end-began, sim.Milliseconds(1))
	request.GPUs = f.Devices(get("num_gpu"), "num_gpu")
	if share := get("gpu_milli"); share.Text != "" && request.GPUs == 1 {
		if amount := f.Amount(share, "gpu_milli") / 1000; amount > 0 && amount < cluster.Unit {
			request.GPUShare = amount
		}
	}
	if models := get("gpu_spec").Text; models != "" && request.GPUs > 0 {
		request.Constraints = []cluster.Constraint{{Key: workload.GPUModel, Op: cluster.In, Value: models}}
	}
	o.Requests = append(o.Requests, request)
	return f.Err
}

// created returns the creation time of a row; without one, a second after the
// previous row.
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
