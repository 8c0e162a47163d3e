package solve

// Counter limits how many of some jobs go to each class of clusters. A limit below 0 is none.
type Counter struct {
	Jobs    []int32 // that are counted
	Class   []int32 // by cluster: as what it counts a job; -1: it does not
	Classes int     // there are, from 0
	Home    []int32 // by Jobs, instead of Class: a job counts anywhere else, as class 0

	Most int32 // jobs of one class
	Used int32 // classes that have a job
	Skew int32 // jobs that one class has more than another

	Least int32 // classes that have a job at least; 0: it does not matter
}

// NoLimit is the value of an unused limit of a Counter.
const NoLimit = -1

// Tallies hold all counters of a problem while jobs are placed one by one.
type Tallies struct {
	all []Counting
	of  [][]membership // by job
}

// Counting is one counter while jobs are placed.
type Counting struct {
	*Counter
	count []int32 // by class
	used  int32   // classes with a job
	left  int32   // jobs that are not placed
}

// membership is the index of a job in the list of a counter.
type membership struct{ counter, at int32 }

// NewTallies begins to count, with no job placed; nil without counters.
func NewTallies(jobs int, counters []Counter) *Tallies {
	if len(counters) == 0 {
		return nil
	}
	t := &Tallies{all: make([]Counting, len(counters)), of: make([][]membership, jobs)}
	for i := range counters {
		c := &counters[i]
		t.all[i] = NewCounting(c)
		for at, job := range c.Jobs {
			t.of[job] = append(t.of[job], membership{int32(i), int32(at)})
		}
	}
	return t
}

// NewCounting begins to count, with no job placed.
func NewCounting(c *Counter) Counting {
	return Counting{Counter: c, count: make([]int32, c.Classes), left: int32(len(c.Jobs))}
}

// ClassOf returns the class that one of the jobs counts for on a cluster, -1 for none.
func (c *Counter) ClassOf(at, cluster int32) int32 {
	switch {
	case c.Home == nil:
		return c.Class[cluster]
	case c.Home[at] == cluster:
		return -1
	}
	return 0
}

// Refuses returns the first counter that a job on a cluster would break, now or in every
// completion; -1 for none. The job must not be placed yet.
func (t *Tallies) Refuses(job, cluster int32) int {
	if t == nil {
		return -1
	}
	for _, m := range t.of[job] {
		if t.all[m.counter].refuses(m.at, cluster) {
			return int(m.counter)
		}
	}
	return -1
}

func (t *Counting) refuses(at, cluster int32) bool {
	class := t.ClassOf(at, cluster)
	if class < 0 {
		return t.Least-t.used > t.left-1
	}
	now := t.count[class] + 1
	return t.Most >= 0 && now > t.Most ||
		t.Used >= 0 && now == 1 && t.used+1 > t.Used ||
		t.Skew >= 0 && t.lacking(class) > t.left-1 ||
		t.Least-t.used-max(0, 2-now) > t.left-1 // a class of its own counts
}

// lacking is the number of jobs that classes still need to keep the skew, with one more job in a
// class.
func (t *Counting) lacking(more int32) int32 {
	var most, sum int32
	for class, n := range t.count {
		if int32(class) == more {
			n++
		}
		most = max(most, n)
	}
	for class, n := range t.count {
		if int32(class) == more {
			n++
		}
		sum += max(0, most-t.Skew-n)
	}
	return sum
}

// Sharing calls do for each job that shares a counter with the given one, with a function that
// says whether the counter refuses a cluster for it. It ends when do returns false.
func (t *Tallies) Sharing(job int32, do func(counter int, other int32, refuses func(cluster int) bool) bool) {
	if t == nil {
		return
	}
	for _, m := range t.of[job] {
		c := &t.all[m.counter]
		for at, other := range c.Jobs {
			if !do(int(m.counter), other, func(cluster int) bool { return c.refuses(int32(at), int32(cluster)) }) {
				return
			}
		}
	}
}

// Place counts a job on a cluster.
func (t *Tallies) Place(job, cluster int32) { t.change(job, cluster, 1) }

// Remove undoes Place.
func (t *Tallies) Remove(job, cluster int32) { t.change(job, cluster, -1) }

func (t *Tallies) change(job, cluster, by int32) {
	if t == nil {
		return
	}
	for _, m := range t.of[job] {
		t.all[m.counter].Change(m.at, cluster, by)
	}
}

// Change counts one of the jobs, by its index, on a cluster, or takes it back where by is -1.
func (t *Counting) Change(at, cluster, by int32) {
	t.left -= by
	class := t.ClassOf(at, cluster)
	if class < 0 {
		return
	}
	before := min(1, t.count[class])
	t.count[class] += by
	t.used += min(1, t.count[class]) - before
}

// Excess is the number of jobs or classes beyond the limits, or missing. All jobs must be
// placed.
func (t *Counting) Excess() (sum int32) {
	for _, n := range t.count {
		if t.Most >= 0 {
			sum += max(0, n-t.Most)
		}
	}
	if t.Used >= 0 {
		sum += max(0, t.used-t.Used)
	}
	if t.Skew >= 0 {
		sum += t.lacking(-1)
	}
	return sum + max(0, t.Least-t.used)
}
