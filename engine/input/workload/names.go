package workload

import "hash/maphash"

// names maps names to jobs. It is a hash table that needs a third of the memory of a
// map for millions of names.
type names struct {
	text  []byte  // all names, concatenated
	ends  []int   // end of each name in text
	jobs  []int32 // job of each name
	slots []int32 // hash slots: index of a name + 1; 0: empty
	seed  maphash.Seed
}

// slot returns the slot of a name, or the empty slot for it.
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

// set maps a name to a job, replacing an earlier job with that name.
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
