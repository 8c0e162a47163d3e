package manifest

import (
	"berth/engine/diag"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/show"
)

// ReadPools reads pools.yaml: the types of nodes that can be added to a cluster, as a
// list or under the key pools. Each pool has a type, allocatable resources, labels,
// taints, a price per hour, and a minimum and maximum number of nodes.
func ReadPools(file string, text []byte, options format.Options) ([]kube.NodeType, diag.List) {
	s := &source{file: file, strict: options.Strict, budget: options.Budget.Or()}
	var all []kube.NodeType
	s.documents(text, func(root *value) {
		list := root
		if root.node.kind == isMapping {
			list = root.at("pools")
		}
		for _, one := range list.items() {
			all = append(all, readPool(&one))
		}
	})
	if len(all) == 0 && s.count[diag.Error] == 0 {
		s.whole(diag.Error, noPools)
	}
	seen := map[string]bool{}
	for _, p := range all {
		if seen[p.Type] && s.count[diag.Error] == 0 {
			s.whole(diag.Error, typeTwice, show.Quote(p.Type))
		}
		seen[p.Type] = true
	}
	found := s.diagnostics()
	if len(found.Errors()) > 0 {
		return nil, found
	}
	return all, found
}

func readPool(v *value) kube.NodeType {
	p := kube.NodeType{Type: v.at("type").text(), Minimum: v.at("minimum").number(0), Maximum: v.at("maximum").number(0)}
	if p.Type == "" {
		v.wrong(noType)
	}
	p.Template = kube.Node{Labels: v.at("labels").textMap(), Taints: taintsOf(v.at("taints")), Allocatable: capacityOf(v.at("allocatable"))}
	for _, resource := range []string{kube.CPU, kube.Memory} {
		if p.Template.Allocatable[resource] <= 0 && v.there() {
			v.wrong(noResource, resource)
		}
	}
	price, priced := v.at("price"), false
	if price.there() && price.is(isScalar) {
		p.Price, priced = finite(price.node.text)
	}
	if !priced {
		v.wrong(noPrice)
	}
	if p.Maximum > 0 && p.Minimum > p.Maximum {
		v.wrong(minimumAbove, p.Minimum, p.Maximum)
	}
	return p
}
