package scenario

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"berth/engine/figure"
	"berth/engine/must"
)

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

// A struct without tags has the same JSON as one in encoding/json with a tag for each name, and can
// be decoded from it.
func TestNamesOfFields(t *testing.T) {
	for name, test := range map[string]struct {
		plain plain
		want  string
	}{
		"empty": {plain{}, `{"sha256":"","slo":0,"gpus":null,"missing":null,"byName":null,"none":null,"any":null,"part":{"name":"","of":0},"bytes":null,"raw":null,"pair":[{"name":"","of":0},{"name":"","of":0}],"number":0,"otherCPU":null}`},
		"full": {
			plain{
				SHA256: "<&> \u2028 é\n", plainInner: plainInner{0.5, 3}, PlainFar: &PlainFar{7}, GPUs: []*plainPart{{"a", 1e-9}, nil},
				ByName: map[string]plainPart{"b\"": {"c", 1e21}, "a": {"", -0.1}}, Any: []any{nil, plainPart{"x", 2}, "y", 3.5, []any{}, json.Number("1000")}, Left: []plainPart{{}},
				Zero: plainPart{"z", 0}, Text: "t", Count: 4, Bytes: []byte("bytes"), Raw: json.RawMessage(`{ "A": [1, 2] }`), Number: figure.Number(math.NaN()), OtherCPU: &plainPart{},
			},
			`{"sha256":"<&> \u2028 é\n","slo":0.5,"far":7,"gpus":[{"name":"a","of":1e-9},null],"missing":null,"byName":{"a":{"name":"","of":-0.1},"b\"":{"name":"c","of":1e+21}},"none":null,"any":[null,{"name":"x","of":2},"y",3.5,[],1000],"left":[{"name":"","of":0}],"part":{"name":"","of":0},"zero":{"name":"z","of":0},"text":"t","count":4,"bytes":"Ynl0ZXM=","raw":{"A":[1,2]},"pair":[{"name":"","of":0},{"name":"","of":0}],"number":null,"otherCPU":{"name":"","of":0}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := appendJSON(nil, reflect.ValueOf(&test.plain))
			if err != nil || string(got) != test.want {
				t.Errorf("%v: got  %s\nwant %s", err, got, test.want)
			}
			var again plain
			must.Do(t, json.Unmarshal(got, &again))
			if twice, err := appendJSON(nil, reflect.ValueOf(&again)); err != nil || string(twice) != test.want {
				t.Errorf("%v: decoded and encoded again\n%s", err, twice)
			}
		})
	}
	if _, err := JSON(plainPart{Of: math.Inf(1)}); err == nil {
		t.Error("an infinite number has JSON")
	}
}
