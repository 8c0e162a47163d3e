package study_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"berth/engine/study"
)

// judged runs toys with a criterion and returns its result and the verdict over all.
func judged(t *testing.T, toy, factor string, seeds int, test string) (study.Judged, study.Verdict) {
	t.Helper()
	r := run(t, document(toy, fmt.Sprintf(`%s "seeds": %d, "criteria": [{"id": "c", "test": %s}]`, factor, seeds, test)))
	return r.Criteria[0], r.Verdict
}

// Each verdict follows from figures alone: another parameter of the same runs, or another number of
// seeds, changes it.
func TestVerdictsAreComputed(t *testing.T) {
	const (
		annBelowBob = `{"kind": "order", "metric": "y", "at": {"player": "bob"}, "to": {"at": {"player": "ann"}}}`
		five        = `{"kind": "within", "metric": "y", "at": {"player": "bob"}, "value": 5, "relative": 0.1}`
		most        = `{"kind": "between", "statistic": "proportion", "metric": "y", "at": {"player": "bob"}, "low": 0.5}`
		everywhere  = `{"kind": "order", "across": "x", "metric": "y", "at": {"player": "bob"}, "to": {"at": {"player": "ann"}}}`
		few         = `{"kind": "between", "metric": "y", "at": {"player": "bob"}, "high": 5.5}`
		ratio       = `{"kind": "ratio", "metric": "y", "at": {"player": "bob"}, "to": {"at": {"player": "ann"}}, "value": 2, "absolute": 0.1}`
		other       = `{"kind": "order", "metric": "z", "at": {"player": "bob"}, "to": {"metric": "y"}}`
		rises       = `{"kind": "monotone", "metric": "y", "along": "x", "at": {"player": "bob"}}`
		mean        = `{"kind": "within", "metric": "y", "over": "x", "at": {"player": "bob"}, "value": 10, "relative": 0.05}`
		falls       = `{"kind": "monotone", "metric": "y", "along": "x", "at": {"player": "bob"}, "falling": true}`
	)
	along := func(levels string) string {
		return `"factors": [{"name": "x", "path": "/toy/plus", "levels": [` + levels + `]}],`
	}
	for _, test := range []struct {
		name, toy, factor string
		seeds             int
		test              string
		want, all         study.Verdict
	}{
		{"an order that holds", `"of": {"ann": 3, "bob": 5}, "noise": 1`, "", 10, annBelowBob, study.Agrees, study.Direction},
		{"the order with another parameter", `"of": {"ann": 8, "bob": 5}, "noise": 1`, "", 10, annBelowBob, study.Differs, study.Differs},
		{"the order in more noise", `"of": {"ann": 3, "bob": 5}, "noise": 30`, "", 10, annBelowBob, study.Undecided, study.Undecided},
		{"the order with one seed", `"of": {"ann": 3, "bob": 5}, "noise": 1`, "", 1, annBelowBob, study.Undecided, study.Undecided},
		{"no difference", `"of": {"ann": 5, "bob": 5}`, "", 10, annBelowBob, study.Differs, study.Differs},
		{"an order of two metrics", `"of": {"bob": 5}, "noise": 1`, "", 10, other, study.Agrees, study.Direction},
		{"a number that is met", `"of": {"ann": 3, "bob": 5.2}, "noise": 0.1`, "", 10, five, study.Agrees, study.Agrees},
		{"a number that is missed", `"of": {"ann": 3, "bob": 5.9}, "noise": 0.1`, "", 10, five, study.Differs, study.Differs},
		{"a number that may be met", `"of": {"ann": 3, "bob": 5.6}, "noise": 2`, "", 4, five, study.Undecided, study.Undecided},
		{"a mean inside the band whose interval is not", `"of": {"ann": 3, "bob": 5}, "noise": 2`, "", 4, five, study.Undecided, study.Undecided},
		{"an order by less than 5 %", `"of": {"ann": 100, "bob": 103}, "noise": 0.1`, "", 10, annBelowBob, study.Undecided, study.Undecided},
		{"the order where less is of interest", `"of": {"ann": 100, "bob": 103}, "noise": 0.1`, "", 10, strings.Replace(annBelowBob, `"to"`, `"least": 0.02, "to"`, 1), study.Agrees, study.Direction},
		{"less than the paper's effect", `"of": {"ann": 100, "bob": 103}, "noise": 0.1`, "", 10, strings.Replace(annBelowBob, `"to"`, `"least": 0.2, "to"`, 1), study.Differs, study.Differs},
		{"perhaps the paper's effect", `"of": {"ann": 3, "bob": 3.5}, "noise": 1`, "", 10, strings.Replace(annBelowBob, `"to"`, `"least": 0.2, "to"`, 1), study.Undecided, study.Undecided},
		{"an order of ranks", `"of": {"ann": 3, "bob": 5}, "noise": 1`, "", 10, strings.Replace(annBelowBob, `"to"`, `"statistic": "rank", "to"`, 1), study.Agrees, study.Direction},
		{"an order of too few ranks", `"of": {"ann": 3, "bob": 5}, "noise": 0.1`, "", 5, strings.Replace(annBelowBob, `"to"`, `"statistic": "rank", "to"`, 1), study.Undecided, study.Undecided},
		{"a median that is met", `"of": {"bob": 5}, "noise": 0.1`, "", 10, strings.Replace(five, `"value"`, `"statistic": "rank", "value"`, 1), study.Agrees, study.Agrees},
		{"a median that is missed", `"of": {"bob": 6}, "noise": 0.1`, "", 10, strings.Replace(five, `"value"`, `"statistic": "rank", "value"`, 1), study.Differs, study.Differs},
		{"all seeds", `"of": {"bob": 1}`, "", 10, most, study.Agrees, study.Agrees},
		{"all of three seeds", `"of": {"bob": 1}`, "", 3, most, study.Undecided, study.Undecided},
		{"no seed", `"of": {"bob": 0}`, "", 10, most, study.Differs, study.Differs},
		{"a proportion of numbers", `"of": {"bob": 0.7}`, "", 10, most, study.Undecided, study.Undecided},
		{"an order at each level", `"of": {"ann": 3, "bob": 5}, "noise": 1`, along("1, 2, 3"), 10, everywhere, study.Agrees, study.Direction},
		{"an order at some levels", `"of": {"ann": 3, "bob": 5}, "noise": 0.1`, along("1, 900"), 10, everywhere, study.Undecided, study.Undecided},
		{"the opposite by less than 5 %", `"of": {"ann": 103, "bob": 100}, "noise": 0.1`, "", 10, annBelowBob, study.Undecided, study.Undecided},
		{"a bound that is kept", `"of": {"bob": 5}`, "", 2, few, study.Agrees, study.Agrees},
		{"a bound that is not", `"of": {"bob": 6}`, "", 2, few, study.Differs, study.Differs},
		{"a ratio", `"of": {"ann": 4, "bob": 8}, "noise": 0.01`, "", 5, ratio, study.Agrees, study.Agrees},
		{"another ratio", `"of": {"ann": 4, "bob": 9}, "noise": 0.01`, "", 5, ratio, study.Differs, study.Differs},
		{"a trend", `"of": {"bob": 8}, "noise": 1`, along("1, 2, 3"), 10, rises, study.Agrees, study.Direction},
		{"the trend that it is not", `"of": {"bob": 8}, "noise": 1`, along("1, 2, 3"), 10, falls, study.Differs, study.Differs},
		{"a trend with a step back", `"of": {"bob": 8}`, along("1, 3, 2"), 10, rises, study.Differs, study.Differs},
		{"a trend of a quotient", `"of": {"ann": 4, "bob": 8}`, along("1, 2, 3"), 2, strings.Replace(falls, `"along"`, `"to": {"at": {"player": "ann"}}, "along"`, 1), study.Agrees, study.Direction},
		{"a mean over levels", `"of": {"bob": 8}, "noise": 0.1`, along("1, 2, 3"), 10, mean, study.Agrees, study.Agrees},
		{"another mean over levels", `"of": {"bob": 8}, "noise": 0.1`, along("1, 2, 9"), 10, mean, study.Differs, study.Differs},
		{"an order of means over levels", `"of": {"ann": 3, "bob": 5}, "noise": 1`, along("1, 2, 3"), 10, strings.Replace(annBelowBob, `"at"`, `"over": "x", "at"`, 1), study.Agrees, study.Direction},
		{"without figures", `"of": {"ann": 8}`, "", 2, few, study.Undecided, study.Undecided},
	} {
		c, all := judged(t, test.toy, test.factor, test.seeds, test.test)
		if c.Verdict != test.want || all != test.all {
			t.Errorf("%s: %s, together %s, want %s and %s: %+v", test.name, c.Verdict, all, test.want, test.all, c)
		}
		if r, _ := (&study.Report{Runs: study.Count{All: 3, Done: 3, Failed: 1}, Criteria: []study.Judged{c}, Verdict: all}).Sentences(); !strings.HasPrefix(r, "2 of 3 runs ended, 1 failed; ") || !strings.HasSuffix(r, ": "+string(all)) || !strings.Contains(r, "numbers met ") {
			t.Errorf("%s: it says %q", test.name, r)
		}
		if said := c.Why != "" || c.Verdict == study.Agrees; !said {
			t.Errorf("%s: %s and does not say why", test.name, c.Verdict)
		}
	}
}

