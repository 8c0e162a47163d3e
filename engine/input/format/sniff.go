package format

import (
	"slices"
	"strings"

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

// hasKind reports whether a text has an object of a kind, or a List of that kind.
func hasKind(text, kind string) bool {
	list := kind + "List"
	return slices.ContainsFunc([]string{"kind: " + kind + "\n", "kind: " + kind + "\r", `"kind": "` + kind + `"`, `"kind":"` + kind + `"`, "kind: " + list, `"kind": "` + list, `"kind":"` + list},
		func(form string) bool { return strings.Contains(text, form) })
}

// Holds reports whether a text has workloads other than pods, for a deployment, and nodes or
// Karmada's Clusters, for a federation.
func Holds(text []byte) (workloads, nodes bool) {
	if !IsKubernetes(text) {
		return false, false
	}
	all := string(text)
	has := func(kind string) bool { return hasKind(all, kind) }
	return slices.ContainsFunc([]string{"Deployment", "StatefulSet", "Job", "CronJob"}, has), slices.ContainsFunc([]string{"Node", "Cluster"}, has)
}
