package study_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

// toy is a kind whose subjects have different figures, with noise by the seed.
var toy = &scenario.Kind{
	Name: "toy", Title: "Toy", Path: "/toy", Holds: "figures", Subject: "player", Headline: []string{"y"},
	Document: func() scenario.Document { return &figures{} },
	Report:   func() scenario.ReportBody { return &played{} },
	Prepare: func(_ context.Context, d scenario.Document, _ scenario.Env) (scenario.Work, error) {
		return d.(*figures), nil
	},
	Figures: []figure.Figure{
		figure.Of(figure.Figure{Name: "y", Title: "Figure", Unit: "m", Better: figure.Less}, func(p *player) figure.Number { return figure.Number(p.Y) }),
		figure.Of(figure.Figure{Name: "z", Title: "Another", Better: figure.More}, func(p *player) figure.Number {
			if p.Y > 100 {
				return figure.Undefined
			}
			return figure.Number(2 * p.Y)
		}),
	},
}

func init() { scenario.Register(toy, study.Kind) }

type figures struct {
	Seed  uint64             `json:"seed,omitempty"`
	Of    map[string]float64 `json:"of"`
	Plus  float64            `json:"plus,omitempty"`
	Noise float64            `json:"noise,omitempty"`
	List  []float64          `json:"list,omitempty"`
	Break uint64             `json:"break,omitempty"` // the seed that fails
	Panic bool               `json:"panic,omitempty"`
}

func (f *figures) Validate(path string, p *scenario.Problems) {
	p.Within(path+".plus", f.Plus, -1000, 1000, "")
}
func (f *figures) Slots() []scenario.Slot         { return nil }
func (f *figures) Clone() scenario.Document       { c := *f; return &c }
func (f *figures) Runs() []scenario.Subject       { return []scenario.Subject{{}} }
func (f *figures) One(int, int) scenario.Document { return f }
func (f *figures) FirstSeed() *uint64             { return &f.Seed }
func (f *figures) Document() scenario.Document    { return f }

func (f *figures) Run(context.Context, scenario.Row, func(scenario.Progress), *scenario.Timings) (scenario.ReportBody, error) {
	if f.Break != 0 && f.Break == f.Seed {
		return nil, fmt.Errorf("seed %d is broken", f.Seed)
	}
	if f.Panic {
		panic("dropped")
	}
	var p played
	random := rand.New(rand.NewPCG(f.Seed, 1))
	for _, name := range []string{"ann", "bob"} {
		if y, ok := f.Of[name]; ok {
			p.Players = append(p.Players, player{name, y + f.Plus + float64(f.Noise*noise(random))})
		}
	}
	return &p, nil
}

// noise is approximately normal, with the same bits everywhere.
func noise(random *rand.Rand) (sum float64) {
	for range 12 {
		sum += float64(random.IntN(1<<20)) / (1 << 20)
	}
	return sum - 6
}

type player struct {
	Name string  `json:"name"`
	Y    float64 `json:"y"`
}

type played struct {
	Players []player `json:"players"`
}

func (p *played) Subject(i int) any { return figure.At(p.Players, i) }
func (p *played) Subjects() []string {
	return scenario.Subjects(p.Players, func(p *player) string { return p.Name })
}
func (p *played) Remarks() (notes, warnings []string)        { return nil, nil }
func (p *played) Partial() bool                              { return false }
func (p *played) Complete() bool                             { return true }
func (p *played) WriteText(w io.Writer, _ *scenario.Timings) {}

// document returns an experiment with the given fields whose base is a toy.
func document(toy, fields string) string {
	return `{"version": 1, "kind": "experiment", "name": "toys", "experiment": {
"base": {"version": 1, "kind": "toy", "toy": {` + toy + `}},
` + fields + `}}`
}

func run(t *testing.T, text string) *study.Report {
	t.Helper()
	s := must.Get(scenario.Decode([]byte(text)))(t)
	r := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	return r.Body.(*study.Report)
}

const both = `"of": {"ann": 3, "bob": 5}, "seed": 7, "noise": 1`

