package study

import (
	"fmt"
	"slices"

	"berth/engine/figure"
)

// Verdict says how the results of the runs agree with a claim of a paper.
type Verdict string

// The verdicts. Direction is only a verdict on several criteria together.
const (
	// Agrees: the whole interval of every number is within its tolerance, and every
	// direction holds.
	Agrees Verdict = "agrees"
	// Direction: every order and trend holds significantly, and no number is
	// contradicted, but not all numbers are met, or there are none.
	Direction Verdict = "direction"
	// Differs: a number or a direction is contradicted significantly, corrected for the
	// number of criteria.
	Differs Verdict = "differs"
	// Undecided: more seeds are needed.
	Undecided Verdict = "undecided"
)

// Known reports whether v is one of the verdicts.
func (v Verdict) Known() bool {
	return slices.Contains([]Verdict{Agrees, Direction, Differs, Undecided}, v)
}

// Judged is a criterion with its verdict.
type Judged struct {
	ID        string  `json:"id"`
	Verdict   Verdict `json:"verdict"`
	Says      string  `json:"says,omitempty"`
	Source    string  `json:"source,omitempty"`
	Number    bool    `json:"number"` // the criterion is about a number, not a direction
	Published string  `json:"published"`
	Ours      string  `json:"ours"`
	N         int     `json:"n"`                // seeds
	More      int     `json:"more,omitempty"`   // if undecided: further seeds that would decide with a probability of 0.8, if the effect is as observed
	Why       string  `json:"why,omitempty"`    // reason for undecided or differs
	Found     *Found  `json:"found,omitempty"`  // for a number
	Effect    *Effect `json:"effect,omitempty"` // for an order: first figure minus second

	contrary float64 // p-value of the contradiction, 1 without one
}

// Found is a number with its 95 % interval, by Student's t for a mean and by the
// bootstrap for a ratio. An infinite Low or High, null in JSON, means that the interval is
// open.
type Found struct {
	Value figure.Number `json:"value"`
	Low   figure.Number `json:"low"`
	High  figure.Number `json:"high"`
}

// Effect describes a paired difference.
type Effect struct {
	P             figure.Number `json:"p"`             // paired t-test
	Wilcoxon      figure.Number `json:"wilcoxon"`      // signed-rank test
	Relative      figure.Number `json:"relative"`      // difference as a fraction of the second figure; undefined if that figure is 0
	HodgesLehmann figure.Number `json:"hodgesLehmann"` // median of the means of all pairs; undefined for more than 500 seeds
	CliffsDelta   figure.Number `json:"cliffsDelta"`   // P(first > second) − P(first < second)
}

// Tally counts the criteria that are met.
type Tally struct {
	Met int `json:"met"`
	Of  int `json:"of"`
}

// Tallies counts the criteria about numbers and about directions.
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

// Tallied writes both tallies: "numbers met 3 of 5, directions 4 of 4".
func Tallied(numbers, directions Tally) string {
	return fmt.Sprintf("numbers met %d of %d, directions %d of %d", numbers.Met, numbers.Of, directions.Met, directions.Of)
}

// Conclude returns the verdict of a figure from its criteria; "" without criteria.
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
