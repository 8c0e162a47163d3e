package central

// minimaFanout entries of a level form one entry of the next level.
const (
	minimaFanout = 1 << minimaStep
	minimaStep   = 3
)

// Minima is an append-only list with a tree of minima over groups of its entries. It finds the
// first entry whose quantities are small enough without visiting every entry.
type Minima[E interface{ Min(E) E }] struct {
	levels [][]E // levels[0] is the list
}

// Len returns the number of entries.
func (m *Minima[E]) Len() int {
	if m.levels == nil {
		return 0
	}
	return len(m.levels[0])
}

// Add appends an entry.
func (m *Minima[E]) Add(e E) {
	for level, i := 0, m.Len(); ; level, i = level+1, i>>minimaStep {
		if level == len(m.levels) {
			m.levels = append(m.levels, nil)
			if level > 0 {
				m.levels[level] = append(m.levels[level], m.gather(level, 0))
			}
		}
		if i == len(m.levels[level]) {
			m.levels[level] = append(m.levels[level], e)
		} else {
			m.levels[level][i] = m.levels[level][i].Min(e)
		}
		if len(m.levels[level]) <= minimaFanout {
			return
		}
	}
}

// Set replaces an entry.
func (m *Minima[E]) Set(i int, e E) {
	m.levels[0][i] = e
	for level := 1; level < len(m.levels); level++ {
		i >>= minimaStep
		m.levels[level][i] = m.gather(level, i)
	}
}

func (m *Minima[E]) gather(level, i int) E {
	below := m.levels[level-1]
	all := below[i<<minimaStep : min((i+1)<<minimaStep, len(below))]
	least := all[0]
	for _, e := range all[1:] {
		least = least.Min(e)
	}
	return least
}

// Find returns the index of the first entry at or after from for which may returns true, or −1.
// Find also calls may with the minima of groups, so may must be true for a minimum whenever it is
// true for one of the entries.
func (m *Minima[E]) Find(from int, may func(e *E) bool) int {
	top := len(m.levels) - 1
	if top < 0 {
		return -1
	}
	return m.find(top, 0, len(m.levels[top]), from, may)
}

func (m *Minima[E]) find(level, first, end, from int, may func(e *E) bool) int {
	for i := max(first, from>>(minimaStep*level)); i < end; i++ {
		if !may(&m.levels[level][i]) {
			continue
		}
		if level == 0 {
			return i
		}
		below := i << minimaStep
		if found := m.find(level-1, below, min(below+minimaFanout, len(m.levels[level-1])), from, may); found >= 0 {
			return found
		}
	}
	return -1
}
