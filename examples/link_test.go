package examples_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rsc.io/qr"

	"berth/engine/federate/federatekind"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/examples"
)

// The longest links of an example and of an example with one changed number, in characters after
// the host, and the number of modules of a QR code that can be read from a seat (version 10).
const (
	mostUnchanged = 60
	mostOneNumber = 100
	mostModules   = 17 + 4*10
)

// shortened checks that the link to a scenario opens the same scenario and has at most this many
// characters after the host. If a link is short enough, its QR code must be readable from a seat.
func shortened(t *testing.T, s scenario.Scenario, most int) {
	t.Helper()
	link := must.Get(scenario.ShortLink(s))(t)
	kind, _ := scenario.Lookup(s.Kind)
	address := kind.Path + "#s=" + link
	if back, err := scenario.DecodeLink(address); err != nil || back.Name != s.Name || back.Hash() != s.Hash() {
		t.Errorf("%s opens another scenario: %v", address, err)
	}
	if len(address) > most {
		t.Errorf("%d characters, at most %d: %s", len(address), most, address)
	}
	if most <= mostOneNumber {
		if code, err := qr.Encode("https://berth.example"+address, qr.L); err != nil || code.Size > mostModules {
			t.Errorf("the QR code of %s has %d modules, %v", address, code.Size, err)
		}
	}
}

func TestLinksToExamplesAreShort(t *testing.T) {
	for _, e := range examples.List() {
		shortened(t, e.Scenario, mostUnchanged)
	}
}

var numbers = regexp.MustCompile(`[ =]\d+(\.\d+)?\b`)

func TestLinksWithOneNumberChangedAreShort(t *testing.T) {
	changed := 0
	for _, e := range examples.List() {
		document := scenario.Encode(e.Scenario)
		all := numbers.FindAllIndex(document, -1)
		for i := 0; i < len(all); i += 1 + len(all)/30 {
			for _, number := range []string{"0.73", "734"} {
				s, err := scenario.Decode(bytes.Join([][]byte{document[:all[i][0]+1], []byte(number), document[all[i][1]:]}, nil))
				if err == nil {
					changed++
					shortened(t, s, mostOneNumber)
				}
			}
		}
	}
	if changed < 300 {
		t.Errorf("only %d numbers were changed", changed)
	}
}

// dialled returns an example with one dial of its page moved.
func dialled(s scenario.Scenario) (all []scenario.Scenario) {
	add := func(body scenario.Document) { all = append(all, scenario.New(s.Kind, s.Name, body)) }
	switch d := s.Body.(type) {
	case *placementkind.Document:
		for _, change := range []string{"price central × 1.37", "price frankfurt × 0.4", "room central × 2.05", "latency × 0.72"} {
			with := *d
			with.WhatIf = append(slices.Clone(d.WhatIf), change)
			add(&with)
		}
		with := *d
		with.Phi = new(0.00123)
		add(&with)
	case *qoskind.Document:
		for i := range qoskind.PaperClasses() {
			with := *d
			with.Classes = qoskind.PaperClasses()
			for k := range with.Classes {
				with.Classes[k].Limit = nil
			}
			with.Classes[i].SLO, with.Classes[i].Bonus = 0.873, nil
			add(&with)
		}
	case *federatekind.Document:
		for _, seconds := range []float64{0.1, 17.25} {
			with := *d
			with.Heartbeat = new(seconds)
			add(&with)
		}
	}
	return all
}

func TestLinksWithOneDialMovedAreShort(t *testing.T) {
	moved := 0
	for _, e := range examples.List() {
		for _, s := range dialled(e.Scenario) {
			if s.Validate() == nil {
				moved++
				shortened(t, s, mostOneNumber)
			}
		}
	}
	if moved < 105 {
		t.Errorf("only %d dials were moved", moved)
	}
}

// Links depend on every byte of the file of words.
func TestTheWordsOfLinksStay(t *testing.T) {
	const digest = "3746df3b"
	words := scenario.Published{Text: examples.Published()[0].Words}
	if got := words.Digest(); got != digest {
		t.Errorf("words.txt has the digest %s, want %s", got, digest)
	}
}

// Whatever changes in an example, a link to it opens the same scenario.
func TestLinksToChangedExamplesOpen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, e := range examples.List() {
		s := e.Scenario.Clone()
		for range 10 {
			for _, slot := range s.Slots() {
				if text := []rune(slot.Source.Text); len(text) > 0 && r.IntN(2) == 0 {
					at := r.IntN(len(text))
					slot.Source.Text = string(text[:at]) + strings.Repeat("# é", r.IntN(40)) + string(text[min(len(text), at+r.IntN(50)):])
				}
			}
			s.Name = strings.Repeat("<n>", r.IntN(20))
			if s.Validate() == nil {
				shortened(t, s, scenario.LongLink)
			}
		}
	}
}

// Every version of an example that a link may refer to can be opened forever. A changed example
// gets a new line in earlier/published.txt, and its earlier file becomes earlier/NAME.DIGEST.json.
func TestPublishedExamplesStay(t *testing.T) {
	listed := must.Get(os.ReadFile("earlier/published.txt"))(t)
	there := map[string]bool{}
	for _, p := range examples.Published() {
		line := p.Name + " " + p.Digest()
		there[line] = true
		if !strings.Contains(string(listed), line+"\n") {
			t.Errorf("earlier/published.txt has no line %q", line)
		}
		if _, err := scenario.Decode(p.Text); err != nil || strings.Contains(p.Name, ".") {
			t.Errorf("%s: %v", line, err)
		}
	}
	for line := range strings.Lines(string(listed)) {
		if !there[strings.TrimSpace(line)] {
			t.Errorf("no file has the published example %s", line)
		}
	}
}