func TestCellsAreCombinationsOfLevels(t *testing.T) {
	factors := `"factors": [{"name": "plus", "path": "/toy/plus", "levels": [1, null, 20]},
		{"name": "noise", "levels": [{"label": "none", "patch": {"toy": {"noise": null}}}, {"label": "much", "patch": {"toy": {"noise": 4}}}]}]`
	r := run(t, document(both, factors+`, "seeds": 4`))
	if len(r.Cells) != 12 || r.Runs != (study.Count{All: 24, Done: 24}) {
		t.Fatalf("%d cells of %+v", len(r.Cells), r.Runs)
	}
	c := r.Cells[8] // plus 20, no noise, ann
	if text, _ := json.Marshal(c.Levels); string(text) != `{"noise":"none","player":"ann","plus":20}` {
		t.Errorf("levels %s", text)
	}
	if y := c.Metrics["y"]; c.N != 4 || y.Mean != 23 || y.HalfWidth != 0 || len(y.Values) != 4 {
		t.Errorf("y is %v", y)
	}
	if r := run(t, document(both, strings.Replace(factors, "[1, null, 20]", "[1, 20]", 1)+`, "design": "zip"`)); len(r.Cells) != 4 || levels(r.Cells[3]) != "much bob 20" {
		t.Errorf("zipped there are %d cells, the last %v", len(r.Cells), r.Cells[3].Levels)
	}
	if r := run(t, document(`"of": {"ann": 3}`, factors)); levels(r.Cells[2]) != "none none" {
		t.Errorf("a single subject is a level: %v", r.Cells[2].Levels)
	}
}

// levels names the levels of a cell, in the order of their factors' names.
func levels(c study.Cell) string {
	text, _ := json.Marshal(c.Levels)
	var values []string
	d := json.NewDecoder(bytes.NewReader(text))
	for i := 0; ; i++ {
		token, err := d.Token()
		if err != nil {
			return strings.Join(values, " ")
		}
		if _, bracket := token.(json.Delim); !bracket && i%2 == 0 {
			values = append(values, fmt.Sprint(token))
		}
	}
}

// A run is the same scenario as a hand-written one, with the same hash.
func TestRunsArePlainScenarios(t *testing.T) {
	s := must.Get(scenario.Decode([]byte(document(both, `"factors": [{"name": "b", "path": "/toy/of/b~1b", "levels": [1, 2]}], "seeds": 3`))))(t)
	plan := must.Get(study.NewPlan(study.Of(s)))(t)
	got := plan.Run(3) // the second seed of the second level
	want, err := scenario.Decode([]byte(`{"version": 1, "kind": "toy", "toy": {"of": {"ann": 3, "bob": 5, "b/b": 2}, "seed": 8, "noise": 1}}`))
	if err != nil || got.Err != nil || got.Seed != 1 || got.Scenario.Hash() != want.Hash() {
		t.Errorf("run 3 is %s (%v), want %s (%v)", scenario.Encode(got.Scenario), got.Err, scenario.Encode(want), err)
	}
	if got.Scenario.Name != "b 2, seed +1" {
		t.Errorf("it is called %q", got.Scenario.Name)
	}
}

func TestDocumentKeepsItsForm(t *testing.T) {
	text := document(both, `"factors": [{"name": "x", "path": "/toy/seed", "levels": [18446744073709551615, {"label": "one", "value": 1}]},
		{"name": "p", "levels": [{"label": "a", "patch": {"toy": {"of": {"ann": null}}}}]}], "seeds": 2,
		"criteria": [{"id": "c", "source": "p. 1", "test": {"kind": "between", "metric": "y", "at": {"x": "one"}, "low": 1}}]`)
	s := must.Get(scenario.Decode([]byte(text)))(t)
	encoded := scenario.Encode(s)
	again, err := scenario.Decode(encoded)
	if err != nil || !bytes.Equal(scenario.Encode(again), encoded) || !bytes.Contains(encoded, []byte("18446744073709551615")) {
		t.Errorf("%v\n%s", err, encoded)
	}
	var travelled scenario.Scenario // as between page and worker
	if err := json.Unmarshal(encoded, &travelled); err != nil || travelled.Hash() != s.Hash() {
		t.Errorf("%v: %s", err, scenario.Encode(travelled))
	}
}

