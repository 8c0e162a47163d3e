package solve

// Counter limits how many of some jobs go to each class of clusters. Negative values switch Most,
// Used and Skew off; 0 switches Least off.
type Counter struct {
	Jobs    []int32 // the jobs it counts
	Class   []int32 // by cluster: the class in which its jobs count; -1 if they do not count
	Classes int     // number of classes
	Home    []int32 // by index in Jobs, replaces Class: a job counts, in class 0, on every other cluster

	Most int32 // largest number of jobs in a class
	Used int32 // largest number of classes with a job
	Skew int32 // largest difference in jobs between two classes

	Least int32 // smallest number of classes with a job
}

// NoLimit is the value of an unused limit of a Counter.
const NoLimit = -1

// Tallies holds all counters of a problem while jobs are placed one by one. A nil Tallies counts
// nothing.
type Tallies struct {
	all []Counting
	of  [][]membership // by job
}

// Counting is the state of one counter while jobs are placed.
type Counting struct {
	*Counter
	count []int32 // by class
	used  int32   // classes with a job
	left  int32   // jobs not placed yet
}

// membership is a counter and a job's index in its Jobs.
type membership struct{ counter, at int32 }

// NewTallies returns tallies without placed jobs; nil without counters.
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

// NewCounting returns the state of a counter with no job placed.
func NewCounting(c *Counter) Counting {
	return Counting{Counter: c, count: make([]int32, c.Classes), left: int32(len(c.Jobs))}
}

// ClassOf returns the class in which Jobs[at] counts on a cluster, -1 if it does not count there.
func (c *Counter) ClassOf(at, cluster int32) int32 {
	switch {
	case c.Home == nil:
		return c.Class[cluster]
	case c.Home[at] == cluster:
		return -1
	}
	return 0
}

// Refuses returns the first counter that placing a job on a cluster would violate, either now or in
// every completion; -1 if there is none. The job must not be placed yet.
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
		t.Least-t.used-max(0, 2-now) > t.left-1 // the first job in a class adds a used class
}

// lacking returns how many more jobs the classes need to satisfy Skew after one more job in class
// more (-1: in none).
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

// Sharing calls do for each job that shares a counter with the given one, including the job itself.
// refuses reports whether the counter refuses a cluster for that job. It stops when do returns
// false.
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

// Place counts a job as placed on a cluster.
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

// Change counts Jobs[at] as placed on a cluster if by is 1, and undoes that if by is -1.
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

// Excess returns by how many jobs or classes the limits are exceeded or missed. All jobs must be
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
