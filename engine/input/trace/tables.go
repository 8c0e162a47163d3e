package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
)

// Assumed running times of an LLM inference, because the trace has only numbers of tokens.
const (
	perContextToken   = 0.0005 // s
	perGeneratedToken = 0.025  // s
)

// packingNote is the note about Azure's packing trace.
const packingNote = "cpu and memory are parts of a machine of the first type that a VM may go to"

// The job tables of other systems, with one row per job.

var sacct = fileFormat{
	Format: sniff.Format{Name: "sacct", Of: "Slurm", What: "a list of jobs that Slurm's sacct -P prints", For: sniff.Jobs, Syntax: sniff.Table, Mark: '|'},
	unit:   "job", gang: true,
	table: &table{lines: titled, mark: '|', mend: sacctRow, note: "times without a zone count as UTC", columns: []column{
		{"JobID", rowID, plain, tells}, {"User", rowUser, plain, may}, {"Submit", rowSubmit, asDate, tells}, {"Eligible", rowEligible, asDate, may},
		{"Start", rowStart, asDate, may}, {"End", rowEnd, asDate, may}, {"Elapsed", rowRun, asSpan, may}, {"AllocCPUS", rowExtra, plain, may}, {"NCPUS", rowExtra, plain, may},
		{"ReqCPUS", rowExtra, plain, may}, {"AllocTRES", rowExtra, plain, may}, {"ReqTRES", rowExtra, plain, may},
		{"Timelimit", rowAllows, asSpan, may}, {"State", rowState, plain, may},
	}},
}

var slurmDB = fileFormat{
	Format: sniff.Format{Name: "slurm-db", Of: "Slurm", What: "a table of jobs of Slurm's database", For: sniff.Jobs, Syntax: sniff.Table},
	unit:   "job", gang: true,
	table: &table{lines: titled, mend: slurmRow, columns: []column{
		{"id_job", rowID, plain, tells}, {"id_user", rowUser, plain, may}, {"time_submit", rowSubmit, asMoment, tells}, {"time_eligible", rowEligible, asMoment, may},
		{"time_start", rowStart, asMoment, tells}, {"time_end", rowEnd, asMoment, tells}, {"timelimit", rowAllows, inMinutes, may}, {"state", rowExtra, plain, may},
		{"array_task_pending", rowExtra, plain, may}, {"cpus_req", rowTasks, plain, must}, {"tres_alloc", rowExtra, plain, may}, {"tres_req", rowExtra, plain, may},
	}},
}

var batchTask2017 = fileFormat{
	Format: sniff.Format{Name: "batch-task-2017", Of: "Alibaba 2017", What: "batch_task of the Alibaba trace of 2017", For: sniff.Jobs, Syntax: sniff.Table, Fit: sniff.Row(95, "*,#,*,*,*,!,*,*")},
	unit:   "task",
	table: &table{mend: waitingRow, columns: []column{
		{"create_timestamp", rowSubmit, inSeconds, must}, {"modify_timestamp", rowEnd, inSeconds, must}, {"job_id", rowID, plain, must}, {"task_id", rowID, plain, must},
		{"instance_num", rowTasks, plain, must}, {"status", rowState, plain, must}, {"plan_cpu", rowCPU, plain, must}, {"plan_mem", rowMemory, plain, must},
	}},
}

var batchTask = fileFormat{
	Format: sniff.Format{Name: "batch-task", Of: "Alibaba 2018", What: "batch_task of the Alibaba trace of 2018", For: sniff.Jobs, Syntax: sniff.Table, Fit: sniff.Row(95, "*,#,*,*,!,*,*,*,*")},
	unit:   "task",
	table: &table{mend: batchRow, note: "in QoS a task arrives when it began in the trace, so that it comes after those that it depends on", columns: []column{
		{"task_name", rowExtra, plain, must}, {"instance_num", rowTasks, plain, must}, {"job_name", rowExtra, plain, must}, {"task_type", unused, plain, may},
		{"status", rowState, plain, may}, {"start_time", rowSubmit, inSeconds, must}, {"end_time", rowEnd, inSeconds, must},
		{"plan_cpu", rowCPU, inPercent, may}, {"plan_mem", rowMemory, plain, may},
	}},
}

