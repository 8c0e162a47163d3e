package trace

import (
	"cmp"
	"io"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

var openbColumns = &table{lines: own, columns: columnsOf("name*,cpu_milli*,memory_mib*,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time")}

// openbPods is the list of pods of openb, Alibaba's trace of GPU clusters of 2023, in CSV with
// columns in any order. CPU is in thousandths of cores, memory in MiB, times in seconds.
var openbPods = fileFormat{
	Format: sniff.Format{Name: "openb-pods", Brief: "openb pods", What: "a list of pods of openb", For: sniff.Jobs, List: sniff.Requests, Accept: "openb's pods with the header " + openbColumns.names(may),
		Syntax: sniff.Table, Must: "cpu_milli,memory_mib,creation_time", Fields: openbColumns.names(may)},
	requests: newOpenbRequests,
}

// openbClasses maps openb's qos to service classes.
var openbClasses = map[string]string{"Guaranteed": "gold", "LS": "gold", "Burstable": "silver", "BE": "bronze"}

// maxOpenb limits the number of pods, because they are sorted by submission.
const maxOpenb = 2_000_000

// openbRequests converts the pods of the openb trace to requests.
type openbRequests struct {
	imported
	last sim.Milliseconds // creation time of the latest row
}

// newOpenbRequests reads a list of pods. A pod runs from its scheduling, or from its creation if
// that is unknown, to its deletion; without a deletion it runs to the horizon. Pods deleted before
// they were scheduled are omitted and counted. The GPUs must be of one of the models that the pod
// names. A pod that requests a fraction of a GPU shares it. Amounts may be 0.
func newOpenbRequests(name string, r io.Reader, _ func() (io.Reader, error)) (workload.Stream, error) {
	o := &openbRequests{imported: imported{remarks: workload.Remarks{Unit: "pod"}}}
	err := openbColumns.each(name, r, nil, func(rows *rowsOf) error {
		if len(o.Requests) == maxOpenb {
			return csv.FaultAt(0, diag.MoreThan, maxOpenb, "pods")
		}
		return o.add(rows.Number, rows.cells)
	})
	workload.SortBySubmit(o.Requests)
	return o, err
}

// add adds a pod with the cells of openbColumns.
func (o *openbRequests) add(line int, cells []cell) error {
	var f values
	request := workload.Request{
		ID: cells[0].Text, Job: int64(len(o.Requests) + 1), Submit: o.created(&f, &cells[8]),
		CPU: f.Amount(&cells[1]) / 1000, Memory: f.Amount(&cells[2]) / 1024, Priority: workload.NoPriority,
		Class: cmp.Or(openbClasses[cells[6].Text], "bronze"), Line: line, Column: 1,
	}
	began := request.Submit
	if scheduled := &cells[10]; scheduled.Text != "" {
		began = f.Seconds(scheduled)
	}
	end := workload.MaxTime
	if ended := &cells[9]; ended.Text != "" {
		end = f.Seconds(ended)
	} else {
		o.remarks.Endless++
	}
	if f.Err == nil && end < began {
		o.remarks.LeftOut[workload.Withdrawn]++
		return nil
	}
	request.Duration = max(end-began, sim.Milliseconds(1))
	request.GPUs = f.Devices(&cells[3])
	if share := &cells[4]; share.Text != "" && request.GPUs == 1 {
		if amount := f.Amount(share) / 1000; amount > 0 && amount < cluster.Unit {
			request.GPUShare = amount
		}
	}
	if models := cells[5].Text; models != "" && request.GPUs > 0 {
		request.Constraints = []cluster.Constraint{{Key: workload.GPUModel, Op: cluster.In, Value: models}}
	}
	o.Requests = append(o.Requests, request)
	return f.Err
}

// created returns the creation time of a row. A row without one counts as created a second after
// the previous row.
func (o *openbRequests) created(f *values, at *cell) sim.Milliseconds {
	switch {
	case at.Text != "":
		o.last = f.Seconds(at)
	default:
		if o.remarks.Untimed++; o.remarks.Untimed > 1 {
			o.last += sim.Second
		}
	}
	return o.last
}
