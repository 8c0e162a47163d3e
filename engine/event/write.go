package event

import (
	"encoding/json"
	"maps"
	"strconv"

	"berth/engine/csv"
)

// Run is a log with what it takes to read it.
type Run struct {
	Name string // a policy
	*Log
	Names
	Kinds     []Kind
	PerSecond float64 // units of its times
	End       int64
}

// Names has the names of the things and places of a log, and words its events by their numbers.
// The name of −1 is "", or words for a thing that is on no place.
type Names interface {
	Called(thing int32) string
	Where(place int32) string
	Words(event int) string
}

// CSV returns one line for each event of all runs.
func CSV(runs []Run) []byte {
	rows := [][]string{{"run", "at", "what", "thing", "on", "words"}}
	for _, r := range runs {
		for i, what := range r.What {
			at := strconv.FormatFloat(float64(r.At[i])/r.PerSecond, 'f', -1, 64)
			rows = append(rows, []string{r.Name, at, r.Kinds[what].Name, r.Called(r.Thing[i]), r.Where(r.On[i]), r.Words(i)})
		}
	}
	return csv.Table(rows)
}

// Perfetto returns runs in the trace event format of Chrome, which Perfetto opens: a process for
// each run, a track for each lane of a place with the stays there, and a track with all other
// events.
func Perfetto(runs []Run) []byte {
	type fields = map[string]any
	all := []fields{}
	for process, r := range runs {
		add := func(phase, name string, track int32, more fields) {
			e := fields{"ph": phase, "name": name, "pid": process + 1, "tid": track}
			maps.Copy(e, more)
			all = append(all, e)
		}
		micros := func(units int64) float64 { return 1e6 * float64(units) / r.PerSecond }
		add("M", "process_name", 0, fields{"args": fields{"name": r.Name}})
		named := map[int32]bool{}
		for _, s := range r.Stays(r.Kinds, r.End) {
			track := 1 + (1+s.On)<<10 + s.Lane // below each other, in the order of places
			if !named[track] {
				named[track] = true
				add("M", "thread_name", track, fields{"args": fields{"name": r.Where(s.On)}})
			}
			why := fields{"began": r.Words(s.Began)}
			if s.Ended >= 0 {
				why["ended"] = r.Words(s.Ended)
			}
			add("X", r.Called(s.Thing), track, fields{"ts": micros(s.From), "dur": micros(s.To - s.From), "args": why})
		}
		for i, what := range r.What {
			if kind := &r.Kinds[what]; kind.Does == None {
				add("i", kind.Name, 0, fields{"ts": micros(r.At[i]), "s": "t", "args": fields{"thing": r.Called(r.Thing[i]), "words": r.Words(i)}})
			}
		}
	}
	data, _ := json.Marshal(fields{"traceEvents": all}) // strings and finite numbers
	return data
}
