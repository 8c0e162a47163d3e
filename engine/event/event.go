// Package event records the events of a run: a search for placements, a run of requests or a run of
// a federation. An engine declares its kinds of events as a list of [Kind] and records events in a
// [Log]. The film, the explanation of one thing, the CSV and the Perfetto trace need only the log
// and this list.
package event

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is a kind of event. Events refer to it by its index in the engine's list.
type Kind struct {
	Name  string // identifier for programs: "reservation-made"
	Words string // sentence in the format of package fmt; the engine defines its arguments; may be ""
	Alone string // words for an event without By; "" means Words
	Does  Effect
}

// Effect is the effect of an event on its thing.
type Effect uint8

// Effects. The stays of things on places are computed from them.
const (
	None   Effect = iota
	Begins        // the thing is on the place from now on
	Ends          // the thing is on no place from now on
)

// Say formats the sentence of an event from its arguments. by is the field By of the event.
func (k *Kind) Say(by int32, args ...any) string {
	words := k.Words
	if by < 0 && k.Alone != "" {
		words = k.Alone
	}
	if !strings.Contains(words, "%") {
		return words
	}
	return fmt.Sprintf(words, args...)
}

// Event is one event. The engine numbers things and places from 0; −1 means none.
type Event struct {
	At    int64 // in the unit of the engine
	What  uint8 // index of its kind
	Thing int32 // a job, a request or a task
	On    int32 // its cluster, host or worker
	By    int32 // the cause: a master, or another thing
	Value int64 // a quantity, for some kinds
}

// Log is a list of events ordered by time, stored in columns of equal length.
type Log struct {
	Most int // largest number of events to keep; 0 keeps all
	Left int // number of events dropped because of Most

	columns `json:"-"` // travel as [Columns]
}

type columns struct {
	At            []int64
	What          []uint8
	Thing, On, By []int32
	Value         []int64
}

// Add appends an event, or counts it in Left if the log is full.
func (l *Log) Add(e Event) {
	if l.Most > 0 && len(l.At) == l.Most {
		l.Left++
		return
	}
	if n := len(l.At); n == cap(l.At) { // append would copy long columns more often
		l.At, l.What, l.Value = slices.Grow(l.At, n), slices.Grow(l.What, n), slices.Grow(l.Value, n)
		l.Thing, l.On, l.By = slices.Grow(l.Thing, n), slices.Grow(l.On, n), slices.Grow(l.By, n)
	}
	l.At, l.What, l.Value = append(l.At, e.At), append(l.What, e.What), append(l.Value, e.Value)
	l.Thing, l.On, l.By = append(l.Thing, e.Thing), append(l.On, e.On), append(l.By, e.By)
}

// Event returns an event by its number from 0.
func (l *Log) Event(i int) Event {
	return Event{l.At[i], l.What[i], l.Thing[i], l.On[i], l.By[i], l.Value[i]}
}

// Last returns the time of the last event; 0 if there is none.
func (l *Log) Last() int64 {
	if len(l.At) == 0 {
		return 0
	}
	return l.At[len(l.At)-1]
}

// Stay is a period that a thing spends on one place.
type Stay struct {
	Thing, On    int32
	From, To     int64
	Began, Ended int   // indices of events; Ended is −1 if the thing stays until the end of the log
	Lane         int32 // lowest free lane of the place, from 0, so that stays in a lane do not overlap
}

// Stays returns all stays in the order of their starts. end is the end of the log.
func (l *Log) Stays(kinds []Kind, end int64) (all []Stay) {
	if len(l.At) == 0 {
		return nil
	}
	open, lanes := make([]int, 2+slices.Max(l.Thing)), make([][]int64, 2+slices.Max(l.On)) // of -1, which means none, and all others; open has numbers of stays, from 1
	for i, what := range l.What {
		switch at, thing := l.At[i], l.Thing[i]; kinds[what].Does {
		case Begins:
			all = append(all, Stay{Thing: thing, On: l.On[i], From: at, To: end, Began: i, Ended: -1})
			open[1+thing] = len(all)
		case Ends:
			if k := open[1+thing] - 1; k >= 0 {
				open[1+thing] = 0
				all[k].To, all[k].Ended = at, i
			}
		}
	}
	for i := range all {
		s := &all[i]
		free := lanes[1+s.On]
		k := slices.IndexFunc(free, func(from int64) bool { return from <= s.From })
		if k < 0 {
			k, free = len(free), append(free, 0)
		}
		free[k], lanes[1+s.On], s.Lane = s.To, free, int32(k)
	}
	return all
}
