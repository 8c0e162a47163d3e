package workload

import (
	"cmp"
	"errors"
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/sim"
	"berth/engine/sorting"
)

// HostEvent is a change of the infrastructure.
type HostEvent struct {
	At   sim.Milliseconds
	Host string
	Up   bool
	// CPU and Memory are set for hosts that are not in a list of hosts, otherwise 0.
	CPU, Memory cluster.Amount
	GPUs        int // set like CPU and Memory
	// File is the file that the event comes from, Line and Column the position of its
	// host there. An event of a document has no file, and Line is its position in the
	// list.
	File         string
	Line, Column int
}

// csvHostEvents reads CSV with the header time_s,host,event,cpu,memory,gpus in order of
// time. The events fail, leave and remove take a host down; return and add bring it
// up. cpu and memory are required only for hosts that the infrastructure does not
// list.
func csvHostEvents(name string, r io.Reader) ([]HostEvent, error) {
	lines, columns := csv.NewLines(name, r), strings.Split(sniff.HostEventColumns, ",")
	var events []HostEvent
	err := lines.Table(columns, columns[:3], func(of func(string) csv.Field) error {
		e, err := hostEvent(of)
		e.File, e.Line, e.Column = name, lines.Number, lines.Column(of("host").At)
		if err == nil && len(events) > 0 && e.At < events[len(events)-1].At {
			err = csv.FaultAt(of("time_s").At, eventEarlier)
		}
		events = append(events, e)
		return err
	})
	if err != nil {
		return nil, err
	}
	return events, nil
}

func hostEvent(of func(string) csv.Field) (HostEvent, error) {
	var f Values
	host := of("host")
	e := HostEvent{At: f.Seconds(of("time_s"), "time_s"), Host: host.Text}
	if e.Host == "" {
		f.Fail(host, "host", errors.New("a name is missing"))
	}
	switch event := of("event"); event.Text {
	case "fail", "leave", "remove":
	case "return", "add":
		e.Up = true
	default:
		f.Fail(event, "event", unknownEvent.New(event.Text))
	}
	if cpu := of("cpu"); cpu.Text != "" {
		e.CPU = f.Amount(cpu, "cpu")
	}
	if memory := of("memory"); memory.Text != "" {
		e.Memory = f.Amount(memory, "memory")
	}
	e.GPUs = f.Devices(of("gpus"), "gpus")
	return e, f.Err
}

// HostList collects hosts with unique names.
type HostList struct {
	All   []cluster.Host
	names map[string]bool
}

// Has reports whether the list has a host with the name.
func (l *HostList) Has(name string) bool { return l.names[name] }

// Add adds a host whose name is at byte offset at of its line. A missing or repeated
// name is an error.
func (l *HostList) Add(h cluster.Host, at int32) error {
	switch {
	case h.Name == "":
		return csv.FaultAt(at, hostUnnamed)
	case l.names[h.Name]:
		return csv.FaultAt(at, hostTwice, h.Name)
	case l.names == nil:
		l.names = map[string]bool{}
	}
	l.names[h.Name] = true
	l.All = append(l.All, h)
	return nil
}

// MergeHostEvents merges two lists in order of time. At equal times, events of the
// first list come first.
func MergeHostEvents(a, b []HostEvent) []HostEvent {
	all := append(append([]HostEvent(nil), a...), b...)
	sorting.Stable(all, func(x, y HostEvent) int { return cmp.Compare(x.At, y.At) })
	return all
}
