package eagle

// none is no vector.
const none = -1

// vector has a bit for each worker that has long tasks.
type vector struct {
	bits  []uint64
	holds int // by workers, and by messages on their way
}

func (v *vector) has(worker int32) bool { return v.bits[worker/64]>>(worker%64)&1 != 0 }

// vectors are those that are held. They are numbered in the order in which they
// were made.
type vectors struct {
	held  map[int32]*vector
	spare []*vector
	count int32
}

// add makes the vector of workers by how many long tasks each of them has; so many hold it.
func (s *vectors) add(tasks []int32, holds int) int32 {
	v := &vector{bits: make([]uint64, (len(tasks)+63)/64)}
	if n := len(s.spare) - 1; n >= 0 {
		v, s.spare = s.spare[n], s.spare[:n]
		clear(v.bits)
	}
	for worker, count := range tasks {
		if count > 0 {
			v.bits[worker/64] |= 1 << (worker % 64)
		}
	}
	v.holds = holds
	s.count++
	s.held[s.count] = v
	return s.count
}

// release forgets a vector that is not held any more.
func (s *vectors) release(i int32) {
	v := s.held[i]
	v.holds--
	if v.holds == 0 {
		delete(s.held, i)
		s.spare = append(s.spare, v)
	}
}
