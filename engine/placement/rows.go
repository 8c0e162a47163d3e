package placement

// rowBudget limits the memory of kept rows, in cells of 8 bytes. Tests lower it.
var rowBudget = 8 << 20

// rows keeps the cost row of each job together with the rows it was built from: row 0 is
// [Problem.base], and row t adds the links to the first t neighbours placed before the job. When
// the search returns to a job, it rebuilds only the rows after the first neighbour that has moved.
// It never subtracts, so the same placement yields the same bits regardless of earlier tries.
//
// Rows are kept from the first backtrack on. Before that the search never returns to a job, and two
// rows shared by all jobs stay in the processor's cache. If all rows would exceed rowBudget, the
// two shared rows remain.
type rows struct {
	*Attempt

	cells  []float64
	shared bool
	owner  int     // of the shared rows: a depth, -1 if none
	valid  []int32 // by depth: how many leading rows are built
	built  []int32 // parallel to earlier: the neighbour's cluster when the row was built
}

func newRows(m *Attempt) *rows {
	return &rows{
		Attempt: m, shared: true, owner: -1, valid: make([]int32, len(m.order)), built: make([]int32, len(m.earlier)),
		cells: make([]float64, 2*m.problem.capacity.federation.Clusters().Len()),
	}
}

// keep gives each job its own rows if rowBudget allows it.
func (r *rows) keep() {
	cells := (len(r.order) + len(r.earlier)) * r.problem.capacity.federation.Clusters().Len()
	if cells > rowBudget {
		return
	}
	r.shared = false
	r.cells = make([]float64, cells)
	clear(r.valid)
}

// row returns the cost row of the current job: +Inf where a cluster refuses it for a reason other
// than room.
func (r *rows) row() []float64 {
	if r.shared && r.backtracks > 0 {
		r.keep()
	}
	depth := r.step
	first := r.start[depth]
	ties := r.before(depth)
	keep := r.unchanged(depth, ties)
	if keep == 0 {
		r.problem.base(r.slot(depth, 0), int(r.order[depth]))
		keep = 1
	}
	for t := keep - 1; t < len(ties); t++ {
		m := r.cluster[ties[t].job]
		r.problem.connect(r.slot(depth, t+1), r.slot(depth, t), int(m), int(ties[t].dependency))
		r.built[int(first)+t] = m
	}
	r.valid[depth] = int32(len(ties) + 1)
	return r.slot(depth, len(ties))
}

// unchanged returns how many leading rows of a depth are still valid.
func (r *rows) unchanged(depth int, ties []tie) int {
	if r.shared && r.owner != depth {
		r.owner = depth
		return 0
	}
	keep := 1
	for keep < int(r.valid[depth]) && r.built[int(r.start[depth])+keep-1] == r.cluster[ties[keep-1].job] {
		keep++
	}
	if r.valid[depth] == 0 || r.shared && keep <= len(ties) {
		return 0
	}
	return keep
}

func (r *rows) slot(depth, t int) []float64 {
	n := r.problem.capacity.federation.Clusters().Len()
	at := int(r.start[depth]) + depth + t
	if r.shared {
		at = t & 1
	}
	return r.cells[at*n : (at+1)*n : (at+1)*n]
}
