package kubernetes

import (
	"slices"
	"strings"

	"berth/engine/packing"
)

// annotated adds what annotations of a pod ask of GPUs, where its containers ask nothing.
func (a *amounts) annotated(annotations *value) {
	for _, resource := range []string{packing.GPUCount, packing.GPUShare} {
		if q, ok := annotations.at(resource).quantity(resource); ok && a.requests[resource] == 0 {
			a.requests[resource] = q
		}
	}
}

// accepts adds the models that a pod accepts to each of its terms of required affinity.
func accepts(terms []packing.Term, annotations *value) []packing.Term {
	models := annotations.at(packing.GPUModel).text()
	if models == "" {
		return terms
	}
	one := packing.Requirement{Key: packing.GPUModel, Operator: "In", Values: strings.Split(models, "|")}
	if terms == nil {
		return []packing.Term{{Labels: []packing.Requirement{one}}}
	}
	for i, t := range terms {
		if len(t.Labels)+len(t.Fields) > 0 { // one without takes no node
			terms[i].Labels = append(slices.Clip(t.Labels), one)
		}
	}
	return terms
}

// tooManyGPUs refuses a node with more GPUs that can be shared than are counted one by one.
func tooManyGPUs(r packing.Resources, v *value) {
	if r.TooManyGPUs() {
		v.wrong(gpusOfVendor, packing.MaxGPUs)
	}
}
