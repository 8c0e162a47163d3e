package scenario_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/scenario"
)

// lectureLink packs anything as a lecture.
func lectureLink(t testing.TB, steps any) string {
	t.Helper()
	text := must.Get(json.Marshal(steps))(t)
	return summed("l" + strings.TrimPrefix(pack(t, text), "1"))
}

// named returns the link of the minimal scenario with a name.
func named(t testing.TB, name string) string {
	t.Helper()
	s := must.Get(scenario.Decode([]byte(minimal)))(t)
	s.Name = name
	return must.Get(scenario.ShortLink(s))(t)
}

func TestALectureIsALink(t *testing.T) {
	publish(t)
	steps := []scenario.LectureStep{
		{Link: named(t, "a"), Says: "The first"},
		{Link: named(t, "a"), Place: "step=3", Says: "<b>é"},
		{Link: named(t, "another"), Says: "The last"},
	}
	link := must.Get(scenario.EncodeLecture(steps))(t)
	got, err := scenario.DecodeLecture("https://berth.example/placement#s=" + link + "&x=1")
	if err != nil || !reflect.DeepEqual(got, steps) {
		t.Errorf("got %v, %v, want %v", got, err, steps)
	}
	if s, err := scenario.DecodeLink(link); err != nil || s.Name != "a" {
		t.Errorf("as a link to a scenario it opens %q, %v", s.Name, err)
	}
	for _, same := range []string{steps[0].Link, "", "#results"} {
		if scenario.IsLecture(same) {
			t.Errorf("%q is no lecture", same)
		}
	}
}

// Steps with any content are opened or refused with a message.
func TestLecturesNameTheProblem(t *testing.T) {
	publish(t)
	type step struct {
		Link        string
		Change      []byte
		Place, Says string
	}
	first := step{Link: named(t, "a"), Says: "x"}
	good := lectureLink(t, []step{first})
	s := must.Get(scenario.DecodeLink(first.Link))(t)
	padded := bytes.NewBuffer(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(scenario.Encode(s)))), 0))
	w, _ := flate.NewWriter(padded, flate.BestCompression)
	w.Write(bytes.Repeat([]byte(" "), scenario.MaxLinkBytes/40))
	w.Close()
	big := make([]step, scenario.MaxLecture)
	big[0], big[1].Change = first, padded.Bytes()
	for _, test := range []struct{ link, want string }{
		{good, ""},
		{"l.", "cut off"},
		{good[:len(good)-1], "cut off"},
		{strings.Replace(good, "l.", "l.A", 1), "changed on its way"},
		{good + "%", "characters that a link cannot have"},
		{lectureLink(t, 7), "changed on its way"},
		{lectureLink(t, []step{}), "from 1 to 50 steps, not 0"},
		{lectureLink(t, make([]step, 51)), "from 1 to 50 steps, not 51"},
		{lectureLink(t, []step{{Says: "no scenario"}}), "step 1: the link is damaged"},
		{lectureLink(t, []step{first, first}), "step 2: the link is damaged"},
		{lectureLink(t, []step{{Link: good}}), "step 1: the link is damaged"},
		{lectureLink(t, []step{first, {Change: []byte{0xff}}}), "step 2: the link is damaged"},
		{lectureLink(t, []step{{Link: first.Link, Says: strings.Repeat("é", 301)}}), "more than 300 characters"},
		{lectureLink(t, []step{{Link: first.Link, Place: strings.Repeat("x", 501)}}), "its place more than 500"},
		{lectureLink(t, big), "more than 8388608 bytes together"},
	} {
		steps, err := scenario.DecodeLecture(test.link)
		if (test.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.40s: got %d steps, %v, want %q", test.link, len(steps), err, test.want)
		}
	}
}
