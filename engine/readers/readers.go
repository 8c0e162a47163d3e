// Package readers registers every format of inputs there is, and what is asked of
// nodes alone, for programs that read them all. That of the page reads .dot alone,
// and has package format recognise the others.
package readers

import (
	"berth/engine/bundle"
	"berth/engine/format"
	"berth/engine/handover"
	"berth/engine/kubernetes"
	_ "berth/engine/packed/unpackers"
	"berth/engine/placement/placementkind"
	"berth/engine/topology"
	"berth/engine/trace"
)

func init() {
	placementkind.RegisterNodes(kubernetes.ReadCluster, kubernetes.ReadPools)
	handover.Register()
	bundle.Register()
	must(format.DeploymentFormats.Add(format.Reader[[]format.Deployment]{
		Name: "kubernetes", Read: kubernetes.ReadDeployment,
	}))
	must(format.FederationFormats.Add(format.Reader[*format.Federation]{
		Name: "kubernetes", Read: kubernetes.ReadFederation,
	}))
	for _, w := range []format.Writer{
		{Name: "karmada", Extension: ".yaml", Type: "application/yaml", Write: kubernetes.WriteKarmada},
		{Name: "kubectl", Extension: ".yaml", Type: "application/yaml", Write: kubernetes.WriteManifests},
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
