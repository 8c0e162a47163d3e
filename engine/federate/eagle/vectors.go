package eagle

// none is the number of no vector.
const none = -1

// vector has a bit for each worker, set if the worker has long tasks.
type vector struct {
	bits  []uint64
	holds int // references from workers and from messages on their way
}

func (v *vector) has(worker int32) bool { return v.bits[worker/64]>>(worker%64)&1 != 0 }

// vectors holds the vectors that are referenced, by number. Numbers increase in the order in which
// vectors are made.
type vectors struct {
	held  map[int32]*vector
	spare []*vector
	count int32
}

// add returns a new vector of the workers with long tasks, from the number of long tasks of each
// worker. It starts with the given number of references.
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

// release drops a reference to a vector and frees the vector with its last one.
func (s *vectors) release(i int32) {
	v := s.held[i]
	v.holds--
	if v.holds == 0 {
		delete(s.held, i)
		s.spare = append(s.spare, v)
	}
}
