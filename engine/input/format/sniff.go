package format

import (
	"bytes"
	"strings"
	"unicode"

	"berth/engine/input/format/sniff"
)

// Beyond returns the name of a text's format, such as "objects of Kubernetes", if it
// is one of graphs other than DOT; otherwise "".
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

// Holds reports whether a text has workloads other than pods, for a deployment, and nodes or
// Karmada's Clusters, for a federation.
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

// kindForms are what stands between the key kind and its value in YAML and JSON, and behind the
// value.
var kindForms = []struct{ lead, end string }{{": ", "\r\n"}, {`": "`, `"`}, {`":"`, `"`}}

// kindIn is the kind in a text behind the key, for a List the kind of its elements; "" for none.
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
