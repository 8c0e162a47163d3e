package workload

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/show"
	"berth/engine/sim"
)

// HostEvent is a change of the infrastructure at a time.
type HostEvent struct {
	At   sim.Milliseconds
	Host string
	Up   bool
	// CPU and Memory of a host that no list of hosts has; 0 of a known one.
	CPU, Memory cluster.Amount
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
	columns := []string{"time_s", "host", "event", "cpu", "memory"}
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
	return e, f.err
}

// The formats of a workload that [Sniff] tells apart.
const (
	Erlang  = "erlang"
	CSV     = "csv"
	Broker  = "broker"
	Google  = "google2011"
	Openb   = "openb"
	Unknown = ""
)

// sniffed is how much of a file is looked at to tell its format.
const sniffed = 4096

// Sniff returns the format of a file with requests or hosts by its first
// line, and a reader of all of it.
func Sniff(r io.Reader) (format string, all io.Reader, err error) {
	b := bufio.NewReaderSize(r, sniffed)
	head, err := b.Peek(sniffed)
	if err != nil && err != io.EOF {
		return Unknown, nil, err
	}
	line, _, _ := strings.Cut(string(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")), "\n")
	switch commas := strings.Count(line, ","); {
	case strings.HasPrefix(line, "{"):
		return Erlang, b, nil
	case isOpenb(line):
		return Openb, b, nil
	case strings.Contains(line, "cpu") && strings.Contains(line, "memory"):
		return CSV, b, nil
	case commas == 11:
		return Broker, b, nil
	case commas == 12 || commas == 5:
		return Google, b, nil
	}
	return Unknown, b, nil
}

// ReadHosts reads hosts in the authors' format, our CSV or machine_events of
// the Google trace of 2011. What changes in a trace of the latter comes as
// events.
func ReadHosts(name string, r io.Reader) ([]cluster.Host, []HostEvent, error) {
	format, r, err := Sniff(r)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", show.Text(name), err)
	}
	var hosts []cluster.Host
	var events []HostEvent
	switch format {
	case Erlang:
		hosts, err = ErlangHosts(name, r)
	case CSV:
		hosts, err = CSVHosts(name, r)
	case Google:
		hosts, events, err = GoogleMachines(name, r)
	case Openb:
		hosts, err = openbHosts(name, r)
	default:
		return nil, nil, unknownFormat(name, r, hostTerm+
			", CSV with the header name,cpu,memory,attributes, or machine_events of the Google trace of 2011")
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
		return faultf(at, "the host %.40q is there twice", h.Name)
	case l.names == nil:
		l.names = map[string]bool{}
	}
	l.names[h.Name] = true
	l.all = append(l.all, h)
	return nil
}

// unknownFormat says why a file that Sniff does not know cannot be read.
func unknownFormat(name string, r io.Reader, expected string) error {
	head := make([]byte, sniffed)
	n, err := io.ReadFull(r, head)
	head = head[:n]
	for _, other := range []struct{ start, message string }{
		{"\xff\xfe", "the text is in UTF-16; expected UTF-8, "},
		{"\xfe\xff", "the text is in UTF-16; expected UTF-8, "},
	} {
		if bytes.HasPrefix(head, []byte(other.start)) {
			return diag.Errorf(name, 1, 1, "%s%s", other.message, expected)
		}
	}
	switch {
	case err != nil && len(bytes.TrimSpace(head)) == 0:
		return diag.Errorf(name, 1, 1, "the file is empty; expected %s", expected)
	}
	return diag.Errorf(name, 1, 1, "the format is not known; expected %s", expected)
}

// OpenRequests returns a reader of requests in any of the formats, told apart
// by the first line. The file may be opened more than once.
func OpenRequests(name string, open func() (io.Reader, error)) (Source, error) {
	r, err := open()
	if err != nil {
		return nil, err
	}
	format, r, err := Sniff(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", show.Text(name), err)
	}
	switch format {
	case Erlang:
		return NewErlangRequests(name, r), nil
	case CSV:
		return NewCSVRequests(name, r)
	case Broker:
		return NewBrokerRequests(name, r), nil
	case Google:
		return NewGoogleTasks(name, open)
	case Openb:
		return newOpenbRequests(name, r)
	}
	return nil, unknownFormat(name, r, requestTerm+
		", CSV with the header "+strings.Join(requestColumns, ",")+", the broker's "+brokerFields+
		", or task_events of the Google trace of 2011, "+taskFields)
}

// MergeHostEvents puts two lists in order of time into one; of events of the
// same time those of the first list come first.
func MergeHostEvents(a, b []HostEvent) []HostEvent {
	all := append(append([]HostEvent(nil), a...), b...)
	slices.SortStableFunc(all, func(x, y HostEvent) int { return cmp.Compare(x.At, y.At) })
	return all
}