func TestConclude(t *testing.T) {
	one := func(number bool, v study.Verdict) study.Judged {
		return study.Judged{Number: number, Verdict: v}
	}
	for _, test := range []struct {
		all  []study.Judged
		want study.Verdict
	}{
		{nil, ""},
		{[]study.Judged{one(true, study.Agrees), one(false, study.Agrees)}, study.Agrees},
		{[]study.Judged{one(true, study.Differs), one(false, study.Agrees)}, study.Differs}, // a direction does not hide a number
		{[]study.Judged{one(true, study.Undecided), one(false, study.Agrees)}, study.Direction},
		{[]study.Judged{one(true, study.Agrees), one(false, study.Differs)}, study.Differs},
		{[]study.Judged{one(true, study.Agrees), one(false, study.Undecided)}, study.Undecided},
		{[]study.Judged{one(false, study.Agrees), one(false, study.Undecided)}, study.Undecided},
		{[]study.Judged{one(true, study.Agrees), one(true, study.Undecided)}, study.Undecided},
		{[]study.Judged{one(true, study.Agrees), one(true, study.Differs)}, study.Differs},
		{[]study.Judged{one(true, study.Agrees), {Number: true, Verdict: study.Differs, Evidence: study.Calibrated}}, study.Agrees},
		{[]study.Judged{one(false, study.Agrees), {Number: true, Verdict: study.Agrees, Evidence: study.PutIn}}, study.Direction},
		{[]study.Judged{{Number: true, Verdict: study.Agrees, Evidence: study.PutIn}}, study.Undecided},
	} {
		if got := study.Conclude(test.all); got != test.want {
			t.Errorf("%+v: %q, want %q", test.all, got, test.want)
		}
	}
}

