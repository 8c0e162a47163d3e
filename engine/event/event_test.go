package event_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"berth/engine/event"
	"berth/engine/must"
)

// The kinds of a laboratory of boats in berths.
const (
	sighted uint8 = iota
	moored
	sailed
)

var kinds = []event.Kind{
	sighted: {Name: "sighted", Words: "%[1]s is sighted"},
	moored:  {Name: "moored", Words: "%[1]s moors at %[2]s", Does: event.Begins},
	sailed:  {Name: "sailed", Words: "%[1]s leaves %[2]s to %[3]s", Alone: "%[1]s sails", Does: event.Ends},
}

// harbour is a day with three boats and two berths.
func harbour() *event.Log {
	l := &event.Log{}
	for _, e := range []event.Event{
		{0, sighted, 0, -1, -1, 0},
		{1, moored, 0, 0, -1, 30},
		{2, moored, 1, 0, -1, 0},
		{4, sailed, 0, 0, 2, 0},
		{4, moored, 2, 0, -1, 0},
		{5, sailed, 1, 0, -1, 0},
		{6, moored, 0, 1, -1, 0},
	} {
		l.Add(e)
	}
	return l
}

// A stay ends with an event or with the log, and no other stay overlaps it in its lane.
func TestStays(t *testing.T) {
	want := []event.Stay{{0, 0, 1, 4, 1, 3, 0}, {1, 0, 2, 5, 2, 5, 1}, {2, 0, 4, 9, 4, -1, 0}, {0, 1, 6, 9, 6, -1, 0}}
	if got := harbour().Stays(kinds, 9); !reflect.DeepEqual(got, want) {
		t.Errorf("stays %v, want %v", got, want)
	}
}

func TestALogKeepsNoMoreThanItsMost(t *testing.T) {
	l := event.Log{Most: 2}
	for i := range int64(5) {
		l.Add(event.Event{At: i})
	}
	if l.Left != 3 || len(l.At) != 2 || l.At[1] != 1 {
		t.Errorf("%d events left out, kept those at %v", l.Left, l.At)
	}
}

func TestWords(t *testing.T) {
	for want, got := range map[string]string{
		"Vega moors at the pier":       kinds[moored].Say(-1, "Vega", "the pier", ""),
		"Vega leaves the pier to Mira": kinds[sailed].Say(2, "Vega", "the pier", "Mira"),
		"Vega sails":                   kinds[sailed].Say(-1, "Vega", "the pier", ""),
		"fog":                          (&event.Kind{Words: "fog"}).Say(-1, "Vega"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestALogIsPacked(t *testing.T) {
	var unpacked event.Log
	if err := unpacked.Attach(harbour().Attachment()); err != nil || !reflect.DeepEqual(&unpacked, harbour()) {
		t.Errorf("unpacked %+v, %v", unpacked, err)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{})
	f.Add(harbour().Attachment())
	f.Add([]byte{255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		var l event.Log
		if err := l.Attach(data); err == nil && !bytes.Equal(l.Attachment(), data) {
			t.Errorf("%v is packed as %v", data, l.Attachment())
		}
	})
}

// boats names what is in a log of the harbour.
type boats struct{ *event.Log }

func (b boats) Describe(i int) (boat, berth, words string) {
	e, names := b.Event(i), []string{"", "Vega", "Mira", "Lyra"}
	boat, berth = names[1+e.Thing], []string{"the sea", "the pier", "the quay"}[1+e.On]
	return boat, berth, kinds[e.What].Say(e.By, boat, berth, names[1+e.By])
}

// A kind of events that an engine declares appears in all files, with its words and its effect.
func TestAKindOfEventsIsInEveryFile(t *testing.T) {
	log := harbour()
	all := []event.Run{{Name: "Monday", Log: log, Names: boats{log}, Kinds: kinds, PerSecond: 2, End: 9}}
	table := string(event.CSV(all))
	for _, want := range []string{"run,at,what,thing,on,words\n", "\nMonday,0,sighted,Vega,the sea,Vega is sighted\n", "\nMonday,2,sailed,Vega,the pier,Vega leaves the pier to Lyra\n"} {
		if !strings.Contains(table, want) {
			t.Errorf("no line %q in\n%s", want, table)
		}
	}
	var trace struct {
		Events []struct {
			Phase string            `json:"ph"`
			Name  string            `json:"name"`
			Track int               `json:"tid"`
			At    float64           `json:"ts"`
			Span  float64           `json:"dur"`
			Args  map[string]string `json:"args"`
		} `json:"traceEvents"`
	}
	must.Do(t, json.Unmarshal(event.Perfetto(all), &trace))
	var tracks, slices, instants []string
	ends := map[int]float64{}
	for _, e := range trace.Events {
		switch e.Phase {
		case "M":
			tracks = append(tracks, e.Args["name"])
		case "X":
			slices = append(slices, e.Name+": "+e.Args["began"]+"; "+e.Args["ended"])
			if e.At < ends[e.Track] {
				t.Errorf("%s begins on track %d before the slice there has ended", e.Name, e.Track)
			}
			ends[e.Track] = e.At + e.Span
		case "i":
			instants = append(instants, e.Name+": "+e.Args["words"])
		}
	}
	if want := []string{"Monday", "the pier", "the pier", "the quay"}; !reflect.DeepEqual(tracks, want) {
		t.Errorf("tracks %q, want %q", tracks, want)
	}
	if want := "Vega: Vega moors at the pier; Vega leaves the pier to Lyra"; len(slices) != 4 || slices[0] != want {
		t.Errorf("slices %q, want %q first", slices, want)
	}
	if want := []string{"sighted: Vega is sighted"}; !reflect.DeepEqual(instants, want) {
		t.Errorf("instants %q, want %q", instants, want)
	}
}
