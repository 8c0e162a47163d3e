package qoskind_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

func TestEveryParameterHasItsPlaceAndBounds(t *testing.T) {
	all := slices.Concat(qoskind.Parameters(), qoskind.RunParameters(),
		[]parameter.Parameter{*qoskind.ParameterNamed("seeds"), *qoskind.ParameterNamed("pointEvery"), *qoskind.ParameterNamed("fairnessEvery")})
	for _, p := range slices.DeleteFunc(all, func(p parameter.Parameter) bool { return !p.Number() }) {
		for x, right := range map[float64]bool{p.High: true, p.High + 1: false, -1: false, math.Nextafter(p.Low, -1): p.OrZero && p.Low == 0} {
			d := small()
			d.Sample, d.Admission, d.Seeds = &qoskind.Sample{Part: 0.5}, &qoskind.Admission{Limit: 1}, 1
			d.Policies[0].Savings = &qoskind.Savings{ScoreCaching: true, CacheValidity: 1}
			var document any = d
			path := "qos." + p.JSONPath()
			if strings.HasPrefix(p.JSONPath(), "savings.") {
				document, path = &d.Policies[0], "qos.policies[0]."+p.JSONPath()
			}
			must.Do(t, p.Set(document, &x))
			var found scenario.Problems
			d.Validate("qos", &found)
			if _, given := p.Get(document); right == (len(found.List) > 0) && given {
				t.Errorf("%s of %v: %v", p.Name, x, found.Err())
			}
			if len(found.List) > 0 && (!strings.HasPrefix(found.List[0].Text(), path+": found ") || !strings.HasSuffix(found.List[0].Text(), p.Expected())) {
				t.Errorf("%s of %v: %v, want what is expected at %s: %s", p.Name, x, found.Err(), path, p.Expected())
			}
		}
	}
}