// A ratio is the ratio of the means, so a seed with 0 in the denominator counts.
func TestRatioIsThatOfMeans(t *testing.T) {
	c, _ := judged(t, `"of": {"ann": 1, "bob": 2}, "noise": 1`, "", 4,
		`{"kind": "ratio", "metric": "y", "at": {"player": "bob"}, "to": {"at": {"player": "ann"}}, "value": 2, "absolute": 50}`)
	r := run(t, document(`"of": {"ann": 1, "bob": 2}, "noise": 1`, `"seeds": 4`))
	want := float64(r.Cells[1].Metrics["y"].Mean / r.Cells[0].Metrics["y"].Mean)
	if !strings.HasPrefix(c.Ours, strconv.FormatFloat(want, 'g', 4, 64)+" [") || c.N != 4 {
		t.Errorf("the ratio is %s of %d, want %v", c.Ours, c.N, want)
	}
}

// If figures are 0 for each seed, they do not differ, and neither is a multiple of the other.
func TestNothingIsAsMuchAsNothing(t *testing.T) {
	for value, want := range map[string]study.Verdict{"1": study.Agrees, "2": study.Undecided} {
		c, _ := judged(t, `"of": {"ann": 0, "bob": 0}, "noise": 0`, "", 4,
			`{"kind": "ratio", "metric": "y", "at": {"player": "bob"}, "to": {"at": {"player": "ann"}}, "value": `+value+`, "absolute": 0.1}`)
		if c.Verdict != want {
			t.Errorf("0 against 0, with %s in the paper: %+v", value, c)
		}
	}
}

