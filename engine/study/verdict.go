package study

import (
	"fmt"
	"math"
	"slices"

	"berth/engine/figure"
)

// Verdict is what the runs say of a claim.
type Verdict string

// The verdicts. Of one criterion only Agrees, Differs and Undecided are given.
const (
	// Agrees: every number is met with its whole interval, and every direction holds.
	Agrees Verdict = "agrees"
	// Direction: every order and trend holds significantly; no number is contradicted,
	// but some are undecided, or there are none.
	Direction Verdict = "direction"
	// Differs: a number or a direction is contradicted significantly, corrected for how
	// many criteria there are.
	Differs Verdict = "differs"
	// Undecided: neither, with so many seeds.
	Undecided Verdict = "undecided"
)

// Known reports whether it is one of the verdicts.
func (v Verdict) Known() bool {
	return slices.Contains([]Verdict{Agrees, Direction, Differs, Undecided}, v)
}

// Judged is a criterion with what the runs say of it.
type Judged struct {
	ID        string  `json:"id"`
	Verdict   Verdict `json:"verdict"`
	Says      string  `json:"says,omitempty"`
	Source    string  `json:"source,omitempty"`
	Number    bool    `json:"number"` // it is one of a number, not of a direction
	Published string  `json:"published"`
	Ours      string  `json:"ours"`
	N         int     `json:"n"`                // seeds
	More      int     `json:"more,omitempty"`   // undecided: so many more seeds would decide with a probability of 0.8, if what is seen stays
	Why       string  `json:"why,omitempty"`    // undecided or differs, in words
	Found     *Found  `json:"found,omitempty"`  // of a number
	Effect    *Effect `json:"effect,omitempty"` // of an order: the first figure less the second

	contrary float64 // p-value of what contradicts the claim, 1 if nothing does
}

// Found is a number with its 95 % interval, which is open where Low or High is undefined:
// of a mean by Student's t, of a ratio by the bootstrap.
type Found struct {
	Value figure.Number `json:"value"`
	Low   figure.Number `json:"low"`
	High  figure.Number `json:"high"`
}

// Effect is how large a paired difference is, and how likely it were if nothing differed.
type Effect struct {
	P             figure.Number `json:"p"`             // of the paired t-test
	Wilcoxon      figure.Number `json:"wilcoxon"`      // of the signed-rank test
	Relative      figure.Number `json:"relative"`      // the difference as a part of the second figure; undefined if that is 0
	HodgesLehmann figure.Number `json:"hodgesLehmann"` // median of the means of pairs; undefined of more than 500 seeds
	CliffsDelta   figure.Number `json:"cliffsDelta"`   // how much more often the first is above the second
}

// Tally is how many criteria of a sort are met.
type Tally struct {
	Met int `json:"met"`
	Of  int `json:"of"`
}

// Tallies counts the numbers and the directions that are met.
func Tallies(all []Judged) (numbers, directions Tally) {
	for i := range all {
		of := &directions
		if all[i].Number {
			of = &numbers
		}
		of.Of++
		if all[i].Verdict == Agrees {
			of.Met++
		}
	}
	return numbers, directions
}

// Tallied says it: "numbers met 3 of 5, directions 4 of 4".
func Tallied(numbers, directions Tally) string {
	return fmt.Sprintf("numbers met %d of %d, directions %d of %d", numbers.Met, numbers.Of, directions.Met, directions.Of)
}

var infinity = math.Inf(1)

func abs(x float64) float64 { return math.Abs(x) }

// Conclude returns the verdict of a figure from those of its criteria, "" of none.
func Conclude(all []Judged) Verdict {
	if len(all) == 0 {
		return ""
	}
	numbers, directions := Tallies(all)
	switch contradicted := slices.ContainsFunc(all, func(j Judged) bool { return j.Verdict == Differs }); {
	case contradicted:
		return Differs
	case directions.Met < directions.Of:
		return Undecided
	case numbers.Of > 0 && numbers.Met == numbers.Of:
		return Agrees
	case directions.Of > 0:
		return Direction
	}
	return Undecided
}
