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

// The streams of random numbers, one for each laboratory and one for lists.
const (
	placementStream = 700 + iota
	qosStream
	federateStream
	listStream
)

// draw is a stream of random numbers. Do not add to a product of them: a processor that fuses both
// operations rounds only once and would draw a different scenario.
type draw struct{ *sim.Random }

func newDraw(seed, stream uint64) draw { return draw{sim.NewRandom(seed, stream)} }

// often returns true in the given percentage of draws.
func (r draw) often(percent int) bool { return r.IntN(100) < percent }

func (r draw) between(low, high int) int { return low + r.IntN(high-low+1) }

// tenths draws a number with one decimal.
func (r draw) tenths(low, high int) float64 { return float64(r.between(low, high)) / 10 }

// small draws a seed of up to three digits.
func (r draw) small() uint64 { return uint64(r.IntN(1000)) }

func pick[T any](r draw, from ...T) T { return from[r.IntN(len(from))] }

// some draws one to most elements of a non-empty list, in random order. It uses its own stream, so
// that an element appended to the list, such as a new strategy, changes few scenarios.
func some[T any](r draw, most int, from []T) (all []T) {
	order := newDraw(r.Uint64(), listStream).Permutation(len(from))
	for _, i := range order[:r.between(1, min(most, len(from)))] {
		all = append(all, from[i])
	}
	return all
}

// table formats a header and n rows as CSV. Cells must not contain spaces.
func table(header string, n int, row func(i int) []any) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range n {
		b.WriteString(strings.ReplaceAll(strings.TrimSuffix(fmt.Sprintln(row(i)...), "\n"), " ", ",") + "\n")
	}
	return b.String()
}

// turn sets each parameter with the given probability (in percent) to a quarter to four times its
// default, or of usual if the default is 0. It skips a value that would make the scenario invalid.
// Each parameter has its own stream, so that a new parameter does not change the others.
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

func (r draw) written(texts ...string) *policy.Text {
	return &policy.Text{Name: "mine", Text: pick(r, texts...)}
}
