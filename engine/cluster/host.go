package cluster

import (
	"slices"
	"sort"
	"strings"

	"berth/engine/show"
)

// Attribute is a property of a host, such as its kernel version.
type Attribute struct{ Key, Value string }

// Host is a machine. Its attributes are sorted by key, and keys are unique; see [SortAttributes].
type Host struct {
	Name        string
	CPU, Memory Amount
	GPUs        int // whole devices, at most MaxGPUs
	Attributes  []Attribute
}

// SortAttributes sorts attributes by key, in place. Of several values for a key it keeps the last
// one.
func SortAttributes(a []Attribute) []Attribute {
	slices.Reverse(a)
	sort.SliceStable(a, func(i, j int) bool { return a[i].Key < a[j].Key })
	return slices.CompactFunc(a, func(x, y Attribute) bool { return x.Key == y.Key })
}

// HostName is the key of the implicit attribute that holds the name of a host.
const HostName = "kubernetes.io/hostname"

// Attribute returns the value of a key; ok is false if the host has no such attribute.
func (h *Host) Attribute(key string) (value string, ok bool) {
	if key == HostName {
		return h.Name, true
	}
	i, ok := slices.BinarySearchFunc(h.Attributes, key, func(a Attribute, key string) int {
		return strings.Compare(a.Key, key)
	})
	if !ok {
		return "", false
	}
	return h.Attributes[i].Value, true
}

// Operator compares an attribute with the value of a constraint.
type Operator uint8

// The operators of the Google trace, and In, which accepts any of the alternatives in its value,
// such as T4|V100.
const (
	Equal Operator = iota
	NotEqual
	Less
	Greater
	In
)

var operators = [...]string{Equal: "=", NotEqual: "≠", Less: "<", Greater: ">", In: "∈"}

// String returns the symbol of the operator.
func (o Operator) String() string { return operators[o] }

// ParseOperator parses the symbol of an operator (= == =:= ≠ != <> /= =/= < > ∈) or its number in
// the Google trace (0 = 1 ≠ 2 < 3 >).
func ParseOperator(text string) (o Operator, ok bool) {
	switch text {
	case "=", "==", "=:=", "0":
		return Equal, true
	case "≠", "!=", "<>", "/=", "=/=", "1":
		return NotEqual, true
	case "<", "2":
		return Less, true
	case ">", "3":
		return Greater, true
	case "∈":
		return In, true
	}
	return 0, false
}

// Constraint is a condition on the hosts that may take a request.
type Constraint struct {
	Key   string
	Op    Operator
	Value string
}

// String formats the constraint as in CSV files.
func (c Constraint) String() string { return c.Key + c.Op.String() + c.Value }

// Allows reports whether the host satisfies the constraint. As documented for the Google trace, a
// missing attribute is "" for = and ≠, and 0 for < and >. If the attribute or the value is not a
// number, < and > are not satisfied.
func (c Constraint) Allows(h *Host) bool {
	value, ok := h.Attribute(c.Key)
	switch c.Op {
	case Equal:
		return value == c.Value
	case NotEqual:
		return value != c.Value
	case In:
		return slices.Contains(strings.Split(c.Value, "|"), value)
	}
	var have float64
	if ok {
		have, ok = show.ParseNumber(value)
		if !ok {
			return false
		}
	}
	limit, ok := show.ParseNumber(c.Value)
	if !ok {
		return false
	}
	if c.Op == Less {
		return have < limit
	}
	return have > limit
}

// Allows reports whether the host satisfies all constraints.
func Allows(all []Constraint, h *Host) bool {
	return !slices.ContainsFunc(all, func(c Constraint) bool { return !c.Allows(h) })
}
