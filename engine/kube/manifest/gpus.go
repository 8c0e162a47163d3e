package manifest

import (
	"slices"
	"strings"

	"berth/engine/kube/packing"
)

// annotated adds the GPU requests in a pod's annotations, unless its containers
// request GPUs themselves.
func (a *amounts) annotated(annotations *value) {
	for _, resource := range []string{packing.GPUCount, packing.GPUShare} {
		if q, ok := annotations.at(resource).quantity(resource); ok && a.requests[resource] == 0 {
			a.requests[resource] = q
		}
	}
}

// accepts restricts each term of a pod's required node affinity to the GPU models
// that the pod's annotation accepts.
func accepts(terms []packing.AffinityTerm, annotations *value) []packing.AffinityTerm {
	models := annotations.at(packing.GPUModel).text()
	if models == "" {
		return terms
	}
	one := packing.Requirement{Key: packing.GPUModel, Operator: "In", Values: strings.Split(models, "|")}
	if terms == nil {
		return []packing.AffinityTerm{{Labels: []packing.Requirement{one}}}
	}
	for i, t := range terms {
		if len(t.Labels)+len(t.Fields) > 0 { // an empty term matches no node
			terms[i].Labels = append(slices.Clip(t.Labels), one)
		}
	}
	return terms
}

// capacityOf reads the resources of a node. It reports more shareable GPUs than Berth
// counts one by one.
func capacityOf(v *value) packing.Resources {
	r := resourcesOf(v)
	if r.TooManyGPUs() {
		v.wrong(gpusOfVendor, packing.MaxGPUs)
	}
	return r
}
