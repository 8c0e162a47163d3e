package study

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/figure"
)

// Verdict says how the results of the runs agree with a claim of a paper.
type Verdict string

// The verdicts, which [Verdicts] explains. Direction is only a verdict on several criteria
// together.
const (
	Agrees    Verdict = "agrees"
	Direction Verdict = "direction"
	Differs   Verdict = "differs"
	Undecided Verdict = "undecided"
)

// Known reports whether v is one of the verdicts.
func (v Verdict) Known() bool {
	return slices.ContainsFunc(Verdicts, func(r Meaning) bool { return r.Name == string(v) })
}

// Judged is a criterion with its verdict.
type Judged struct {
	ID        string   `json:"id"`
	Verdict   Verdict  `json:"verdict"`
	Says      string   `json:"says,omitempty"`
	Source    string   `json:"source,omitempty"`
	Evidence  Evidence `json:"evidence"`
	Basis     string   `json:"basis,omitempty"` // for other evidence than Measured
	Number    bool     `json:"number"`          // the criterion is about a number, not a direction
	Published string   `json:"published"`
	Ours      string   `json:"ours"`
	N         int      `json:"n"`                // seeds
	Why       string   `json:"why,omitempty"`    // reason for undecided or differs
	Found     *Found   `json:"found,omitempty"`  // for a number
	Effect    *Effect  `json:"effect,omitempty"` // for an order: first figure minus second

	contrary float64 // p-value of the contradiction, 1 if there is none
	seeds    int     // seeds for a power of 80 %, if the effect is as found
}

// NotMeasured returns ", calibrated" or ", put in" for other evidence than Measured.
func (j *Judged) NotMeasured() string {
	if j.Evidence == Measured {
		return ""
	}
	return ", " + string(j.Evidence)
}

// measured reports whether the criterion counts in the verdict.
func (j *Judged) measured() bool { return j.Evidence == Measured || j.Evidence == "" }

// Seeds returns the number of seeds with which 80 % of all experiments would decide the criterion,
// if the effect and its spread are as found; math.MaxInt32 if no number suffices.
func (j *Judged) Seeds() int { return j.seeds }

// Found is a number with its 95 % interval by the statistic of the test, and by the bootstrap
// for a ratio. An infinite Low or High, null in JSON, means that the interval is
// open.
type Found struct {
	Value figure.Number `json:"value"`
	Low   figure.Number `json:"low"`
	High  figure.Number `json:"high"`
}

// Effect describes a paired difference.
type Effect struct {
	P             figure.Number `json:"p"`             // paired t-test; it decides unless the test says rank
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

// Tallies counts the measured criteria about numbers and about directions.
func Tallies(all []Judged) (numbers, directions Tally) {
	for i := range all {
		if !all[i].measured() {
			continue
		}
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

// Others names the criteria that do not count: "not counted: 8 calibrated, 1 put in"; "" for none.
func Others(all []Judged) string {
	var parts []string
	for _, kind := range []Evidence{Calibrated, PutIn} {
		n, met := 0, 0
		for i := range all {
			if all[i].Evidence == kind {
				n++
				if all[i].Verdict == Agrees {
					met++
				}
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s, %d met", n, kind, met))
		}
	}
	if parts == nil {
		return ""
	}
	return "not counted: " + strings.Join(parts, "; ")
}

// Conclude returns the verdict of a figure from its measured criteria; "" without criteria.
func Conclude(all []Judged) Verdict {
	if len(all) == 0 {
		return ""
	}
	numbers, directions := Tallies(all)
	switch contradicted := slices.ContainsFunc(all, func(j Judged) bool { return j.Verdict == Differs && j.measured() }); {
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
