// Package formats registers every format of inputs there is, for programs that
// read them all. The page's own reads .dot until it needs more.
package formats

import (
	"berth/engine/format"
	"berth/engine/kubernetes"
	"berth/engine/topology"
)

func init() {
	must(format.AddDeployments(format.Format[[]format.Deployment]{
		Name: "kubernetes", Title: "Kubernetes YAML or JSON", Sniff: kubernetes.Sniff, Read: kubernetes.ReadDeployment,
	}))
	must(format.AddFederations(format.Format[*format.Federation]{
		Name: "kubernetes", Title: "Kubernetes nodes or Karmada clusters", Sniff: kubernetes.Sniff, Nodes: kubernetes.HasNodes, Read: kubernetes.ReadFederation,
	}))
	for _, w := range []format.Writer{
		{Name: "karmada", Title: "Karmada policies", Extension: ".yaml", Type: "application/yaml", Write: kubernetes.WriteKarmada},
		{Name: "kubectl", Title: "manifests of each cluster", Extension: ".yaml", Type: "application/yaml", Write: kubernetes.WriteManifests},
	} {
		must(format.AddWriter(w))
	}
	for _, f := range []format.Format[*format.Federation]{
		{Name: "graphml", Title: "GraphML of the Internet Topology Zoo", Sniff: topology.IsGraphML, Read: topology.ReadGraphML},
		{Name: "gml", Title: "GML of the Internet Topology Zoo", Sniff: topology.IsGML, Read: topology.ReadGML},
	} {
		must(format.AddFederations(f))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
