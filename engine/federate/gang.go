package federate

import (
	"cmp"
	"slices"

	"berth/engine/input/workload"
)

// Claim assigns a worker to a task.
type Claim struct{ Task, Worker int32 }

// Together returns workers on which all tasks of a gang fit at once in an empty data centre, in the
// order in which the tasks must take them. It returns nil if it finds none, or if all tasks have
// the same request, because then the order makes no difference. A scheduler tries these workers
// when its own placement of a gang fails. Otherwise a gang of unlike tasks could wait forever in an
// empty data centre.
func (m *Model) Together(job int32) []Claim {
	if likeTasks(m.Load.KindsOf(job)) {
		return nil
	}
	if m.gangs == nil {
		m.gangs = newGangs(m.Center, m.Load)
	}
	claims, known := m.gangs.known[job]
	if !known {
		claims = m.gangs.place(job)
		m.gangs.known[job] = claims
	}
	return claims
}

func likeTasks(kinds []int32) bool {
	return !slices.ContainsFunc(kinds, func(k int32) bool { return k != kinds[0] })
}

// gangs places gangs on the workers of an empty data centre.
type gangs struct {
	pool   *Pool
	claims []Claim           // of the tasks placed so far
	looks  int               // workers that the search may still examine
	known  map[int32][]Claim // results of place by job
}

// maxLooks limits the workers that the search for one gang examines.
const maxLooks = 1 << 20

func newGangs(d *Center, load *workload.Tasks) *gangs {
	return &gangs{pool: NewPool(d, load, func(int32) bool { return false }), known: map[int32][]Claim{}}
}

// place finds workers for all tasks of a job: first fit in the order of the tasks, and if that
// fails, a search that begins with the tasks that fit on the fewest workers. It returns nil if the
// search finds no placement or exhausts its budget.
func (g *gangs) place(job int32) []Claim {
	first, kinds := g.pool.load.Jobs[job].First, g.pool.load.KindsOf(job)
	found, ok := g.pool.TakeEach(first, first+int32(len(kinds)))
	if !ok {
		tasks, choice := make([]int32, len(kinds)), map[int32]int32{} // by kind: how many of its tasks fit on all workers together
		for i, kind := range kinds {
			tasks[i] = first + int32(i)
			if choice[kind] == 0 {
				choice[kind] = g.pool.center.together(&g.pool.load.Kinds[kind])
			}
		}
		slices.SortStableFunc(tasks, func(a, b int32) int {
			x, y := g.pool.load.KindOf[a], g.pool.load.KindOf[b]
			return cmp.Or(cmp.Compare(choice[x], choice[y]), cmp.Compare(x, y))
		})
		g.claims, g.looks = g.claims[:0], maxLooks
		if !g.search(tasks) {
			return nil
		}
		found = g.claims
	}
	g.pool.GiveAll(found)
	return slices.Clone(found)
}

// search tries each worker for the first task until the other tasks fit too. To avoid symmetric
// placements, it places tasks of a kind in ascending order of workers, and tries only one of
// several workers with the same free resources.
func (g *gangs) search(tasks []int32) bool {
	if len(tasks) == 0 {
		return true
	}
	n, task, from := len(g.claims), tasks[0], int32(0)
	if n > 0 && g.pool.load.KindOf[g.claims[n-1].Task] == g.pool.load.KindOf[task] {
		from = g.claims[n-1].Worker
	}
	var tried []int32
	for w := from; int(w) < g.pool.center.workers && g.looks > 0; w++ {
		g.looks -= 1 + len(tried)
		if !g.pool.Fits(task, w) || slices.ContainsFunc(tried, func(other int32) bool { return g.pool.same(w, other) }) {
			continue
		}
		tried = append(tried, w)
		g.pool.use(task, w)
		g.claims = append(g.claims, Claim{task, w})
		if g.search(tasks[1:]) {
			return true
		}
		g.claims = g.claims[:n]
		g.pool.Give(task, w)
	}
	return false
}
