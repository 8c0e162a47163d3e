package scenario_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

// pack returns a link of version 1 to any text.
func pack(t testing.TB, document []byte) string {
	t.Helper()
	var b bytes.Buffer
	w := must.Get(flate.NewWriter(&b, flate.BestCompression))(t)
	must.Get(w.Write(document))(t)
	must.Do(t, w.Close())
	return "1." + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

func TestLinkRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		want := randomScenario(r)
		link := must.Get(scenario.EncodeLink(want))(t)
		for _, form := range []string{link, "#s=" + link, "https://berth.example/placement#s=" + link + "\n", "#s=" + link + "&at=workbench"} {
			got, err := scenario.DecodeLink(form)
			if err != nil {
				t.Fatalf("%s: %v", form, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("got  %+v\nwant %+v", got, want)
			}
		}
	}
}

// Links from the time before there was a checksum can always be opened.
func TestOldLinksOpen(t *testing.T) {
	links := must.Get(os.ReadFile("testdata/links-1.txt"))(t)
	for line := range strings.Lines(string(links)) {
		fields := strings.Fields(line) // name of the example, its hash, the link
		s, err := scenario.DecodeLink(fields[2])
		if err != nil || s.Hash() != fields[1] {
			t.Errorf("%s: got %s, %v", fields[0], s.Hash(), err)
		}
		again := must.Get(scenario.EncodeLink(s))(t)
		if longer := len("s="+again) - len(fields[2]); longer > 7 {
			t.Errorf("%s: the link is %d characters longer", fields[0], longer)
		}
	}
}

// A link with one changed character, anywhere, never opens another scenario.
func TestADamagedLinkIsRefused(t *testing.T) {
	s := must.Get(scenario.Decode([]byte(minimal)))(t)
	link := must.Get(scenario.EncodeLink(s))(t)
	now, _ := publish(t)
	for _, link := range []string{link, toExample(now, nil)} {
		for i := range link {
			for c := byte(' '); c < 0x7f; c++ {
				if changed := link[:i] + string(c) + link[i+1:]; c != link[i] {
					if other, err := scenario.DecodeLink(changed); err == nil {
						t.Fatalf("%s opens as %s", changed, scenario.Encode(other))
					}
				}
			}
			if _, err := scenario.DecodeLink(link[:i]); err == nil || i > 2 && !strings.Contains(err.Error(), "the link is cut off") {
				t.Errorf("%s: got %v", link[:i], err)
			}
		}
	}
	middle := len(link) / 2
	for _, changed := range []string{link[:middle] + "AAAA" + link[middle+4:], link + "A", "1" + link[1:]} {
		if _, err := scenario.DecodeLink(changed); err == nil || !strings.Contains(err.Error(), "the link is damaged") {
			t.Errorf("%s: got %v", changed, err)
		}
	}
}

func TestLinkOfRecipesIsShort(t *testing.T) {
	deployments := make([]placementkind.GraphSource, 10)
	for i := range deployments {
		deployments[i].Recipe = &workload.Recipe{Generator: "deployment", Preset: "thesis", Seed: 1, Index: i}
	}
	link, err := scenario.EncodeLink(placementkind.New("Test-bed of the thesis", placementkind.Document{
		Federation:  placementkind.GraphSource{Recipe: &workload.Recipe{Generator: "federation", Preset: "thesis", Seed: 1}},
		Deployments: deployments, Strategies: []placementkind.StrategyRun{{Name: "heuristic"}, {Name: "random", Seeds: 20}},
	}))
	if err != nil || len(link) > 500 {
		t.Errorf("%d characters, %v", len(link), err)
	}
}

func TestDecodeLinkNamesTheProblem(t *testing.T) {
	good := pack(t, []byte(minimal))
	for _, test := range []struct{ name, link, want string }{
		{"empty", "", "the link is empty"},
		{"only the marker", "#s=", "the link is empty"},
		{"no version", "abc", "not a Berth link"},
		{"some other fragment", "#section.2", "not a Berth link"},
		{"version 0", "0.abc", "not a Berth link"},
		{"newer", "3.abc", "the link is of version 3, newer than this Berth, which reads up to version 2"},
		{"nothing after the version", "1.", "the link is cut off"},
		{"cut off", good[:len(good)-8], "the link is cut off"},
		{"strange characters", "1.ab$d", "the link is damaged"},
		{"an escape of nothing", "#100%zz", "the link is damaged"},
		{"not deflated", "1." + base64.RawURLEncoding.EncodeToString([]byte("plain text")), "the link is damaged"},
		{"not JSON", pack(t, []byte("hello")), "the scenario in the link: scenario:1:1: not JSON"},
		{"newer document", pack(t, []byte(change(t, `"version": 1`, `"version": 9`))), "version 9 is newer than this Berth"},
	} {
		if _, err := scenario.DecodeLink(test.link); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

func TestDecodeLinkStopsABomb(t *testing.T) {
	// The piece refers to nothing before it, so it can be repeated up to a gigabyte.
	var megabyte bytes.Buffer
	w := must.Get(flate.NewWriter(&megabyte, flate.BestCompression))(t)
	must.Get(w.Write(make([]byte, 1<<20)))(t)
	must.Do(t, w.Flush())
	bomb := "1." + base64.RawURLEncoding.EncodeToString(bytes.Repeat(megabyte.Bytes(), 1024))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := scenario.DecodeLink(bomb)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "unpacks to more than 8388608 bytes") {
		t.Errorf("got %v", err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("%d bytes allocated", used)
	}
}

func TestEncodeLinkRefusesWhatDecodeWould(t *testing.T) {
	s := placementkind.New("", placementkind.Document{})
	if _, err := scenario.EncodeLink(s); err == nil || !strings.Contains(err.Error(), "placement.federation") {
		t.Errorf("empty placement: got %v", err)
	}
	s = must.Get(scenario.Decode([]byte(minimal)))(t)
	placementkind.Of(s).Federation.Text = strings.Repeat("x", scenario.MaxLinkBytes)
	if _, err := scenario.EncodeLink(s); err == nil || !strings.Contains(err.Error(), "save it as a file") {
		t.Errorf("large scenario: got %v", err)
	}
}
