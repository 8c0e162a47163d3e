package workload

import "hash/maphash"

// names are names of jobs. Millions of them take a third of the memory of a map.
type names struct {
	text  []byte  // of all names, one behind the other
	ends  []int   // of each name in it
	jobs  []int32 // of each name
	slots []int32 // the number of a name and 1, by its hash; 0: none
	seed  maphash.Seed
}

// slot is where a name is, or would be.
func (n *names) slot(name string) int {
	mask := uint64(len(n.slots) - 1)
	at := maphash.String(n.seed, name) & mask
	for n.slots[at] != 0 && string(n.at(int(n.slots[at]-1))) != name {
		at = (at + 1) & mask
	}
	return int(at)
}

func (n *names) at(i int) []byte {
	first := 0
	if i > 0 {
		first = n.ends[i-1]
	}
	return n.text[first:n.ends[i]]
}

// of returns the job of a name.
func (n *names) of(name string) (job int32, known bool) {
	if n.slots == nil {
		return 0, false
	}
	i := n.slots[n.slot(name)] - 1
	if i < 0 {
		return 0, false
	}
	return n.jobs[i], true
}

// set gives a job a name; the job that had it before has it no more.
func (n *names) set(name string, job int32) {
	if 2*len(n.jobs) >= len(n.slots) {
		n.grow()
	}
	at := n.slot(name)
	if i := n.slots[at] - 1; i >= 0 {
		n.jobs[i] = job
		return
	}
	n.text = append(n.text, name...)
	n.ends, n.jobs = append(n.ends, len(n.text)), append(n.jobs, job)
	n.slots[at] = int32(len(n.jobs))
}

func (n *names) grow() {
	if n.slots == nil {
		n.seed = maphash.MakeSeed()
	}
	n.slots = make([]int32, max(64, 2*len(n.slots)))
	mask := uint64(len(n.slots) - 1)
	for i := range n.jobs {
		at := maphash.Bytes(n.seed, n.at(i)) & mask
		for n.slots[at] != 0 {
			at = (at + 1) & mask
		}
		n.slots[at] = int32(i + 1)
	}
}

// name returns the first name of a job.
func (n *names) name(job int32) (name string, known bool) {
	for i, of := range n.jobs {
		if of == job {
			return string(n.at(i)), true
		}
	}
	return "", false
}