var paiTask = fileFormat{
	Format: sniff.Format{Name: "pai-task", Of: "Alibaba 2020 PAI", What: "pai_task_table of the Alibaba trace of 2020", For: sniff.Jobs, Syntax: sniff.Table,
		Fit: sniff.Either(sniff.Header(95, 10, "job_name,gpu_type"), sniff.Row(95, "*,*,*,!,*,*,*,*,*,*")), Part: "pai", Whole: true},
	unit: "task",
	table: &table{columns: []column{
		{"job_name", rowID, plain, must}, {"task_name", rowID, plain, must}, {"inst_num", rowTasks, plain, must}, {"status", rowState, plain, may},
		{"start_time", rowSubmit, inSeconds, must}, {"end_time", rowEnd, inSeconds, must}, {"plan_cpu", rowCPU, inPercent, may},
		{"plan_mem", rowMemory, plain, may}, {"plan_gpu", rowGPUs, inPercent, may}, {"gpu_type", rowModels, plain, may},
	}},
}

var spotGPUJobs = fileFormat{
	Format: sniff.Format{Name: "spot-gpu-jobs", Of: "Alibaba spot-GPU", What: "a list of jobs of Alibaba's spot-GPU trace", For: sniff.Jobs, Syntax: sniff.Table},
	unit:   "job",
	table: &table{lines: titled, mend: spotRow, columns: []column{
		{"job_name", rowID, plain, must}, {"organization", rowUser, plain, may}, {"gpu_model", rowModels, plain, may}, {"cpu_request", rowCPU, plain, must},
		{"gpu_request", rowGPUs, plain, tells}, {"worker_num", rowTasks, plain, tells}, {"submit_time", rowSubmit, inSeconds, tells},
		{"duration", rowRun, inSeconds, must}, {"job_type", rowExtra, plain, may},
	}},
}

var dlrm = fileFormat{
	Format: sniff.Format{Name: "dlrm", Of: "Alibaba DLRM 2025", What: "a list of instances of Alibaba's DLRM trace", For: sniff.Jobs, Syntax: sniff.Table},
	unit:   "instance",
	table: &table{lines: titled, mend: endless, columns: []column{
		{"instance_sn", rowID, plain, tells}, {"app_name", rowUser, plain, may}, {"cpu_request", rowCPU, plain, must}, {"gpu_request", rowGPUs, plain, tells},
		{"memory_request", rowMemory, plain, must}, {"creation_time", rowSubmit, inSeconds, tells}, {"scheduled_time", rowStart, inSeconds, may},
		{"deletion_time", rowEnd, inSeconds, may},
	}},
}

var azureVMs = fileFormat{
	Format: sniff.Format{Name: "azure-vms", Of: "Azure 2017 and 2019", What: "a table of virtual machines of Azure", For: sniff.Jobs, Syntax: sniff.Table, Fit: fitsAzureVMs},
	unit:   "VM",
	table: &table{mend: azureRow, columns: []column{
		{"vmid", rowID, plain, must}, {"subscriptionid", rowUser, plain, must}, {"deploymentid", unused, plain, may}, {"vmcreated", rowSubmit, inSeconds, must},
		{"vmdeleted", rowEnd, inSeconds, must}, {"maxcpu", unused, plain, may}, {"avgcpu", unused, plain, may}, {"p95maxcpu", unused, plain, may},
		{"vmcategory", rowExtra, plain, must}, {"vmcorecount", rowExtra, plain, must}, {"vmmemory", rowExtra, plain, must},
	}},
}

var azurePacking = fileFormat{
	Format: sniff.Format{Name: "azure-packing", Of: "Azure Packing 2020", What: "virtual machines of Azure's packing trace, joined with their types", For: sniff.Jobs, Syntax: sniff.Table},
	unit:   "VM",
	table: &table{lines: titled, once: true, mend: packingRow, note: packingNote, columns: []column{
		{"vmId", rowID, plain, tells}, {"tenantId", rowUser, plain, may}, {"priority", rowExtra, plain, may}, {"starttime", rowSubmit, inDays, tells},
		{"endtime", rowEnd, inDays, tells}, {"core", rowCPU, plain, tells}, {"memory", rowMemory, plain, must},
	}},
}

