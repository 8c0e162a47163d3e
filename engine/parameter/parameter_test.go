package parameter_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/parameter"
)

type costs struct {
	Take  *float64 `json:"take,omitempty"`
	Tries *int     `json:"tries,omitempty"`
}

type document struct {
	Name     string                        `json:"name"`
	Workers  int                           `json:"workers"`
	Seeds    int                           `json:"seeds,omitempty"`
	Factor   float64                       `json:"factor,omitempty"`
	Delay    *float64                      `json:"delay,omitempty"`
	Costs    *costs                        `json:"costs,omitempty"`
	Capacity map[string]float64            `json:"capacity,omitempty"`
	Own      map[string]map[string]float64 `json:"own,omitempty"`
}

func TestSetAndGet(t *testing.T) {
	for _, c := range []struct {
		path string
		x    float64
		json string // JSON of the document with the value
		kept string // and without it
	}{
		{"workers", 3, `{"name":"","workers":3}`, `{"name":"","workers":0}`},
		{"seeds", 2, `{"name":"","workers":0,"seeds":2}`, `{"name":"","workers":0}`},
		{"factor", 0.5, `{"name":"","workers":0,"factor":0.5}`, `{"name":"","workers":0}`},
		{"delay", 0, `{"name":"","workers":0,"delay":0}`, `{"name":"","workers":0}`},
		{"costs.take", 1e-6, `{"name":"","workers":0,"costs":{"take":0.000001}}`, `{"name":"","workers":0}`},
		{"costs.tries", 4, `{"name":"","workers":0,"costs":{"tries":4}}`, `{"name":"","workers":0}`},
		{"capacity.cpu", 8, `{"name":"","workers":0,"capacity":{"cpu":8}}`, `{"name":"","workers":0}`},
		{"own.toy.grain", 0, `{"name":"","workers":0,"own":{"toy":{"grain":0}}}`, `{"name":"","workers":0}`},
	} {
		p, d := parameter.Parameter{Path: c.path, Default: 7}, document{}
		if x, given := p.Get(&d); given != (c.path == "workers") || x != 0 {
			t.Errorf("%s of an empty document is %v, %v", c.path, x, given)
		}
		if err := p.Set(&d, &c.x); err != nil {
			t.Fatalf("%s: %v", c.path, err)
		}
		if text, _ := json.Marshal(d); string(text) != c.json {
			t.Errorf("%s: got %s, want %s", c.path, text, c.json)
		}
		if x, given := p.Get(&d); x != c.x || !given || p.Value(&d) != c.x {
			t.Errorf("%s is %v, %v; want %v", c.path, x, given, c.x)
		}
		if err := p.Set(&d, nil); err != nil {
			t.Fatalf("%s: %v", c.path, err)
		}
		if text, _ := json.Marshal(d); string(text) != c.kept {
			t.Errorf("%s taken away: got %s, want %s", c.path, text, c.kept)
		}
		if want := 7.0; c.path != "workers" && p.Value(&d) != want {
			t.Errorf("%s without a value is %v, want the default %v", c.path, p.Value(&d), want)
		}
	}
}

// Set does not change values that another copy of the document shares.
func TestSetReplacesWhatItChanges(t *testing.T) {
	before := document{Costs: &costs{Take: new(1.0)}, Capacity: map[string]float64{"cpu": 1, "memory": 2}, Own: map[string]map[string]float64{"toy": {"grain": 3}}}
	text, _ := json.Marshal(before)
	for _, path := range []string{"costs.take", "costs.tries", "capacity.cpu", "own.toy.grain", "own.toy.size", "own.other.x"} {
		for _, x := range []*float64{new(9.0), nil} {
			after := before
			must.Do(t, (&parameter.Parameter{Path: path}).Set(&after, x))
			if now, _ := json.Marshal(before); string(now) != string(text) {
				t.Fatalf("%s: the other copy is %s now, was %s", path, now, text)
			}
		}
	}
	p := parameter.Parameter{Path: "capacity.cpu"}
	if err := p.Set(&before, nil); err != nil || len(before.Capacity) != 1 {
		t.Errorf("%v, capacity %v; want memory alone", err, before.Capacity)
	}
}

func TestPathsThatADocumentDoesNotHave(t *testing.T) {
	for _, path := range []string{"", "x", "name", "costs", "costs.x", "costs.take.x", "workers.x", "capacity", "capacity.cpu.x", "own.toy"} {
		p, d := parameter.Parameter{Path: path}, document{Costs: &costs{Take: new(1.0)}}
		if x, given := p.Get(&d); given && path != "costs.take.x" && path != "workers.x" {
			t.Errorf("%q has a value, %v", path, x)
		}
		if err := p.Set(&d, new(1.0)); err == nil {
			t.Errorf("%q took a value", path)
		}
	}
}

