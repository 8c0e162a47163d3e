package federate

import (
	"cmp"
	"slices"

	"berth/engine/cluster"
	"berth/engine/workload"
)

// Claim assigns a worker to a task.
type Claim struct{ Task, Worker int32 }

// Together returns workers for all tasks of a gang in an empty data centre, in the order in which
// the tasks must take them. It returns nil if all tasks ask for the same, because then the order
// makes no difference, and if no such workers were found. A scheduler tries these workers when its
// own way to place a gang fails; otherwise a gang of unlike tasks could wait for ever in an empty
// data centre.
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
	center  *Center
	load    *workload.Tasks
	free    []cluster.Amount  // by worker and resource
	devices []cluster.Devices // by worker; nil unless tasks share devices
	claims  []Claim           // of the tasks placed up to now
	looks   int               // remaining budget of the search, in workers looked at
	known   map[int32][]Claim // results of place by job
}

// maxLooks limits the workers that the search for one gang looks at.
const maxLooks = 1 << 20

func newGangs(d *Center, load *workload.Tasks) *gangs {
	g := &gangs{center: d, load: load, known: map[int32][]Claim{}}
	for w := range int32(d.workers) {
		g.free = append(g.free, d.CapacityOf(w)...)
		if d.Devices >= 0 {
			g.devices = append(g.devices, cluster.NewDevices(int(d.CapacityOf(w)[d.Devices]/cluster.Unit)))
		}
	}
	return g
}

// place finds workers for all tasks of a job: first fit in the order of the tasks, and if that
// fails, a search that begins with the tasks that fit on the fewest workers. It returns nil if the
// search finds no placement or exhausts its budget.
func (g *gangs) place(job int32) []Claim {
	first, kinds := g.load.Jobs[job].First, g.load.KindsOf(job)
	tasks := make([]int32, len(kinds))
	for i := range tasks {
		tasks[i] = first + int32(i)
	}
	defer g.clear()
	if g.firstFit(tasks) {
		return slices.Clone(g.claims)
	}
	g.clear()
	choice := map[int32]int{} // by kind: how many of its tasks fit on all workers
	for _, kind := range kinds {
		if choice[kind] == 0 {
			choice[kind] = int(g.center.together(&g.load.Kinds[kind]))
		}
	}
	slices.SortStableFunc(tasks, func(a, b int32) int {
		x, y := g.load.KindOf[a], g.load.KindOf[b]
		return cmp.Or(cmp.Compare(choice[x], choice[y]), cmp.Compare(x, y))
	})
	if g.looks = maxLooks; g.search(tasks) {
		return slices.Clone(g.claims)
	}
	return nil
}

// firstFit puts each task on the first worker with room. A worker without room for a task has no
// room for later tasks of that kind, so the scan for a kind never goes back.
func (g *gangs) firstFit(tasks []int32) bool {
	from := map[int32]int32{} // by kind: the first worker to try
	for _, task := range tasks {
		kind := g.load.KindOf[task]
		w := from[kind]
		for int(w) < g.center.workers && !g.fits(task, w) {
			w++
		}
		if from[kind] = w; int(w) == g.center.workers {
			return false
		}
		g.take(task, w)
	}
	return true
}

// search puts the first task on each worker in turn until the other tasks fit. To avoid symmetric
// placements it keeps tasks of a kind in the order of workers, and tries only one of several
// workers that have the same room left.
func (g *gangs) search(tasks []int32) bool {
	if len(tasks) == 0 {
		return true
	}
	task, from := tasks[0], int32(0)
	if n := len(g.claims); n > 0 && g.load.KindOf[g.claims[n-1].Task] == g.load.KindOf[task] {
		from = g.claims[n-1].Worker
	}
	var tried []int32
	for w := from; int(w) < g.center.workers && g.looks > 0; w++ {
		g.looks -= 1 + len(tried)
		if !g.fits(task, w) || slices.ContainsFunc(tried, func(other int32) bool { return g.same(w, other) }) {
			continue
		}
		tried = append(tried, w)
		devices := slices.Clone(g.devicesOf(w))
		g.take(task, w)
		if g.search(tasks[1:]) {
			return true
		}
		g.giveLast()
		copy(g.devicesOf(w), devices)
	}
	return false
}

func (g *gangs) freeOn(w int32) []cluster.Amount {
	return cluster.Row(g.free, w, g.center.Resources)
}

func (g *gangs) devicesOf(w int32) cluster.Devices {
	if g.devices == nil {
		return nil
	}
	return g.devices[w]
}

// same reports whether two workers satisfy the same constraints and have the same room left.
func (g *gangs) same(a, b int32) bool {
	machines := g.center.Machines
	return (machines == nil || machines[a] == machines[b]) && slices.Equal(g.freeOn(a), g.freeOn(b)) && slices.Equal(g.devicesOf(a), g.devicesOf(b))
}

func (g *gangs) fits(task, w int32) bool {
	k, free := &g.load.Kinds[g.load.KindOf[task]], g.freeOn(w)
	for r, amount := range k.Request {
		if free[r] < amount || r == g.center.Devices && !g.devices[w].Fits(amount) {
			return false
		}
	}
	return g.center.Satisfies(w, k.Constraints)
}

func (g *gangs) take(task, w int32) {
	request := g.load.Kinds[g.load.KindOf[task]].Request
	cluster.Add(g.freeOn(w), request, -1)
	if g.devices != nil {
		g.devices[w].Take(request[g.center.Devices])
	}
	g.claims = append(g.claims, Claim{task, w})
}

// giveLast returns the resources of the last task, except its devices, which the caller restores.
func (g *gangs) giveLast() {
	last := g.claims[len(g.claims)-1]
	g.claims = g.claims[:len(g.claims)-1]
	cluster.Add(g.freeOn(last.Worker), g.load.Kinds[g.load.KindOf[last.Task]].Request, 1)
}

// clear empties all workers.
func (g *gangs) clear() {
	for len(g.claims) > 0 {
		w := g.claims[len(g.claims)-1].Worker
		g.giveLast()
		if g.devices != nil {
			copy(g.devices[w], cluster.NewDevices(len(g.devices[w])))
		}
	}
}
