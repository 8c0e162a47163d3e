package lab

import (
	"time"

	"berth/app/ui"
)

// atStake says that a run of more than [ui.LongWork] would be lost with the page or with
// the inputs: it is under way, or its result is on screen.
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

// mayGiveWay asks before other inputs take the place of such a run.
func (l *Lab[I]) mayGiveWay() bool {
	return !l.atStake(time.Now()) || ui.Confirm("This run took more than ten seconds, and you would lose its result. Continue?")
}
