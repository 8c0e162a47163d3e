package workload

import (
	"bufio"
	"fmt"
	"io"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/format/sniff"
	"berth/engine/plugin"
	"berth/engine/show"
	"berth/engine/sim"
)

// Reader reads the files of one format of package sniff for what they may be. Of jobs
// and requests one is enough: the other is made of it, see [TasksOf] and [RequestsOf].
type Reader struct {
	Name string
	// Tasks may stop reading behind the last job that is within the window, see [Builder.Enough].
	Tasks func(name string, r io.Reader, w Window) (*Tasks, error)
	// Requests may open the file again.
	Requests  func(name string, r io.Reader, open func() (io.Reader, error)) (Stream, error)
	Hosts     func(name string, r io.Reader) ([]cluster.Host, []HostEvent, error)
	Overheads func(name string, r io.Reader) ([]sim.Milliseconds, error)
}

var formats = plugin.NewRegistry("workload", "format", func(f *Reader) (string, bool) {
	return f.Name, f.Tasks != nil || f.Requests != nil || f.Hosts != nil || f.Overheads != nil
},
	Reader{Name: "tr", Tasks: ReadTrace},
	Reader{Name: "tasks", Tasks: ReadTaskTable},
	Reader{Name: "requests", Requests: func(name string, r io.Reader, _ func() (io.Reader, error)) (Stream, error) {
		return ReadRequests(name, r)
	}},
	Reader{Name: ownHosts, Hosts: func(name string, r io.Reader) ([]cluster.Host, []HostEvent, error) {
		hosts, err := CSVHosts(name, r)
		return hosts, nil, err
	}},
)

// ownHosts is the format of our table of hosts, and of machines.
const ownHosts = "hosts"

// AddReader adds the reader of a format; a name that is taken is an error.
func AddReader(f Reader) error { return formats.Add(f) }

// look finds the reader of a file by its beginning, and returns all of the file. Its error is a
// [*plugin.MissingError] where the program has no reader of the format.
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

// ReadTasks is [OpenTasks] of a text that is read once: task_events of the Google trace
// of 2011 are refused.
func ReadTasks(name string, r io.Reader) (*Tasks, error) {
	opened := false
	return OpenTasks(name, Window{}, func() (io.Reader, error) {
		if opened {
			return nil, fmt.Errorf("%s: the file has to be read twice", show.Text(name))
		}
		opened = true
		return r, nil
	})
}

// OpenTasks reads jobs in any of the formats that the program has, told apart by the
// beginning of the file. The file may be opened more than once. Of a file whose jobs come in
// order of arrival it may read no further than the window needs, see [Tasks.Cut].
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

// OpenRequests is [OpenTasks] of requests.
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

// ReadHosts reads hosts in any of the formats that the program has. What changes comes as
// events.
func ReadHosts(name string, r io.Reader) ([]cluster.Host, []HostEvent, error) {
	f, r, err := look(name, r, sniff.Hosts)
	if err != nil {
		return nil, nil, err
	}
	return f.hosts(name, r)
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

// ReadMachines reads hosts as [ReadHosts] does. Our table may say how many machines a row
// stands for, how many slots each has, and how fast it is, 1 where it does not, and in which
// rack it is.
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
