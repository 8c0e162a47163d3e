// Package readers registers every format of inputs there is, and what is asked of
// nodes alone, for programs that read them all. That of the page reads .dot alone,
// and has package format recognise the others.
package readers

import (
	"berth/engine/bundle"
	"berth/engine/input/format"
	_ "berth/engine/input/packed/unpackers"
	"berth/engine/input/topology"
	"berth/engine/input/trace"
	"berth/engine/kube/handover"
	"berth/engine/kube/manifest"
	"berth/engine/placement/placementkind"
)

func init() {
	placementkind.RegisterNodes(manifest.ReadCluster, manifest.ReadPools)
	handover.Register()
	bundle.Register()
	must(format.DeploymentFormats.Add(format.Reader[[]format.Deployment]{
		Name: "kubernetes", Read: manifest.ReadDeployment,
	}))
	must(format.FederationFormats.Add(format.Reader[*format.Federation]{
		Name: "kubernetes", Read: manifest.ReadFederation,
	}))
	for _, w := range []format.Writer{
		{Name: "karmada", Extension: ".yaml", Type: "application/yaml", Write: manifest.WriteKarmada},
		{Name: "kubectl", Extension: ".yaml", Type: "application/yaml", Write: manifest.WriteManifests},
	} {
		must(format.Writers.Add(w))
	}
	must(topology.Register())
	must(format.FederationFormats.Add(format.Reader[*format.Federation]{Name: "openb-nodes", Read: trace.ReadFederation}))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
