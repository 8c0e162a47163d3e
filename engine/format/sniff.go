package format

import (
	"slices"
	"strings"

	"berth/engine/plugin"
)

// beyond are the formats of package formats by their names, with what a text of
// them is called: every program recognises them, also where it does not read them.
var beyond = []struct {
	name, what string
	sniff      func(text []byte) bool
}{
	{"kubernetes", "objects of Kubernetes", IsKubernetes},
	{"graphml", "a network in GraphML", IsGraphML},
	{"gml", "a network in GML", IsGML},
}

// Beyond says what a text is, by its beginning, if it is of a format of package
// formats: "objects of Kubernetes"; "" of any other.
func Beyond(text string) string {
	head := []byte(text[:min(len(text), sniffed)])
	for _, b := range beyond {
		if b.sniff(head) {
			return b.what
		}
	}
	return ""
}

// MissingError says that a text is of a format that this program does not read,
// since it is without package formats.
type MissingError struct{ What string }

func (e *MissingError) Error() string { return "this program does not read " + e.What }

// Readable returns a [*MissingError] for a text that only programs with package
// formats read.
func Readable(text string) error {
	head := []byte(text[:min(len(text), sniffed)])
	for _, b := range beyond {
		if b.sniff(head) && !has(deployments, b.name) && !has(federations, b.name) {
			return &MissingError{b.what}
		}
	}
	return nil
}

func has[T any](all *plugin.Registry[Format[T]], name string) bool {
	return slices.Contains(all.Names(), name)
}

// sniffed is how much of a text is looked at.
const sniffed = 64 << 10

// IsKubernetes says whether a text is, by its beginning, objects of Kubernetes.
func IsKubernetes(text []byte) bool {
	head := string(text[:min(len(text), sniffed)])
	return hasKey(head, "apiVersion") && hasKey(head, "kind")
}

// hasKey finds a key of a mapping in YAML or JSON.
func hasKey(text, key string) bool {
	for rest := text; ; {
		i := strings.Index(rest, key)
		if i < 0 {
			return false
		}
		before := strings.TrimRight(rest[:i], " \t\"'-{,")
		after := strings.TrimLeft(rest[i+len(key):], "\"' \t")
		if (before == "" || before[len(before)-1] == '\n' || before[len(before)-1] == '\r') && strings.HasPrefix(after, ":") ||
			strings.HasPrefix(rest[i+len(key):], `"`) && strings.HasPrefix(after, ":") {
			return true
		}
		rest = rest[i+len(key):]
	}
}

// kubernetesHolds says whether objects of Kubernetes have workloads beside pods,
// and nodes or clusters of Karmada.
func kubernetesHolds(text []byte) (workloads, nodes bool) {
	all := string(text)
	has := func(kind string) bool { return hasKind(all, kind) }
	return slices.ContainsFunc([]string{"Deployment", "StatefulSet", "Job", "CronJob"}, has), slices.ContainsFunc([]string{"Node", "Cluster"}, has)
}

func hasKind(text, kind string) bool {
	return slices.ContainsFunc([]string{"kind: " + kind + "\n", "kind: " + kind + "\r", `"kind": "` + kind + `"`, `"kind":"` + kind + `"`},
		func(form string) bool { return strings.Contains(text, form) })
}

// Holds says what a text that may be for a deployment or a federation has for
// either.
func Holds(text []byte) (workloads, nodes bool) {
	if !IsKubernetes(text) {
		return false, false
	}
	return kubernetesHolds(text)
}

// IsGraphML says whether a text begins as GraphML.
func IsGraphML(text []byte) bool {
	head := string(text[:min(len(text), 4096)])
	return strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(head, "\uFEFF"), " \t\r\n"), "<") && strings.Contains(head, "<graphml")
}

// IsGML says whether a text begins as GML: keys with values, and graph with a list
// among them.
func IsGML(text []byte) bool {
	rest := string(text[:min(len(text), sniffed)])
	for {
		key, value := "", ""
		key, rest = gmlWord(rest)
		value, rest = gmlWord(rest)
		switch {
		case key == "graph":
			return value == "["
		case key == "" || key[0] == '"' || value == "" || value == "[":
			return false
		}
	}
}

// gmlWord takes a key, a value or a bracket off a text; a value in quotation marks
// keeps the first of them.
func gmlWord(text string) (word, rest string) {
	for text = strings.TrimLeft(text, " \t\r\n"); strings.HasPrefix(text, "#"); text = strings.TrimLeft(text, " \t\r\n") {
		_, text, _ = strings.Cut(text, "\n")
	}
	switch {
	case text == "":
		return "", ""
	case text[0] == '"':
		word, rest, _ = strings.Cut(text[1:], `"`)
		return `"` + word, rest
	case text[0] == '[' || text[0] == ']':
		return text[:1], text[1:]
	}
	if end := strings.IndexAny(text, " \t\r\n[]\""); end >= 0 {
		return text[:end], text[end:]
	}
	return text, ""
}
