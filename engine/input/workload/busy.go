package workload

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"berth/engine/cluster"
	"berth/engine/sim"
)

const (
	// MaxAlike is the maximum number of hosts that [BusyHosts] returns.
	MaxAlike = 1 << 20
	// maxAsked limits the number of constraints for which hosts get attributes.
	maxAsked = 64
)

// BusyHosts returns hosts of equal size. If each request ran immediately, the average utilisation
// of the scarcest resource would be busy, in (0, 1]. The average is over the time from the first
// submission to the last, or to the last end if all are submitted at once. The size of each
// resource is the smallest power of two that is enough for the largest request, at least 1 for CPU
// and memory. The values of attributes that constraints require with = or in are distributed over
// the hosts. If requests are out of order of submission, it returns [ErrOrder].
func BusyHosts(s Stream, busy float64) ([]cluster.Host, error) {
	if !(busy > 0 && busy <= 1) {
		return nil, fmt.Errorf("the share %v of the time is not in (0, 1]", busy)
	}
	d, err := demandOf(s)
	if err != nil {
		return nil, err
	}
	h := cluster.Host{CPU: roomFor(d.largest[0], cluster.Unit), Memory: roomFor(d.largest[1], cluster.Unit), GPUs: int(roomFor(d.largest[2], 0) / cluster.Unit)}
	n := 1.0
	for i, has := range [...]cluster.Amount{h.CPU, h.Memory, cluster.Amount(h.GPUs) * cluster.Unit} {
		if has > 0 {
			n = max(n, math.Ceil(d.mean(i)/(float64(has)*busy)))
		}
	}
	if most := max(h.CPU, h.Memory); n > MaxAlike || n*float64(most) > float64(cluster.MaxTotal) {
		return nil, errors.New("the requests need more hosts than Berth simulates: give a list of hosts")
	}
	hosts := make([]cluster.Host, int(n))
	for i := range hosts {
		hosts[i] = h
		hosts[i].Name, hosts[i].Attributes = fmt.Sprintf("host-%d", i+1), d.attributes(i)
	}
	return hosts, nil
}

// roomFor returns the smallest power of two, in units, that is at least x, or the
// given minimum.
func roomFor(x, least cluster.Amount) cluster.Amount {
	if x <= least {
		return least
	}
	units := uint64((x + cluster.Unit - 1) / cluster.Unit)
	return min(cluster.Amount(1)<<bits.Len64(units-1)*cluster.Unit, cluster.MaxAmount)
}

// demand accumulates the demand over time for CPU, memory and devices.
type demand struct {
	now, peak   [3]cluster.Amount
	largest     [3]cluster.Amount // largest demand of a single request
	area        [3]float64        // ∫ demand dt up to last, in amount · ms
	work        [3]float64        // total of all requests, in amount · ms
	first, last sim.Milliseconds
	end         sim.Milliseconds // latest end of a request
	any         bool
	asked       []cluster.Constraint
	values      [][]string // values by the first index of their key in asked
}

// change adds the demand of a request that starts at a time (sign 1), or removes the demand of one
// that ends (sign −1).
func (d *demand) change(at sim.Milliseconds, r *Request, sign cluster.Amount) error {
	if !d.any {
		d.any, d.first, d.last = true, at, at
	}
	amounts := [...]cluster.Amount{r.CPU, r.Memory, r.Devices()}
	for i, amount := range amounts {
		d.area[i] += float64(float64(d.now[i]) * float64(at-d.last))
		if d.now[i] += sign * amount; d.now[i] > cluster.MaxTotal {
			return errTooMuch
		}
		d.peak[i] = max(d.peak[i], d.now[i])
		if sign > 0 {
			d.largest[i] = max(d.largest[i], amount)
			d.work[i] += float64(float64(amount) * float64(r.Duration))
		}
	}
	d.last = at
	if sign > 0 {
		d.end = max(d.end, at+r.Duration)
		d.ask(r.Constraints)
	}
	return nil
}

// mean returns the average demand for resource i.
func (d *demand) mean(i int) float64 {
	switch {
	case d.last > d.first:
		return d.area[i] / float64(d.last-d.first)
	case d.end > d.first:
		return d.work[i] / float64(d.end-d.first)
	}
	return float64(d.now[i])
}

// ask records the attribute values that constraints require.
func (d *demand) ask(all []cluster.Constraint) {
	for _, c := range all {
		if c.Op != cluster.Equal && c.Op != cluster.In || c.Key == cluster.HostName || c.Value == "" || slices.Contains(d.asked, c) {
			continue
		}
		k := slices.IndexFunc(d.asked, func(known cluster.Constraint) bool { return known.Key == c.Key })
		if len(d.asked) == maxAsked {
			return
		}
		d.asked = append(d.asked, c)
		if d.values = append(d.values, nil); k < 0 {
			k = len(d.values) - 1
		}
		values := []string{c.Value}
		if c.Op == cluster.In {
			values = strings.Split(c.Value, "|")
		}
		for _, value := range values {
			if !slices.Contains(d.values[k], value) {
				d.values[k] = append(d.values[k], value)
			}
		}
	}
}

// attributes returns the attributes of host number host. Consecutive hosts cycle
// through all combinations of values.
func (d *demand) attributes(host int) (all []cluster.Attribute) {
	for k, values := range d.values {
		if len(values) > 0 {
			all = append(all, cluster.Attribute{Key: d.asked[k].Key, Value: values[host%len(values)]})
			host /= len(values)
		}
	}
	return cluster.SortAttributes(all)
}
