package event

import (
	"encoding/json"
	"maps"
	"strconv"

	"berth/engine/input/csv"
)

// Run is a log with the data needed to interpret it.
type Run struct {
	Name string // name of the run, such as a policy
	*Log
	Names
	Kinds     []Kind
	PerSecond float64 // time units per second
	End       int64
}

// Names describes the events of a log by index: the names of the thing and the place ("" for none),
// and a sentence.
type Names interface {
	Describe(event int) (thing, place, words string)
}

// CSV returns the events of all runs, one per line.
func CSV(runs []Run) []byte {
	rows := [][]string{{"run", "at", "what", "thing", "on", "words"}}
	for _, r := range runs {
		for i, what := range r.What {
			at := strconv.FormatFloat(float64(r.At[i])/r.PerSecond, 'f', -1, 64)
			thing, place, words := r.Describe(i)
			rows = append(rows, []string{r.Name, at, r.Kinds[what].Name, thing, place, words})
		}
	}
	return csv.Table(rows)
}

// Perfetto returns runs in Chrome's trace event format, which Perfetto opens: a process for each
// run, a track with the stays in each lane of a place, and one track with all other events.
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
			thing, place, began := r.Describe(s.Began)
			track := 1 + (1+s.On)<<10 + s.Lane // tracks are sorted by place, then lane
			if !named[track] {
				named[track] = true
				add("M", "thread_name", track, fields{"args": fields{"name": place}})
			}
			why := fields{"began": began}
			if s.Ended >= 0 {
				_, _, why["ended"] = r.Describe(s.Ended)
			}
			add("X", thing, track, fields{"ts": micros(s.From), "dur": micros(s.To - s.From), "args": why})
		}
		for i, what := range r.What {
			if kind := &r.Kinds[what]; kind.Does == None {
				thing, _, words := r.Describe(i)
				add("i", kind.Name, 0, fields{"ts": micros(r.At[i]), "s": "t", "args": fields{"thing": thing, "words": words}})
			}
		}
	}
	data, _ := json.Marshal(fields{"traceEvents": all}) // cannot fail: strings and finite numbers
	return data
}