// Contradictions are judged after Holm's correction over all criteria of the document. p = 0.02
// contradicts if there is one criterion, and does not among ten others.
func TestContradictionsAreCorrected(t *testing.T) {
	const (
		toy      = `"of": {"ann": 6.4, "bob": 5}, "noise": 2`
		contrary = `{"id": "c", "test": {"kind": "order", "metric": "y", "at": {"player": "bob"}, "to": {"at": {"player": "ann"}}}}`
	)
	with := func(others int) *study.Report {
		all := []string{contrary}
		for i := range others {
			all = append(all, fmt.Sprintf(`{"id": "o%d", "test": {"kind": "between", "metric": "y", "at": {"player": "ann"}, "low": 0}}`, i))
		}
		return run(t, document(toy, `"seeds": 12, "criteria": [`+strings.Join(all, ",")+`]`))
	}
	alone, among := with(0), with(60)
	if p := alone.Criteria[0].Effect.P; p > 0.05 || p < 0.0005 {
		t.Fatalf("the toy gives p = %v, which shows nothing", p)
	}
	if got := alone.Criteria[0].Verdict; got != study.Differs {
		t.Errorf("alone it is %s", got)
	}
	if got := among.Criteria[0]; got.Verdict != study.Undecided || !strings.Contains(got.Why, "corrected for 61 criteria") {
		t.Errorf("among others it is %+v", got)
	}
}

// Numbers and directions are counted separately, and an effect has a size.
func TestTalliesAndEffects(t *testing.T) {
	r := run(t, document(`"of": {"ann": 3, "bob": 5}, "noise": 0.1`, `"seeds": 8, "criteria": [
		{"id": "a", "test": {"kind": "order", "metric": "y", "at": {"player": "bob"}, "to": {"at": {"player": "ann"}}}},
		{"id": "b", "test": {"kind": "within", "metric": "y", "at": {"player": "bob"}, "value": 5, "relative": 0.1}},
		{"id": "c", "test": {"kind": "within", "metric": "y", "at": {"player": "ann"}, "value": 5, "relative": 0.1}}]`))
	numbers, directions := study.Tallies(r.Criteria)
	if got := study.Tallied(numbers, directions); got != "numbers met 1 of 2, directions 1 of 1" || r.Verdict != study.Differs {
		t.Errorf("%s: %s", got, r.Verdict)
	}
	e := r.Criteria[0].Effect
	if e.CliffsDelta != 1 || e.Wilcoxon != 0.0078125 || e.Relative < 0.6 || e.Relative > 0.72 || e.HodgesLehmann < 1.9 || e.HodgesLehmann > 2.1 {
		t.Errorf("%+v", e)
	}
	if ours := r.Criteria[0].Ours; !strings.HasSuffix(ours, "p < 0.0001 (Wilcoxon p = 0.0078)") {
		t.Errorf("it says %s", ours)
	}
	if f := r.Criteria[1].Found; f.Low >= f.Value || f.High <= f.Value {
		t.Errorf("%+v", f)
	}
}
