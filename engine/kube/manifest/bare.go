package manifest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file interprets unquoted scalars as Kubernetes does, which reads YAML 1.1: 010 is the number
// 8, and yes is true.

var truths = [...][]string{
	{"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"},
	{"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"},
}

var decimalFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// sort returns "a number" or "true or false" if Kubernetes reads the value as one, and "" if it is
// a text.
func (n *tree) sort() string {
	if !n.bare || n.text == "" || strings.IndexByte("0123456789+-.yYnNtTfFoO", n.text[0]) < 0 {
		return ""
	}
	if slices.Contains(truths[0], n.text) || slices.Contains(truths[1], n.text) {
		return "true or false"
	}
	if _, isWhole := n.whole(); isWhole || decimalFloat.MatchString(strings.ReplaceAll(n.text, "_", "")) {
		return "a number"
	}
	return ""
}

// whole parses an integer: decimal, octal, hexadecimal or binary.
func (n *tree) whole() (int64, bool) {
	if !n.bare || n.text == "" || strings.IndexByte("0123456789+-", n.text[0]) < 0 || strings.Trim(n.text, "0123456789abcdefABCDEFxXoO_+-") != "" {
		return 0, false
	}
	whole, err := strconv.ParseInt(strings.ReplaceAll(n.text, "_", ""), 0, 64)
	return whole, err == nil
}

// plain returns the value as JSON writes it, because Kubernetes first converts YAML to JSON.
func (n *tree) plain() string {
	switch whole, isWhole := n.whole(); {
	case isWhole:
		return strconv.FormatInt(whole, 10)
	case n.bare && slices.Contains(truths[0], n.text):
		return "false"
	case n.bare && slices.Contains(truths[1], n.text):
		return "true"
	}
	return n.text
}
