package lab

import (
	"time"

	"berth/app/ui"
)

// atStake reports whether leaving the page or replacing the inputs would lose a run of
// more than [ui.LongWork]. The run may be under way or on screen.
func (rs *runner[I]) atStake(now time.Time) bool {
	long := func(since time.Time) bool { return !since.IsZero() && now.Sub(since) > ui.LongWork }
	switch {
	case rs.batch != nil && long(rs.batch.call.begun):
		return true
	case long(rs.Beside):
		return true
	}
	return rs.lab.Phase == Done && rs.shown != nil && rs.shown.lasted > ui.LongWork
}

// mayGiveWay asks before a long run is lost, and reports whether the inputs may be
// replaced.
func (rs *runner[I]) mayGiveWay() bool {
	return !rs.atStake(time.Now()) || ui.Confirm("This run took more than ten seconds, and you would lose its result. Continue?")
}
