package federate

import "berth/engine/cluster"

// bins is how many spans of equal length a timeline divides a run into, at
// most.
const bins = 256

// timeline integrates what is in use, of every resource type and by every
// user, over spans of time that double as the run gets longer.
type timeline struct {
	width  Time
	total  []float64 // of each resource, in the whole data centre
	lines  []line    // of each resource, then of each user
	amount []cluster.Amount
}

// line is a quantity over time.
type line struct {
	level float64 // since the time below
	since Time
	area  [bins]float64 // level × nanoseconds
}

func newTimeline(users int, all []cluster.Amount) timeline {
	t := timeline{
		width: Second, lines: make([]line, len(all)+users),
		amount: make([]cluster.Amount, (1+users)*len(all)),
	}
	for _, amount := range all {
		t.total = append(t.total, max(float64(amount), 1)) // of what there is nothing, nothing is in use
	}
	return t
}

// change adds a request to what is in use now, or with −1 takes it away.
func (t *timeline) change(now Time, user int32, request []cluster.Amount, sign cluster.Amount) {
	n := len(request)
	own := t.amount[(1+int(user))*n:]
	dominant := 0.0
	for r, amount := range request {
		t.amount[r] += sign * amount
		own[r] += sign * amount
		t.set(&t.lines[r], now, float64(t.amount[r])/t.total[r])
		dominant = max(dominant, float64(own[r])/t.total[r])
	}
	t.set(&t.lines[n+int(user)], now, dominant)
}

// set changes the level of a line.
func (t *timeline) set(l *line, now Time, level float64) {
	t.advance(l, now)
	l.level = level
}

func (t *timeline) advance(l *line, now Time) {
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

// double makes every span twice as long.
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

// Series has means over spans of time from the first arrival on.
type Series struct {
	Width       float64     `json:"width"`       // of each span, in seconds
	Utilisation [][]float64 `json:"utilisation"` // part in use: of each resource, in each span
	Share       [][]float64 `json:"share"`       // dominant share in use: by each user, in each span
	Jain        []float64   `json:"jain"`        // index of what users use over what is theirs
}

// series closes the timeline at the end of a run, and returns the mean part in use of each
// resource up to there, too: the last span may be cut off.
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
	s.Width = seconds(t.width)
	return s, means
}