var azureLLM = fileFormat{
	Format: sniff.Format{Name: "azure-llm", Of: "Azure LLM inference", What: "a trace of LLM inference of Azure", For: sniff.Jobs, Syntax: sniff.Table},
	unit:   "inference",
	table: &table{lines: titled, mend: llmRow, note: fmt.Sprintf("the file has tokens alone: an inference takes a core for %v ms a context token and %v ms a generated token",
		show.Number(1000*perContextToken), show.Number(1000*perGeneratedToken)), columns: []column{
		{"TIMESTAMP", rowSubmit, asDate, must}, {"ContextTokens", rowExtra, plain, tells}, {"GeneratedTokens", rowExtra, plain, tells},
	}},
}

var azureInvocations = fileFormat{
	Format: sniff.Format{Name: "azure-invocations", Of: "Azure Functions 2021", What: "a trace of invocations of functions of Azure", For: sniff.Jobs, Syntax: sniff.Table},
	unit:   "invocation",
	table: &table{lines: titled, mend: endedRow, columns: []column{
		{"app", rowUser, plain, tells}, {"func", rowID, plain, tells}, {"end_timestamp", rowEnd, inSeconds, tells}, {"duration", rowRun, inSeconds, tells},
	}},
}

var helios = fileFormat{
	Format: sniff.Format{Name: "helios", Of: "SenseTime Helios", What: "a log of jobs of the Helios trace", For: sniff.Jobs, Syntax: sniff.Table},
	unit:   "job", gang: true,
	table: &table{lines: titled, mend: heliosRow, columns: []column{
		{"job_id", rowID, plain, tells}, {"user", rowUser, plain, may}, {"gpu_num", rowExtra, plain, tells}, {"cpu_num", rowExtra, plain, may},
		{"state", rowState, plain, may}, {"submit_time", rowSubmit, asDate, tells}, {"start_time", rowStart, asDate, may},
		{"duration", rowRun, inSeconds, may}, {"end_time", rowEnd, asDate, may},
	}},
}

var opendc = fileFormat{
	Format: sniff.Format{Name: "opendc", Of: "OpenDC", What: "a table of tasks of OpenDC", For: sniff.Jobs, Syntax: sniff.Table, Fit: fitsOpenDC},
	unit:   "task", submitted: true,
	table: &table{lines: titled, mend: opendcRow, columns: []column{
		{"id", rowID, plain, must}, {"submission_time", rowSubmit, asDateMillis, may}, {"start_time", rowSubmit, asDateMillis, may},
		{"submissionTime", rowSubmit, asDateMillis, may}, {"duration", rowRun, inMillis, may}, {"stop_time", rowEnd, asDateMillis, may},
		{"endTime", rowEnd, asDateMillis, may}, {"cpu_count", rowCPU, plain, may}, {"maxCores", rowCPU, plain, may},
		{"mem_capacity", rowMemory, inMebi, may}, {"requiredMemory", rowMemory, inMebi, may}, {"gpu_count", rowGPUs, plain, may},
		{"parents", rowExtra, plain, may},
	}},
}

var batsimJobs = fileFormat{
	Format: sniff.Format{Name: "batsim-jobs", Of: "Batsim", What: "a table of jobs that Batsim writes", For: sniff.Jobs, Syntax: sniff.Table},
	unit:   "job", gang: true,
	table: &table{lines: titled, columns: []column{
		{"jobID", rowID, plain, may}, {"job_id", rowID, plain, may}, {"submission_time", rowSubmit, asDate, tells}, {"requested_number_of_resources", rowTasks, plain, tells},
		{"requested_time", rowAllows, inSeconds, may}, {"execution_time", rowRun, inSeconds, must},
	}},
}

// sacctRuled is sacct's output in columns, with dashes below the column names.
var sacctRuled = fileFormat{
	Format: sniff.Format{Name: "sacct", Of: "Slurm", What: "a list of jobs that Slurm's sacct prints in columns", For: sniff.Jobs, Syntax: sniff.Table, Mark: ' '},
	unit:   "job", gang: true,
	table: sacct.table,
}

