// Package readers registers the readers of Kubernetes, of archives and of bundles, and the
// questions about nodes. The page's program lacks them: it only recognises their inputs.
package readers

import (
	"berth/engine/bundle"
	"berth/engine/input/format"
	"berth/engine/kube/handover"
	"berth/engine/kube/manifest"
	"berth/engine/placement/placementkind"
)

func init() {
	placementkind.RegisterNodes(manifest.ReadCluster, manifest.ReadPools)
	handover.Register()
	bundle.Register()
	format.Kubernetes.Deployments, format.Kubernetes.Federation = manifest.ReadDeployment, manifest.ReadFederation
	for _, w := range []format.Writer{
		{Name: "karmada", Extension: ".yaml", Type: "application/yaml", Write: manifest.WriteKarmada},
		{Name: "kubectl", Extension: ".yaml", Type: "application/yaml", Write: manifest.WriteManifests},
	} {
		must(format.Writers.Add(w))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
