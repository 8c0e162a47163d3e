// Package event keeps what happened in a run: one log for a search of placements, a run of
// requests and a run of a federation. An engine declares its kinds of events as a list of
// [Kind], and records them in a [Log]. A film, the explanation of one thing, CSV and the trace
// that Perfetto opens read the log with this list alone.
package event

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is a kind of events. An engine numbers its kinds by their place in a list.
type Kind struct {
	Name  string // for programs: "reservation-made"
	Words string // a sentence as a format of package fmt, whose arguments the engine defines; "" without one
	Alone string // instead of Words for an event that has no By; "" for the same words
	Does  Effect
}

// Effect is what a kind of events does to its thing.
type Effect uint8

// The effects.
const (
	None   Effect = iota
	Begins        // the thing is on the place from now on
	Ends          // the thing is on no place from now on
)

// Say words an event with the arguments of the format. By is the By of the event.
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

// Event is one event. The engine numbers its things and places from 0; −1 is none.
type Event struct {
	At    int64 // in the unit of the engine
	What  uint8 // the number of its kind
	Thing int32 // a job, a request or a task
	On    int32 // its cluster, host or worker
	By    int32 // who did it: a master, or another thing
	Value int64 // a quantity of some kinds
}

// Log is a list of events in the order of time, in columns of the same length.
type Log struct {
	Most int `json:"-"` // the log keeps so many events; 0 is any number
	Left int // events beyond Most

	At            []int64 `json:"-"`
	What          []uint8 `json:"-"`
	Thing, On, By []int32 `json:"-"`
	Value         []int64 `json:"-"`
}

// Add adds an event.
func (l *Log) Add(e Event) {
	if l.Most > 0 && len(l.At) == l.Most {
		l.Left++
		return
	}
	l.At, l.What, l.Value = append(l.At, e.At), append(l.What, e.What), append(l.Value, e.Value)
	l.Thing, l.On, l.By = append(l.Thing, e.Thing), append(l.On, e.On), append(l.By, e.By)
}

// Event returns an event by its number from 0.
func (l *Log) Event(i int) Event {
	return Event{l.At[i], l.What[i], l.Thing[i], l.On[i], l.By[i], l.Value[i]}
}

// Last returns the time of the last event; 0 without one.
func (l *Log) Last() int64 {
	if len(l.At) == 0 {
		return 0
	}
	return l.At[len(l.At)-1]
}

// Stay is a thing on a place.
type Stay struct {
	Thing, On    int32
	From, To     int64
	Began, Ended int   // numbers of events; Ended is −1 if the thing stays to the end
	Lane         int32 // the first one of its place that is free, from 0
}

// Stays returns the stays in the order of their beginnings. The log ends at the given time.
func (l *Log) Stays(kinds []Kind, end int64) (all []Stay) {
	open, lanes := map[int32]int{}, map[int32][]int64{}
	for i, what := range l.What {
		switch at, thing := l.At[i], l.Thing[i]; kinds[what].Does {
		case Begins:
			open[thing] = len(all)
			all = append(all, Stay{Thing: thing, On: l.On[i], From: at, To: end, Began: i, Ended: -1})
		case Ends:
			if k, there := open[thing]; there {
				delete(open, thing)
				all[k].To, all[k].Ended = at, i
			}
		}
	}
	for i := range all {
		s := &all[i]
		free := lanes[s.On]
		k := slices.IndexFunc(free, func(from int64) bool { return from <= s.From })
		if k < 0 {
			k, free = len(free), append(free, 0)
		}
		free[k], lanes[s.On], s.Lane = s.To, free, int32(k)
	}
	return all
}