func TestBoundsTextAndFlag(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		p        parameter.Parameter
		in, text string // a value as people type it, and as it is written
		value    float64
		wrong    map[string]string
		flag     map[string]string // a value on the command line and the message about it
	}{
		{parameter.Parameter{Name: "workers", Low: 1, High: 1 << 20, Whole: true}, " 1048576", "1048576", 1 << 20,
			map[string]string{"0": "0 is out of range: expected 1 to 1048576", "1048577": "1048577 is out of range: expected 1 to 1048576",
				"1.5": "1.5 is not whole: expected 1 to 1048576", "x": `"x" is not a number: expected 1 to 1048576`, "": `"" is not a number`, "NaN": "NaN is out of range"},
			map[string]string{"12": "", "0": "", "1.5": "parse error", "9223372036854775807": "value out of range"}},
		{parameter.Parameter{Name: "launchDelay", Unit: "ms", High: 1, Zero: "no message"}, "0.7", "0.7", 0.0007,
			map[string]string{"0": "0 is too little: expected more than 0, at most 1000 ms", "-1": "-1 ms is out of range: expected 0 to 1000 ms", "1000.1": "1000.1 ms is out of range"},
			map[string]string{"500us": "", "0s": "expected a time above 0", "-1s": "expected a time above 0", "5": "expected a time above 0"}},
		{parameter.Parameter{Name: "heartbeat", Unit: "s", High: 10, Above: true}, "2.5", "2.5", 2.5,
			map[string]string{"0": "0 is too little: expected more than 0, at most 10 s", "-1": "-1 s is out of range: expected more than 0, at most 10 s"}, map[string]string{"0s": "expected a time above 0"}},
		{parameter.Parameter{Name: "costTake", Unit: "µs", High: 10}, "50", "50", 50e-6, nil, map[string]string{"0s": "", "-1s": "expected a time such as"}},
		{parameter.Parameter{Name: "capacity.cpu", Unit: "GB", High: 10, Above: true}, "1e-1", "0.1", 0.1,
			map[string]string{"0": "0 is too little: expected more than 0, at most 10 GB"}, map[string]string{"3": "", "Inf": "expected more than 0", "3GB": "expected more than 0"}},
		{parameter.Parameter{Name: "load", Low: 0.1, High: 1000}, "12.5", "12.5", 12.5,
			map[string]string{"0.09": "0.09 is out of range: expected a number from 0.1 to 1000"}, map[string]string{"x": "expected a number from 0.1 to 1000"}},
		{parameter.Parameter{Name: "groupSize", Low: 1, High: inf, Whole: true}, "7", "7", 7,
			map[string]string{"0": "0 is out of range: expected at least 1", "1e300": "is out of range", "Inf": "is out of range"}, nil},
	} {
		x, err := c.p.Parse(c.in)
		if err != nil || math.Abs(x-c.value) > 1e-18 || c.p.Text(x) != c.text {
			t.Errorf("%s: %q gives %v (%v), written %q; want %v, %q", c.p.Name, c.in, x, err, c.p.Text(x), c.value, c.text)
		}
		for text, want := range c.wrong {
			if _, err := c.p.Parse(text); err == nil || !strings.HasPrefix(err.Error(), want) && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q gives %v, want %s", c.p.Name, text, err, want)
			}
		}
		for text, want := range c.flag {
			if _, err := c.p.ParseFlag(text); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: the flag %q gives %v, want %s", c.p.Name, text, err, want)
			}
		}
	}
}

func TestFlagsOfNames(t *testing.T) {
	for name, want := range map[string]string{"workers": "workers", "launchDelay": "launch-delay", "capacity.cpu": "capacity-cpu", "qTolerance": "q-tolerance"} {
		if got := (&parameter.Parameter{Name: name}).Flag(); got != want {
			t.Errorf("%s is --%s, want --%s", name, got, want)
		}
	}
}

func TestBoundedFlags(t *testing.T) {
	wait := parameter.Parameter{Name: "wait", Unit: "s", Low: 0.001, High: 7200.5, OrZero: true, Word: "mean"}
	part := parameter.Parameter{Name: "part", Unit: parameter.Percent, Above: true, High: 1}
	whole := parameter.Parameter{Name: "whole", Low: 1, High: 9, Whole: true}
	huge := parameter.Parameter{Name: "huge", High: 1e100}
	for _, c := range []struct {
		p    parameter.Parameter
		text string
		want float64
		err  string
	}{
		{wait, "2.4s", 2.4, ""}, {wait, "0s", 0, ""},
		{wait, "10us", 0, "expected a duration from 1ms to 2h0m0s, such as 30s or 2.4s, or 0s, or mean"},
		{wait, "-1s", 0, "expected a duration from 1ms to 2h0m0s, such as 30s or 2.4s, or 0s, or mean"},
		{part, "0.7", 0.7, ""}, {part, "0", 0, "expected a part above 0 and up to 1, such as 0.1"},
		{whole, "9", 9, ""}, {whole, "1.5", 0, "expected a whole number from 1 to 9"},
		{huge, "1e100", 1e100, ""}, {huge, "NaN", 0, "expected a number from 0 to 1e+100"},
	} {
		got, err := c.p.ParseBounded(c.text)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != c.want || text != c.err {
			t.Errorf("%s %s: got %v and %q, want %v and %q", c.p.Name, c.text, got, text, c.want, c.err)
		}
	}
	if x, err := part.Parse("70"); err != nil || x != 0.7 || part.Text(0.7) != "70" || part.FlagText(0.7) != "0.7" {
		t.Errorf("70 %% is %v, %v; 0.7 is %s and %s", x, err, part.Text(0.7), part.FlagText(0.7))
	}
}
