package trace

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/format"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
)

// fileFormat is a format of workloads or of infrastructure, with functions that recognise and read
// it. Each function serves one use and may be nil. A format of jobs needs only one of rows, tasks
// and requests, because package workload converts between tasks and requests.
type fileFormat struct {
	sniff.Format
	// table, if not nil, describes the columns. It serves every use without a function of its own.
	table *table

	unit    string // name of a row of a foreign job format, which QoS and Federate both read; "" for other formats
	gang    bool   // the tasks of a row form a gang and take a slot each
	gpus    bool   // rows may request GPUs although the table has no column of GPUs
	stops   bool   // the file contains only rows, so reading may stop after the window
	byTasks bool   // QoS requests are derived from the tasks
	// submitted says that the time of a row with dependencies is its submission, not
	// its start.
	submitted bool
	expects   string // description of a row, for the error about a file without rows; "" for none
	rows      func(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error

	// tasks may stop reading after the last job within the window: see
	// [workload.Builder.Enough].
	tasks func(name string, r io.Reader, w workload.Window) (*workload.Tasks, error)
	// requests reads requests. It may call open to read the file a second time.
	requests func(name string, r io.Reader, open func() (io.Reader, error)) (workload.Stream, error)
	machines func(name string, r io.Reader) ([]workload.Machine, []workload.HostEvent, error)
	events   func(name string, r io.Reader) ([]workload.HostEvent, error)
}

// formats maps the descriptions that sniff returns to the formats.
var formats = map[*sniff.Format]*fileFormat{}

// init adds all formats in the order in which lists of accepted formats name them.
func init() {
	for _, f := range []*fileFormat{
		&erlangRequests, &requests, &broker, &taskEvents, &openbPods,
		&erlangHosts, &ownHosts, &machineEvents, &openbNodes,
		&overheads, &erlangOverheads, &hostEvents, &fta,
		&tr, &swf, &tasks,
		&gwf, &sacct, &sacctRuled, &slurmDB, &pbs, &sge, &sacctJSON, &batsimJobs, &batsim, &batchTask2017, &batchTask, &paiTask, &spotGPUJobs, &dlrm,
		&google2019, &google2019Table, &azureVMs, &azurePacking, &azureFunctions, &azureInvocations, &azureLLM, &philly, &helios, &opendc, &wfformat, &tables,
		&spotGPU, &paiMachines, &machineMeta,
		&vmTypes, &packingVMs, &paiJob, &paiInstance, &functionCounts, &functionTimes, &functionMemory,
	} {
		if f.table != nil {
			f.columns()
		}
		sniff.Add(&f.Format)
		formats[&f.Format] = f
	}
	format.Add(&format.Graphs{Format: &openbNodes.Format, Federation: readFederation})
}

// columns derives from the table's columns how to recognise and describe the format.
func (f *fileFormat) columns() {
	if f.Fit == nil && f.Must == "" {
		f.Must = f.table.names(tells)
	}
	if f.table.lines == own {
		f.Fields = f.table.names(may)
		f.Accept = cmp.Or(f.Accept, "CSV with the header "+f.Fields)
	}
}

// look finds the format of a file by its beginning. It returns a reader of the whole file, or an
// error if the format has none of the roles.
func look(name string, r io.Reader, role sniff.Role) (*fileFormat, io.Reader, error) {
	b := bufio.NewReaderSize(r, sniff.Most)
	head, err := b.Peek(sniff.Most)
	if err != nil && err != io.EOF {
		return nil, nil, fmt.Errorf("%s: %w", show.Text(name), err)
	}
	if refusal := sniff.Refusal(string(head), role); refusal != "" {
		return nil, nil, diag.New(name, 1, 1, diag.OtherFormat, refusal)
	}
	return formats[sniff.Look(string(head), role).Format], b, nil
}

// OpenTasks reads jobs in any format, recognised by the beginning of the file. It may open the file
// more than once. If jobs are in order of arrival, it may stop reading after the window; see
// [workload.Tasks.Cut].
func OpenTasks(name string, w workload.Window, open func() (io.Reader, error)) (*workload.Tasks, error) {
	r, err := open()
	if err != nil {
		return nil, err
	}
	f, r, err := look(name, r, sniff.Tasks)
	switch {
	case err != nil:
		return nil, err
	case f.unit != "":
		return f.rowTasks(name, r, w)
	case f.tasks != nil:
		return f.tasks(name, r, w)
	}
	source, err := f.stream(name, r, open)
	if err != nil {
		return nil, err
	}
	return workload.TasksOf(name, source)
}

// OpenRequests is [OpenTasks] for requests.
func OpenRequests(name string, open func() (io.Reader, error)) (workload.Stream, error) {
	r, err := open()
	if err != nil {
		return nil, err
	}
	f, r, err := look(name, r, sniff.Requests)
	switch {
	case err != nil:
		return nil, err
	case f.unit != "" && !f.byTasks:
		return f.rowRequests(name, r)
	case f.unit == "" && f.tasks == nil:
		return f.stream(name, r, open)
	}
	read := f.tasks
	if read == nil {
		read = f.rowTasks
	}
	t, err := read(name, r, workload.Window{})
	if err != nil {
		return nil, err
	}
	return workload.RequestsOf(t), nil
}

// each passes each row of a file to do.
func (f *fileFormat) each(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	remarks.Unit = f.unit
	if f.rows != nil {
		return f.rows(name, r, remarks, do)
	}
	return f.table.read(name, r, remarks, do)
}

// stream returns the requests of a file, read by the format's own function if it has one, otherwise
// from its table.
func (f *fileFormat) stream(name string, r io.Reader, open func() (io.Reader, error)) (workload.Stream, error) {
	if f.requests != nil {
		return f.requests(name, r, open)
	}
	return f.table.requests(name, r)
}

// ReadHosts reads hosts in any format. Changes over time are returned as events.
func ReadHosts(name string, r io.Reader) (hosts []cluster.Host, events []workload.HostEvent, err error) {
	f, r, err := look(name, r, sniff.Hosts)
	if err != nil {
		return nil, nil, err
	}
	machines, events, err := f.readMachines(name, r, f.table, "hosts")
	for i := range machines {
		hosts = append(hosts, machines[i].Host)
	}
	return hosts, events, err
}

// ReadMachines reads hosts like [ReadHosts]. In Berth's own table, a row may also state a number of
// identical machines, their slots, their speed (default 1) and their rack. For a table of failures,
// machines is nil, and only events are returned.
func ReadMachines(name string, r io.Reader) ([]workload.Machine, []workload.HostEvent, error) {
	f, r, err := look(name, r, sniff.Hosts|sniff.Failures)
	switch {
	case err != nil:
		return nil, nil, err
	case f == &ownHosts:
		return f.readMachines(name, r, &table{lines: own, columns: machineTable}, "machines")
	case f.events != nil:
		events, err := f.events(name, r)
		return nil, events, err
	}
	return f.readMachines(name, r, f.table, "hosts")
}

func (f *fileFormat) readMachines(name string, r io.Reader, t *table, what string) (machines []workload.Machine, events []workload.HostEvent, err error) {
	if f.machines != nil {
		machines, events, err = f.machines(name, r)
	} else {
		machines, err = t.machines(name, r)
	}
	if err == nil && len(machines)+len(events) == 0 {
		err = diag.New(name, 1, 1, diag.NoneOf, what)
	}
	if err != nil {
		return nil, nil, err
	}
	return machines, events, nil
}

// HostEvents reads events of hosts in any format, in order of time.
func HostEvents(name string, r io.Reader) ([]workload.HostEvent, error) {
	f, r, err := look(name, r, sniff.HostEvents)
	if err != nil {
		return nil, err
	}
	return f.events(name, r)
}