func fitsAzureVMs(h *sniff.Head) int {
	return sniff.ScoreIf(95, len(h.Fields) >= 9 && slices.ContainsFunc(h.Fields, func(field string) bool {
		return slices.Contains([]string{"Delay-insensitive", "Interactive", "vmcategory"}, field)
	}))
}

// fitsOpenDC recognises any of the three sets of column names that OpenDC uses.
func fitsOpenDC(h *sniff.Head) int {
	return sniff.ScoreIf(90, h.HasAll("id,submission_time,duration,cpu_count") || h.HasAll("id,start_time,stop_time,cpu_count") || h.HasAll("id,submissionTime,endTime,maxCores"))
}

// sacctRow ignores steps. It determines the numbers of cores and GPUs from the allocated resources
// or, without these, from the requested ones.
func sacctRow(x *row, get func(string) string) (bool, error) {
	if strings.Contains(x.id, ".") {
		return false, nil // a step: the job has a row of its own
	}
	x.tasks, x.array = 0, arrayed(x.id)
	for _, name := range []string{"AllocCPUS", "NCPUS", "ReqCPUS"} {
		if n, err := strconv.ParseUint(get(name), 10, 32); err == nil && n > 0 && x.tasks == 0 {
			x.tasks = int(min(n, workload.MaxTasks+1))
		}
	}
	for _, name := range []string{"AllocTRES", "ReqTRES"} {
		if n := tresOf(get(name), "cpu"); n > 0 && x.tasks == 0 {
			x.tasks = n
		}
	}
	for _, name := range []string{"AllocTRES", "ReqTRES"} {
		if n := tresOf(get(name), "gres/gpu"); n > 0 { // GPUs per core, rounded up
			x.gpus = (n + max(x.tasks, 1) - 1) / max(x.tasks, 1)
			break
		}
	}
	return true, nil
}

// arrayed returns the number of jobs that the id of a pending array represents, such as
// 8_[1,3,7-9%2]; 1 for any other id.
func arrayed(id string) (jobs int) {
	_, list, found := strings.Cut(id, "_[")
	if !found {
		return 1
	}
	list, _, _ = strings.Cut(strings.TrimSuffix(list, "]"), "%")
	return numbersIn(list)
}

// numbersIn counts the numbers in a list such as 1,3,7-9 or 0-10:5.
func numbersIn(list string) (numbers int) {
	for part := range strings.SplitSeq(list, ",") {
		part, by, _ := strings.Cut(part, ":")
		from, to, many := strings.Cut(part, "-")
		first, _ := strconv.Atoi(from)
		last, err := strconv.Atoi(to)
		if !many || err != nil {
			last = first
		}
		step, _ := strconv.Atoi(by)
		numbers += max(last-first, 0)/max(step, 1) + 1
	}
	return numbers
}

// slurmStates maps the numbers of two states in Slurm's database to their names. The other states
// do not affect how a row counts.
var slurmStates = map[string]string{"0": "PENDING", "4": "CANCELLED"}

// slurmRow reads a row of Slurm's database. It identifies resources by number: cores are 1, GPUs
// are 1001 or 1002.
func slurmRow(x *row, get func(string) string) (bool, error) {
	x.state = slurmStates[get("state")]
	if x.is(waitingStates) {
		x.array, _ = strconv.Atoi(get("array_task_pending"))
	}
	for _, list := range []string{get("tres_alloc"), get("tres_req")} {
		if n := tresOf(list, "1"); n > 0 {
			x.tasks = n
			x.gpus = (max(tresOf(list, "1001"), tresOf(list, "1002")) + n - 1) / n
			break
		}
	}
	return true, nil
}

// tresOf returns the amount of a resource in a list such as cpu=4,mem=8G,gres/gpu=2.
func tresOf(text, resource string) int {
	for part := range strings.SplitSeq(text, ",") {
		if name, amount, _ := strings.Cut(part, "="); name == resource {
			if n, err := strconv.ParseUint(amount, 10, 31); err == nil {
				return int(min(n, workload.MaxTasks+1))
			}
		}
	}
	return 0
}

