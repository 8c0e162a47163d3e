package easy

// minimaFanout entries of a level form one entry of the next level.
const (
	minimaFanout = 1 << minimaStep
	minimaStep   = 3
)

// minima is an append-only list of needs with a tree of minima over groups of its entries. It finds
// the first entry whose needs are small enough without visiting every entry.
type minima struct {
	levels [][]needs // levels[0] is the list
}

// add appends entry i.
func (m *minima) add(i int, e needs) {
	for level := 0; ; level, i = level+1, i>>minimaStep {
		if level == len(m.levels) {
			m.levels = append(m.levels, nil)
			if level > 0 {
				m.levels[level] = append(m.levels[level], m.gather(level, 0))
			}
		}
		if i == len(m.levels[level]) {
			m.levels[level] = append(m.levels[level], e)
		} else {
			m.levels[level][i] = m.levels[level][i].min(e)
		}
		if len(m.levels[level]) <= minimaFanout {
			return
		}
	}
}

// set replaces an entry.
func (m *minima) set(i int, e needs) {
	m.levels[0][i] = e
	for level := 1; level < len(m.levels); level++ {
		i >>= minimaStep
		m.levels[level][i] = m.gather(level, i)
	}
}

func (m *minima) gather(level, i int) needs {
	below := m.levels[level-1]
	all := below[i<<minimaStep : min((i+1)<<minimaStep, len(below))]
	least := all[0]
	for _, e := range all[1:] {
		least = least.min(e)
	}
	return least
}

// find returns the index of the first entry at or after from for which may returns true, or −1. It
// also calls may with the minima of groups, so may must be true for a minimum whenever it is true
// for one of the entries.
func (m *minima) find(from int, may func(e *needs) bool) int {
	top := len(m.levels) - 1
	if top < 0 {
		return -1
	}
	return m.below(top, 0, len(m.levels[top]), from, may)
}

// below is find for the entries [first, end) of a level.
func (m *minima) below(level, first, end, from int, may func(e *needs) bool) int {
	for i := max(first, from>>(minimaStep*level)); i < end; i++ {
		if !may(&m.levels[level][i]) {
			continue
		}
		if level == 0 {
			return i
		}
		next := i << minimaStep
		if found := m.below(level-1, next, min(next+minimaFanout, len(m.levels[level-1])), from, may); found >= 0 {
			return found
		}
	}
	return -1
}
