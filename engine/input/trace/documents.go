package trace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
	"berth/engine/sim"
)

// maxDocument limits the size of a JSON document in bytes, which is read as a whole.
const maxDocument = 256 << 20

// whole returns a reader that decodes a JSON document and passes its rows to do.
func whole[D any](rows func(d *D, remarks *workload.Remarks, hand func(*row) error) error) func(string, io.Reader, *workload.Remarks, func(*row) error) error {
	return func(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
		text, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
		if err != nil {
			return fmt.Errorf("%s: %w", show.Text(name), err)
		}
		if len(text) > maxDocument {
			return diag.New(name, 1, 1, documentSize, maxDocument, maxDocument>>20)
		}
		var d D
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &d); err != nil {
			return diag.WrongJSON(name, text, err)
		}
		number := 0
		err = rows(&d, remarks, func(x *row) error {
			number++
			x.line = number
			return x.check(remarks, do)
		})
		if err != nil {
			return diag.New(name, 1, 1, badRow, remarks.Unit, number, err)
		}
		return nil
	}
}

// check validates the numbers of a row, then passes the row on.
func (x *row) check(remarks *workload.Remarks, do func(*row) error) error {
	if x.tasks > workload.MaxTasks {
		return diag.MoreThan.New(workload.MaxTasks, "tasks")
	}
	for _, m := range []moment{x.submit, x.start, x.end} {
		if m.known && (m.at < -latest*second || m.at > latest*second) {
			return timeRange.New(workload.Seconds(m.at))
		}
	}
	return x.hand(remarks, do)
}

// number is a JSON number that may be written as a string or be missing (NaN).
type number float64

// UnmarshalJSON implements [json.Unmarshaler].
func (n *number) UnmarshalJSON(text []byte) error {
	s := strings.Trim(string(text), `"`)
	x, ok := show.ParseNumber(s)
	switch {
	case s == "null" || s == "" || s == "None":
		x = math.NaN()
	case !ok:
		return notNumber.New(s)
	}
	*n = number(x)
	return nil
}

// moment converts seconds. A missing or out-of-range number is unknown.
func (n *number) moment() moment {
	if n == nil || !(float64(*n) >= -latest && float64(*n) <= latest) {
		return moment{}
	}
	return moment{workload.Nanoseconds(float64(*n)), true}
}

// whole converts to a count; 0 if the number is missing or less than 1.
func (n *number) whole() int {
	if n == nil || !(*n >= 1) {
		return 0
	}
	return int(min(float64(*n), workload.MaxTasks+1))
}

var batsim = fileFormat{
	Format: sniff.Format{Name: "batsim", Of: "Batsim", What: "a workload of Batsim", For: sniff.Jobs, Syntax: sniff.JSON, Must: "jobs,profiles", Fields: "nb_res,description,command,date,version"},
	unit:   "job", gang: true, rows: whole(batsimRows),
}

// batsimWorkload is a workload of Batsim. Only profiles with a delay or a recorded run time have a
// running time. The running time of other profiles depends on a platform.
type batsimWorkload struct {
	Jobs []struct {
		ID       any
		Profile  string
		Res      *number
		Subtime  *number
		Walltime *number
		User     any
	}
	Profiles map[string]struct {
		Delay   *number
		Runtime *number
	}
}

func batsimRows(d *batsimWorkload, remarks *workload.Remarks, hand func(*row) error) error {
	for _, j := range d.Jobs {
		p := d.Profiles[j.Profile]
		x := row{id: textOf(j.ID), user: textOf(j.User), tasks: j.Res.whole(), submit: j.Subtime.moment(), run: p.Delay.moment(), allows: j.Walltime.moment()}
		if !x.run.known {
			x.run = p.Runtime.moment()
		}
		if err := hand(&x); err != nil {
			return err
		}
	}
	return nil
}

// textOf formats an id that may be a number or a string.
func textOf(id any) string {
	switch v := id.(type) {
	case string:
		return v
	case float64:
		return show.Number(v)
	}
	return ""
}

var sacctJSON = fileFormat{
	Format: sniff.Format{Name: "sacct-json", Of: "Slurm", What: "a list of jobs that Slurm's sacct --json prints", For: sniff.Jobs, Syntax: sniff.JSON, Fit: fitsSacct},
	unit:   "job", gang: true, rows: whole(sacctJobs),
}

