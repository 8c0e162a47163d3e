package dot

import (
	"math/rand/v2"
	"testing"

	gonum "gonum.org/v1/gonum/graph/formats/dot"
)

// What is left out of the compact form must not make a wrong text right, nor a
// right one wrong: gonum has to accept both forms or neither.
func TestCompactIsAcceptedWhereTheWholeIs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pieces := [][]kind{
		{name}, {name}, {name}, {edgeop}, {'['}, {']'}, {'='}, {';'}, {','}, {':'}, {'{'}, {'}'}, {subgraph}, {nodeKey}, {graphKey},
		{'[', name, '=', name, ']'}, {'[', name, '=', name, ',', name, '=', name, ';', ']'}, {'[', ']'},
		{name, edgeop, name}, {name, '=', name}, {name, ':', name}, {'{', name, '}'}, {';', name},
	}
	accepted := 0
	for range 100_000 {
		var tokens []token
		for range 1 + r.IntN(6) {
			for _, k := range pieces[r.IntN(len(pieces))] {
				tokens = append(tokens, token{kind: k})
			}
		}
		_, whole := gonum.ParseBytes(append(spell([]byte("graph{\n"), tokens), '}'))
		_, short := gonum.ParseBytes(append(compact([]byte("graph{"), tokens), '}'))
		if (whole == nil) != (short == nil) {
			t.Fatalf("%s\nwhole: %v\nshort: %v, as %s", spell(nil, tokens), whole, short, compact(nil, tokens))
		}
		if whole == nil {
			accepted++
		}
	}
	if accepted < 5_000 {
		t.Errorf("only %d texts are right: the test says little", accepted)
	}
}
