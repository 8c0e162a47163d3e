package qoskind

import (
	"slices"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/figure"
	"berth/engine/input/csv"
	"berth/engine/qos"
	"berth/engine/sim"
)

// RequestsHeader has the columns of the list of requests that the command line
// writes. A request starts when it first runs; its host is the last one. Both are empty of
// one that never ran.
var RequestsHeader = []string{"policy", "id", "class", "submit_s", "run_s", "pending_s", "availability", "preemptions", "start_s", "host"}

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
	hosts     []cluster.Host // as the engine numbers them
	stays     []stay         // by request
}

// stay is when a request first ran and where it did last; without a host it never has.
type stay struct {
	start sim.Milliseconds
	host  int32 // from 1
}

// listen listens to a run.
func (l *requestList) listen(config *qos.Config) {
	l.classes = config.Classes
	config.Arrived = func(a *qos.Arrival) {
		l.names.admitted(a)
		l.stays = append(l.stays, stay{})
	}
	config.Decided = func(d *qos.Decision) {
		x := &l.stays[d.Request]
		if x.host == 0 {
			x.start = d.At + d.Overhead
		}
		x.host = int32(d.Host) + 1
	}
	config.Finished = func(o *qos.Outcome) { l.outcomes = append(l.outcomes, *o) }
}

// names are the names of the requests of a run in order of arrival: the ids of the workload, or
// else their numbers from 1; instances have their controller and number.
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
	slices.SortFunc(l.outcomes, func(a, b qos.Outcome) int { return int(a.Index) - int(b.Index) })
	for i := range l.outcomes {
		o := &l.outcomes[i]
		fields := []string{
			l.policy, l.names.all[o.Index].id, l.classes[o.Class].Name, decimal(o.Submit), decimal(o.Run), decimal(o.Pending),
			strconv.FormatFloat(o.Availability, 'g', -1, 64), strconv.Itoa(o.Preemptions), "", "",
		}
		if x := l.stays[o.Index]; x.host > 0 {
			fields[len(fields)-2], fields[len(fields)-1] = decimal(x.start), l.hosts[x.host-1].Name
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