// shuffled executes jobs in an order given by its seed, and each a second time.
type shuffled uint64

func (seed shuffled) Execute(ctx context.Context, next func() (study.Job, bool), done func(study.Job, *study.Result) error) error {
	var jobs []study.Job
	for job, ok := next(); ok; job, ok = next() {
		jobs = append(jobs, job)
	}
	for _, i := range rand.New(rand.NewPCG(uint64(seed), 0)).Perm(len(jobs)) {
		result, err := study.Execute(ctx, jobs[i].Scenario, scenario.Env{})
		stored, _ := json.Marshal(result) // as in a store
		var read study.Result
		if err = errors.Join(err, json.Unmarshal(stored, &read), done(jobs[i], &read), done(jobs[i], study.Failed("toy", errors.New("a second result")))); err != nil {
			return err
		}
	}
	return nil
}

func TestOrderOfRunsIsNotSeen(t *testing.T) {
	s := must.Get(scenario.Decode([]byte(document(both+`, "break": 9`, `"factors": [{"name": "plus", "path": "/toy/plus", "levels": [1, 2]}], "seeds": 5, "compare": "player"`))))(t)
	plan := must.Get(study.NewPlan(study.Of(s)))(t)
	var first []byte
	for shuffle := range uint64(5) {
		sheet := plan.NewSheet()
		must.Do(t, sheet.Carry(t.Context(), nil, shuffled(shuffle).Execute, nil))
		text := must.Get(json.Marshal(sheet.Report()))(t)
		if first == nil {
			first = text
		}
		if !bytes.Equal(text, first) {
			t.Errorf("got\n%s\nwant\n%s", text, first)
		}
	}
	var r study.Report
	must.Do(t, json.Unmarshal(first, &r))
	if c := r.Cells[0]; c.N != 4 || len(c.Failed) != 1 || c.Failed[0].Seed != 2 || c.Failed[0].Message != "seed 9 is broken" || r.Runs.Failed != 2 {
		t.Errorf("the cell has %+v, of %+v", c, r.Runs)
	}
	if c := r.Comparisons; len(c) != 2 || c[0].Level != "bob" || c[0].Base != "ann" || c[0].Metrics["y"].N != 4 {
		t.Errorf("comparisons %+v", r.Comparisons)
	}
}

// The browser gives the same bytes.
func TestReportIsTheSameEverywhere(t *testing.T) {
	r := run(t, document(both, `"factors": [{"name": "plus", "path": "/toy/plus", "levels": [0.1, 0.25, 3]}], "seeds": 7, "compare": "plus",
		"criteria": [{"id": "a", "test": {"kind": "ratio", "metric": "y", "at": {"plus": 3, "player": "bob"}, "to": {"at": {"plus": 0.1}}, "value": 1.5, "relative": 0.1}},
			{"id": "b", "test": {"kind": "order", "metric": "y", "at": {"plus": 0.1, "player": "bob"}, "to": {"at": {"player": "ann"}}}},
			{"id": "c", "test": {"kind": "order", "metric": "z", "at": {"plus": 0.25, "player": "bob"}, "to": {"at": {"plus": 0.1}}}}]`))
	text := must.Get(json.Marshal(r))(t)
	const want = "b02f762daa924620989cc8d8471f4cb48194d5891dbd5032ea9d33ed85ef5938"
	if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != want {
		t.Errorf("the SHA-256 is %s, want %s, of\n%s", got, want, text)
	}
}

// A base without a name is not mentioned.
func TestABaseWithoutANameIsNotNamed(t *testing.T) {
	for name, want := range map[string]string{"": "2 of 3 runs, 1 failed\n", "shop": "2 of 3 runs of \"shop\", 1 failed\n"} {
		r := &study.Report{}
		r.Base.Name, r.Runs.All, r.Runs.Done, r.Runs.Failed = name, 3, 2, 1
		var text bytes.Buffer
		r.WriteText(&text, nil)
		if !strings.HasPrefix(text.String(), want) {
			t.Errorf("%q begins with %.40q, want %q", name, text.String(), want)
		}
	}
}

