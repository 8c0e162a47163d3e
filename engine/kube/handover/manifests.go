package handover

import (
	"slices"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/placement/placementkind"
)

// Read reads manifests as one cluster, with nodes from some files and workloads from others. It
// removes running pods of these workloads from the nodes, because the simulation creates them. It
// returns nil if there are errors.
func Read(nodes, workloads []format.File, b *budget.Budget) (*placementkind.OneCluster, diag.List) {
	c := &placementkind.OneCluster{}
	var found diag.List
	o := format.Options{Options: dot.Options{Budget: b}}
	own := map[kube.Owner]bool{}
	for _, file := range workloads {
		all, problems := format.ReadDeployments(file.Name, []byte(file.Text), o)
		found = append(found, problems...)
		for i := range all {
			c.Jobs = append(c.Jobs, all[i].Pods...)
			for _, pods := range all[i].Pods {
				own[pods.Owner] = true
			}
		}
	}
	for _, file := range nodes {
		f, problems := format.ReadFederation([]format.File{file}, o)
		found = append(found, problems...)
		if f == nil {
			continue
		}
		for _, nodes := range f.Listed() {
			nodes.Pods = slices.DeleteFunc(nodes.Pods, func(p *kube.Pod) bool { return own[p.Owner] })
			c.Nodes = append(c.Nodes, placementkind.NodesOf(nodes)...)
		}
	}
	if len(found.Errors()) > 0 {
		return nil, found
	}
	return c, found
}
