package workload

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/format/sniff"
	"berth/engine/show"
	"berth/engine/sim"
	"berth/engine/sorting"
)

// HostEvent is a change of the infrastructure at a time.
type HostEvent struct {
	At   sim.Milliseconds
	Host string
	Up   bool
	// CPU and Memory of a host that no list of hosts has; 0 of a known one.
	CPU, Memory cluster.Amount
	GPUs        int // as above
	// File that it was read from and the place of its host there; an event of a
	// document has no file, and its place in the list as line.
	File         string
	Line, Column int
}

// HostEvents reads CSV with the header time_s,host,event,cpu,memory, in order
// of time. The events fail, leave and remove take a host away; return and add
// bring one. A host that the infrastructure does not list must have cpu and
// memory, which may be left out otherwise.
func HostEvents(name string, r io.Reader) ([]HostEvent, error) {
	lines := newLines(name, r)
	columns := strings.Split(sniff.HostEventColumns, ",")
	column, err := lines.header(columns, columns[:3])
	if err != nil {
		return nil, err
	}
	var events []HostEvent
	err = lines.records(len(column), func(fields []field) error {
		e, err := hostEvent(fields, column)
		e.File, e.Line, e.Column = name, lines.number, lines.column(fields[column["host"]].at)
		if err == nil && len(events) > 0 && e.At < events[len(events)-1].At {
			err = faultf(fields[column["time_s"]].at, "time_s: the event is earlier than the one before it")
		}
		events = append(events, e)
		return err
	})
	if err != nil {
		return nil, err
	}
	return events, nil
}

func hostEvent(fields []field, column map[string]int) (HostEvent, error) {
	var f fieldReader
	host := fields[column["host"]]
	e := HostEvent{At: f.seconds(fields[column["time_s"]], "time_s"), Host: host.text}
	if e.Host == "" {
		f.fail(host, "host", errors.New("a name is missing"))
	}
	switch event := fields[column["event"]]; event.text {
	case "fail", "leave", "remove":
	case "return", "add":
		e.Up = true
	default:
		f.fail(event, "event", fmt.Errorf("%.40q is unknown; known: fail, leave, remove, return, add", event.text))
	}
	for _, c := range []struct {
		name string
		to   *cluster.Amount
	}{{"cpu", &e.CPU}, {"memory", &e.Memory}} {
		if i, ok := column[c.name]; ok && fields[i].text != "" {
			*c.to = f.amount(fields[i], c.name)
		}
	}
	if i, ok := column["gpus"]; ok {
		e.GPUs = f.devices(fields[i], "gpus")
	}
	return e, f.err
}

// look tells what a file is by its beginning, and returns a reader of all of it.
func look(name string, r io.Reader, role sniff.Role) (format string, all io.Reader, err error) {
	b := bufio.NewReaderSize(r, sniff.Most)
	head, err := b.Peek(sniff.Most)
	if err != nil && err != io.EOF {
		return "", nil, fmt.Errorf("%s: %w", show.Text(name), err)
	}
	if refusal := sniff.Refusal(string(head), role); refusal != "" {
		return "", nil, diag.Errorf(name, 1, 1, "%s", refusal)
	}
	return sniff.Look(string(head), role).Name, b, nil
}

// ReadHosts reads hosts in the authors' format, our CSV or machine_events of
// the Google trace of 2011. What changes in a trace of the latter comes as
// events.
func ReadHosts(name string, r io.Reader) ([]cluster.Host, []HostEvent, error) {
	format, r, err := look(name, r, sniff.Hosts)
	if err != nil {
		return nil, nil, err
	}
	return readHosts(format, name, r)
}

// readHosts reads hosts in the format of that name.
func readHosts(format, name string, r io.Reader) (hosts []cluster.Host, events []HostEvent, err error) {
	switch format {
	case "erlang-hosts":
		hosts, err = ErlangHosts(name, r)
	case "machine-events":
		hosts, events, err = GoogleMachines(name, r)
	case "openb-nodes":
		hosts, err = openbHosts(name, r)
	case "spot-gpu":
		hosts, err = spotHosts(name, r)
	case "pai-machines":
		hosts, err = paiHosts(name, r)
	case "machine-meta":
		hosts, err = metaHosts(name, r)
	default:
		hosts, err = CSVHosts(name, r)
	}
	if err != nil {
		return nil, nil, err
	}
	if len(hosts) == 0 && len(events) == 0 {
		return nil, nil, diag.Errorf(name, 1, 1, "there are no hosts in the file")
	}
	return hosts, events, nil
}

// hostList collects hosts, each with a name of its own.
type hostList struct {
	all   []cluster.Host
	names map[string]bool
}

// add adds a host whose name is at a place of its line.
func (l *hostList) add(h cluster.Host, at int32) error {
	switch {
	case h.Name == "":
		return faultf(at, "the name of the host is missing")
	case l.names[h.Name]:
		return faultf(at, "the host %.40q is given twice", h.Name)
	case l.names == nil:
		l.names = map[string]bool{}
	}
	l.names[h.Name] = true
	l.all = append(l.all, h)
	return nil
}

// OpenRequests returns a reader of requests in any of the formats, told apart
// by the first line. The file may be opened more than once.
func OpenRequests(name string, open func() (io.Reader, error)) (Source, error) {
	r, err := open()
	if err != nil {
		return nil, err
	}
	format, r, err := look(name, r, sniff.Requests)
	if err != nil {
		return nil, err
	}
	return openRequests(format, name, r, open)
}

// openRequests reads requests in the format of that name.
func openRequests(format, name string, r io.Reader, open func() (io.Reader, error)) (Source, error) {
	switch format {
	case "erlang-requests":
		return NewErlangRequests(name, r), nil
	case "broker":
		return NewBrokerRequests(name, r), nil
	case "task-events":
		return NewGoogleTasks(name, open)
	case "openb-pods":
		return newOpenbRequests(name, r)
	case "requests":
		return NewCSVRequests(name, r)
	}
	if f, ok := foreigns[format]; ok {
		return f.requests(name, r)
	}
	t, err := readTasks(format, name, r, open)
	if err != nil {
		return nil, err
	}
	return RequestsOf(t), nil
}

// MergeHostEvents puts two lists in order of time into one; of events of the
// same time those of the first list come first.
func MergeHostEvents(a, b []HostEvent) []HostEvent {
	all := append(append([]HostEvent(nil), a...), b...)
	sorting.Stable(all, func(x, y HostEvent) int { return cmp.Compare(x.At, y.At) })
	return all
}
