package workload

import (
	"errors"
	"fmt"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// Peak is the peak demand of a workload on an infinite host, for each resource.
type Peak struct{ CPU, Memory cluster.Amount }

// ErrOrder reports requests that are not in order of submission.
var ErrOrder = errors.New("the requests are not in order of submission")

var errTooMuch = errors.New("requests that are active at once ask for more than 4e9 cpu or memory in all; expected a larger unit")

// active is the set of running requests, ordered by their ends.
type active struct {
	ends     sim.Agenda[sim.Milliseconds]
	requests []Request
	free     []uint32
}

func (a *active) begin(r Request, end sim.Milliseconds) {
	var slot uint32
	if last := len(a.free) - 1; last >= 0 {
		slot, a.free = a.free[last], a.free[:last]
	} else {
		slot, a.requests = uint32(len(a.requests)), append(a.requests, Request{})
	}
	a.requests[slot] = r
	a.ends.Push(sim.Event[sim.Milliseconds]{At: end, Ref: slot})
}

// end removes and returns the request that ends first, if it has ended by now. The
// request is valid until the next call of begin.
func (a *active) end(now sim.Milliseconds) (r *Request, at sim.Milliseconds) {
	e, ok := a.ends.Next()
	if !ok || e.At > now {
		return nil, 0
	}
	a.ends.Pop()
	a.free = append(a.free, e.Ref)
	return &a.requests[e.Ref], e.At
}

// demandOf returns the demand of a workload on an infinite host up to the last submission. It
// returns [ErrOrder] if the requests are not in order of submission.
func demandOf(s Stream) (*demand, error) {
	var now active
	var d demand
	return &d, Each(s, func(r *Request) error {
		if r.Submit < d.last {
			return ErrOrder
		}
		for ended, at := now.end(r.Submit); ended != nil; ended, at = now.end(r.Submit) {
			if err := d.change(at, ended, -1); err != nil {
				return err
			}
		}
		now.begin(Request{CPU: r.CPU, Memory: r.Memory, GPUs: r.GPUs, GPUShare: r.GPUShare}, r.Submit+r.Duration)
		return d.change(r.Submit, r, 1)
	})
}

// PeakDemand returns the peak demand of a workload on an infinite host (section 4.3, steps 1 and
// 2). Its memory use is proportional to the number of concurrently active requests. If requests are
// out of order of submission, it returns [ErrOrder].
func PeakDemand(s Stream) (Peak, error) {
	d, err := demandOf(s)
	return Peak{d.peak[0], d.peak[1]}, err
}

// Size draws hosts from the pool without replacement until they have N of the resource with the
// larger peak, where N is that peak. For part < 1 it then removes random hosts until part·N remains
// (section 4.3, 0.9 N and 0.8 N). So these hosts are a subset of the hosts for part 1 with the same
// seed.
func Size(pool []cluster.Host, peak Peak, part float64, seed uint64) ([]cluster.Host, error) {
	if !(part > 0 && part <= 1) {
		return nil, fmt.Errorf("the part %v of the size N is not in (0, 1]", part)
	}
	resource := func(h *cluster.Host) cluster.Amount { return h.CPU }
	n := peak.CPU
	if peak.Memory > peak.CPU {
		resource, n = func(h *cluster.Host) cluster.Amount { return h.Memory }, peak.Memory
	}
	var drawn []cluster.Host
	var sum cluster.Amount
	for _, i := range sim.NewRandom(seed, hostStream).Permutation(len(pool)) {
		if sum >= n {
			break
		}
		drawn = append(drawn, pool[i])
		sum += resource(&pool[i])
	}
	if sum < n {
		return nil, fmt.Errorf("the %d hosts have %v of the resource with the larger peak, but N is %v", len(pool), sum.Units(), n.Units())
	}
	target := partOf(part, n)
	keep := make([]cluster.Host, 0, len(drawn))
	for _, i := range sim.NewRandom(seed, shrinkStream).Permutation(len(drawn)) {
		if left := sum - resource(&drawn[i]); part < 1 && sum > target && left >= target {
			sum = left
			continue
		}
		keep = append(keep, drawn[i])
	}
	return keep, nil
}
