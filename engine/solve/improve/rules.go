package improve

import "berth/engine/solve"

// rule is the counter of how many of some jobs go where.
type rule struct {
	of      *solve.Counter
	cluster []int32
	at      []int32 // by job: its place among those that are counted, -1
	number  []int32 // by class: jobs
	used    int32   // classes with a job
}

func newRules(m *model, cluster []int32) (all []counter) {
	for i := range m.p.Counters {
		r := &rule{of: &m.p.Counters[i], cluster: cluster, at: make([]int32, m.jobs)}
		r.number = make([]int32, r.of.Classes)
		for j := range r.at {
			r.at[j] = -1
		}
		for at, j := range r.of.Jobs {
			r.at[j] = int32(at)
		}
		all = append(all, r)
	}
	return all
}

func (r *rule) count() {
	clear(r.number)
	r.used = 0
	for _, j := range r.of.Jobs {
		r.add(j, r.cluster[j], 1)
	}
}

func (r *rule) move(job, from, to int32) {
	if r.at[job] >= 0 {
		r.add(job, from, -1)
		r.add(job, to, 1)
	}
}

func (r *rule) add(job, cluster, by int32) {
	class := r.of.ClassOf(r.at[job], cluster)
	if class < 0 {
		return
	}
	before := min(1, r.number[class])
	r.number[class] += by
	r.used += min(1, r.number[class]) - before
}

func (r *rule) counts() []int32 { return r.of.Jobs }

// excess is how many jobs, or classes, are too many or too few.
func (r *rule) excess() float64 {
	var most, sum int32
	for _, n := range r.number {
		most = max(most, n)
		if r.of.Most >= 0 {
			sum += max(0, n-r.of.Most)
		}
	}
	if r.of.Used >= 0 {
		sum += max(0, r.used-r.of.Used)
	}
	sum += max(0, r.of.Least-r.used)
	if r.of.Skew >= 0 {
		for _, n := range r.number {
			sum += max(0, most-r.of.Skew-n)
		}
	}
	return float64(sum)
}