func fitsSacct(h *sniff.Head) int {
	return sniff.ScoreIf(92, h.HasKey("jobs") && strings.Contains(strings.ToLower(h.Text), "slurm"))
}

// sacctDocument is the output of sacct --json.
type sacctDocument struct {
	Jobs []struct {
		ID    any `json:"job_id"`
		User  string
		Array struct {
			Task string // indexes of the array's pending jobs
		}
		State struct {
			Current any // a list since Slurm 23.02
		}
		Time struct {
			Submission *number
			Eligible   *number
			Start      *number
			End        *number
			Elapsed    *number
			Limit      json.RawMessage
		}
		Required struct {
			CPUs *number
		}
		TRES struct {
			Allocated []sacctTRES
			Requested []sacctTRES
		}
	}
}

type sacctTRES struct {
	Type  string
	Name  string
	Count *number
}

func sacctJobs(d *sacctDocument, remarks *workload.Remarks, hand func(*row) error) error {
	for _, j := range d.Jobs {
		x := row{id: textOf(j.ID), user: j.User, submit: j.Time.Submission.moment(), allows: minutesOf(j.Time.Limit), eligible: j.Time.Eligible.moment(), state: strings.Trim(fmt.Sprint(j.State.Current), "[]")}
		if j.Array.Task != "" {
			x.id += "_[" + j.Array.Task + "]"
			x.array = arrayed(x.id)
		}
		if start := j.Time.Start.moment(); start.at > 0 {
			x.start, x.run, x.end = start, j.Time.Elapsed.moment(), j.Time.End.moment()
		} else {
			x.fate = neverStarted
		}
		for _, list := range [][]sacctTRES{j.TRES.Allocated, j.TRES.Requested} {
			for _, t := range list {
				switch {
				case t.Type == "cpu" && x.tasks == 0:
					x.tasks = t.Count.whole()
				case t.Type == "gres" && strings.HasPrefix(t.Name, "gpu") && x.gpus == 0 && x.tasks > 0:
					x.gpus = min((t.Count.whole()+x.tasks-1)/x.tasks, cluster.MaxGPUs)
				}
			}
		}
		x.tasks = cmp.Or(x.tasks, j.Required.CPUs.whole())
		if err := hand(&x); err != nil {
			return err
		}
	}
	return nil
}

// minutesOf parses a time limit: a number of minutes, or an object that states
// whether a limit is set.
func minutesOf(text json.RawMessage) moment {
	var n number
	var limit struct {
		Set    bool
		Number *number
	}
	switch {
	case json.Unmarshal(text, &n) == nil:
	case json.Unmarshal(text, &limit) == nil && limit.Set && limit.Number != nil:
		n = *limit.Number
	default:
		return moment{}
	}
	n *= 60
	return n.moment()
}

var philly = fileFormat{
	Format: sniff.Format{Name: "philly", Of: "Microsoft Philly", What: "a log of jobs of Microsoft's Philly trace", For: sniff.Jobs, Syntax: sniff.JSON, Must: "jobid,submitted_time"},
	unit:   "job", gang: true, rows: whole(phillyJobs),
}

// phillyJob is a job of Microsoft's Philly trace. Each of its GPUs becomes a task.
type phillyJob struct {
	JobID     string
	User      string
	Status    string
	Submitted string `json:"submitted_time"`
	Attempts  []struct {
		Start  string `json:"start_time"`
		End    string `json:"end_time"`
		Detail []struct {
			GPUs []string
		}
	}
}

func phillyJobs(d *[]phillyJob, remarks *workload.Remarks, hand func(*row) error) error {
	for _, j := range *d {
		x := row{id: j.JobID, user: j.User, state: j.Status, gpus: 1}
		if at, err := dateOf(j.Submitted); err == nil {
			x.submit = moment{at, true}
		}
		for _, a := range j.Attempts {
			began, err := dateOf(a.Start)
			if err != nil {
				continue
			}
			ended, err := dateOf(a.End)
			if err != nil {
				continue
			}
			x.run, x.starts = moment{x.run.at + ended - began, true}, x.starts+1
			gpus := 0
			for _, host := range a.Detail {
				gpus += len(host.GPUs)
			}
			x.tasks = max(x.tasks, gpus)
		}
		if len(j.Attempts) == 0 {
			x.fate = neverStarted
		}
		if err := hand(&x); err != nil {
			return err
		}
	}
	return nil
}

