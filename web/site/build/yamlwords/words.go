// Package yamlwords matches the numbers that package yaml matches with regular
// expressions. The build of the site adds this file to its copy of that package,
// since regexp is a fortieth of the download.
package yamlwords

import "strings"

// decimal matches a decimal number of YAML: -1.5e3.
type decimal struct{}

// MatchString reports whether all of s is a decimal number.
func (decimal) MatchString(s string) bool {
	s = unsigned(s)
	whole := digits(s, "")
	rest, point := strings.CutPrefix(s[whole:], ".")
	part := 0
	if point {
		part = digits(rest, "")
	}
	if whole+part == 0 {
		return false
	}
	rest = rest[part:]
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	power := unsigned(rest[1:])
	return power != "" && digits(power, "") == len(power)
}

// sexagesimal matches a number of base 60 of YAML 1.1: 190:20:30.15.
type sexagesimal struct{}

// MatchString reports whether all of s is a sexagesimal number.
func (sexagesimal) MatchString(s string) bool {
	first, rest, several := strings.Cut(unsigned(s), ":")
	if !several || first == "" || digits(first[:1], "") == 0 || digits(first, "_") != len(first) {
		return false
	}
	rest, fraction, point := strings.Cut(rest, ".")
	for _, part := range strings.Split(rest, ":") { // not SplitSeq: package yaml uses an older version of Go
		if part == "" || len(part) > 2 || digits(part, "") != len(part) || len(part) == 2 && part[0] > '5' {
			return false
		}
	}
	return !point || digits(fraction, "_") == len(fraction)
}

func unsigned(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:]
	}
	return s
}

// digits returns the number of digits, or characters of others, at the beginning of
// s.
func digits(s, others string) int {
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || strings.IndexByte(others, s[n]) >= 0) {
		n++
	}
	return n
}
