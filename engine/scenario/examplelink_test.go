package scenario_test

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"berth/engine/scenario"
)

// publish makes the minimal scenario an example, and another one its earlier version.
func publish(t testing.TB) (now, earlier scenario.Published) {
	t.Helper()
	now = scenario.Published{Name: "toy", Text: []byte(minimal), Words: []byte("words")}
	earlier = scenario.Published{Name: "toy", Text: []byte(strings.Replace(minimal, "{", `{"name": "as it was",`, 1)), Earlier: true}
	scenario.Publish(func() []scenario.Published { return []scenario.Published{now, earlier} })
	t.Cleanup(func() { scenario.Publish(func() []scenario.Published { return nil }) })
	return now, earlier
}

// toExample returns a link to an example, with any difference.
func toExample(p scenario.Published, difference []byte) string {
	return summed("e." + p.Name + "." + p.Digest() + "." + base64.RawURLEncoding.EncodeToString(difference))
}

// summed appends the checksum of a link.
func summed(link string) string {
	return link + "." + base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(link))))
}

func TestALinkToAnEarlierExampleSaysSo(t *testing.T) {
	now, earlier := publish(t)
	for _, p := range []scenario.Published{now, earlier} {
		link := "https://berth.example/placement#s=" + toExample(p, nil) + "&tab=map"
		s, err := scenario.DecodeLink(link)
		if err != nil || (s.Name == "as it was") != p.Earlier {
			t.Errorf("%s opens %q, %v", link, s.Name, err)
		}
		if note := scenario.EarlierExample(link); p.Earlier != strings.Contains(note, `"toy" has changed since this link was made`) {
			t.Errorf("%s: the note is %q", link, note)
		}
	}
}

func TestLinksToExamplesNameTheProblem(t *testing.T) {
	now, _ := publish(t)
	good := toExample(now, nil)
	unknown := scenario.Published{Name: "toy", Text: []byte("{}")}
	for _, test := range []struct{ link, want string }{
		{"e.", "the link is cut off"},
		{good[:len(good)-1], "the link is cut off"},
		{good + "A", "the link is damaged: a part of it has changed"},
		{good + ".A", "the link is damaged: it has characters"},
		{toExample(unknown, nil), `the link refers to the example "toy" in a version that this Berth does not have`},
		{toExample(now, []byte{0xff}), "the link is damaged"},
		{toExample(now, []byte{1, 0xff, 0xff, 3}), "the link is damaged"},
		{toExample(now, []byte{1, 1}), "the link is cut off"},
	} {
		if _, err := scenario.DecodeLink(test.link); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.link, err, test.want)
		}
	}
}

// Any difference from an example is opened or refused with a message.
func FuzzExampleLink(f *testing.F) {
	now, _ := publish(f)
	f.Add([]byte{})
	f.Add([]byte{1, 1, 1, 0, 0, 0xff, 0xff})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 3, 0})
	f.Fuzz(func(t *testing.T, difference []byte) {
		link := toExample(now, difference)
		var s scenario.Scenario
		var err error
		checkMemory(t, link, mostOfLink, func() error { s, err = scenario.DecodeLink(link); return err })
		if err != nil {
			return
		}
		short, err := scenario.ShortLink(s)
		if err != nil {
			return // it has a separate file
		}
		if again, err := scenario.DecodeLink(short); err != nil || !equivalent(again, s) {
			t.Fatalf("%+v\nreads back as\n%+v, %v", s, again, err)
		}
	})
}
