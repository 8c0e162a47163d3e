package trace

import (
	"errors"
	"io"

	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
)

var hostEventTable = &table{lines: own, columns: columnsOf("time_s*,host*,event*,cpu,memory,gpus")}

// hostEvents is Berth's own table of changes of the infrastructure, in order of time. The events
// fail, leave and remove take a host down; return and add bring it up. cpu and memory are required
// only for hosts that the infrastructure does not list.
var hostEvents = fileFormat{
	Format: sniff.Format{Name: "host-events", What: "a list of host events", For: sniff.HostEvents, Syntax: sniff.Table},
	table:  hostEventTable,
	events: func(name string, r io.Reader) (events []workload.HostEvent, err error) {
		err = hostEventTable.each(name, r, nil, func(rows *rowsOf) error {
			cells := rows.cells
			e, err := hostEvent(cells)
			e.File, e.Line, e.Column = name, rows.Number, rows.Column(cells[1].At)
			if err == nil && len(events) > 0 && e.At < events[len(events)-1].At {
				err = csv.FaultAt(cells[0].At, eventEarlier)
			}
			events = append(events, e)
			return err
		})
		return events, err
	},
}

func hostEvent(cells []cell) (workload.HostEvent, error) {
	var f values
	host, event, cpu, memory := &cells[1], &cells[2], &cells[3], &cells[4]
	e := workload.HostEvent{At: f.Seconds(&cells[0]), Host: host.Text}
	if e.Host == "" {
		f.Fail(host, errors.New("a name is missing"))
	}
	switch event.Text {
	case "fail", "leave", "remove":
	case "return", "add":
		e.Up = true
	default:
		f.Fail(event, unknownEvent.New(event.Text))
	}
	if cpu.Text != "" {
		e.CPU = f.Amount(cpu)
	}
	if memory.Text != "" {
		e.Memory = f.Amount(memory)
	}
	e.GPUs = f.Devices(&cells[5])
	return e, f.Err
}
