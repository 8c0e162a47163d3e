package federate

import (
	"berth/engine/cluster"
	"berth/engine/input/workload"
)

// bins is the number of spans in a timeline.
const bins = 256

// timeline integrates the use of each resource type, and the dominant share of each user, over
// equal spans of time. When the run outgrows the spans, their length doubles.
type timeline struct {
	width  Time
	total  []cluster.Amount // by resource, in the whole data centre
	lines  []quantity       // one for each resource, then one for each user
	amount []cluster.Amount // in use by resource: first by all users together, then by each user
}

// quantity is the integral of a quantity over time.
type quantity struct {
	level float64 // value from since on
	since Time
	area  [bins]float64 // level × nanoseconds
}

func newTimeline(users int, all []cluster.Amount) timeline {
	return timeline{width: Second, total: all, lines: make([]quantity, len(all)+users), amount: make([]cluster.Amount, (1+users)*len(all))}
}

// change adds a request to the amounts in use from now on; sign −1 subtracts it.
func (t *timeline) change(now Time, user int32, request []cluster.Amount, sign cluster.Amount) {
	all, own := cluster.Row(t.amount, 0, len(request)), cluster.Row(t.amount, 1+user, len(request))
	cluster.Add(all, request, sign)
	cluster.Add(own, request, sign)
	for r := range all {
		t.set(&t.lines[r], now, cluster.Dominant(all[r:r+1], t.total[r:r+1]))
	}
	t.set(&t.lines[len(all)+int(user)], now, cluster.Dominant(own, t.total))
}

// set changes the level of a line from now on.
func (t *timeline) set(l *quantity, now Time, level float64) {
	t.advance(l, now)
	l.level = level
}

func (t *timeline) advance(l *quantity, now Time) {
	for now > bins*t.width {
		t.double()
	}
	for l.since < now {
		bin := min(l.since/t.width, bins-1)
		until := min(now, (bin+1)*t.width)
		l.area[bin] += float64(l.level * float64(until-l.since))
		l.since = until
	}
}

// double doubles the length of every span and merges pairs of spans.
func (t *timeline) double() {
	t.width *= 2
	for i := range t.lines {
		area := &t.lines[i].area
		for b := range bins / 2 {
			area[b] = area[2*b] + area[2*b+1]
		}
		clear(area[bins/2:])
	}
}

// Series is the use of resources and shares over time, in equal spans from the first arrival.
type Series struct {
	Width       float64     `json:"width"`       // of each span, in seconds
	Utilisation [][]float64 `json:"utilisation"` // by resource and span: mean fraction in use
	Share       [][]float64 `json:"share"`       // by user and span: mean dominant share in use
	Jain        []float64   `json:"jain"`        // by span: Jain's index of dominant shares divided by configured shares
}

// series closes the timeline at the end of a run. It also returns the mean fraction of each
// resource in use up to there; the last span may be shorter than the others.
func (t *timeline) series(end Time, resources int) (s Series, means []float64) {
	means = make([]float64, resources)
	for i := range t.lines {
		l := &t.lines[i]
		t.advance(l, end)
		values := make([]float64, (end+t.width-1)/t.width)
		var sum float64
		for b := range values {
			span := float64(min(t.width, end-Time(b)*t.width))
			values[b] = l.area[b] / span
			sum += float64(values[b] * span)
		}
		if i >= resources {
			s.Share = append(s.Share, values)
			continue
		}
		s.Utilisation = append(s.Utilisation, values)
		if end > 0 {
			means[i] = sum / float64(end)
		}
	}
	s.Width = workload.Seconds(t.width)
	return s, means
}
