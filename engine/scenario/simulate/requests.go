package simulate

import (
	"encoding/csv"
	"slices"
	"strconv"

	"berth/engine/qos"
	"berth/engine/sim"
	"berth/engine/workload"
)

// RequestsHeader has the columns of the list of requests.
var RequestsHeader = []string{"policy", "id", "class", "submit_s", "run_s", "pending_s", "availability", "preemptions"}

// requestList collects what becomes of each request of a run.
type requestList struct {
	policy   string
	to       *csv.Writer
	classes  []qos.Class
	ids      []string
	outcomes []qos.Outcome
}

// listen listens to a run, and to its source for the ids.
func (l *requestList) listen(source workload.Source, config *qos.Config) workload.Source {
	l.classes = config.Classes
	config.Finished = func(o *qos.Outcome) { l.outcomes = append(l.outcomes, *o) }
	return &identified{source, l}
}

// identified is a source that remembers ids.
type identified struct {
	workload.Source
	to *requestList
}

// Read implements [workload.Source].
func (i *identified) Read(buffer []workload.Request) (int, error) {
	n, err := i.Source.Read(buffer)
	for _, r := range buffer[:n] {
		i.to.ids = append(i.to.ids, requestID(&r, len(i.to.ids)))
	}
	return n, err
}

// requestID is the id of a request, or its number in order of arrival, from 1.
func requestID(r *workload.Request, index int) string {
	if r.ID == "" {
		return strconv.Itoa(index + 1)
	}
	return r.ID
}

// write writes one line a request, in order of arrival.
func (l *requestList) write() error {
	slices.SortFunc(l.outcomes, func(a, b qos.Outcome) int { return int(a.Index) - int(b.Index) })
	for i := range l.outcomes {
		o := &l.outcomes[i]
		err := l.to.Write([]string{
			l.policy, l.ids[o.Index], l.classes[o.Class].Name, decimal(o.Submit), decimal(o.Run), decimal(o.Pending),
			strconv.FormatFloat(o.Availability, 'g', -1, 64), strconv.Itoa(o.Preemptions),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// decimal writes a time in seconds with no more digits than it has.
func decimal(t sim.Time) string { return strconv.FormatFloat(seconds(t), 'f', -1, 64) }
