package event_test

import (
	"bytes"
	"reflect"
	"testing"

	"berth/engine/event"
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

// A stay ends with an event or with the log, and has a lane to itself.
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
