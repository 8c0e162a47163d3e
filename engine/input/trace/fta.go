package trace

import (
	"io"
	"sort"

	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// Indexes of the fields of a Failure Trace Archive event; ftaDown is the type of an event during
// which a node is down.
const ftaNode, ftaType, ftaStart, ftaStop, ftaFields = 4, 5, 6, 7, 9
const ftaDown = "0"

var fta = fileFormat{
	Format: sniff.Format{Name: "fta", Brief: "Failure Trace Archive", What: "events of the Failure Trace Archive", For: sniff.HostEvents, Too: sniff.Failures,
		Syntax: sniff.Prose, Fit: sniff.Tag("component_id node_id platform_id node_name event_type", 95)},
	events: readFTA,
}

// readFTA reads an event trace of the Failure Trace Archive: fields separated by blanks, times in
// seconds. A node is down from the start of an event of type 0 to its stop. The earliest start
// becomes time 0.
func readFTA(name string, r io.Reader) (events []workload.HostEvent, err error) {
	lines := csv.NewLines(name, r)
	var fields []csv.Field
	var earliest sim.Milliseconds
	first := true
	err = lines.Each(func(line string) error {
		if line[0] == '#' {
			return nil
		}
		if fields = csv.Words(line, fields); len(fields) < ftaFields {
			return lines.Wrong(csv.Miscount(line, fields, ftaFields, "and needs 9"), "")
		}
		var start, stop moment
		var f values
		f.moment(&start, &cell{value{Field: fields[ftaStart]}, &column{name: "event_start_time", unit: inSeconds}})
		f.moment(&stop, &cell{value{Field: fields[ftaStop]}, &column{name: "event_stop_time", unit: inSeconds}})
		if f.Err != nil {
			return lines.Wrong(f.Err, "")
		}
		if len(events) >= 2*maxRows {
			return lines.Refuse(diag.MoreThan, maxRows, "events")
		}
		down := workload.HostEvent{At: sim.Milliseconds(start.at / 1e6), Host: fields[ftaNode].Text, File: name, Line: lines.Number, Column: lines.Column(fields[ftaNode].At)}
		if earliest = min(earliest, down.At); first {
			earliest, first = down.At, false
		}
		if fields[ftaType].Text == ftaDown {
			up := down
			up.At, up.Up = sim.Milliseconds(stop.at/1e6), true
			events = append(events, down, up)
		}
		return nil
	})
	for i := range events {
		events[i].At -= earliest
	}
	sort.SliceStable(events, func(i, j int) bool { return events[i].At < events[j].At })
	return events, err
}
