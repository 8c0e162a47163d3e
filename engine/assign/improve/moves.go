package improve

// step tries a move: of one job, of a job and one that it depends on, or of two jobs to
// each other's clusters.
func (w *walk) step() {
	j := int32(w.below(w.jobs))
	w.work += 15
	switch kind := w.random.Next() >> 60; {
	case kind < 9:
		to := w.target(j)
		if to == w.cluster[j] || !w.allows(j, to) {
			return
		}
		if d := w.change(j, to); w.accepts(w.energy(d)) {
			w.move(j, to, d)
			w.remember()
		}
	case kind < 12:
		lo, hi := w.start[j], w.start[j+1]
		if lo == hi {
			return
		}
		k, to := w.neighbour[lo+int32(w.below(int(hi-lo)))], w.target(j)
		beside := to
		if kind == 11 {
			beside = w.target(k)
		}
		w.both(j, to, k, beside)
	default:
		if k := int32(w.below(w.jobs)); w.cluster[j] != w.cluster[k] {
			w.both(j, w.cluster[k], k, w.cluster[j])
		}
	}
}

// target draws a cluster for a job: that of one it depends on, or any, the cheap ones
// more often.
func (w *walk) target(j int32) int32 {
	x := w.random.Next()
	if lo, hi := w.start[j], w.start[j+1]; x&3 == 0 && lo < hi {
		return w.cluster[w.neighbour[lo+int32(w.below(int(hi-lo)))]]
	}
	all := w.allowed[j]
	u := x >> 32
	if x&4 == 0 {
		u = u * u >> 32
	}
	return all[u*uint64(len(all))>>32]
}

// both tries to move two jobs at once.
func (w *walk) both(j, to, k, beside int32) {
	from := w.cluster[j]
	if to == from || beside == w.cluster[k] || !w.allows(j, to) || !w.allows(k, beside) {
		return
	}
	total, broken := w.total, w.broken
	first := w.change(j, to)
	w.move(j, to, first)
	second := w.change(k, beside)
	if w.accepts(w.energy(first) + w.energy(second)) {
		w.move(k, beside, second)
		w.remember()
		return
	}
	w.move(j, from, change{})
	w.total, w.broken = total, broken
}
