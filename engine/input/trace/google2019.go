package trace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

var google2019 = fileFormat{
	Format: sniff.Format{Name: "google2019", Of: "Google 2019", What: "events of the Google trace of 2019", For: sniff.Jobs, Syntax: sniff.JSON, Must: "collection_id,time,type"},
	unit:   "instance", rows: readGoogle2019,
}

var google2019Table = fileFormat{
	Format: sniff.Format{Name: "google2019-table", Of: "Google 2019", What: "a table of events of the Google trace of 2019", For: sniff.Jobs, Syntax: sniff.Table, Must: "collection_id,instance_index,time,type"},
	unit:   "instance", rows: readGoogle2019Table,
}

// event2019 is an instance event of the Google trace of 2019.
type event2019 struct {
	Time       *number // µs
	Type       any
	Collection any `json:"collection_id"`
	Sort       any `json:"collection_type"` // 1 means an alloc set
	Instance   any `json:"instance_index"`
	Priority   *number
	User       string
	Request    struct {
		CPUs   *number
		Memory *number
	} `json:"resource_request"`
}

// events2019 are the event types of 2019, indexed by number. Tables may use numbers
// or names.
var events2019 = []string{"SUBMIT", "QUEUE", "ENABLE", "SCHEDULE", "EVICT", "FAIL", "FINISH", "KILL", "LOST", "UPDATE_PENDING", "UPDATE_RUNNING"}

// readGoogle2019 reads InstanceEvents of the Google trace of 2019, one JSON object per
// line.
func readGoogle2019(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	var all instances
	lines := csv.NewLines(name, r)
	err := lines.Each(func(line string) error {
		var e event2019
		text := []byte(strings.Trim(line, "[], "))
		if err := json.Unmarshal(text, &e); err != nil {
			code, words := diag.JSONFault(text, err)
			return lines.Refuse(code, words)
		}
		if err := all.add(&e, lines.Number); err != nil {
			return lines.Wrong(err, "")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return all.hand(name, remarks, do)
}

// eventTable has the columns of these events in an export from BigQuery.
var eventTable = table{lines: titled, columns: []column{
	{"time", rowExtra, plain, must}, {"priority", rowExtra, plain, may}, {"resource_request.cpus", rowExtra, plain, may},
	{"resource_request.memory", rowExtra, plain, may}, {"type", rowExtra, plain, must}, {"collection_id", rowExtra, plain, must},
	{"collection_type", rowExtra, plain, may}, {"instance_index", rowExtra, plain, must}, {"user", rowExtra, plain, may},
}}

// readGoogle2019Table reads InstanceEvents of the Google trace of 2019 from a table.
func readGoogle2019Table(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	var all instances
	err := eventTable.each(name, r, remarks, func(rows *rowsOf) error {
		cells := rows.cells
		var numbers [4]number
		for i := range numbers {
			if err := numbers[i].UnmarshalJSON([]byte(cells[i].Text)); err != nil {
				return csv.FaultAt(cells[i].At, diag.InvalidPart, cells[i].name, err)
			}
		}
		e := event2019{Time: &numbers[0], Priority: &numbers[1], Type: cells[4].Text, Collection: cells[5].Text, Sort: cells[6].Text, Instance: cells[7].Text, User: cells[8].Text}
		e.Request.CPUs, e.Request.Memory = &numbers[2], &numbers[3]
		return all.add(&e, rows.Number)
	})
	if err != nil {
		return err
	}
	return all.hand(name, remarks, do)
}

// instances collects the instances of the Google trace of 2019. Each becomes a row, submitted at
// its first SUBMIT, with its total running time.
type instances struct{ gathered }

func (s *instances) add(e *event2019, line int) error {
	kind := eventOf(e.Type)
	if kind < 0 || e.Time == nil || !e.Time.moment().known {
		return csv.FaultAt(0, noEvent)
	}
	x, err := s.row(textOf(e.Collection)+"-"+textOf(e.Instance), line)
	if err != nil {
		return err
	}
	*e.Time /= 1e6
	x.tasks, x.user = 1, cmp.Or(x.user, e.User)
	x.happen(kind, e.Time.moment().at, e)
	return nil
}

func (x *row) happen(kind int, at sim.Nanoseconds, e *event2019) {
	x.last = at
	if sort := textOf(e.Sort); sort == "1" || sort == "ALLOC_SET" {
		x.fate = reservation
	}
	x.cpu, x.memory = max(x.cpu, e.Request.CPUs.amount(1)), max(x.memory, e.Request.Memory.amount(1))
	if e.Priority.moment().known {
		x.class = class2019(float64(*e.Priority))
	}
	switch kind := events2019[kind]; kind {
	case "SUBMIT":
		if !x.submit.known {
			x.submit = moment{at, true}
		}
	case "SCHEDULE":
		if x.fate == neverStarted {
			x.fate = started
		}
		x.since, x.starts = moment{at, true}, x.starts+1
	case "EVICT", "FAIL", "FINISH", "KILL", "LOST":
		x.state = kind
		x.stop(at)
	}
}

// class2019 maps a priority of 2019 to a class: production from 120, best effort up
// to 115, silver between them.
func class2019(priority float64) string {
	switch {
	case priority >= 120:
		return "gold"
	case priority > 115:
		return "silver"
	}
	return "bronze"
}

// eventOf returns the number of an event type, or −1.
func eventOf(kind any) int {
	text := textOf(kind)
	for i, name := range events2019 {
		if text == name || text == fmt.Sprint(i) {
			return i
		}
	}
	return -1
}
