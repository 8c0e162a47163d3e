package format

import (
	"slices"
	"strings"

	"berth/engine/format/sniff"
	"berth/engine/plugin"
)

// Beyond says what a text is, by its beginning, if it is of a format of package
// readers: "objects of Kubernetes"; "" of any other.
func Beyond(text string) string {
	if f := sniff.Look(text, sniff.Placement); f.Is(sniff.Placement) && f.Name != "dot" {
		return f.What
	}
	return ""
}

// Readable returns a [*plugin.MissingError] for a text that only programs with package
// readers read.
func Readable(text string) error {
	f := sniff.Look(text, sniff.Placement)
	if f.Is(sniff.Placement) && !has(deployments, f.Name) && !has(federations, f.Name) {
		return f.Missing()
	}
	return nil
}

func has[T any](all *plugin.Registry[Reader[T]], name string) bool {
	return slices.Contains(all.Names(), name)
}

// IsKubernetes says whether a text is, by its beginning, objects of Kubernetes.
func IsKubernetes(text []byte) bool { return sniff.As(text, "kubernetes") }

// kubernetesHolds says whether objects of Kubernetes have workloads beside pods,
// and nodes or clusters of Karmada.
func kubernetesHolds(text []byte) (workloads, nodes bool) {
	all := string(text)
	has := func(kind string) bool { return hasKind(all, kind) }
	return slices.ContainsFunc([]string{"Deployment", "StatefulSet", "Job", "CronJob"}, has), slices.ContainsFunc([]string{"Node", "Cluster"}, has)
}

// hasKind finds an object of a kind, or a List of that type.
func hasKind(text, kind string) bool {
	list := kind + "List"
	return slices.ContainsFunc([]string{"kind: " + kind + "\n", "kind: " + kind + "\r", `"kind": "` + kind + `"`, `"kind":"` + kind + `"`, "kind: " + list, `"kind": "` + list, `"kind":"` + list},
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