func TestRunThatPanicsIsOneRedCell(t *testing.T) {
	r := run(t, document(both, `"factors": [{"name": "panic", "path": "/toy/panic", "levels": [true, false]}]`))
	if c := r.Cells[0]; c.N != 0 || len(c.Failed) != 1 || c.Failed[0].Message != "the run panicked: dropped" || r.Cells[1].N != 1 {
		t.Errorf("cells %+v", r.Cells)
	}
	var text bytes.Buffer
	r.WriteText(&text, nil)
	if !strings.Contains(text.String(), "failed: panic true, seed +0: the run panicked: dropped\n") {
		t.Error(text.String())
	}
}

// An error of a level names that level, and not the errors of another factor's first level.
func TestABadLevelIsBlamedAlone(t *testing.T) {
	_, err := scenario.Decode([]byte(document(both, `"factors": [{"name": "x", "path": "/toy/plus", "levels": [2000, 1]}, {"name": "y", "path": "/toy/seed", "levels": [1, 2, "s"]}]`)))
	input, ok := errors.AsType[*scenario.InputError](err)
	if !ok {
		t.Fatal(err)
	}
	var blamed []string
	for _, d := range input.Diagnostics {
		blamed = append(blamed, d.Where())
	}
	if want := []string{"experiment.factors[0].levels[0]", "experiment.factors[1].levels[2]"}; !slices.Equal(blamed, want) || !strings.Contains(input.Diagnostics[1].String(), "toy.seed: found") {
		t.Errorf("blamed are %q, want %q: %v", blamed, want, err)
	}
}

func TestStoppedExperimentKeepsWhatCame(t *testing.T) {
	s := must.Get(scenario.Decode([]byte(document(both, `"seeds": 3`))))(t)
	ctx, stop := context.WithCancel(t.Context())
	runs := 0
	r, err := scenario.Run(ctx, s, scenario.Env{Progress: func(p scenario.Progress) { runs++ }})
	if err != nil || r.Partial || !r.Complete() {
		t.Errorf("%v: %+v", err, r)
	}
	stop()
	r, err = scenario.Run(ctx, s, scenario.Env{})
	if err != nil || !r.Partial || r.Complete() || !slices.Contains(r.Warnings, "3 of 3 runs were not carried out") {
		t.Errorf("%v: %+v", err, r)
	}
}

