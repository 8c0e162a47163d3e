package qos

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/input/workload"
	"berth/engine/sim"
)

// Class is a service class; reports leave out its priorities and bonus.
type Class struct {
	Name       string
	SLO        float64          // availability promised, in [0.01, 1], which keeps Q within 64 bits up to workload.MaxTime
	Importance int              // 1 is the most important; several classes may have the same
	Margin     sim.Milliseconds // safety margin φ
	Limit      float64          // upper limit of the preemption overhead C (Eq. 8), in [0, 1]
	Priorities [2]int           `json:"-"` // lowest and highest priority of the Google trace in this class; -1, -1 if no priority maps to it
	Bonus      []Bonus          `json:"-"` // ascending by Below
}

// Bonus is a row of table 2: the credit for an availability below a bound.
type Bonus struct {
	Below  float64 `json:"below"`
	Credit float64 `json:"credit"`
}

// GoogleClasses returns the three classes of the paper, all with the given margin.
// The credits are from table 2; gold has no credit for availabilities in [99.99 %,
// 100 %).
func GoogleClasses(margin sim.Milliseconds) []Class {
	return []Class{
		{"gold", 1, 1, margin, 0, [2]int{9, 11}, []Bonus{{0.95, 1}, {0.99, 0.3}, {0.9999, 0.1}}},
		{"silver", 0.9, 2, margin, 0.1, [2]int{2, 8}, []Bonus{{0.8556, 1}, {0.8911, 0.3}, {0.9, 0.1}}},
		{"bronze", 0.5, 3, margin, 0.5, [2]int{0, 1}, []Bonus{{0.475, 1}, {0.495, 0.3}, {0.5, 0.1}}},
	}
}

// DefaultBonus returns the row of table 2 for an SLO of the paper. For other SLOs it
// scales the bounds of class bronze.
func DefaultBonus(slo float64) []Bonus {
	for _, c := range GoogleClasses(0) {
		if c.SLO == slo {
			return c.Bonus
		}
	}
	return []Bonus{{0.95 * slo, 1}, {0.99 * slo, 0.3}, {slo, 0.1}}
}

func names(classes []Class) (all []string) {
	for i := range classes {
		all = append(all, classes[i].Name)
	}
	return all
}

// importances returns the distinct importances of the classes in ascending order, the
// most important first.
func importances(classes []Class) []int {
	var all []int
	for i := range classes {
		all = append(all, classes[i].Importance)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// termsByLevel names the terms of a cost with one term for each level of importance, the most
// important first. A name consists of the classes of the level and a suffix.
func termsByLevel(classes []Class, suffix, unit string) (terms []Term) {
	for _, importance := range importances(classes) {
		alike := slices.DeleteFunc(slices.Clone(classes), func(c Class) bool { return c.Importance != importance })
		terms = append(terms, Term{strings.Join(names(alike), ", ") + suffix, unit})
	}
	return terms
}

// credit returns b, the credit for an availability below the SLO (table 2); 0 if no
// row of the table applies.
func (c *Class) credit(availability float64) float64 {
	for _, b := range c.Bonus {
		if availability < b.Below {
			return b.Credit
		}
	}
	return 0
}

// maxPriority is the highest priority that maps to a class.
const maxPriority = 1 << 10

// class returns the index of a request's class: the class of its name if defined, otherwise the
// last class with its priority.
func (c *Config) class(r *workload.Request) (uint8, error) {
	if r.Class != "" {
		for i := range c.Classes {
			if c.Classes[i].Name == r.Class {
				return uint8(i), nil
			}
		}
		if r.Priority == workload.NoPriority {
			return 0, fmt.Errorf("the class is %.40q, which no table defines; defined: %q", r.Class, names(c.Classes))
		}
	}
	for i := len(c.Classes) - 1; i >= 0; i-- {
		if p := c.Classes[i].Priorities; r.Priority >= max(0, p[0]) && r.Priority <= min(p[1], maxPriority) {
			return uint8(i), nil
		}
	}
	return 0, fmt.Errorf("the priority is %d, which belongs to no class; expected one of the classes' priorities, 0 to 11 by default", r.Priority)
}
