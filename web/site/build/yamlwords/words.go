// Package yamlwords recognises the numbers that package yaml recognises with regular
// expressions. The build of the site puts this file into its copy of that package, since
// regexp is a fortieth of the download.
package yamlwords

import "strings"

// decimal matches what YAML takes for a decimal number: -1.5e3.
type decimal struct{}

// MatchString reports whether all of s is one.
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

// sexagesimal matches what YAML 1.1 takes for a number of base 60: 190:20:30.15.
type sexagesimal struct{}

// MatchString reports whether all of s is one.
func (sexagesimal) MatchString(s string) bool {
	first, rest, several := strings.Cut(unsigned(s), ":")
	if !several || first == "" || digits(first[:1], "") == 0 || digits(first, "_") != len(first) {
		return false
	}
	rest, fraction, point := strings.Cut(rest, ".")
	for _, part := range strings.Split(rest, ":") { // the module of package yaml is in an old version of the language
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

// digits is how many digits, or characters of others, s begins with.
func digits(s, others string) int {
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || strings.IndexByte(others, s[n]) >= 0) {
		n++
	}
	return n
}
