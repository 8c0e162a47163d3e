package cluster

import (
	"fmt"
	"math"

	"berth/engine/show"
)

// Amount is a quantity of CPU or memory in billionths of the input's unit. It is an integer so that
// amounts do not drift: releasing an amount exactly undoes taking it.
type Amount int64

// Unit is one unit of the input. MaxAmount is the limit for one host or request, and MaxTotal the
// limit for all hosts together. Sums within these limits are exact.
const (
	Unit      Amount = 1e9
	MaxAmount Amount = 1e9 * Unit
	MaxTotal  Amount = 4 * MaxAmount
)

// MaxGPUs is the highest number of devices of one host or request.
const MaxGPUs = 1<<15 - 1

// Units returns the amount in units of the input.
func (a Amount) Units() float64 { return float64(a) / float64(Unit) }

// ToAmount converts a quantity in units of the input to an amount. A quantity outside [0, 1e9] is
// an error.
func ToAmount(units float64) (Amount, error) {
	if !(units >= 0 && units <= MaxAmount.Units()) {
		return 0, fmt.Errorf("%s is not a quantity from 0 to 1e9", show.Given(units))
	}
	return Amount(math.Round(units * float64(Unit))), nil
}

// ParseAmount parses a decimal quantity in units of the input; see [ToAmount].
func ParseAmount(text string) (Amount, error) {
	units, ok := show.ParseNumber(text)
	if !ok {
		return 0, fmt.Errorf("%.40q is not a number", text)
	}
	return ToAmount(units)
}

// The functions below operate on slices with an amount for each resource type.

// Covers reports whether have is at least want for every resource type.
func Covers(have, want []Amount) bool {
	for r, amount := range want {
		if have[r] < amount {
			return false
		}
	}
	return true
}

// Add adds amounts to to, or subtracts them if sign is −1.
func Add(to, amounts []Amount, sign Amount) {
	for r, amount := range amounts {
		to[r] += sign * amount
	}
}

// Raise raises each amount to at least the amount in others.
func Raise(amounts, others []Amount) {
	for r, amount := range others {
		amounts[r] = max(amounts[r], amount)
	}
}

// Dominant returns the largest used fraction of any resource type. A resource with a total of 0
// counts as unused.
func Dominant(used, total []Amount) (part float64) {
	for r, amount := range used {
		part = max(part, float64(amount)/float64(max(total[r], 1)))
	}
	return part
}

// Row returns row i of a table with n resource types per row. The row aliases the table.
func Row(table []Amount, i int32, n int) []Amount {
	at := int(i) * n
	return table[at : at+n : at+n]
}
