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

// RequestsHeader has the columns of the list of requests that the command line writes. start_s is
// the time at which a request first ran, host its last host; both are empty if it never ran.
var RequestsHeader = []string{"policy", "id", "class", "submit_s", "run_s", "pending_s", "availability", "preemptions", "start_s", "host"}

// penaltyColumn is an additional column of [Prepared.List].
const penaltyColumn = "penalty_cpu_h"

// requestList collects the outcome of each request of a run.
type requestList struct {
	policy    string
	to        *csv.Writer
	penalties bool // adds the column penaltyColumn
	classes   []qos.Class
	ids       []string // by request
	outcomes  []qos.Outcome
	hosts     []cluster.Host // in the order of the engine's host numbers
	stays     []stay         // by request
}

// stay is the time when a request first ran, and its last host. Without a host the request never
// ran.
type stay struct {
	start sim.Milliseconds
	host  int32 // host number plus 1; 0: none
}

// listen registers the list for the events of a run.
func (l *requestList) listen(config *qos.Config) {
	l.classes = config.Classes
	config.Arrived = func(a *qos.Arrival) {
		l.ids = append(l.ids, a.ID)
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

// write writes a row for each request, in order of arrival.
func (l *requestList) write() error {
	slices.SortFunc(l.outcomes, func(a, b qos.Outcome) int { return int(a.Index) - int(b.Index) })
	for i := range l.outcomes {
		o := &l.outcomes[i]
		fields := []string{
			l.policy, l.ids[o.Index], l.classes[o.Class].Name, decimal(o.Submit), decimal(o.Run), decimal(o.Pending),
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

// decimal formats a time in seconds with as few digits as necessary.
func decimal(t sim.Milliseconds) string { return strconv.FormatFloat(seconds(t), 'f', -1, 64) }
