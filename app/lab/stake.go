package lab

import (
	"time"

	"berth/app/ui"
)

// atStake reports whether leaving the page or replacing the inputs would lose a run
// of more than [ui.LongWork], be it running or on screen.
func (l *Lab[I]) atStake(now time.Time) bool {
	long := func(since time.Time) bool { return !since.IsZero() && now.Sub(since) > ui.LongWork }
	switch {
	case l.batch != nil && long(l.batch.call.begun):
		return true
	case long(l.Beside):
		return true
	}
	return l.Phase == Done && l.shownBatch != nil && l.shownBatch.lasted > ui.LongWork
}

// mayGiveWay asks before a long run is lost, and reports whether the inputs may be
// replaced.
func (l *Lab[I]) mayGiveWay() bool {
	return !l.atStake(time.Now()) || ui.Confirm("This run took more than ten seconds, and you would lose its result. Continue?")
}
