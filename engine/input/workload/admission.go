package workload

import (
	"fmt"
	"math"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// Admission is the admission control of the thesis (section 7.1.4). It treats the infrastructure as
// one large host. Each admitted request is active from its submission for its duration, as if no
// request ever waited.
type Admission struct {
	Limit   float64 // maximum demand of active requests, as a fraction of the capacity
	AtStart float64 // the same limit for requests submitted at time 0
}

// Admissions are the three settings of the thesis: high, medium and low contention.
var Admissions = []Admission{{1, 0.8}, {0.95, 0.75}, {0.9, 0.7}}

// Filter returns the requests of a stream that are admitted to the hosts.
func (a Admission) Filter(s Stream, hosts []cluster.Host) (Stream, error) {
	if !(a.Limit > 0 && a.Limit <= 1) || !(a.AtStart > 0 && a.AtStart <= a.Limit) {
		return nil, fmt.Errorf("admission up to %v of the capacity, %v at the start: expected parts in (0, 1], the second no larger than the first", a.Limit, a.AtStart)
	}
	f := &admitted{Admission: a, hosts: hosts, allowed: map[string]int{}, apart: map[int64]int{}}
	for i := range hosts {
		f.capacity.CPU += hosts[i].CPU
		f.capacity.Memory += hosts[i].Memory
	}
	return filtered{s, f.admit}, nil
}

type admitted struct {
	Admission
	active
	hosts    []cluster.Host
	capacity Peak
	used     Peak
	now      sim.Milliseconds // non-decreasing even if requests are out of order
	allowed  map[string]int   // number of hosts that meet a constraint set
	apart    map[int64]int    // number of active requests by job with anti-affinity
}

func (f *admitted) admit(r *Request) bool {
	f.now = max(f.now, r.Submit)
	f.release()
	limit := f.Limit
	if r.Submit == 0 {
		limit = f.AtStart
	}
	if f.used.CPU+r.CPU > partOf(limit, f.capacity.CPU) || f.used.Memory+r.Memory > partOf(limit, f.capacity.Memory) {
		return false
	}
	if hosts := f.hostsFor(r); hosts == 0 || r.AntiAffinity && f.apart[r.Job] >= hosts {
		return false
	}
	f.begin(*r, f.now+r.Duration)
	f.used.CPU += r.CPU
	f.used.Memory += r.Memory
	if r.AntiAffinity {
		f.apart[r.Job]++
	}
	return true
}

// partOf rounds to the nearest amount, because truncation would make 0.57 of 100 less than 57.
func partOf(part float64, whole cluster.Amount) cluster.Amount {
	return cluster.Amount(math.Round(part * float64(whole)))
}

// release removes the requests that have ended by now.
func (f *admitted) release() {
	for r, _ := f.end(f.now); r != nil; r, _ = f.end(f.now) {
		f.used.CPU -= r.CPU
		f.used.Memory -= r.Memory
		if r.AntiAffinity {
			f.apart[r.Job]--
			if f.apart[r.Job] == 0 {
				delete(f.apart, r.Job)
			}
		}
	}
}

// hostsFor returns the number of hosts that meet the constraints of a request.
func (f *admitted) hostsFor(r *Request) int {
	if len(r.Constraints) == 0 {
		return len(f.hosts)
	}
	key := fmt.Sprintf("%q", r.Constraints)
	n, ok := f.allowed[key]
	if !ok {
		for i := range f.hosts {
			if cluster.Allows(r.Constraints, &f.hosts[i]) {
				n++
			}
		}
		f.allowed[key] = n
	}
	return n
}
