// Package manifest reads manifests and dumps of clusters in the formats of kubectl
// get -o yaml, helm template and kustomize build: YAML with any number of documents,
// or JSON. It turns workloads into jobs with the shape of their pods, nodes with
// their pods into clusters, and dependencies between workloads, declared or inferred,
// into edges of the deployment graph. It reads Karmada's Clusters and the cluster
// taints that Karmada's policies tolerate, and writes manifests and such policies.
//
// Reading continues after problems. Each diagnostic names the document, the kind and
// name of the object, the path of the field, line and column. Aliases of YAML are
// expanded only within a budget.
package manifest

import "berth/engine/input/format"

func init() {
	format.Kubernetes.Deployments, format.Kubernetes.Federation = ReadDeployment, ReadFederation
	for _, w := range []format.Writer{
		{Name: "karmada", Extension: ".yaml", Type: "application/yaml", Write: WriteKarmada},
		{Name: "kubectl", Extension: ".yaml", Type: "application/yaml", Write: WriteManifests},
	} {
		if err := format.Writers.Add(w); err != nil {
			panic(err)
		}
	}
}
