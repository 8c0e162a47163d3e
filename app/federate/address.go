package federate

import (
	"math"
	"net/url"
	"strconv"

	"berth/app/lab"
)

// The parameters of the address that name a place in a result.
const (
	placeScheduler = "scheduler"
	placeTime      = "time" // of the player, in seconds
	placeTask      = "task" // explained task, from 1
)

// shownPlace returns the place in the result as parameters of the address. It omits
// defaults.
func (v *View) shownPlace() url.Values {
	place := url.Values{}
	s := v.scheduler()
	if v.Phase != lab.Done || s == nil {
		return place
	}
	if s.Name != v.result.report().Schedulers[0].Name {
		place.Set(placeScheduler, s.Name)
	}
	if f := v.film(v.run()).Answer; f != nil {
		if at := v.Stage.PlayedAt(); !math.IsNaN(at) && at != f.telling {
			place.Set(placeTime, strconv.FormatFloat(at, 'g', -1, 64))
		}
	}
	if task := v.why.task; v.why.of == v.run() && v.why.asked && len(s.Slowest) > 0 && task != s.Slowest[0].Task {
		place.Set(placeTask, strconv.Itoa(task+1))
	}
	return place
}

// goTo shows a place of the result. It returns false while the place's scheduler has not run.
func (v *View) goTo(place url.Values) bool {
	names := v.result.report().Schedulers
	name := place.Get(placeScheduler)
	switch {
	case name == "":
		v.showScheduler(names[0].Name)
	case v.result.report().Scheduler(name) != nil:
		v.showScheduler(name)
	case !v.result.Over:
		return false
	}
	film := v.film(v.run())
	if film.Waits {
		return v.tooLarge() != ""
	}
	last := v.seek
	v.seek = 0
	if at, err := strconv.ParseFloat(place.Get(placeTime), 64); err == nil {
		v.seek = soughtAnew(last, at)
	}
	if task, err := strconv.Atoi(place.Get(placeTask)); err == nil {
		v.why.explainTask(task - 1)
	}
	return true
}

// soughtAnew returns a moment to seek that differs from last, because a chart only reacts if the
// moment changes. 0 would mean no moment.
func soughtAnew(last, at float64) float64 {
	if at <= 0 {
		at = math.SmallestNonzeroFloat64
	}
	if at == last {
		at = math.Nextafter(at, math.Inf(1))
	}
	return at
}
