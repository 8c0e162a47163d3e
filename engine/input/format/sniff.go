package format

import (
	"bytes"
	"strings"
	"unicode"

	"berth/engine/input/format/sniff"
)

// Beyond returns a description of a text's format, such as "objects of Kubernetes", if the text is
// a graph in a format other than DOT; otherwise "".
func Beyond(text string) string {
	if f := sniff.Look(text, sniff.Placement); f.Is(sniff.Placement) && f.Name != "dot" {
		return f.What
	}
	return ""
}

// IsKubernetes reports whether a text consists of Kubernetes objects, judged by its
// beginning.
func IsKubernetes(text []byte) bool {
	return sniff.Look(string(text[:min(len(text), sniff.Most)]), 0).Format == Kubernetes.Format
}

// Holds reports whether a text has workloads other than single pods, and whether it has nodes or
// Karmada's Clusters. It scans the text without parsing it.
func Holds(text []byte) (workloads, nodes bool) {
	if !IsKubernetes(text) {
		return false, false
	}
	for !workloads || !nodes {
		_, behind, found := bytes.Cut(text, []byte("kind"))
		if !found {
			break
		}
		switch kindIn(behind) {
		case "Deployment", "StatefulSet", "Job", "CronJob":
			workloads = true
		case "Node", "Cluster":
			nodes = true
		}
		text = behind
	}
	return workloads, nodes
}

// kindForms are the texts between the key kind and its value in YAML and JSON, and the characters
// that may follow the value.
var kindForms = []struct{ lead, end string }{{": ", "\r\n"}, {`": "`, `"`}, {`":"`, `"`}}

// kindIn returns the value of the key kind, given the text after the key. For a List it returns the
// kind of the items. It returns "" if the text has no such value.
func kindIn(text []byte) string {
	for _, form := range kindForms {
		rest, is := bytes.CutPrefix(text, []byte(form.lead))
		if !is {
			continue
		}
		word := rest[:max(0, bytes.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) }))]
		if elements, list := bytes.CutSuffix(word, []byte("List")); list {
			return string(elements)
		}
		if len(word) > 0 && strings.IndexByte(form.end, rest[len(word)]) >= 0 {
			return string(word)
		}
	}
	return ""
}
