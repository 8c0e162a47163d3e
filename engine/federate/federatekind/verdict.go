package federatekind

import (
	"cmp"
	"fmt"
	"slices"

	"berth/engine/federate"
	"berth/engine/show"
)

// verdict names the best scheduler, with the figure that decides and its value for the others. The
// best scheduler is the one under which the most tasks finish and, among equals, the slowest tasks
// wait least. verdict returns "" if a run was stopped, or if fewer than two schedulers have bounded
// workers.
func (r *Report) verdict() string {
	var all []*SchedulerReport
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		if plugin, _ := federate.Lookup(s.Name); !plugin.Facts.Unbounded {
			all = append(all, s)
		}
	}
	if len(all) < 2 || r.Cancelled {
		return ""
	}
	slices.SortStableFunc(all, (*SchedulerReport).compare)
	best, tasks := all[0], r.Workload.Tasks
	n := slices.IndexFunc(all, func(s *SchedulerReport) bool { return best.compare(s) != 0 })
	if n < 0 {
		return show.Capital(show.Every(len(all), "scheduler")) + " tie: " + best.answer(tasks)
	}
	win, figure := best.worst(), func(s *SchedulerReport) string { return show.Seconds(s.waited()) }
	if best.Tasks != all[n].Tasks {
		win, figure = best.ended(tasks), func(s *SchedulerReport) string { return group(s.Tasks) }
	}
	var others []string
	for _, s := range all[n:] {
		others = append(others, ", "+s.spoken()+" "+figure(s))
	}
	return show.Fitted(show.Winners(n, func(i int) string { return all[i].spoken() })+": "+win, others)
}

// compare orders schedulers, the best first.
func (s *SchedulerReport) compare(other *SchedulerReport) int {
	if s.Tasks != other.Tasks || show.Seconds(s.waited()) == show.Seconds(other.waited()) {
		return cmp.Compare(other.Tasks, s.Tasks)
	}
	return cmp.Compare(s.waited(), other.waited())
}

// waited returns the shortest wait among the slowest tasks.
func (s *SchedulerReport) waited() float64 {
	if s.spread() {
		return s.Tail.From
	}
	return max(0, float64(s.Allocation.At("max")))
}

// worst says how long the slowest tasks waited.
func (s *SchedulerReport) worst() string {
	switch waited := show.Seconds(s.waited()); {
	case s.waited() == 0:
		return "no task waited"
	case !s.spread():
		return "no task waited longer than " + waited
	case s.Tail.Tasks == 1:
		return "the slowest task waited " + waited
	default:
		return fmt.Sprintf("the slowest %s of %s waited at least %s", group(s.Tail.Tasks), show.Grouped(s.Tasks, "task"), waited)
	}
}

// ended says how many of the tasks ended.
func (s *SchedulerReport) ended(tasks int) string {
	return group(s.Tasks) + " of " + show.Grouped(tasks, "task") + " ended"
}

// answer is worst, or says that not all tasks ended.
func (s *SchedulerReport) answer(tasks int) string {
	if s.Tasks < tasks {
		return s.ended(tasks)
	}
	return s.worst()
}
