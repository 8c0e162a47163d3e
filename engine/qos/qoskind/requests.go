package qoskind

import (
	"strconv"

	"berth/engine/csv"
	"berth/engine/figure"
	"berth/engine/qos"
	"berth/engine/sim"
	"berth/engine/sorting"
)

// RequestsHeader has the columns of the list of requests that the command line
// writes.
var RequestsHeader = []string{"policy", "id", "class", "submit_s", "run_s", "pending_s", "availability", "preemptions"}

// penaltyColumn is one more column of [Prepared.List].
const penaltyColumn = "penalty_cpu_h"

// requestList collects what becomes of each request of a run.
type requestList struct {
	policy    string
	to        *csv.Writer
	penalties bool // has the penalty of each request
	classes   []qos.Class
	names     names
	outcomes  []qos.Outcome
}

// listen listens to a run.
func (l *requestList) listen(config *qos.Config) {
	l.classes = config.Classes
	config.Arrived = l.names.admitted
	config.Finished = func(o *qos.Outcome) { l.outcomes = append(l.outcomes, *o) }
}

// names are what the requests of a run are called, in order of their arrival:
// those of the workload by their id or else their number, from 1; instances by
// their controller and number.
type names struct {
	all      []name
	requests int // of the workload
}

type name struct{ id, controller string }

// admitted is for the configuration of a run.
func (n *names) admitted(a *qos.Arrival) {
	id := a.Request.ID
	if a.Controller == "" {
		n.requests++
		if id == "" {
			id = strconv.Itoa(n.requests)
		}
	}
	n.all = append(n.all, name{id, a.Controller})
}

// write writes one line a request, in order of arrival.
func (l *requestList) write() error {
	sorting.By(l.outcomes, func(a, b qos.Outcome) int { return int(a.Index) - int(b.Index) })
	for i := range l.outcomes {
		o := &l.outcomes[i]
		fields := []string{
			l.policy, l.names.all[o.Index].id, l.classes[o.Class].Name, decimal(o.Submit), decimal(o.Run), decimal(o.Pending),
			strconv.FormatFloat(o.Availability, 'g', -1, 64), strconv.Itoa(o.Preemptions),
		}
		if l.penalties {
			fields = append(fields, plain(figure.Number(o.Penalty)))
		}
		if err := l.to.Write(fields); err != nil {
			return err
		}
	}
	return nil
}

// decimal writes a time in seconds with no more digits than it has.
func decimal(t sim.Milliseconds) string { return strconv.FormatFloat(seconds(t), 'f', -1, 64) }