func TestDecodeNamesWhatIsWrong(t *testing.T) {
	const factor = `"factors": [{"name": "x", "path": "/toy/plus", "levels": [1, 2]}]`
	for fields, want := range map[string]string{
		`"factors": [{"path": "/toy/plus", "levels": [1]}]`:                                                                                `3:13: experiment.factors[0].name: missing`,
		`"factors": [{"name": "x", "path": "toy", "levels": [1]}]`:                                                                         `3:35: experiment.factors[0].path: found "toy", expected a JSON Pointer such as /qos/hosts/recipe/parameters/count`,
		`"factors": [{"name": "x", "path": "/toy/pluss", "levels": [1]}]`:                                                                  `experiment.factors[0].levels[0]: 1: toy.pluss: unknown field; known: seed, of, plus, noise, list, break, panic`,
		`"factors": [{"name": "x", "path": "/toy/list/0", "levels": [1]}]`:                                                                 `experiment.factors[0].levels[0]: 1: toy.list: found an object, expected an array`,
		`"factors": [{"name": "x", "path": "/toy/seed/0", "levels": [1]}]`:                                                                 `experiment.factors[0].levels[0]: 1: /toy/seed/0: there is no "0" in the number 7`,
		`"factors": [{"name": "x", "path": "/toy/plus", "levels": [1, 1e0]}]`:                                                              `3:62: experiment.factors[0].levels[1]: the level 1 is given twice: leave one out`,
		`"factors": [{"name": "x", "path": "/toy/plus", "levels": [1, 2000]}]`:                                                             `3:62: experiment.factors[0].levels[1]: 2000: toy.plus: found 2000, expected a number from -1000 to 1000`,
		`"factors": [{"name": "x", "levels": [1]}]`:                                                                                        `experiment.factors[0].levels[0]: expected {"label": …, "patch": {…}}, or a "path" of the factor`,
		`"factors": [{"name": "x", "levels": [{"label": "a", "patch": {"kind": "dice"}}]}]`:                                                `kind: unknown kind "dice"; known: `,
		`"factors": [{"name": "x", "levels": [{"label": "a", "pach": {}}]}]`:                                                               `experiment.factors[0].levels[0].pach: unknown field; known: label, value, patch`,
		factor + `, "seeds": 200001`:                                                                                                       `experiment.seeds: found 200001, expected 1 to 10000`,
		`"factors": [` + manyLevels + `], "seeds": 10000`:                                                                                  `experiment: the levels and seeds make 1000000 runs, at most 200000`,
		factor + `, "metrics": ["w"]`:                                                                                                      `experiment.metrics[0]: unknown metric "w"; known: y, z`,
		factor + `, "compare": "policy"`:                                                                                                   `experiment.compare: "policy" is unknown: expected one of player, x`,
		factor + `, "design": "random"`:                                                                                                    `experiment.design: "random" is unknown: expected one of full, zip`,
		factor + `, "criteria": [{"id": "a", "test": {"kind": "odd", "metric": "y"}}]`:                                                     `experiment.criteria[0].test.kind: found "odd", expected within, between, ratio, order, monotone`,
		factor + `, "criteria": [{"id": "a", "test": {"kind": "order", "metric": "y"}}]`:                                                   `experiment.criteria[0].test.to: missing: order has a second figure there`,
		factor + `, "criteria": [{"id": "a", "test": {"kind": "within", "metric": "y"}}]`:                                                  `experiment.criteria[0].test.value: missing`,
		factor + `, "criteria": [{"id": "a", "test": {"kind": "between", "metric": "y", "low": 2, "high": 1}}]`:                            `experiment.criteria[0].test: reaches from 2 to 1, expected a band that is not empty`,
		factor + `, "criteria": [{"id": "a", "test": {"kind": "between", "metric": "y", "low": 2, "at": {"x": 3}}}]`:                       `experiment.criteria[0].test.at.x: the factor has no level "3"`,
		factor + `, "criteria": [{"id": "a", "test": {"kind": "monotone", "metric": "y", "along": "seed"}}]`:                               `experiment.criteria[0].test.along: there is no factor "seed"`,
		factor + `, "criteria": [{"id": "a", "test": {"kind": "between", "metric": "y", "low": 2, "over": "seed"}}]`:                       `experiment.criteria[0].test.over: there is no factor "seed"`,
		factor + `, "criteria": [{"id": "a", "test": {"kind": "between", "metric": "y", "low": 2, "over": "x", "at": {"x": 1}}}]`:          `experiment.criteria[0].test.over: the test names a level of x; expected none, since it takes all its levels`,
		factor + `, "criteria": [{"id": "a", "test": {"kind": "between", "metric": "y", "low": 2, "across": "x", "at": {"x": 1}}}]`:        `experiment.criteria[0].test.across: the test names a level of x`,
		factor + `, "criteria": [{"id": "a", "test": {"kind": "between", "metric": "y", "low": 2, "statistic": "mode"}}]`:                  `experiment.criteria[0].test.statistic: found "mode", expected mean, proportion, rank`,
		factor + `, "criteria": [{"id": "a", "test": {"kind": "order", "metric": "y", "statistic": "proportion", "to": {"metric": "z"}}}]`: `experiment.criteria[0].test.statistic: found proportion in a test of kind order`,
		factor + `, "criteria": [{"id": "a", "evidence": "calibrated", "test": {"kind": "between", "metric": "y", "low": 2}}]`:             `experiment.criteria[0].basis: expected a basis for other evidence than measured, and only there`,
		factor + `, "criteria": [{"id": "a", "evidence": "guessed", "test": {"kind": "between", "metric": "y", "low": 2}}]`:                `experiment.criteria[0].evidence: found "guessed", expected measured, calibrated, put in`,
	} {
		_, err := scenario.Decode([]byte(document(both, fields)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", fields, err, want)
		}
	}
	for text, want := range map[string]string{
		strings.Replace(document(both, factor), `"noise": 1`, `"noice": 1`, 1):                     `2:95: experiment.base.toy.noice: unknown field`,
		strings.Replace(document(both, factor), `"noise": 1`, `"plus": 1e9`, 1):                    `2:94: experiment.base.toy.plus: found 1e+09, expected a number from -1000 to 1000`,
		strings.Replace(document(both, factor), `"version": 1, "kind": "toy"`, `"kind": "toy"`, 1): `experiment.base.version: missing; this is version 1`,
		document(``, `"base": 3`): `experiment.base: given twice`,
		`{"version": 1, "kind": "experiment", "experiment": {"base": ` + document(both, factor) + `}}`: `experiment.base.kind: an experiment cannot be the base of another`,
	} {
		if _, err := scenario.Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

var manyLevels = func() string {
	levels := make([]string, 100)
	for i := range levels {
		levels[i] = fmt.Sprint(i)
	}
	return `{"name": "many", "path": "/toy/plus", "levels": [` + strings.Join(levels, ",") + `]}`
}()

// The CSV has the values by seed after the interval that was computed from them.
func TestCSVHasValuesBySeed(t *testing.T) {
	x, y := figure.Number(1.5), figure.Number(2)
	r := study.Report{
		Factors: []study.FactorSummary{{Name: "n"}}, Metrics: []study.MetricSummary{{Name: "sum", Unit: "s"}},
		Cells: []study.Cell{{Levels: map[string]any{"n": 1}, N: 2, Metrics: map[string]study.Aggregate{"sum": {Estimate: figure.Estimate{N: 2, Mean: x, HalfWidth: figure.Undefined}, Values: []figure.Number{x, figure.Undefined, y}}}}},
	}
	if got, want := string(r.CSV()), "n,metric,unit,n,mean,half_width_95,failed,values\n1,sum,s,2,1.5,,0,1.5 – 2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A cell whose runs have all failed has no figures: its text and CSV do not say 0.
func TestACellWithoutRunsHasNoFigures(t *testing.T) {
	r := study.Report{
		Factors: []study.FactorSummary{{Name: "n"}}, Metrics: []study.MetricSummary{{Name: "sum"}},
		Cells: []study.Cell{{Levels: map[string]any{"n": 1}, Metrics: map[string]study.Aggregate{}}},
	}
	var text strings.Builder
	r.WriteText(&text, nil)
	if got := string(r.CSV()); !strings.HasSuffix(got, "\n1,sum,,0,,,0,\n") || !strings.Contains(text.String(), "1  0  –") {
		t.Errorf("the CSV is %q, the text\n%s", got, text.String())
	}
}

// shares is a kind with a figure that is a fraction.
var shares = &scenario.Kind{Name: "shares", Figures: []figure.Figure{{Name: "share", Title: "Share", Form: figure.Part}}}

// Fractions are percentages in the text, as in other tables, and their differences are percentage
// points. The CSV has the fractions.
func TestPartsArePercentagesInText(t *testing.T) {
	scenario.Register(shares)
	x := figure.Estimate{N: 2, Mean: 0.127, HalfWidth: 0.01}
	r := study.Report{
		Base: study.Base{Kind: "shares"}, Factors: []study.FactorSummary{{Name: "n"}}, Metrics: []study.MetricSummary{{Name: "share"}},
		Cells:       []study.Cell{{Levels: map[string]any{"n": 1}, N: 2, Metrics: map[string]study.Aggregate{"share": {Estimate: x}}}},
		Comparisons: []study.Comparison{{Level: 2, Base: 1, Metrics: map[string]study.PairedDifference{"share": {Estimate: x, P: figure.Undefined}}}},
	}
	var text strings.Builder
	r.WriteText(&text, nil)
	if got := text.String(); !strings.Contains(got, "12.7\u202f% ± 1\u202f%") || !strings.Contains(got, "share: 12.7 ± 1 percentage points") {
		t.Errorf("the text is\n%s", got)
	}
	if got := string(r.CSV()); !strings.Contains(got, ",0.127,0.01,") {
		t.Errorf("the CSV is %q", got)
	}
}