// batchRow prefixes the id of a task with its job, and parses the task's number and
// its dependencies from its name. An end time of 0 is unknown. A memory of 100 is the memory of a
// whole machine.
func batchRow(x *row, get func(string) string) (bool, error) {
	x.id = get("job_name") + "/" + get("task_name")
	if x.end.at == 0 {
		x.end.known = false
	}
	for i, part := range strings.Split(strings.TrimLeft(get("task_name"), "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "_") {
		switch n, err := strconv.Atoi(part); {
		case err != nil && i == 0:
			return true, nil
		case err != nil:
		case i == 0:
			x.key = get("job_name") + "/" + strconv.Itoa(n)
		default:
			x.after = append(x.after, get("job_name")+"/"+strconv.Itoa(n))
		}
	}
	return true, nil
}

// waitingRow ignores the end time of a waiting task, because it is the time of the last state
// change.
func waitingRow(x *row, _ func(string) string) (bool, error) {
	if x.is(waitingStates) {
		x.end, x.fate = moment{}, neverStarted
	}
	return true, nil
}

// spotRow assigns spot jobs to the lowest class and others to the highest.
func spotRow(x *row, get func(string) string) (bool, error) {
	x.class = "gold"
	if strings.EqualFold(get("job_type"), "spot") {
		x.class = "bronze"
	}
	return true, nil
}

// endless lets rows without an end run to the horizon.
func endless(x *row, _ func(string) string) (bool, error) {
	x.endless = !x.end.known
	return true, nil
}

// azureRow parses the class and the size of a VM. The size is a number, or a bucket
// such as ">24", which counts as that number.
func azureRow(x *row, get func(string) string) (bool, error) {
	x.class = map[string]string{"Interactive": "gold", "Delay-insensitive": "bronze"}[get("vmcategory")]
	for _, size := range []struct {
		column string
		to     *cluster.Amount
	}{{"vmcorecount", &x.cpu}, {"vmmemory", &x.memory}} {
		amount, err := cluster.ParseAmount(strings.TrimPrefix(get(size.column), ">"))
		if err != nil {
			return false, fmt.Errorf("%s: %w", size.column, err)
		}
		*size.to = amount
	}
	return true, nil
}

// packingRow reads a VM; priority 0 is the most important.
func packingRow(x *row, get func(string) string) (bool, error) {
	x.class = "bronze"
	if get("priority") == "0" {
		x.class = "gold"
	}
	x.endless = !x.end.known
	return true, nil
}

// llmRow computes a running time from the numbers of tokens.
func llmRow(x *row, get func(string) string) (bool, error) {
	sum := 0.0
	for _, of := range []struct {
		column string
		each   float64
	}{{"ContextTokens", perContextToken}, {"GeneratedTokens", perGeneratedToken}} {
		n, err := strconv.ParseUint(get(of.column), 10, 32)
		if err != nil {
			return false, fmt.Errorf("%s: %.40q is not a whole number", of.column, get(of.column))
		}
		sum += float64(float64(n) * of.each)
	}
	x.cpu, x.run = cluster.Unit, moment{workload.Nanoseconds(sum), true}
	return true, nil
}

// endedRow computes the submission time from the end and the duration, and assigns
// one core.
func endedRow(x *row, _ func(string) string) (bool, error) {
	x.cpu = cluster.Unit
	x.submit = moment{x.end.at - x.run.at, x.end.known && x.run.known}
	return true, nil
}

// opendcRow parses the dependencies of a task from a list such as [3, 4] or 3;4.
func opendcRow(x *row, get func(string) string) (bool, error) {
	x.key = x.id
	x.after = strings.FieldsFunc(get("parents"), func(r rune) bool { return strings.ContainsRune("[]{}(),; '\"", r) })
	return true, nil
}

// heliosRow creates a task for each GPU, or without GPUs for each core.
func heliosRow(x *row, get func(string) string) (bool, error) {
	count := func(column string) (int, error) {
		text := get(column)
		if slices.Contains(unknowns, text) {
			return 0, nil
		}
		n, ok := show.ParseNumber(text)
		if !ok || n < 0 || n > workload.MaxTasks {
			return 0, fmt.Errorf("%s: %.40q is not a number from 0 on", column, text)
		}
		return int(n), nil
	}
	gpus, err := count("gpu_num")
	if err != nil {
		return false, err
	}
	cores, err := count("cpu_num")
	if x.tasks = cores; gpus > 0 {
		x.tasks, x.gpus = gpus, 1
	}
	return true, err
}
