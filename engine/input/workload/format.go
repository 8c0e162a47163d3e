package workload

import (
	"bufio"
	"fmt"
	"io"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/format/sniff"
	"berth/engine/plugin"
	"berth/engine/show"
	"berth/engine/sim"
)

// Reader reads the files of one format of package sniff. Each function is for one use
// and may be nil. A format needs only one of Tasks and Requests, since [TasksOf] and
// [RequestsOf] convert between them.
type Reader struct {
	Name string
	// Tasks may stop reading after the last job within the window: see
	// [Builder.Enough].
	Tasks func(name string, r io.Reader, w Window) (*Tasks, error)
	// Requests may open the file again.
	Requests  func(name string, r io.Reader, open func() (io.Reader, error)) (Stream, error)
	Hosts     func(name string, r io.Reader) ([]cluster.Host, []HostEvent, error)
	Overheads func(name string, r io.Reader) ([]sim.Milliseconds, error)
	Events    func(name string, r io.Reader) ([]HostEvent, error)
}

// Key implements [plugin.Named].
func (f Reader) Key() (name, was string, complete bool) {
	return f.Name, "", f.Tasks != nil || f.Requests != nil || f.Hosts != nil || f.Overheads != nil || f.Events != nil
}

var formats = plugin.NewRegistry("workload", "format",
	Reader{Name: "tr", Tasks: ReadTrace},
	Reader{Name: "tasks", Tasks: ReadTaskTable},
	Reader{Name: "requests", Requests: func(name string, r io.Reader, _ func() (io.Reader, error)) (Stream, error) {
		return ReadRequests(name, r)
	}},
	Reader{Name: ownHosts, Hosts: func(name string, r io.Reader) ([]cluster.Host, []HostEvent, error) {
		hosts, err := CSVHosts(name, r)
		return hosts, nil, err
	}},
	Reader{Name: "host-events", Events: csvHostEvents},
)

// ownHosts is the format of Berth's own table of hosts and machines.
const ownHosts = "hosts"

// AddReader registers a reader. It is an error if the name is taken.
func AddReader(f Reader) error { return formats.Add(f) }

// look finds the reader for a file by its beginning and returns a reader of the whole
// file. If this program has no reader for the format, the error is a
// [*plugin.MissingError].
func look(name string, r io.Reader, role sniff.Role) (f Reader, all io.Reader, err error) {
	b := bufio.NewReaderSize(r, sniff.Most)
	head, err := b.Peek(sniff.Most)
	if err == io.EOF {
		err = nil
	}
	if err != nil {
		return f, nil, fmt.Errorf("%s: %w", show.Text(name), err)
	}
	if refusal := sniff.Refusal(string(head), role); refusal != "" {
		return f, nil, diag.New(name, 1, 1, diag.OtherFormat, refusal)
	}
	found := sniff.Look(string(head), role)
	f, ok := formats.Lookup(found.Name)
	if !ok {
		err = found.Missing()
	}
	return f, b, err
}

// OpenTasks reads jobs in any registered format, recognised by the beginning of the
// file. It may open the file more than once. If jobs are in order of arrival, it may
// stop reading after the window: see [Tasks.Cut].
func OpenTasks(name string, w Window, open func() (io.Reader, error)) (*Tasks, error) {
	r, err := open()
	if err != nil {
		return nil, err
	}
	f, r, err := look(name, r, sniff.Tasks)
	switch {
	case err != nil:
		return nil, err
	case f.Tasks != nil:
		return f.Tasks(name, r, w)
	}
	source, err := f.Requests(name, r, open)
	if err != nil {
		return nil, err
	}
	return TasksOf(name, source)
}

// OpenRequests is [OpenTasks] for requests.
func OpenRequests(name string, open func() (io.Reader, error)) (Stream, error) {
	r, err := open()
	if err != nil {
		return nil, err
	}
	f, r, err := look(name, r, sniff.Requests)
	switch {
	case err != nil:
		return nil, err
	case f.Requests != nil:
		return f.Requests(name, r, open)
	}
	t, err := f.Tasks(name, r, Window{})
	if err != nil {
		return nil, err
	}
	return RequestsOf(t), nil
}

// ReadHosts reads hosts in any registered format. Changes over time are returned as
// events.
func ReadHosts(name string, r io.Reader) ([]cluster.Host, []HostEvent, error) {
	f, r, err := look(name, r, sniff.Hosts)
	if err != nil {
		return nil, nil, err
	}
	return f.hosts(name, r)
}

// HostEvents reads events of hosts in any registered format, in order of time.
func HostEvents(name string, r io.Reader) ([]HostEvent, error) {
	f, r, err := look(name, r, sniff.HostEvents)
	if err != nil {
		return nil, err
	}
	return f.Events(name, r)
}

func (f *Reader) hosts(name string, r io.Reader) ([]cluster.Host, []HostEvent, error) {
	hosts, events, err := f.Hosts(name, r)
	if err == nil && len(hosts) == 0 && len(events) == 0 {
		err = diag.New(name, 1, 1, diag.NoneOf, "hosts")
	}
	if err != nil {
		return nil, nil, err
	}
	return hosts, events, nil
}

// ReadMachines reads hosts like [ReadHosts]. Berth's own table may also have the
// number of machines per row, their slots, their speed (1 by default) and their rack.
func ReadMachines(name string, r io.Reader) ([]Machine, []HostEvent, error) {
	f, r, err := look(name, r, sniff.Hosts)
	if err != nil {
		return nil, nil, err
	}
	if f.Name == ownHosts {
		machines, err := csvMachines(name, r)
		return machines, nil, err
	}
	hosts, events, err := f.hosts(name, r)
	if err != nil {
		return nil, nil, err
	}
	machines := make([]Machine, len(hosts))
	for i, h := range hosts {
		machines[i] = MachineOf(h)
	}
	return machines, events, nil
}
