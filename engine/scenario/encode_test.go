package scenario

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"berth/engine/figure"
	"berth/engine/must"
)

type tagged struct {
	SHA256 string `json:"sha256"`
	taggedInner
	*TaggedFar
	GPUs     []*taggedPart         `json:"gpus"`
	Missing  []taggedPart          `json:"missing"`
	ByName   map[string]taggedPart `json:"byName"`
	None     map[string]taggedPart `json:"none"`
	Any      []any                 `json:"any"`
	Left     []taggedPart          `json:"left,omitempty"`
	Part     taggedPart            `json:"part,omitempty"`
	Zero     taggedPart            `json:"zero,omitzero"`
	Text     string                `json:"text,omitempty"`
	Count    int                   `json:"count,omitempty"`
	Bytes    []byte                `json:"bytes"`
	Raw      json.RawMessage       `json:"raw"`
	Ignored  []taggedPart          `json:"-"`
	Pair     [2]taggedPart         `json:"pair"`
	Number   figure.Number         `json:"number"`
	OtherCPU *taggedPart           `json:"otherCPU"`
}

type taggedInner struct {
	SLO   float64 `json:"slo"`
	Count int     `json:"count"` // hidden
}

type TaggedFar struct {
	Far int `json:"far"`
}

type taggedPart struct {
	Name string  `json:"name"`
	Of   float64 `json:"of"`
}

type plain struct {
	SHA256 string
	plainInner
	*PlainFar
	GPUs     []*plainPart
	Missing  []plainPart
	ByName   map[string]plainPart
	None     map[string]plainPart
	Any      []any
	Left     []plainPart `json:",omitempty"`
	Part     plainPart   `json:",omitempty"`
	Zero     plainPart   `json:",omitzero"`
	Text     string      `json:",omitempty"`
	Count    int         `json:"count,omitempty"`
	Bytes    []byte
	Raw      json.RawMessage
	Ignored  []plainPart `json:"-"`
	Pair     [2]plainPart
	Number   figure.Number
	OtherCPU *plainPart
}

type plainInner struct {
	SLO   float64
	Count int // hidden
}

type PlainFar struct{ Far int }

type plainPart struct {
	Name string
	Of   float64
}

// A struct without tags has the same JSON as one with tags in encoding/json, and can be decoded
// from it.
func TestNamesOfFields(t *testing.T) {
	for name, test := range map[string]struct {
		tagged tagged
		plain  plain
	}{
		"empty": {},
		"full": {
			tagged{
				SHA256: "<&> \u2028 é\n", taggedInner: taggedInner{0.5, 3}, TaggedFar: &TaggedFar{7}, GPUs: []*taggedPart{{"a", 1e-9}, nil},
				ByName: map[string]taggedPart{"b\"": {"c", 1e21}, "a": {"", -0.1}}, Any: []any{nil, taggedPart{"x", 2}, "y", 3.5, []any{}, json.Number("1000")}, Left: []taggedPart{{}},
				Zero: taggedPart{"z", 0}, Text: "t", Count: 4, Bytes: []byte("bytes"), Raw: json.RawMessage(`{ "A": [1, 2] }`), Number: figure.Number(math.NaN()), OtherCPU: &taggedPart{},
			},
			plain{
				SHA256: "<&> \u2028 é\n", plainInner: plainInner{0.5, 3}, PlainFar: &PlainFar{7}, GPUs: []*plainPart{{"a", 1e-9}, nil},
				ByName: map[string]plainPart{"b\"": {"c", 1e21}, "a": {"", -0.1}}, Any: []any{nil, plainPart{"x", 2}, "y", 3.5, []any{}, json.Number("1000")}, Left: []plainPart{{}},
				Zero: plainPart{"z", 0}, Text: "t", Count: 4, Bytes: []byte("bytes"), Raw: json.RawMessage(`{ "A": [1, 2] }`), Number: figure.Number(math.NaN()), OtherCPU: &plainPart{},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var want, got []byte
			var err error
			if want, err = appendOther(nil, reflect.ValueOf(&test.tagged)); err != nil {
				t.Fatal(err)
			}
			if got, err = appendJSON(nil, reflect.ValueOf(&test.plain)); err != nil || string(got) != string(want) {
				t.Errorf("%v: got  %s\nwant %s", err, got, want)
			}
			var again plain
			must.Do(t, json.Unmarshal(got, &again))
			if twice, err := appendJSON(nil, reflect.ValueOf(&again)); err != nil || string(twice) != string(want) {
				t.Errorf("%v: decoded and encoded again\n%s", err, twice)
			}
		})
	}
	if _, err := JSON(plainPart{Of: math.Inf(1)}); err == nil {
		t.Error("an infinite number has JSON")
	}
}
