package federatekind

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"berth/engine/figure"
	"berth/engine/input/csv"
	"berth/engine/input/workload"
	"berth/engine/scenario"
)

// Tables are the tables of a report that can be exported as CSV.
var Tables = []figure.Listing{
	figure.ListingOf("schedulers", "Figures as CSV", (*Report).schedulerRows),
	figure.ListingOf("distribution", "Distribution of the allocation time as CSV", (*Report).distributionRows), // cumulative: tasks that waited at most this long
	figure.ListingOf("series", "Shares and utilisation over time as CSV", (*Report).seriesRows),
	figure.ListingOf("demand", "Demand over time as CSV", (*Report).demandRows),
}

// Tasks runs a scheduler again and returns one CSV row per task, with times in seconds. It omits
// tasks that can never run.
func (e *Prepared) Tasks(ctx context.Context, q SchedulerQuery) (*scenario.Export, error) {
	s, err := e.asked(q.Scheduler)
	if err != nil {
		return nil, err
	}
	result, err := e.again(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	load := s.load
	p, arrivals := s.playback(0), result.Arrivals(load)
	rows := [][]string{{"task", "job", "user", "asks_for", "arrival", "duration", "allocation_time", "queueing", "processing", "worker", "communication"}}
	for task, wait := range result.Waits {
		if wait < 0 {
			continue // it can never run
		}
		row := []string{
			strconv.Itoa(task), strconv.Itoa(int(p.Job[task])), strconv.Itoa(int(p.User[task])), load.KindString(load.KindOf[task]),
			csv.Number(workload.Seconds(arrivals[task])), csv.Number(workload.Seconds(load.Durations[task])), csv.Number(workload.Seconds(wait)),
		}
		for _, part := range result.Parts[task] {
			row = append(row, csv.Number(workload.Seconds(part)))
		}
		rows = append(rows, row)
	}
	return &scenario.Export{Name: "berth-federate-tasks.csv", Type: "text/csv", Data: csv.Table(rows)}, nil
}

// jobsOf returns the job of each task. It needs a table because the tasks of a job need not be in
// order of arrival when the trace is out of order.
func jobsOf(load *workload.Tasks) []int {
	jobs := make([]int, len(load.Durations))
	for j, job := range load.Jobs {
		for t := job.First; t < job.First+job.Count; t++ {
			jobs[t] = j
		}
	}
	return jobs
}

func (r *Report) schedulerRows() [][]string {
	rows := [][]string{append([]string{"scheduler"}, figure.Columns(Figures)...)}
	for i := range r.Schedulers {
		rows = append(rows, append([]string{r.Schedulers[i].Name}, figure.Cells(Figures, r.Subject(i), csv.Number)...))
	}
	return rows
}

func (r *Report) distributionRows() [][]string {
	rows := [][]string{{"scheduler", "at_most", "tasks", "part"}}
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		d := &s.Distribution
		row := func(most float64, sum int) {
			rows = append(rows, []string{s.Name, csv.Number(most), strconv.Itoa(sum), csv.Number(float64(sum) / float64(s.Tasks))})
		}
		sum := d.Zero
		if sum > 0 {
			row(0, sum)
		}
		for b, n := range d.Count {
			sum += n
			row(d.End(b), sum)
		}
	}
	return rows
}

func (r *Report) seriesRows() [][]string {
	rows := [][]string{{"scheduler", "from", "to", "quantity", "value"}}
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		add := func(quantity string, values []float64) {
			for b, v := range values {
				from, to := float64(b)*s.Series.Width, min(float64(b+1)*s.Series.Width, s.End)
				rows = append(rows, []string{s.Name, csv.Number(from), csv.Number(to), quantity, csv.Number(v)})
			}
		}
		for k, values := range s.Series.Utilisation {
			add("utilisation of "+r.Workload.Resources[k], values)
		}
		for u, values := range s.Series.Share {
			add("share of "+r.Workload.User(u), values)
		}
		add("jain", s.Series.Jain)
	}
	return rows
}

// User returns the name of a user, numbered from 0. Users without a name are "user 1", "user 2" and
// so on.
func (w *Workload) User(user int) string {
	if user < len(w.Users) {
		return w.Users[user]
	}
	return fmt.Sprintf("user %d", user+1)
}

func (r *Report) demandRows() [][]string {
	d := &r.Workload.Demand
	rows := [][]string{slices.Concat([]string{"from"}, r.Workload.Resources)}
	if len(d.Values) == 0 {
		return rows
	}
	for b := range d.Values[0] {
		row := []string{csv.Number(float64(b) * d.Width)}
		for _, values := range d.Values {
			row = append(row, csv.Number(values[b]))
		}
		rows = append(rows, row)
	}
	return rows
}
