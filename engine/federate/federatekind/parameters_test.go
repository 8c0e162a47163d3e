package federatekind_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/scenario"
	"berth/engine/show"
)

// within returns a value inside the bounds of a parameter, and values just outside.
func within(p *parameter.Parameter) (inside float64, outside []float64) {
	step := p.High * 1e-6
	switch {
	case p.Whole:
		step = 1
	case math.IsInf(p.High, 1):
		step = 1e-3
	}
	inside, outside = p.Low+step, []float64{p.Low - step}
	if p.Above {
		outside = append(outside, p.Low)
	}
	if !math.IsInf(p.High, 1) {
		outside = append(outside, p.High+step)
	}
	return inside, outside
}

func TestEveryParameterHasItsPlaceAndBounds(t *testing.T) {
	names := map[string]bool{}
	for _, p := range slices.DeleteFunc(federatekind.Parameters(), func(p parameter.Parameter) bool { return !p.Number() }) {
		if names[p.Flag()] || p.Title == "" || p.Help == "" && p.Group != federatekind.SeedGroup || p.Group == "" {
			t.Errorf("%s is there twice, or lacks its words", p.Name)
		}
		names[p.Flag()] = true
		if err := p.Check(p.Default); err != nil && !p.Required {
			t.Errorf("the default of %s: %v", p.Name, err)
		}
		d := small()
		d.GMs, d.LMs = 1, 1
		inside, outside := within(&p)
		must.Do(t, p.Set(d, &inside))
		if found := problems(d); found != "" {
			t.Errorf("%s of %v: %s", p.Name, inside, found)
		}
		if x, given := p.Get(d); !given || x != inside {
			t.Errorf("%s of %v is %v, %v", p.Name, inside, x, given)
		}
		for _, x := range outside {
			must.Do(t, p.Set(d, &x))
			want := p.Expected()
			if p.Time() && strings.HasPrefix(p.JSONPath(), "window.") { // documents have a number there
				want = "a number from " + want
			}
			_, given := p.Get(d) // 0 seeds in a document count as no seeds
			if got := problems(d); given && (!strings.HasPrefix(got, "federate."+p.JSONPath()+": ") || !strings.HasSuffix(got, ": expected "+want) && !strings.HasSuffix(got, ", expected "+want)) {
				t.Errorf("%s of %v: got %q, want what is expected: %s", p.Name, x, got, want)
			}
			want = p.Expected()
			_, err := p.Parse(p.Text(x))
			for _, bound := range []float64{p.Low, p.High} { // a field has its own unit
				want = strings.Replace(want, show.Number(bound), show.Number(bound*p.Scale()), 1)
			}
			want = strings.TrimSuffix(want, p.DocumentUnit()) + p.Unit
			if err == nil || !strings.HasSuffix(err.Error(), "expected "+want) {
				t.Errorf("a field took %v for %s: %v", x, p.Name, err)
			}
		}
	}
}

func problems(d *federatekind.Document) string {
	var found scenario.Problems
	d.Validate("federate", &found)
	if found.Err() != nil {
		return found.Err().Error()
	}
	return ""
}

// A zero is within the bounds of the engine, but a document, a field and a flag reject it.
func TestDelaysOfZero(t *testing.T) {
	for _, name := range []string{"delay", "launchDelay"} {
		for _, p := range federatekind.Parameters() {
			if p.Name != name {
				continue
			}
			d := small()
			must.Do(t, p.Set(d, new(0.0)))
			if got, want := problems(d), "federate."+name+": found 0 s, expected more: a message takes time"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if _, err := p.Parse("0"); err == nil {
				t.Errorf("a field took %s 0", name)
			}
			if _, err := p.ParseFlag("0s"); err == nil {
				t.Errorf("a flag took %s 0s", name)
			}
		}
	}
}

func TestDefaultsAreThoseOfTheEngine(t *testing.T) {
	usual := federate.Default(10, 2, 3)
	for _, p := range federate.Parameters() {
		if got := usual.Value(&p); got != p.Default && !p.Required {
			t.Errorf("%s is %v by default, its row says %v", p.Name, got, p.Default)
		}
	}
}

// A hand-written document may omit parameters of the peers; they have their defaults.
func TestPeersMayLeaveOut(t *testing.T) {
	d := slots()
	d.Schedulers = []string{"pigeon"}
	all := run(t, d)
	d.Pigeon = &federatekind.Pigeon{Weight: new(100_000)}
	if got, want := run(t, d).Schedulers[0].Allocation, all.Schedulers[0].Allocation; got.Mean != want.Mean {
		t.Errorf("the mean is %v, want %v as with all defaults", got.Mean, want.Mean)
	}
	d.Pigeon.GroupSize = new(1)
	if got := run(t, d).Schedulers[0].Allocation.Mean; got == all.Schedulers[0].Allocation.Mean {
		t.Errorf("groups of one worker change nothing: the mean is still %v", got)
	}
}

func TestUnknownParametersOfSchedulers(t *testing.T) {
	d := small()
	d.Parameters = map[string]map[string]float64{"toy": {"x": 1}}
	if got := problems(d); got != "federate.parameters.toy.x: unknown; known: none" {
		t.Errorf("got %s", got)
	}
}
