package drawn

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"strings"

	"berth/engine/parameter"
	"berth/engine/policy"
	"berth/engine/scenario"
	"berth/engine/sim"
)

// The streams of random numbers: each laboratory has its own, and so have lists.
const (
	placementStream = 700 + iota
	qosStream
	federateStream
	listStream
)

// draw is a stream of random numbers. Do not add to a product of them: a processor that
// fuses the two rounds once, and would draw another scenario.
type draw struct{ *sim.Random }

func newDraw(seed, stream uint64) draw { return draw{sim.NewRandom(seed, stream)} }

// often reports true in this percentage of the draws.
func (r draw) often(percent int) bool { return r.IntN(100) < percent }

func (r draw) between(low, high int) int { return low + r.IntN(high-low+1) }

// tenths draws a number with one decimal.
func (r draw) tenths(low, high int) float64 { return float64(r.between(low, high)) / 10 }

// small draws a seed of up to three digits.
func (r draw) small() uint64 { return uint64(r.IntN(1000)) }

func pick[T any](r draw, from ...T) T { return from[r.IntN(len(from))] }

// some draws one to most elements of a list that is not empty, in random order. An element
// that is appended to the list, such as a new strategy, changes few of the scenarios.
func some[T any](r draw, most int, from []T) (all []T) {
	order := newDraw(r.Uint64(), listStream).Permutation(len(from))
	for _, i := range order[:r.between(1, min(most, len(from)))] {
		all = append(all, from[i])
	}
	return all
}

// table writes a header and n rows as CSV. No cell has a space.
func table(header string, n int, row func(i int) []any) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range n {
		b.WriteString(strings.ReplaceAll(strings.TrimSuffix(fmt.Sprintln(row(i)...), "\n"), " ", ",") + "\n")
	}
	return b.String()
}

// turn sets some parameters of a scenario to a quarter to four times their defaults, or of
// usual where that is 0. It leaves out a value that would make the scenario invalid. Each
// parameter has a stream of its own, so that a new one does not change the others.
func (r draw) turn(s scenario.Scenario, percent int, usual float64, parameters []parameter.Parameter) {
	seed := r.Uint64()
	for i := range parameters {
		p, name := &parameters[i], fnv.New64a()
		name.Write([]byte(p.Name))
		own := newDraw(seed, name.Sum64())
		if !p.Number() || !own.often(percent) {
			continue
		}
		x := cmp.Or(p.Default, usual) * pick(own, 0.25, 0.5, 2, 4)
		if p.Whole {
			x = math.Round(x)
		}
		before, given := p.Get(s.Body)
		err := p.Set(s.Body, new(min(max(x, p.Low), p.High)))
		switch invalid := err != nil || s.Validate() != nil; {
		case invalid && given:
			_ = p.Set(s.Body, &before)
		case invalid:
			_ = p.Set(s.Body, nil)
		}
	}
}

// written draws one of some policies in Starlark.
func (r draw) written(texts ...string) *policy.Text {
	return &policy.Text{Name: "mine", Text: pick(r, texts...)}
}