var wfformat = fileFormat{
	Format: sniff.Format{Name: "wfformat", Of: "WfCommons", What: "a workflow in WfFormat of WfCommons", For: sniff.Jobs, Syntax: sniff.JSON, Must: "workflow", Fields: "name,description,createdAt,schemaVersion,author,wms,runtimeSystem"},
	unit:   "task", rows: whole(workflowTasks),
}

// workflow is a workflow in WfFormat of WfCommons. Version 1.5 distributes the tasks
// over two lists.
type workflow struct {
	Workflow struct {
		Jobs          []workflowTask
		Tasks         []workflowTask
		Specification struct{ Tasks []workflowTask }
		Execution     struct{ Tasks []workflowTask }
	}
}

type workflowTask struct {
	Name             string
	ID               string
	Runtime          *number
	RuntimeInSeconds *number
	Cores            *number
	CoreCount        *number
	Memory           *number // in KB
	MemoryInBytes    *number
	Parents          []string
}

// workflowTasks passes on the tasks of a workflow, each of which waits for its parents. QoS has no
// dependencies: there a task arrives when its parents would have ended if none of them had to wait
// for a worker.
func workflowTasks(d *workflow, remarks *workload.Remarks, hand func(*row) error) error {
	remarks.Said = append(remarks.Said, "in QoS a task arrives when all its parents can have ended, if none of them waits for a worker")
	w := &d.Workflow
	all := slices.Concat(w.Jobs, w.Tasks, w.Specification.Tasks)
	of := map[string]int{} // index of a task by its name or id
	for i := range all {
		of[all[i].Name] = i
	}
	for i := range all {
		if all[i].ID != "" {
			of[all[i].ID] = i
		}
	}
	for _, e := range w.Execution.Tasks {
		if i, ok := of[e.ID]; ok {
			all[i].RuntimeInSeconds, all[i].CoreCount, all[i].MemoryInBytes = e.RuntimeInSeconds, e.CoreCount, e.MemoryInBytes
		}
	}
	ready, err := earliest(all, of)
	if err != nil {
		return err
	}
	for i := range all {
		t := &all[i]
		x := row{
			id: t.Name, tasks: 1, submit: moment{ready[i], true}, run: t.run(), key: strconv.Itoa(i),
			cpu: cmp.Or(max(0, cmp.Or(t.CoreCount, t.Cores).amount(1)), cluster.Unit), memory: t.memory(),
		}
		for _, parent := range t.Parents {
			x.after = append(x.after, strconv.Itoa(of[parent]))
		}
		if err := hand(&x); err != nil {
			return err
		}
	}
	return nil
}

// earliest returns, for each task, the time at which its parents have ended, assuming that none of
// them waits for a worker. Cyclic dependencies are an error.
func earliest(all []workflowTask, of map[string]int) ([]sim.Nanoseconds, error) {
	after, ready := make([][]int32, len(all)), make([]sim.Nanoseconds, len(all))
	for i := range all {
		for _, name := range all[i].Parents {
			p, ok := of[name]
			if !ok {
				return nil, unknownParent.New(all[i].Name, name)
			}
			after[i] = append(after[i], int32(p))
		}
	}
	order, cycle := workload.InOrder(after)
	if cycle != nil {
		return nil, ownParent.New(all[cycle[0]].Name)
	}
	for _, i := range order {
		for _, p := range after[i] {
			ready[i] = max(ready[i], min(workload.MaxClock, ready[p]+max(all[p].run().at, 0)))
		}
	}
	return ready, nil
}

func (t *workflowTask) run() moment { return cmp.Or(t.RuntimeInSeconds, t.Runtime).moment() }

// memory returns the memory of the task in GiB.
func (t *workflowTask) memory() cluster.Amount {
	if t.MemoryInBytes != nil {
		return t.MemoryInBytes.amount(1 << 30)
	}
	return t.Memory.amount(1 << 20)
}

// amount returns n divided by parts; 0 if missing or invalid.
func (n *number) amount(parts float64) cluster.Amount {
	if n == nil {
		return 0
	}
	a, err := cluster.ToAmount(float64(*n) / parts)
	if err != nil {
		return 0
	}
	return a
}
